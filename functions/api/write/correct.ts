// Keeps fixed cells as a draft, and sends them as a correction.
import * as z from 'zod';
import { addedColumns, correctionColumnsBeside } from '#shared/files/added-columns.ts';
import { csvRow } from '#shared/files/csv/csv-row.ts';
import { distinctNamesForMap } from '#shared/files/header-words.ts';
import { columnIndexesOf } from '#shared/files/map-header.ts';
import { addReading, secretPlaces } from '#shared/files/secret-columns.ts';
import { defaultSettings, secretReadingsOf } from '#shared/files/upload-settings.ts';
import { distinctPeople } from '#shared/import/approval.ts';
import { type Identity, type ImportItem, optionKey } from '#shared/import/import.ts';
import { findChangeProblem } from '#shared/import/reading.ts';
import type { Operation } from '#shared/operations/operation.ts';
import { operationNamed } from '#shared/operations/registry.ts';
import { readSettings } from '#shared/results/changed-file.ts';
import { type RejectedRows, readDeclinedRows, readRejectedRows } from '#shared/results/rejected-rows.ts';
import { fileNameOf } from '#shared/results/results.ts';
import { columnNamesForPeople, columnsForPeople } from '#shared/results/results-csv.ts';
import { draftObjectKey, isBelowPlan, isObjectGone } from '#shared/store/object-keys.ts';
import type { DraftItem } from '#shared/store/people.ts';
import { shortId, shortIdPattern } from '#shared/text/identity.ts';
import { count, instant, ordinal } from '#shared/text/stored-values.ts';
import type { ApiWriter } from '../context.ts';
import {
  checkLinesAreUnique,
  findImport,
  findImportToSend,
  identityOf,
  readAuthors,
  recordAudit,
} from '../find-import.ts';
import { ApiProblem, endpoint } from '../http/endpoint.ts';
import { because, cells, importPath } from '../schemas.ts';
import { shortMetadata } from './reading-settings.ts';
import { putCsvUpload } from './uploads.ts';

export const maxCorrectedRows = 10_000;

/** Cells by column name of the operation; null for one that a draft holds. */
export const openCells = z.record(z.string().min(1).max(100), z.string().max(2_000).nullable());

export const draftId = z.string().regex(new RegExp(`^${shortIdPattern}{16}$`), 'expected the id of a draft');

// Imports invalid and declined rows again with the cells that a person has fixed. Whatever was not changed comes from
// the file, PACs included: they never leave simporter.

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
  async ({ path, body, caller, writeId }, writer: ApiWriter) => {
    const item = await findImportToSend(writer, path.importId);
    const operation = operationNamed(item.operation ?? '');
    checkColumns(body.rows, item, operation);
    checkLinesAreUnique(body.rows.map(({ line }) => line));
    if (findChangeProblem(item) === undefined) {
      throw new ApiProblem('state-changed', 'Nothing of this import is sent yet: change its rows with a reading.');
    }
    const fixed = await withStoredCells(body, item.importId, writer);
    const fixes: Fixes = new Map(fixed.map(({ line, cells }) => [line, cells]));
    const filter = {
      afterLine: -1,
      limit: Number.MAX_SAFE_INTEGER,
      codes: 'kept' as const,
      matches: ({ line }: { line: number }) => fixes.has(line),
    };
    const rejected = await readRejectedRows(writer, item, filter);
    const ofRejected = new Set(rejected?.rows.map(({ line }) => line));
    const others = [...fixes.keys()].filter((line) => !ofRejected.has(line)).sort((one, other) => one - other);
    const declined = await readDeclinedRows(writer, item, others).catch((error: unknown) => {
      if (!isObjectGone(error)) throw error;
      const detail = 'The file with the porting codes of these rows has expired. Import the rows in a new file.';
      throw new ApiProblem('file-expired', detail);
    });
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
      authors: distinctPeople([...(await readAuthors(item, writer)), ...(await draftAuthors(body.from, item, writer))]),
      details: { corrects: item.importId },
    };
    const added = addedNames(item, open, fixes);
    const metadata = await inheritedSettings(item, explicitMapping(item, open.header, added, operation), writer);
    const importId = await putCsvUpload(upload, correctionText(item, open, fixes, added), metadata, writer);
    const details = { import: importId, rows: String(fixes.size) };
    await recordAudit(item.importId, { action: 'corrected', caller, because: body.because, details }, writer);
    return { importId, rows: fixes.size };
  },
);

