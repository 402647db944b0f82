// A file that corrects rows of an earlier import: which rows it may correct, and the settings it inherits.
import * as z from 'zod/mini';
import { type CorrectionMark, originalLine } from '#shared/files/added-columns.ts';
import type { RecordBatch } from '#shared/files/csv/record-batch.ts';
import { createFindCells } from '#shared/files/header-words.ts';
import { type HeaderOptions, mapHeader } from '#shared/files/map-header.ts';
import { defaultSettings, mergeSettings, type UploadSettings } from '#shared/files/upload-settings.ts';
import { authorsOf } from '#shared/import/approval.ts';
import type { Identity, ImportItem } from '#shared/import/import.ts';
import { findAccountProblem, mayBeSent } from '#shared/import/import-state.ts';
import { partKindOf } from '#shared/import/part.ts';
import { simInFile } from '#shared/operations/columns/sim-row.ts';
import { calendarDateSchema } from '#shared/operations/create-port/row.ts';
import type { Operation } from '#shared/operations/operation.ts';
import { type Outcome, sendableAgain } from '#shared/outcome/outcome.ts';
import { correctionKindsOf } from '#shared/outcome/row-result.ts';
import type { PlannedRow } from '#shared/request/request.ts';
import { type AnsweredRow, type AnsweredRows, openAnsweredRows } from '#shared/results/answered-rows.ts';
import { objectOf, openFile, readSettings } from '#shared/results/changed-file.ts';
import { openOutcomes, openRowErrors } from '#shared/results/file-rows.ts';
import { type KeepCells, readFirst, readRowParts } from '#shared/results/parts.ts';
import type { CalendarDate } from '#shared/row/calendar-date.ts';
import { parseIccid } from '#shared/row/iccid.ts';
import { errorAt, type Issue } from '#shared/row/issue.ts';
import { parseMsisdn } from '#shared/row/msisdn.ts';
import { inParallel } from '#shared/service/in-parallel.ts';
import type { PartKind, RequestNumber } from '#shared/text/identity.ts';
import type { IngestPipeline } from './ingest-pipeline.ts';
import type { BookedDays } from './plan/grouping.ts';
import { ImportUniqueness } from './validate/duplicate-index.ts';

export interface Correction extends RowCheck {
  readonly mark: CorrectionMark;
  readonly correctionOf: string;
  /** What kind of part the file is. @default - none: its rows return in another operation */
  readonly kind: PartKind | undefined;
  readonly root: ImportItem;
  /** The authors of the first file, whose cells and settings the rows have. */
  readonly authors: readonly Identity[];
  /**
   * Those of this upload. Rows of the same operation inherit those of the first upload; another operation inherits only
   * the order of dates, because nobody said a value, a column or a limit of the first file for it (decision 27).
   */
  readonly settings: UploadSettings;
  /** The days of the first file and its other corrections. */
  bookedDays(): Promise<BookedDays>;
}

/** Which rows of the file may be sent. */
interface RowCheck {
  /** The numbers and SIMs in the batches so far that were sent with other rows. @default - none is sent again */
  readonly sent?: ImportUniqueness;
  /** Must be called for each batch before its records are checked. @param columnIndexes of the file */
  readBatch(batch: RecordBatch, columnIndexes: Readonly<Record<string, number>>): Promise<void>;
  /** Why the record may not be sent; undefined: it may. */
  check(cells: readonly string[], line: number): Issue | undefined;
  /** The record is planned: no other record of the file may correct the same row, which submit claims. Returns it. */
  accept(cells: readonly string[]): PlannedRow['correctedRow'];
}

