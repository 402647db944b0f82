// The files of an import, and templates, as tables, for formats other than CSV: results, rejected rows and corrections.
import { Readable } from 'node:stream';
import { findCorrectionMark, originalLine, ownColumns } from '#shared/files/added-columns.ts';
import { csvHeader, csvRow, unguardFormula } from '#shared/files/csv/csv-row.ts';
import { readCsv } from '#shared/files/csv/read-csv.ts';
import { columnIndexesOf } from '#shared/files/map-header.ts';
import type { TextSheet } from '#shared/files/workbook/write-workbook.ts';
import type { ImportItem } from '#shared/import/import.ts';
import { operationNamed } from '#shared/operations/registry.ts';
import type { ResultFiles, ResultsReader } from '#shared/store/account.ts';
import type { Files, ObjectHead, ObjectRef } from '#shared/store/files.ts';
import { csvEtagName, csvKeyOf, importFileKey, resultsIndexKey, resultsKey } from '#shared/store/object-keys.ts';
import type { OperationName } from '#shared/text/identity.ts';
import { correctionCsv } from './correction-files.ts';
import { type ReferenceRecord, type ReferenceTables, readReferenceTables } from './reference-data.ts';
import { rejectedObject } from './rejected-rows.ts';
import { openResults } from './results.ts';
import {
  cellBatches,
  createResultsIndex,
  layoutForPeople,
  outcomeCell,
  readRowResult,
  resultsCsv,
  type WithLayout,
} from './results-csv.ts';
import { openIndexedResults } from './row-page.ts';

export async function openResultsTable(reader: ResultsReader, item: ImportItem): Promise<TextSheet> {
  const outcomes = await openResults(reader, item);
  const csv = resultsCsv(outcomes);
  return { header: csv.header, rows: cellBatches(csv, outcomes) };
}

/** It contains PACs of declined rows. */
export async function openCorrectionTable(
  reader: ResultsReader,
  item: ImportItem,
  kind: OperationName,
): Promise<TextSheet> {
  const outcomes = await openResults(reader, item);
  const csv = correctionCsv(kind, outcomes, 'kept');
  const choices = await readChoices(reader, { header: csv.header, operation: kind });
  return { header: csv.header, rows: cellBatches(csv, outcomes), choices };
}

/** Without the rows at these lines, which were sent since. undefined: no row was rejected, or the file has expired. */
export async function openRejectedTable(
  reader: ResultFiles,
  item: ImportItem,
  sentLines: ReadonlySet<number> = new Set(),
): Promise<TextSheet | undefined> {
  const object = rejectedObject(reader, item);
  if ((await reader.files.head(object)) === undefined) return undefined;
  const table = await openCsvTable(reader, item, { object, operation: item.operation });
  if (table === undefined || sentLines.size === 0) return table;
  const mark = findCorrectionMark(table.header);
  const wasSent = (cells: readonly string[]) => mark !== undefined && sentLines.has(originalLine(mark, cells) ?? 0);
  const rows = (async function* () {
    for await (const batch of table.rows) yield batch.filter((cells) => !wasSent(cells));
  })();
  return { ...table, rows };
}

export interface CsvForPeople {
  readonly object: ObjectRef;
  /** What the file can be imported with: its columns have dropdown lists. */
  readonly operation: OperationName | null | undefined;
}

/** The cells of a file that simporter wrote, as they were before it was written. undefined: it is not readable. */
export async function openCsvTable(
  reader: ResultFiles,
  item: WithLayout,
  { object, operation }: CsvForPeople,
): Promise<TextSheet | undefined> {
  const opened = await readCsv(await reader.files.read(object), layoutForPeople(item));
  if (!opened.ok) return undefined;
  const { header, batches } = opened.value;
  const rows = (async function* () {
    for await (const { lines, cellsOf } of batches) {
      yield Array.from(lines.keys(), (row) => cellsOf(row).map(unguardFormula));
    }
  })();
  return { header, rows, choices: await readChoices(reader, { header, operation }) };
}

