// What both operations on data bundles have: a size that the network lists, a name for the submission.
import { error } from '#shared/domain/issue.ts';
import type { Catalogue } from './catalogue.ts';
import { choose, missed } from './choice.ts';
import { column } from './column.ts';
import type { Cells } from './operation.ts';
import { freeText, requiredCell, type ShapeReport } from './shape-report.ts';
import type { LookupNetwork } from './tariff-choice.ts';

const longestText = 255;

export const submissionNameColumn = column('name', {
  aliases: ['submission name'],
  repeats: true,
  help: 'What the submission is called at the service; made from the request where it is empty.',
  example: 'July bundles',
});

export const sizeColumn = (name: 'bundleSizeMb' | 'sizeMb') =>
  column(name, {
    aliases: ['bundle size', 'size'],
    required: true,
    repeats: true,
    help: 'The size of the bundle: its megabytes or its name, as the network lists it.',
    example: '1024',
  });

/** Megabytes; only a size that the network lists (decision 40). */
export async function chooseBundleSize(
  cells: Cells,
  columnName: 'bundleSizeMb' | 'sizeMb',
  network: LookupNetwork,
  catalogue: Catalogue,
  report: ShapeReport,
): Promise<number | undefined> {
  const text = requiredCell(cells, columnName, report);
  if (text === undefined) return undefined;
  const sizes = await catalogue.bundleSizes(network.networkNumber);
  const options = sizes.map(({ size, name }) => ({ number: size, name }));
  const chosen = choose(text, options);
  if (chosen === undefined) {
    const message = missed('bundle size', text, `on ${network.name}`, options);
    report.add(columnName, error('BUNDLE_SIZE_UNKNOWN', message));
  }
  return chosen?.number;
}

/** A text that the service judges and we pass through (decision 40); it must not be empty. */
export function passedThrough(cells: Cells, columnName: string, report: ShapeReport): string | undefined {
  const text = requiredCell(cells, columnName, report);
  return text === undefined ? undefined : freeText(columnName, text, longestText, report);
}

/** The user's name of the submission, where the row has one. */
export function readSubmissionName(cells: Cells, report: ShapeReport): string | undefined {
  const text = cells('name');
  return text === '' ? undefined : freeText('name', text, longestText, report);
}
