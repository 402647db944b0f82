// A file that corrects rows of an earlier import: which rows it may correct, and the settings it inherits.
import * as z from 'zod/mini';
import { type CorrectionMark, originalLine } from '#shared/files/added-columns.ts';
import { createFindCells } from '#shared/files/header-words.ts';
import { mapHeader } from '#shared/files/map-header.ts';
import { mergeSettings, settingsOf, type UploadSettings } from '#shared/files/upload-settings.ts';
import type { ImportItem } from '#shared/import/import.ts';
import { mayBeSent } from '#shared/import/import-state.ts';
import { calendarDateSchema } from '#shared/operations/create-port/row.ts';
import type { Operation } from '#shared/operations/operation.ts';
import { type Outcome, sendableAgain } from '#shared/outcome/outcome.ts';
import { correctionKindsOf } from '#shared/outcome/row-result.ts';
import type { PlannedRow } from '#shared/request/request.ts';
import { answeredRows, readCorrections } from '#shared/results/corrected-rows.ts';
import { openOutcomes } from '#shared/results/file-rows.ts';
import type { CalendarDate } from '#shared/row/calendar-date.ts';
import { errorAt, type Issue } from '#shared/row/issue.ts';
import { inParallel } from '#shared/service/in-parallel.ts';
import type { IngestPipeline } from './ingest-pipeline.ts';

export interface Correction {
  readonly mark: CorrectionMark;
  readonly correctionOf: string;
  readonly root: ImportItem;
  /** Of the first upload, with those of this one. */
  readonly settings: UploadSettings;
  /** Why the record may not be sent; undefined: it may. */
  check(cells: readonly string[], line: number): Issue | undefined;
  /** The record is planned: no other record of the file may correct the same row, which submit claims. */
  accept(cells: readonly string[]): { readonly correctedRow?: PlannedRow['correctedRow'] };
  /** How many rows of the first file and its other corrections are ported on each day. */
  bookedDays(): Promise<ReadonlyMap<CalendarDate, number>>;
}

interface CorrectionTask {
  readonly importId: string;
  readonly settings: UploadSettings;
  readonly operation: string;
  readonly mark: CorrectionMark;
  readonly header: CorrectionColumns['header'];
  /** Of the operation. */
  readonly columns: CorrectionColumns['columns'];
}

/**
 * @param first the cells of the first rows; one that a person added on top names no import
 * @returns an issue where the file corrects an import that does not exist here, or one whose rows can no longer be read
 */
export async function openCorrection(
  first: readonly (readonly string[])[],
  task: CorrectionTask,
  pipeline: IngestPipeline,
): Promise<Correction | Issue> {
  const { mark } = task;
  const named = first.map((cells) => (cells[mark.importIndex] ?? '').trim());
  const correctionOf = named.find((importId) => importId !== '') ?? '';
  const corrected = await pipeline.imports.get(correctionOf);
  const root = corrected?.rootImportId ? await pipeline.imports.get(corrected.rootImportId) : corrected;
  if (root === undefined) {
    const message = `the file corrects the import "${correctionOf}", which does not exist here`;
    return errorAt(
      0,
      'CORRECTION_IMPORT_UNKNOWN',
      `${message}. Remove the columns importId and line to import it as new`,
    );
  }
  const { bucket, key, versionId, etag } = root;
  const upload = await pipeline.files.head({ bucket, key, versionId, etag });
  const expired = await findExpired(root, task.operation, task.importId, pipeline);
  if (expired !== undefined) return errorAt(0, 'FILE_GONE', expired);
  const inherited = settingsOf(root, upload?.metadata ?? {});
  const { layout: _, planOnly: __, ...settings } = inherited;
  // A person may have removed a column, and corrections of the API of 0.1 have simporter's names of mapped ones.
  const find = createFindCells(task.header);
  const mapping = Object.entries(settings.mapping).filter(([name]) => find(name).length > 0);
  const merged = mergeSettings({ ...settings, mapping: Object.fromEntries(mapping), layout: {} }, task.settings);
  const kinds = correctionKindsOf(root.operation);
  const operations = [...pipeline.operations.values()].filter(({ name }) => kinds.includes(name));
  const other = findOtherOperation({ ...task, settings: merged }, operations)?.name;
  if (other !== undefined) {
    const message = `the columns are those of ${other}, not of ${task.operation}: import the file with --operation ${other}`;
    return errorAt(0, 'CORRECTION_OPERATION', message);
  }
  return {
    mark,
    correctionOf,
    root,
    settings: merged,
    ...(await createRowCheck(mark, correctionOf, root, task, pipeline)),
    bookedDays: () => countRowsByDay(root, task.importId, pipeline),
  };
}

const headWithDay = z.object({ connectionDate: calendarDateSchema });

