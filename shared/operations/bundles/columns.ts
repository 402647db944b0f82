// The columns that both operations on data bundles have.
import type { Catalogue } from '#shared/operations/catalogue.ts';
import type { CellReader } from '#shared/operations/columns/cell-reader.ts';
import { chooseOption } from '../kit/choice.ts';
import { repeatingColumn } from '../kit/column.ts';
import type { LookupNetwork } from '../kit/lookup-network.ts';

const longestText = 255;

export const submissionNameColumn = repeatingColumn('name', {
  aliases: ['submission name'],
  help: 'The name of the submission at the service. If empty, the name of the request.',
  example: 'July bundles',
});

export const sizeColumn = (name: 'bundleSizeMb' | 'sizeMb') =>
  repeatingColumn(name, {
    aliases: ['bundle size', 'size'],
    required: true,
    help: 'The size of the bundle: its megabytes or its name, as the network lists it.',
    example: '1024',
  });

/** Megabytes; only a size that the network lists (spec gap 40). */
export async function chooseBundleSize(
  column: 'bundleSizeMb' | 'sizeMb',
  network: LookupNetwork,
  catalogue: Catalogue,
  cells: CellReader,
): Promise<number | undefined> {
  const text = cells.required(column);
  if (text === undefined) return undefined;
  const sizes = await catalogue.bundleSizes(network.networkNumber);
  const options = sizes.map(({ size, name }) => ({ number: size, name }));
  const kind = { column, code: 'BUNDLE_SIZE_UNKNOWN', what: 'bundle size', among: `on ${network.name}` } as const;
  return chooseOption(text, options, kind, cells)?.number;
}

/** A text that only the service checks (spec gap 40); it must not be empty. */
export const requiredText = (column: string, cells: CellReader): string | undefined =>
  cells.required(column) && cells.freeText(column, longestText);

/** The user's name of the submission, if the row has one. */
export const readSubmissionName = (cells: CellReader): string | undefined =>
  cells.text('name') === '' ? undefined : cells.freeText('name', longestText);