export interface CorrectionTask extends CorrectionColumns {
  readonly importId: string;
  readonly settings: UploadSettings;
  readonly mark: CorrectionMark;
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
  const root = corrected && (await readFirst(pipeline.imports, corrected));
  const problem =
    root === undefined
      ? `the file corrects the import "${correctionOf}", which does not exist here`
      : findAccountProblem(root, pipeline.settings.account);
  if (root === undefined || problem !== undefined) {
    const message = `${problem}. Remove the columns importId and line to import it as new`;
    return errorAt(0, 'CORRECTION_IMPORT_UNKNOWN', message);
  }
  const expired = await findExpired(root, task.operation, task.importId, pipeline);
  if (expired !== undefined) return errorAt(0, 'FILE_GONE', expired);
  const { layout: _, planOnly: __, ...inherited } = (await readSettings(root, pipeline.files)) ?? defaultSettings;
  const settingsFor = (operation: string): UploadSettings =>
    operation === root.operation
      ? mergeSettings({ ...inherited, mapping: mappingOf(inherited.mapping, task.header), layout: {} }, task.settings)
      : { ...task.settings, dateOrder: task.settings.dateOrder ?? inherited.dateOrder };
  const kinds = correctionKindsOf(root.operation);
  const operations = [...pipeline.operations.values()].filter(({ name }) => kinds.includes(name));
  const other = findOtherOperation(task, operations, settingsFor)?.name;
  if (other !== undefined) {
    const message = `the columns are those of ${other}, not of ${task.operation}: import the file with --operation ${other}`;
    return errorAt(0, 'CORRECTION_OPERATION', message);
  }
  return {
    mark,
    correctionOf,
    kind: partKindOf(root.operation, task.operation),
    root,
    authors: await readAuthors(root, pipeline),
    settings: settingsFor(task.operation),
    ...(await createRowCheck(mark, correctionOf, root, task, pipeline)),
    bookedDays: () => readBookedDays(root, task.importId, pipeline),
  };
}

/** What the API recorded of the first upload is read where a second person must approve. */
async function readAuthors(root: ImportItem, { audit, settings }: IngestPipeline): Promise<readonly Identity[]> {
  if (settings.approval !== 'two') return [];
  return authorsOf(
    root,
    (await audit.withoutDownloads(root.importId)).find(({ action }) => action === 'uploaded'),
  );
}

/** A person may have removed a column. */
function mappingOf(mapping: UploadSettings['mapping'], header: readonly string[]): UploadSettings['mapping'] {
  const find = createFindCells(header);
  return Object.fromEntries(Object.entries(mapping).filter(([name]) => find(name).length > 0));
}

const headWithDay = z.object({ connectionDate: calendarDateSchema, place: z.optional(calendarDateSchema) });

/** Also of requests that are not sent yet. */
async function readBookedDays(root: ImportItem, except: string, pipeline: IngestPipeline): Promise<BookedDays> {
  const { requests, imports, plans, settings } = pipeline;
  const rows = new Map<CalendarDate, number>();
  const places = new Set<CalendarDate>();
  const senders = [root, ...(await readRowParts(root, imports, except))].filter(mayBeSent);
  const items = await Promise.all(senders.map(({ importId }) => Array.fromAsync(requests.ofImport(importId))));
  const moved = new Set(items.flat().flatMap(({ replaces }) => (replaces ? [requestName(replaces)] : [])));
  const booked = items.flat().filter((item) => item.state !== 'declined' && !moved.has(requestName(item)));
  await inParallel(booked, settings.callsAtOnce, async (item) => {
    const planned = headWithDay.safeParse((await plans.read(item))?.head).data;
    if (planned === undefined) return;
    // Submit books a later day where the planned one has passed.
    const day = calendarDateSchema.safeParse(item.portDate).data ?? planned.connectionDate;
    const place = planned.place ?? planned.connectionDate;
    // Rows that were moved elsewhere keep their room: another move may bring them to the days of their place.
    for (const one of new Set([day, place]))
      rows.set(one, (rows.get(one) ?? 0) + item.rowCount - (item.excludedRows?.length ?? 0));
    places.add(place);
  });
  return { rows, places };
}