type OpenRows = Pick<RejectedRows, 'header' | 'rows'>;

const joinRows = (one: OpenRows | undefined, other: OpenRows | undefined): OpenRows | undefined =>
  one && other ? { header: one.header, rows: [...one.rows, ...other.rows] } : (one ?? other);

const correctionName = ({ key }: ImportItem): string => `${fileNameOf(key).replace(/\.\w+$/, '')}-correction.csv`;

/** Names of columns that the file lacks and a row fixes, such as one with the same value in all rows. */
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

/** What the import read differently from the names of the columns. */
function explicitMapping(
  item: ImportItem,
  header: readonly string[],
  added: ReadonlyMap<string, string>,
  { columns }: Operation,
): Record<string, string> {
  const own = [...header, ...added.values()];
  const read = new Map(Object.entries(columnsForPeople(item)));
  for (const [place, column] of [...added.keys()].entries()) read.set(column, header.length + place);
  const names = distinctNamesForMap(own);
  const byName = columnIndexesOf(own, columns);
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
  { files }: ApiWriter,
): Promise<Record<string, string>> {
  // Settings of other files are not readable here.
  const { defaults, dateOrder } = (isBelowPlan(item) ? await readSettings(item, files) : undefined) ?? defaultSettings;
  const { layout } = item;
  const columns = layout === undefined ? [] : secretPlaces(secretReadingsOf(item), layout, 0);
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

// Invalid rows with the cells that a person has fixed.

/** @throws ApiProblem for a column that the operation and the file of the import do not have */
export function checkColumns(
  rows: readonly { readonly cells: z.output<typeof openCells> }[],
  { optionColumns = [] }: ImportItem,
  operation: Operation | undefined,
): asserts operation is Operation {
  if (operation === undefined) throw new ApiProblem('state-changed', 'The import has no operation to correct.');
  const known = new Set([...operation.columns.map((column) => column.name), ...optionColumns.map(optionKey)]);
  const unknown = rows.flatMap(({ cells }) => Object.keys(cells)).find((column) => !known.has(column));
  if (unknown !== undefined) throw new ApiProblem('unknown-column', `${operation.name} has no column "${unknown}".`);
}

// Keeps the cells that a person changes in the grid of invalid rows, so that another machine or a colleague can go on.
// PACs can be written and never read: an answer has null for each, and a null that is sent back keeps the stored one.

const draftRows = z.array(z.strictObject({ line: ordinal, cells: openCells })).max(maxCorrectedRows);
/** `from` is the draft that holds the cells that are null. No rows: the draft is discarded. */
const draftBody = z.strictObject({
  rows: draftRows,
  from: draftId.optional(),
  /** When the draft was saved that you have changed; null: you had none. Without it, the rows replace any draft. */
  savedAt: z.nullable(instant).optional(),
});
const storedDraft = z.array(z.object({ line: ordinal, cells }));
type StoredRows = z.output<typeof storedDraft>;

export const getDraft = endpoint(
  {
    at: 'GET /imports/{importId}/drafts/{draftId}',
    role: 'uploader',
    summary: 'The changed cells of a draft',
    accepts: { path: importPath.extend({ draftId }) },
    answer: z.object({ draftId, rows: draftRows }),
  },
  async ({ path }, writer: ApiWriter) => {
    const { importId } = await findImport(writer, path.importId);
    const rows = await readDraft(importId, path.draftId, writer);
    return { draftId: path.draftId, rows: rows.map((row) => ({ ...row, cells: withoutSecrets(row.cells) })) };
  },
);

export const saveDraft = endpoint(
  {
    at: 'PUT /imports/{importId}/drafts',
    role: 'uploader',
    summary: 'Keep the cells that you have changed',
    accepts: { path: importPath, body: draftBody },
    answer: z.object({ draftId, savedAt: instant }),
    problems: ['unknown-column', 'state-changed'],
  },
  async ({ path, body, caller, writeId }, writer: ApiWriter) => {
    const item = await findImport(writer, path.importId);
    const { importId, operation } = item;
    checkColumns(body.rows, item, operationNamed(operation ?? ''));
    const id = shortId(['draft', importId, caller.id]);
    const { drafts, wall } = writer;
    const stored = await drafts.get(importId, id);
    // Its answer was lost.
    if (stored?.writeId === writeId) return { draftId: id, savedAt: stored.savedAt };
    const rows = await withStoredCells(body, importId, writer);
    const isNewer = (stored?.rows ? stored.savedAt : null) !== body.savedAt;
    if (body.savedAt !== undefined && isNewer) throw changedElsewhere(stored);
    // Two saves never have the same time.
    const savedAt = new Date(Math.max(wall(), Date.parse(stored?.savedAt ?? '') + 1 || 0)).toISOString();
    const expiresAt = Math.floor(wall() / 1_000) + keptSeconds;
    const authors = distinctPeople([...(await draftAuthors(body.from, item, writer)), identityOf(caller)]);
    const whose = { draftId: id, actorId: caller.id, by: caller.name, authors };
    const draft: DraftItem = { ...whose, savedAt, writeId, expiresAt, rows: rows.length };
    // The item names the cells, so they come first: after a crash the draft is as it was.
    await writeCells(importId, draft, rows, writer);
    const isSaved = await drafts.put(importId, draft, stored);
    // The codes of the other save are not needed any more.
    const other = isSaved ? stored : draft;
    if (other) await writeCells(importId, other, [], writer);
    if (!isSaved) throw changedElsewhere(stored);
    return { draftId: id, savedAt };
  },
);

/** Who wrote the cells that are taken from a draft: a person may go on with that of a colleague. */
export async function draftAuthors(
  from: string | undefined,
  { importId }: ImportItem,
  { drafts }: ApiWriter,
): Promise<readonly Identity[]> {
  return from === undefined ? [] : ((await drafts.get(importId, from))?.authors ?? []);
}

/** In another tab, or by another person with the same id. */
const changedElsewhere = (stored: DraftItem | undefined): ApiProblem =>
  new ApiProblem('state-changed', 'These changes were saved elsewhere since. Read them, and save yours again.', {
    changed: { savedAt: stored?.rows ? stored.savedAt : null },
  });

/** As long as the work bucket keeps plans, unless it is configured otherwise. */
const keptSeconds = 45 * 86_400;

/** The rows with every cell: one that is null is the stored one. @throws ApiProblem when the stored cell has expired */
export async function withStoredCells(
  { rows, from }: Pick<z.output<typeof draftBody>, 'rows' | 'from'>,
  importId: string,
  writer: ApiWriter,
): Promise<StoredRows> {
  const isComplete = rows.every((row) => !Object.values(row.cells).includes(null));
  const stored = isComplete || from === undefined ? [] : await readDraft(importId, from, writer);
  const cellsOf = new Map(stored.map((row) => [row.line, row.cells]));
  return rows.map((row) => ({
    line: row.line,
    cells: Object.fromEntries(
      Object.entries(row.cells).map(([column, cell]) => {
        const text = cell ?? cellsOf.get(row.line)?.[column];
        if (text !== undefined) return [column, text];
        const detail = `The ${column} of line ${row.line} is not kept any more. Enter it again.`;
        throw new ApiProblem('state-changed', detail, { changed: { line: row.line } });
      }),
    ),
  }));
}

async function writeCells(
  importId: string,
  { draftId: id, writeId }: DraftItem,
  rows: StoredRows,
  { files, resources }: ApiWriter,
): Promise<void> {
  const file = files.open(resources.workBucket, draftObjectKey(importId, id, writeId), 'application/json');
  await file.write(JSON.stringify(rows));
  await file.close();
}

/** Empty where it has expired. */
async function readDraft(importId: string, id: string, writer: ApiWriter): Promise<StoredRows> {
  const draft = await writer.drafts.get(importId, id);
  if (draft === undefined) return [];
  const rows = await readCells(importId, draft, writer);
  if (rows.length === draft.rows) return rows;
  // It was saved again at this moment, or has expired.
  const newer = await writer.drafts.get(importId, id);
  return newer === undefined || newer.writeId === draft.writeId ? rows : readCells(importId, newer, writer);
}

async function readCells(
  importId: string,
  { draftId: id, writeId }: DraftItem,
  { files, resources }: ApiWriter,
): Promise<StoredRows> {
  const place = { bucket: resources.workBucket, key: draftObjectKey(importId, id, writeId) };
  try {
    return storedDraft.parse(JSON.parse(await files.readText(place)));
  } catch (error) {
    if (isObjectGone(error)) return [];
    throw error;
  }
}

const withoutSecrets = (row: StoredRows[number]['cells']) =>
  Object.fromEntries(Object.entries(row).map(([column, cell]) => [column, column === 'pac' ? null : cell]));