/** Of the requests that are not sent yet, too. */
async function countRowsByDay(root: ImportItem, except: string, pipeline: IngestPipeline) {
  const { requests, imports, plans, settings } = pipeline;
  const days = new Map<CalendarDate, number>();
  const corrections = await readCorrections(root, imports, except);
  for (const { importId } of [root, ...corrections].filter(mayBeSent)) {
    const items = (await Array.fromAsync(requests.ofImport(importId))).filter(({ state }) => state !== 'declined');
    await inParallel(items, settings.callsAtOnce, async (item) => {
      const day = headWithDay.safeParse((await plans.read(item))?.head).data?.connectionDate;
      if (day === undefined) return;
      days.set(day, (days.get(day) ?? 0) + item.rowCount - (item.excludedRows?.length ?? 0));
    });
  }
  return days;
}

/** The file that is needed to know which rows are corrected has expired: its name, and what to do. */
async function findExpired(
  root: ImportItem,
  operation: string,
  importId: string,
  { files, imports }: IngestPipeline,
): Promise<string | undefined> {
  if (root.operation !== operation) return undefined;
  for (const item of [root, ...(await readCorrections(root, imports, importId))]) {
    const { bucket, key, versionId, etag, columnIndexes } = item;
    // Of a file whose header was not read, no row was sent.
    if (columnIndexes === undefined) continue;
    if ((await files.head({ bucket, key, versionId, etag })) !== undefined) continue;
    const message = `The file of the import ${item.importId} has expired, so it is not known which of its rows were sent`;
    const advice = 'Check them, remove the columns importId and line, and import the other rows as new';
    return `${message}. ${advice}`;
  }
  return undefined;
}

/**
 * Why the plan of a correction may not be sent, although it could when it was made: another correction was sent
 * meanwhile. The approver sees this at once; submit claims each row in any case (docs/decisions/0039). Of operations
 * that claim numbers, the other rows are sent.
 */
export async function findSentMeanwhile(item: ImportItem, pipeline: IngestPipeline): Promise<string | undefined> {
  const { importId, operation, rootImportId = '' } = item;
  if (operation === null || pipeline.operations.get(operation)?.submission.claims) return undefined;
  const root = await pipeline.imports.get(rootImportId);
  if (root === undefined || root.operation !== operation) return undefined;
  const expired = await findExpired(root, operation, importId, pipeline);
  if (expired !== undefined) return expired;
  const answered = await answeredRows(root, pipeline, isAnswered, importId);
  const { batches } = await openOutcomes(item, pipeline);
  for await (const batch of batches) {
    const sent = batch.find(({ rootLine, result }) => isAnswered(result.outcome) && answered.has(rootLine));
    if (sent === undefined) continue;
    const message = `Row ${sent.rootLine} of the first file was already sent with the import`;
    return `${message} ${answered.get(sent.rootLine)}. Import the file again: it sends the other rows`;
  }
  return undefined;
}

const isAnswered = (outcome: Outcome): boolean => !sendableAgain.has(outcome);

/** Only a correction with the operation of the first import sends its rows again; others change ports. */
async function createRowCheck(
  mark: CorrectionMark,
  correctionOf: string,
  root: ImportItem,
  task: { readonly importId: string; readonly operation: string },
  pipeline: IngestPipeline,
): Promise<Pick<Correction, 'check' | 'accept'>> {
  if (root.operation !== task.operation) return { check: () => undefined, accept: () => ({}) };
  const answered = await answeredRows(root, pipeline, isAnswered, task.importId);
  const accepted = new Set<number | undefined>();
  const check: Correction['check'] = (cells, line) => {
    const original = originalLine(mark, cells);
    if (original === undefined || (cells[mark.importIndex] ?? '').trim() !== correctionOf) {
      const message = `this row names no row of the import ${correctionOf}: import new rows in a separate file`;
      return errorAt(line, 'CORRECTION_ROW_UNKNOWN', message);
    }
    const earlier = answered.get(original);
    if (earlier === undefined && !accepted.has(original)) return undefined;
    const by = earlier === undefined ? 'this file' : `the import ${earlier}`;
    return errorAt(line, 'CORRECTION_ROW_ANSWERED', `row ${original} of the first file was already sent with ${by}`);
  };
  const accept: Correction['accept'] = (cells) => {
    const original = originalLine(mark, cells);
    accepted.add(original);
    return { correctedRow: `${root.importId}/${original}` };
  };
  return { check, accept };
}

interface CorrectionColumns {
  readonly header: readonly string[];
  readonly settings: Pick<UploadSettings, 'defaults' | 'mapping'>;
  /** Those of the operation that the file is imported with. */
  readonly columns: Operation['columns'];
}

/**
 * The operation whose columns the file has; otherwise each column of the chosen one would be reported as missing.
 * undefined: the chosen one is right, or none is.
 * @param kinds the operations that correct the import
 */
export function findOtherOperation(file: CorrectionColumns, kinds: readonly Operation[]): Operation | undefined {
  const read = (columns: Operation['columns']) => {
    const { indexes, issues } = mapHeader(file.header, columns, file.settings);
    return { known: indexes.size, isComplete: issues.every(({ code }) => code !== 'HEADER_MISSING_COLUMN') };
  };
  const chosen = read(file.columns);
  if (chosen.isComplete) return undefined;
  // A file of create-port that misses a column has all columns of update-port, but fewer than its own.
  return kinds.find(({ columns }) => {
    const { known, isComplete } = read(columns);
    return isComplete && known > chosen.known;
  });
}
