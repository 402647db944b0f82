// Imports invalid and declined rows again with the cells that a person has fixed. Whatever was not changed comes from
// the file, PACs included: they never leave simporter.
import * as z from 'zod';
import { addedColumns } from '#shared/csv/added-columns.ts';
import { secretReadingsOf, settingsOf } from '#shared/csv/import-settings.ts';
import { count, ordinal } from '#shared/domain/schemas.ts';
import { correctionColumnsBeside } from '#shared/files/correction-columns.ts';
import { csvRow } from '#shared/files/csv/csv-row.ts';
import { distinctNamesForMap } from '#shared/files/header-words.ts';
import { mapHeader } from '#shared/files/map-header.ts';
import { addReading, secretPlaces } from '#shared/files/secret-columns.ts';
import { type ImportItem, optionKey } from '#shared/import/import.ts';
import type { Operation } from '#shared/operations/operation.ts';
import { operationNamed } from '#shared/operations/registry.ts';
import { fileNameOf } from '#shared/read-models/file-name.ts';
import { type RejectedRows, readDeclinedRows, readRejectedRows } from '#shared/results/rejected-rows.ts';
import { columnNamesForPeople, columnsForPeople } from '#shared/results/results-csv.ts';
import type { WriteDependencies } from '../context.ts';
import { findImport } from '../find-import.ts';
import { ApiProblem } from '../http/api-problem.ts';
import { endpoint } from '../http/endpoint.ts';
import { recordAudit } from '../http/record-audit.ts';
import { because, type cells, importPath } from '../schemas.ts';
import { checkColumns, maxCorrectedRows, openCells } from './corrected-rows.ts';
import { draftId, withStoredCells } from './drafts.ts';
import { putCsvUpload } from './put-upload.ts';
import { shortMetadata } from './reading-settings.ts';
import { checkLinesAreUnique } from './unique-lines.ts';

/** Invalid and declined rows by their line. `from` is the draft that holds the cells that are null. */
const correctionBody = z.strictObject({
  rows: z
    .array(z.strictObject({ line: ordinal, cells: openCells }))
    .min(1)
    .max(maxCorrectedRows),
  from: draftId.optional(),
  because,
});

type Fixes = ReadonlyMap<number, z.output<typeof cells>>;

export const createCorrection = endpoint(
  {
    at: 'POST /imports/{importId}/corrections',
    role: 'uploader',
    summary: 'Import invalid or declined rows again, fixed',
    accepts: { path: importPath, body: correctionBody },
    status: 202,
    answer: z.object({ importId: z.string(), rows: count }),
    problems: ['unknown-column', 'state-changed', 'line-not-unique', 'file-expired'],
  },
  async ({ path, body, caller, writeId }, dependencies: WriteDependencies) => {
    const item = await findImport(dependencies, path.importId);
    const operation = operationNamed(item.operation ?? '');
    checkColumns(body.rows, item, operation);
    checkLinesAreUnique(body.rows.map(({ line }) => line));
    const fixed = await withStoredCells(body, item.importId, dependencies);
    const fixes: Fixes = new Map(fixed.map(({ line, cells }) => [line, cells]));
    const filter = {
      afterLine: -1,
      limit: Number.MAX_SAFE_INTEGER,
      codes: 'kept' as const,
      matches: ({ line }: { line: number }) => fixes.has(line),
    };
    const rejected = await readRejectedRows(dependencies, item, filter);
    const ofRejected = new Set(rejected?.rows.map(({ line }) => line));
    const others = [...fixes.keys()].filter((line) => !ofRejected.has(line)).sort((one, other) => one - other);
    const declined = await readDeclinedRows(dependencies, item, others);
    const open = joinRows(rejected, declined);
    if (open === undefined) throw new ApiProblem('file-expired', 'The invalid rows of this import have expired.');
    checkLinesAreUnique(open.rows.map(({ line }) => line));
    const missing = others.find((line) => !open.rows.some((row) => row.line === line));
    if (missing !== undefined) {
      const detail = `Line ${missing} is no invalid or declined row of this import. Reload the rows and fix them again.`;
      throw new ApiProblem('state-changed', detail, { changed: { line: missing } });
    }
    const upload = {
      operation: operation.name,
      folder: writeId,
      fileName: correctionName(item),
      caller,
      details: { corrects: item.importId },
    };
    const added = addedNames(item, open, fixes);
    const metadata = await inheritedSettings(item, explicitMapping(item, open.header, added, operation), dependencies);
    const importId = await putCsvUpload(upload, correctionText(item, open, fixes, added), metadata, dependencies);
    const details = { import: importId, rows: String(fixes.size) };
    await recordAudit(item.importId, { action: 'corrected', caller, because: body.because, details }, dependencies);
    return { importId, rows: fixes.size };
  },
);