interface Template {
  readonly operation: OperationName;
  readonly header: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** Rows to fill in, of which the first ones are examples. @param tables undefined: there are no lists to choose from */
export const templateSheet = (
  { operation, header, rows }: Template,
  tables: ReferenceTables | undefined,
): TextSheet => ({
  header,
  rows: Readable.from([rows]),
  choices: choicesFor({ header, operation }, tables),
  rowsToFillIn,
});

/** The empty rows of a template. */
const rowsToFillIn = 1_000;

/** Longer lists are no help in a dropdown list. */
const mostChoices = 200;

const listOf =
  (table: keyof ReferenceTables, column: string) =>
  (tables: ReferenceTables): string[] => {
    const isOffered = ({ isLegacy }: ReferenceRecord) => isLegacy !== 'yes';
    return [...new Set(tables[table].filter(isOffered).map((record) => record[column] ?? ''))].filter(Boolean);
  };

/** By the name of the column in the operation. */
const choiceLists: Readonly<Record<string, (tables: ReferenceTables) => string[]>> = {
  portType: listOf('networks', 'portType'),
  targetNetwork: listOf('networks', 'targetNetwork'),
  network: listOf('networks', 'targetNetwork'),
  sourceNetwork: listOf('source-networks', 'sourceNetwork'),
  tariff: listOf('tariffs', 'tariff'),
  tariffNumber: listOf('tariffs', 'tariff'),
  provisioningOrder: listOf('provisioning-orders', 'provisioningOrder'),
};

interface FileColumns {
  readonly header: readonly string[];
  readonly operation: OperationName | null | undefined;
}

async function readChoices(reader: ResultFiles, file: FileColumns) {
  return choicesFor(file, file.operation ? await readReferenceTables(reader) : undefined);
}

/** Values of the catalogue for the columns of a file, by their index; none before sync has written the catalogue. */
function choicesFor(
  { header, operation }: FileColumns,
  tables: ReferenceTables | undefined,
): ReadonlyMap<number, readonly string[]> {
  const columns = operationNamed(operation ?? '')?.columns;
  if (tables === undefined || columns === undefined) return new Map();
  const own = new Set(ownColumns(header));
  const indexes = columnIndexesOf(
    header.map((name, index) => (own.has(index) ? name : '')),
    columns,
  );
  const choices = [...indexes].flatMap(([name, index]): [number, string[]][] => {
    const values = choiceLists[name]?.(tables) ?? [];
    return values.length > 0 && values.length <= mostChoices ? [[index, values]] : [];
  });
  return new Map(choices);
}

// A person erases a number: its rows leave results.csv, whose upload is gone by then.

const rowOf = (cells: readonly string[]) => ({
  rootLine: Number(outcomeCell(cells, 'line')),
  result: readRowResult(cells),
});

/** Writes results.csv again without some of its rows, with its index. */
export async function writeResultsWithout(
  isErased: (cells: readonly string[]) => boolean,
  item: ImportItem,
  { files, resources }: { readonly files: Files } & ResultFiles,
): Promise<void> {
  const { importId, layout } = item;
  const object = { bucket: resources.resultsBucket, key: resultsKey(importId) };
  const index = (await openIndexedResults({ files, resources }, importId))?.index;
  const table = await openCsvTable({ files, resources }, item, { object, operation: undefined });
  if (table === undefined) return;
  const writer = files.open(object.bucket, object.key, 'text/csv; charset=utf-8');
  const delimiter = layout?.delimiter ?? ',';
  const header = Buffer.from(csvHeader(table.header, delimiter));
  const builder = createResultsIndex(header.length);
  const erased = new Set<number>();
  try {
    await writer.write(header);
    for await (const batch of table.rows) {
      for (const cells of batch) if (isErased(cells)) erased.add(Number(outcomeCell(cells, 'line')));
      const rows = batch.filter((cells) => !isErased(cells));
      const bytes = Buffer.from(rows.map((cells) => csvRow(cells, delimiter)).join(''));
      await writer.write(bytes);
      builder.add(rows.map(rowOf), bytes.length);
    }
    // Before the file: where this ends in between, the number is found again, and both are written.
    const indexWriter = files.open(object.bucket, resultsIndexKey(importId), 'application/json');
    await indexWriter.write(JSON.stringify(builder.build(index, erased)));
    await indexWriter.close();
  } catch (error) {
    await writer.abort();
    throw error;
  }
  await writer.close();
}

// The files of an import that people download: each CSV, and a workbook with the same rows that report writes after it.

/** The CSV of a workbook that is not written yet, or has the rows of an earlier CSV. */
export interface MissingWorkbook {
  readonly csv: ObjectHead;
}

/** undefined: there is no such file, or it has expired. */
export async function findImportFile(
  { files, resources }: ResultFiles,
  importId: string,
  name: string,
): Promise<ObjectHead | MissingWorkbook | undefined> {
  const key = importFileKey(importId, name);
  const head = (key: string) => files.head({ bucket: resources.resultsBucket, key });
  if (!name.endsWith('.xlsx')) return head(key);
  const [csv, workbook] = await Promise.all([head(csvKeyOf(key)), head(key)]);
  if (csv === undefined) return undefined;
  return workbook?.metadata[csvEtagName] === csv.etag ? workbook : { csv };
}
