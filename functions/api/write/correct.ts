// Imports invalid and declined rows again with the cells that a person has fixed. Whatever was not changed comes from
// the file, PACs included: they never leave simporter.
import * as z from 'zod';
import { correctionColumnsBeside } from '#shared/csv/correction-columns.ts';
import { csvRow } from '#shared/csv/csv-row.ts';
import { secretReadingsOf, settingsOf } from '#shared/csv/import-settings.ts';
import { addReading, secretPlaces } from '#shared/csv/secret-columns.ts';
import { toUploadMetadata } from '#shared/csv/upload-settings.ts';
import { count, ordinal } from '#shared/domain/schemas.ts';
import { type ImportItem, optionKey } from '#shared/items/import.ts';
import { operationNamed } from '#shared/operations/registry.ts';
import { fileNameOf } from '#shared/read-models/file-name.ts';
import { type RejectedRows, readDeclinedRows, readRejectedRows } from '#shared/read-models/rejected-rows.ts';
import { columnNamesForPeople, columnsForPeople } from '#shared/results/results-csv.ts';
import type { WriteDependencies } from '../dependencies.ts';
import { findImport } from '../find-import.ts';
import { ApiProblem } from '../http/api-problem.ts';
import { endpoint } from '../http/endpoint.ts';
import { recordAudit } from '../http/record-audit.ts';
import { because, type cells, importPath } from '../schemas.ts';
import { checkColumns, maxCorrectedRows, openCells } from './corrected-rows.ts';
import { draftId, withStoredCells } from './drafts.ts';
import { putCsvUpload } from './put-upload.ts';
import { checkLinesAreUnique } from './unique-lines.ts';

/** Invalid and declined rows by their line. `from` is the draft that holds the cells that are null. */
const correctionBody = z.object({
  rows: z
    .array(z.object({ line: ordinal, cells: openCells }))
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
    const text = correctionText(item, open, fixes);
    const importId = await putCsvUpload(upload, text, await inheritedSettings(item, dependencies), dependencies);
    const details = { import: importId, rows: String(fixes.size) };
    await recordAudit(item.importId, { action: 'corrected', caller, because: body.because, details }, dependencies);
    return { importId, rows: fixes.size };
  },
);

type OpenRows = Pick<RejectedRows, 'header' | 'rows'>;

const joinRows = (one: OpenRows | undefined, other: OpenRows | undefined): OpenRows | undefined =>
  one && other ? { header: one.header, rows: [...one.rows, ...other.rows] } : (one ?? other);

const correctionName = ({ key }: ImportItem): string => `${fileNameOf(key).replace(/\.\w+$/, '')}-correction.csv`;

/** The rows with their fixes, and for each the row that it corrects. */
function correctionText(item: ImportItem, open: OpenRows, fixes: Fixes): string {
  const indexes = columnsForPeople(item);
  const names = columnNamesForPeople(item);
  const options = new Map(item.optionColumns?.map((column) => [column.index, optionKey(column)]));
  // A column that the file lacks, such as one with the same value in all rows, is added where a row fixes it.
  const changed = new Set([...fixes.values()].flatMap((cells) => Object.keys(cells)));
  const inFile = new Set([...Object.keys(indexes), ...options.values()]);
  const added = [...changed].filter((name) => !inFile.has(name));
  const own = [...open.header.map((text, index) => names.get(index) ?? text), ...added];
  const [importColumn = '', lineColumn = ''] = correctionColumnsBeside(own);
  const header = [...own, importColumn, lineColumn];
  const records = open.rows.map(({ line, cells }) => {
    const fix = fixes.get(line) ?? {};
    const fixed = cells.map((cell, index) => fix[names.get(index) ?? options.get(index) ?? ''] ?? cell);
    return [...fixed, ...added.map((name) => fix[name] ?? ''), item.importId, String(line)];
  });
  return [header, ...records].map((cells) => csvRow(cells)).join('');
}

/** The metadata of the correction: it is read with the settings of the import that it corrects. */
async function inheritedSettings(item: ImportItem, { files }: WriteDependencies): Promise<Record<string, string>> {
  // Settings of other files are not readable here.
  const { planOnly, bucket, key } = item;
  const root = planOnly ? await files.head({ bucket, key }) : undefined;
  const { defaults, dateOrder } = settingsOf(item, root?.metadata ?? {});
  const { layout } = item;
  const columns = layout === undefined ? [] : secretPlaces(secretReadingsOf(item, root?.metadata), layout, 0);
  const secretReadings = addReading([], { delimiter: ',' }, columns);
  return toUploadMetadata({
    planOnly: true,
    defaults,
    mapping: {},
    layout: { headerLine: 1 },
    dateOrder,
    secretReadings,
  });
}
