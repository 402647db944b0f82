// simporter forget NUMBER: erases everything that is stored about a number.

import { openArchive } from '#shared/files/workbook/open-archive.ts';
import type { ImportItem } from '#shared/import/import.ts';
import { readNumber } from '#shared/operations/validate-row.ts';
import { writeAnalytics as writeAnalyticsOf } from '#shared/results/analytics.ts';
import { searchUpload } from '#shared/results/changed-file.ts';
import { writeResultsWithout } from '#shared/results/import-files.ts';
import { readFirst, readRowParts } from '#shared/results/parts.ts';
import { showsItsState } from '#shared/results/results.ts';
import { parseMsisdn } from '#shared/row/msisdn.ts';
import { callingCodeOf } from '#shared/row/numbering-plan.ts';
import { type Erased, type Erasing, eraseClaims, eraseFromImport, eraseWrites } from '#shared/store/erase-number.ts';
import { createFiles } from '#shared/store/files.ts';
import { eachImport } from '#shared/store/imports.ts';
import { isObjectGone } from '#shared/store/object-keys.ts';
import { mentionsOf } from '#shared/store/search-number.ts';
import { CliError, usageError } from '../context/cli-error.ts';
import { type ConfigureCommand, exitCodes } from '../context/command.ts';
import { printJson } from '../output/json.ts';
import { formatTable } from '../output/table.ts';
import type { Target } from '../target/target.ts';

export const configure: ConfigureCommand = (command, { onTarget }) =>
  command
    .argument('<msisdn>', 'in any notation: 07700 900123, +447700900123')
    .option('--dry-run', 'show what would be erased, and change nothing')
    .action(
      onTarget<[string, { readonly dryRun?: boolean }]>(async (session, text, { dryRun = false }) => {
        const { target, json, terminal } = session;
        const parsed = parseMsisdn(text, { callingCode: target.resources.callingCode });
        if (!parsed.ok) throw usageError(`"${text}" is not a number: ${parsed.finding.message}.`);
        const erased = await forget(target, parsed.value, { dryRun });
        if (json) await printJson(session, { dryRun, erased });
        else await terminal.lines(formatTable(columns, erased.map(cellsOf), terminal));
        if (!json) terminal.note(dryRun ? 'Nothing was changed.' : 'Backups of the table expire within 35 days.');
        return exitCodes.done;
      }),
    );

const columns = [{ header: 'what' }, { header: 'how' }, { header: 'where', wraps: true }];
const cellsOf = ({ what, how, place, isUnread }: Erased): string[] => [
  what,
  isUnread ? `${how}: could not be read` : how,
  place,
];

const ended: readonly ImportItem['state'][] = ['finished', 'rejected', 'planned'];
/** While report writes the files of a finished import, it may write the number again. */
const hasEnded = (item: ImportItem): boolean =>
  ended.includes(item.state) && (item.state !== 'finished' || showsItsState(item));

/** An import or a part that is under way needs the files of all of them: the results are written from these. */
async function findBusy(items: Iterable<ImportItem>, { imports }: Target): Promise<ReadonlySet<string>> {
  const busy = new Set<string>();
  for (const item of items) {
    const first = await readFirst(imports, item);
    for (const one of [item, first, ...(await readRowParts(first, imports))])
      if (!hasEnded(one)) busy.add(one.importId);
  }
  return busy;
}

const notFoundIfGone = (error: unknown) => {
  if (isObjectGone(error)) return 'not found' as const;
  throw error;
};

/**
 * Finds everything first: an import in progress still needs its file, and sync would write the number again.
 * @param number E.164 digits
 * @throws CliError while an import with the number, or one of its family, is in progress
 */
export async function forget(
  target: Target,
  number: string,
  { dryRun }: { readonly dryRun: boolean },
): Promise<Erased[]> {
  const { s3, table, resources } = target;
  const files = createFiles(s3);
  const mentions = mentionsOf(number, resources.callingCode);
  const { callingCode } = resources;
  const national = number.slice(callingCodeOf(number)?.length);
  const isNumber = (cell: string) => mentions.isIn(cell) || readNumber(cell, { callingCode }) === number;
  // Every cell of every upload is read: most of them do not even have the digits.
  const isErased = (cells: readonly string[]) =>
    cells.some(
      (cell) => cell.length >= national.length && cell.replace(/\D+/g, '').includes(national) && isNumber(cell),
    );
  const erasing: Erasing = {
    ...resources,
    s3,
    table,
    number,
    openArchive,
    searchUpload: (item) => searchUpload(item, files, (cell) => isErased([cell])).catch(notFoundIfGone),
    rewriteResults: (item) => writeResultsWithout(isErased, item, { files, resources }),
    writeAnalytics: (item) => writeAnalyticsOf(item, { files, resources }),
    isTrial: dryRun,
  };
  const found = new Map<ImportItem, Erased[]>();
  for await (const item of eachImport(target.imports)) {
    const erased = await Array.fromAsync(eraseFromImport(item, { ...erasing, isTrial: true }));
    if (erased.length > 0) found.set(item, erased);
  }
  const busy = await findBusy(found.keys(), target);
  if (busy.size > 0) {
    throw new CliError(
      `The number is in an import that is in progress, or whose corrections or moves are: ${[...busy].join(', ')}.`,
      { advice: 'Wait until they are finished, or cancel their ports. Nothing was changed.' },
    );
  }
  if (!dryRun) for (const item of found.keys()) await Array.fromAsync(eraseFromImport(item, erasing));
  const claims = await Array.fromAsync(eraseClaims(erasing));
  const writes = await Array.fromAsync(eraseWrites(erasing));
  if (!dryRun) await target.eraseDeletedBytes?.();
  const all = [...[...found.values()].flat(), ...claims, ...writes];
  // The last step finds the audit trail of each import again, where nothing was changed.
  return [...new Map(all.map((erased) => [cellsOf(erased).join(), erased])).values()];
}