type OpenRows = Pick<RejectedRows, 'header' | 'rows'>;

const joinRows = (one: OpenRows | undefined, other: OpenRows | undefined): OpenRows | undefined =>
  one && other ? { header: one.header, rows: [...one.rows, ...other.rows] } : (one ?? other);

const correctionName = ({ key }: ImportItem): string => `${fileNameOf(key).replace(/\.\w+$/, '')}-correction.csv`;

/** A column that the file lacks, such as one with the same value in all rows, is added where a row fixes it: its name. */
function addedNames(item: ImportItem, { header }: OpenRows, fixes: Fixes): ReadonlyMap<string, string> {
  const inFile = new Set([...Object.keys(columnsForPeople(item)), ...(item.optionColumns ?? []).map(optionKey)]);
  const fixed = new Set([...fixes.values()].flatMap((cells) => Object.keys(cells)));
  const columns = [...fixed].filter((name) => !inFile.has(name));
  const names = addedColumns(header, columns);
  return new Map(columns.map((column, place) => [column, names[place] ?? column]));
}

/** The rows with their fixes, in the columns of the file, and for each the row that it corrects. */
function correctionText(item: ImportItem, open: OpenRows, fixes: Fixes, added: ReadonlyMap<string, string>): string {
  const names = columnNamesForPeople(item);
  const options = new Map(item.optionColumns?.map((column) => [column.index, optionKey(column)]));
  const own = [...open.header, ...added.values()];
  const [importColumn = '', lineColumn = ''] = correctionColumnsBeside(own);
  const header = [...own, importColumn, lineColumn];
  const records = open.rows.map(({ line, cells }) => {
    const fix = fixes.get(line) ?? {};
    const fixed = cells.map((cell, index) => fix[names.get(index) ?? options.get(index) ?? ''] ?? cell);
    return [...fixed, ...[...added.keys()].map((name) => fix[name] ?? ''), item.importId, String(line)];
  });
  return [header, ...records].map((cells) => csvRow(cells)).join('');
}

/** What the import read otherwise than the names of the columns say. */
function explicitMapping(
  item: ImportItem,
  header: readonly string[],
  added: ReadonlyMap<string, string>,
  { columns }: Pick<Operation, 'columns'>,
): Record<string, string> {
  const own = [...header, ...added.values()];
  const read = new Map(Object.entries(columnsForPeople(item)));
  for (const [place, column] of [...added.keys()].entries()) read.set(column, header.length + place);
  const names = distinctNamesForMap(own);
  const { indexes: byName } = mapHeader(own, columns);
  const moved = [...read].filter(([column, index]) => byName.get(column) !== index);
  const kept = [...byName].filter(([column]) => !read.has(column));
  return Object.fromEntries([
    ...kept.map(([, index]) => [names[index] ?? '', '']),
    ...moved.map(([column, index]) => [names[index] ?? '', column]),
  ]);
}

/** The metadata of the correction: it is read with the settings of the import that it corrects. */
async function inheritedSettings(
  item: ImportItem,
  mapping: Readonly<Record<string, string>>,
  { files }: WriteDependencies,
): Promise<Record<string, string>> {
  // Settings of other files are not readable here.
  const { planOnly, bucket, key } = item;
  const root = planOnly ? await files.head({ bucket, key }) : undefined;
  const { defaults, dateOrder } = settingsOf(item, root?.metadata ?? {});
  const { layout } = item;
  const columns = layout === undefined ? [] : secretPlaces(secretReadingsOf(item, root?.metadata), layout, 0);
  const secretReadings = addReading([], { delimiter: ',' }, columns);
  return shortMetadata({
    planOnly: true,
    defaults,
    mapping,
    layout: { headerLine: 1 },
    dateOrder,
    secretReadings,
  });
}