const requestName = ({ importId, request }: RequestNumber): string => `${importId}/${request}`;

/** The file that is needed to know which rows are corrected has expired: its name, and what to do. */
async function findExpired(
  root: ImportItem,
  operation: string,
  importId: string,
  { files, imports }: IngestPipeline,
): Promise<string | undefined> {
  if (root.operation !== operation) return undefined;
  for (const item of [root, ...(await readRowParts(root, imports, importId))]) {
    const { columnIndexes } = item;
    // No row was sent of a file whose header was not read.
    if (columnIndexes === undefined) continue;
    if ((await files.head(objectOf(item))) !== undefined) continue;
    const message = `The file of the import ${item.importId} has expired, so it is not known which of its rows were sent`;
    const advice = 'Check them, remove the columns importId and line, and import the other rows as new';
    return `${message}. ${advice}`;
  }
  return undefined;
}

/**
 * Why the plan of a correction may not be sent, although it could when it was made: another correction was sent
 * meanwhile. The approver sees this at once; submit claims each row in any case (docs/decisions/0027). Of operations
 * that claim numbers, the other rows are sent.
 */
export async function findSentMeanwhile(item: ImportItem, pipeline: IngestPipeline): Promise<string | undefined> {
  const { importId, operation, partOf } = item;
  if (operation === null || partOf?.kind !== 'correction' || pipeline.operations.get(operation)?.submission.claims)
    return undefined;
  const root = await readFirst(pipeline.imports, item);
  const expired = await findExpired(root, operation, importId, pipeline);
  if (expired !== undefined) return expired;
  const answers = await openAnsweredRows(root, pipeline, isAnswered, importId);
  const { batches } = await openOutcomes(item, pipeline);
  for await (const batch of batches) {
    const lines = batch.flatMap(({ rootLine, result }) => (isAnswered(result.outcome) ? [rootLine] : []));
    for (const [line, sent] of await answers.of(lines)) {
      const message = `Row ${line} of the first file was already sent with the import`;
      return `${message} ${sent.importId}. Import the file again: it sends the other rows`;
    }
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
): Promise<RowCheck> {
  const { operation, importId } = task;
  if (root.operation !== operation)
    return { readBatch: async () => {}, check: () => undefined, accept: () => undefined };
  const answers = await openAnsweredRows(root, pipeline, isAnswered, importId, keepUniqueValues(pipeline));
  const planned = new NumbersByLine();
  await addPlanned(root, answers, planned, pipeline);
  const sent = new NumbersByLine();
  for (const [line, kept] of answers.changed()) sent.add(line, JSON.parse(kept));
  let answered: ReadonlyMap<number, AnsweredRow> = new Map();
  const accepted = new Set<number | undefined>();
  return {
    readBatch: async (batch, columnIndexes) => {
      const records = batch.lines.map((_, record) => batch.cellsOf(record));
      const repeated = records.flatMap((cells) =>
        [...uniqueValues(columnIndexes, cells, pipeline)].flatMap(([column, value]) => {
          const line = planned.values.find(column, value);
          return line === undefined ? [] : [{ line, column, value }];
        }),
      );
      const named = records.flatMap((cells) => originalLine(mark, cells) ?? []);
      answered = await answers.of([...named, ...repeated.map(({ line }) => line)]);
      for (const { line, column, value } of repeated)
        if (answered.get(line)?.isChanged === false) sent.add(line, [[column, value]]);
    },
    check: (cells, line) => {
      const original = originalLine(mark, cells);
      if (original === undefined || (cells[mark.importIndex] ?? '').trim() !== correctionOf) {
        const message = `this row names no row of the import ${correctionOf}: import new rows in a separate file`;
        return errorAt(line, 'CORRECTION_ROW_UNKNOWN', message);
      }
      const earlier = answered.get(original)?.importId;
      if (earlier === undefined && !accepted.has(original)) return undefined;
      const by = earlier === undefined ? 'this file' : `the import ${earlier}`;
      return errorAt(line, 'CORRECTION_ROW_ANSWERED', `row ${original} of the first file was already sent with ${by}`);
    },
    accept: (cells) => {
      const original = originalLine(mark, cells);
      accepted.add(original);
      return `${root.importId}/${original}`;
    },
    sent: sent.values,
  };
}

/** Numbers and SIMs, each with the line of its row in the first file. */
class NumbersByLine {
  readonly values = new ImportUniqueness(() => this.#line);
  #line = 0;

  add(line: number, values: Iterable<readonly [column: string, value: string]>): void {
    this.#line = line;
    for (const [column, value] of values) this.values.addSent(column, value);
  }
}

/** The rows that the first file may have sent as they are in it. */
async function addPlanned(
  root: ImportItem,
  answers: AnsweredRows,
  planned: NumbersByLine,
  pipeline: IngestPipeline,
): Promise<void> {
  const { files, resources } = pipeline;
  if (root.columnIndexes === undefined) return;
  const opened = await openFile(root, files, root.layout);
  if (!opened.ok) return;
  const errors = await openRowErrors(files, resources.resultsBucket, root);
  for await (const batch of opened.value.batches) {
    await errors.readTo(batch.lines.at(-1) ?? 0);
    for (const [record, line] of batch.lines.entries()) {
      const wasPlanned = errors.take(line) === undefined && !errors.isOther(line);
      if (wasPlanned || answers.byPart(line))
        planned.add(line, uniqueValues(root.columnIndexes, batch.cellsOf(record), pipeline));
    }
  }
  // To its end: a connection that is left open is lost.
  await errors.readTo(Number.MAX_SAFE_INTEGER);
}

/** The number and the SIM of a row, as the validator adds them. */
function* uniqueValues(
  columnIndexes: ImportItem['columnIndexes'] = {},
  cells: readonly string[],
  { settings }: IngestPipeline,
): Iterable<readonly [column: string, value: string]> {
  const cellOf = (column: string): string => cells[columnIndexes[column] ?? -1] ?? '';
  const number = parseMsisdn(cellOf('msisdn'), settings);
  if (number.ok) yield ['msisdn', number.value];
  const zone = cellOf('zone').trim();
  for (const column of ['serialNo', 'serialNumber']) {
    const sim = parseIccid(cellOf(column));
    if (sim.ok) yield [column, simInFile(sim.value, zone)];
  }
}

const keepUniqueValues =
  (pipeline: IngestPipeline): KeepCells =>
  ({ columnIndexes }) =>
  ({ cells }) =>
    JSON.stringify([...uniqueValues(columnIndexes, cells, pipeline)]);

interface CorrectionColumns {
  readonly header: readonly string[];
  /** The operation with which the file is imported. */
  readonly operation: string;
  readonly columns: Operation['columns'];
}

/**
 * The operation whose columns the file has; otherwise each column of the chosen one would be reported as missing.
 * undefined: the chosen one is right, or none is.
 * @param kinds the operations that correct the import
 * @param settingsFor how the file is read as a file of this operation
 */
export function findOtherOperation(
  file: CorrectionColumns,
  kinds: readonly Operation[],
  settingsFor: (operation: string) => HeaderOptions,
): Operation | undefined {
  const read = (operation: string, columns: Operation['columns']) => {
    const { indexes, issues } = mapHeader(file.header, columns, settingsFor(operation));
    return { known: indexes.size, isComplete: issues.every(({ code }) => code !== 'HEADER_MISSING_COLUMN') };
  };
  const chosen = read(file.operation, file.columns);
  if (chosen.isComplete) return undefined;
  // A file of create-port that misses a column has all columns of update-port, but fewer than its own.
  return kinds.find(({ name, columns }) => {
    const { known, isComplete } = read(name, columns);
    return isComplete && known > chosen.known;
  });
}
