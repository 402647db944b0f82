// Writes report files to the user's disk. What reads the rows of an import is loaded only where it is needed: many
// commands write a table of their own, and most write none.
import { createWriteStream } from 'node:fs';
import { mkdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { csvHeader, csvRow } from '#shared/files/csv/csv-row.ts';
import type { TextSheet } from '#shared/files/workbook/write-workbook.ts';
import type { ImportItem } from '#shared/import/import.ts';
import type { OperationName } from '#shared/text/identity.ts';
import type { CliContext } from '../context/cli-context.ts';
import { CliError, usageError } from '../context/cli-error.ts';
import type { FileOptions } from '../options/common-options.ts';
import { printJson } from '../output/json.ts';
import type { Session } from '../target/target.ts';

/** Whether files of the operation contain PACs. */
export const hasPacs = (operation: OperationName | null): boolean =>
  operation === 'create-port' || operation === 'update-port';

/** The path of a file to write. @throws CliError (usage) for a folder */
export async function fileToWrite(folder: string, file: string): Promise<string> {
  const path = resolve(folder, file);
  const found = await stat(path).catch(() => undefined);
  if (found?.isDirectory()) throw usageError(`"${file}" is a folder.`, 'Give the path of a file to write.');
  return path;
}

/** The file appears complete or not at all. Only its owner may read it, because rejected.csv contains PACs. */
async function writeFileAtomically(
  { folder }: CliContext,
  file: string,
  content: AsyncIterable<Uint8Array | string>,
): Promise<void> {
  const path = await fileToWrite(folder, file);
  const partial = `${path}.${process.pid}.partial`;
  await mkdir(dirname(path), { recursive: true });
  try {
    await pipeline(content, createWriteStream(partial, { mode: 0o600 }));
    await rename(partial, path);
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
}

/** A session; a template needs none. */
interface Output extends CliContext {
  readonly target?: Session['target'];
}

/** As a file to write: standard output, and then nothing else is written there. */
const standardOutput = '-';

/** What to call the file in a command that reads it later. */
export const nameOfWritten = (file: string): string => (file === standardOutput ? 'FILE' : file);

/** Writes the file and reports it: a note for a person, `{"written": [FILE]}` for a script. */
export async function saveFile(
  session: Output,
  content: AsyncIterable<Uint8Array | string>,
  file: string,
): Promise<void> {
  if (file === standardOutput) {
    for await (const part of content) await session.terminal.write(part);
    return;
  }
  await writeFileAtomically(session, file, content);
  if (session.json) await printJson(session, { written: [file] });
  else session.terminal.note(`Wrote ${file}.`);
}

const advice = 'Write a CSV: --csv FILE';

/** Writes the rows as a workbook. @throws CliError (usage) when the import has more rows than a workbook */
export async function saveWorkbook(session: Output, rows: number, sheet: TextSheet, file: string): Promise<void> {
  const { sheetLimits } = await import('#shared/files/workbook/write-workbook.ts');
  if (rows >= sheetLimits.rows) throw usageError(`A workbook has at most ${sheetLimits.rows} rows.`, advice);
  await saveFile(session, workbookBytes(sheet), file);
}

/** Writes a table as a CSV or as a workbook, whichever option is given. */
export async function saveTable(
  session: Output,
  sheet: TextSheet,
  { csv, xlsx }: FileOptions,
  rows: number,
): Promise<void> {
  if (csv !== undefined) await saveFile(session, csvOf(sheet), csv);
  else if (xlsx !== undefined) await saveWorkbook(session, rows, sheet, xlsx);
}

async function* csvOf({ header, rows }: TextSheet): AsyncIterable<string> {
  yield csvHeader(header, ',');
  for await (const batch of rows) yield batch.map((cells) => csvRow(cells)).join('');
}

/** @throws CliError for rows that do not fit into a workbook */
async function* workbookBytes(sheet: TextSheet): AsyncGenerator<Uint8Array> {
  const { writeWorkbook } = await import('#shared/files/workbook/write-workbook.ts');
  try {
    yield* writeWorkbook(sheet);
  } catch (error) {
    const isTooLarge = error instanceof Error && error.name === 'UnwritableWorkbook';
    throw isTooLarge ? new CliError(`${error.message}.`, { advice, cause: error }) : error;
  }
}

/** Writes results.csv and, where rows were rejected, rejected.csv into a folder. Returns the names of the files. */
export async function saveReports(session: Session, item: ImportItem, folder: string): Promise<string[]> {
  const [{ streamResultsCsv }, { rejectedObject }] = await Promise.all([
    import('#shared/results/results.ts'),
    import('#shared/results/rejected-rows.ts'),
  ]);
  const results = join(folder, 'results.csv');
  await writeFileAtomically(session, results, streamResultsCsv(session.target, item));
  const { files } = session.target;
  const object = rejectedObject(session.target, item);
  if (item.rejected === 0 || (await files.head(object)) === undefined) return [results];
  const rejected = join(folder, 'rejected.csv');
  await writeFileAtomically(session, rejected, await files.read(object));
  return [results, rejected];
}

/** As `saveReports`, as workbooks. @throws CliError for rows that do not fit into a workbook */
export async function saveReportWorkbooks(session: Session, item: ImportItem, folder: string): Promise<string[]> {
  const { openRejectedTable, openResultsTable } = await import('#shared/results/import-files.ts');
  const results = join(folder, 'results.xlsx');
  await writeFileAtomically(session, results, workbookBytes(await openResultsTable(session.target, item)));
  const table = item.rejected === 0 ? undefined : await openRejectedTable(session.target, item);
  if (table === undefined) return [results];
  const rejected = join(folder, 'rejected.xlsx');
  await writeFileAtomically(session, rejected, workbookBytes(table));
  return [results, rejected];
}
