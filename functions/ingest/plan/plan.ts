// Phase 1 of an import: reads the file as a stream, validates its rows and writes the requests of the plan. Nothing is
// submitted before the whole file is read, so a file is never half submitted.

import { createRootLineOf, ownColumns, type RootLineOf } from '#shared/files/added-columns.ts';
import type { ChangedRows } from '#shared/files/changed-rows.ts';
import { peekBatch, samplesOf } from '#shared/files/column-values.ts';
import type { CsvContents, FileLayout, OpenedCsv, RecordBatch } from '#shared/files/csv/record-batch.ts';
import { createHeaderTest, createSecondHeaderTest, type FindHeader } from '#shared/files/header-words.ts';
import type { HeaderMap } from '#shared/files/map-header.ts';
import { recogniseDates } from '#shared/files/recognise-dates.ts';
import type { UploadSettings } from '#shared/files/upload-settings.ts';
import type { ImportItem } from '#shared/import/import.ts';
import { storeOption } from '#shared/operations/columns/option-cells.ts';
import { type FileHeader, readHeader } from '#shared/operations/columns/option-columns.ts';
import type { Operation, ValidationContext } from '#shared/operations/operation.ts';
import type { RowDates } from '#shared/operations/validate-row.ts';
import { openChanged } from '#shared/results/changed-file.ts';
import { errorAt, type Issue, notice } from '#shared/row/issue.ts';
import { redactText } from '#shared/row/redact.ts';
import type { Files, ObjectRef } from '#shared/store/files.ts';
import type { ReadImport } from '#shared/store/object-keys.ts';
import { count, counted } from '#shared/text/wording.ts';
import type { Correction } from '../correction.ts';
import type { IngestPipeline, PlanLimits } from '../ingest-pipeline.ts';
import { PortReadings } from '../validate/port-readings.ts';
import { RowValidator } from '../validate/row-validator.ts';
import {
  ContradictingDate,
  checkLateValues,
  createLocating,
  findSecrets,
  type LaterRows,
  layoutOf,
  withLaterRows,
} from './file-layout.ts';
import { findRounded, groupingNotices, headerNotices } from './file-notices.ts';
import { Grouping, limitRowsPerDay } from './grouping.ts';
import { type Counts, NumberPredictions, planBatch, RowCounter } from './plan-batch.ts';
import { PlanWriter, RejectedWriter } from './plan-files.ts';
import { ContentHash, RowJson } from './row-json.ts';

/** Issues kept with the import itself; all of them are in issues.ndjson. */
const shownIssues = 20;

export interface PlanTask extends ReadImport {
  /** @default - the first delivery, which alone begins the import */
  readonly attemptId?: string | undefined;
  readonly object: ObjectRef;
  /** What people changed of the file. @default - nothing */
  readonly changes?: ChangedRows | undefined;
  readonly operation: Operation;
  readonly settings: UploadSettings;
  readonly limits: PlanLimits;
  readonly context: ValidationContext;
  /** Has the numbers that were ported before, and ports as sync has read them. @default - no table is read */
  readonly tables?: IngestPipeline;
  readonly buckets: { readonly work: string; readonly results: string };
  /** Recognises a file that corrects an earlier import. */
  readonly openCorrection: (
    header: readonly string[],
    first: readonly (readonly string[])[],
  ) => Promise<Correction | Issue | undefined>;
  // If one of these throws, reading stops and all written files are discarded.
  /** Called before the first row. */
  readonly onHeader: (recognised: RecognisedFile) => Promise<void>;
  /** Called more often, also where a file has no rows. Absent where the time has no end. */
  readonly checkTime?: () => void;
  /** Gets how many bytes of the file the present reading has read. @default - not counted */
  readonly onBytes?: (bytes: number) => void;
  /** Called between batches. */
  readonly onProgress: (counts: Counts) => Promise<void>;
  /** Called after the last row, before the files become visible. */
  readonly onRead: () => Promise<void>;
  /** A warning about another import with the same rows. @default - nothing */
  readonly findSameContent?: (contentHash: string, rows: number) => Promise<Issue | undefined>;
}

/** How a file is read, as far as it was recognised or set. */
export type RecognisedFile = Pick<
  ImportItem,
  | 'columnIndexes'
  | 'columnIndexesForPeople'
  | 'layout'
  | 'optionColumns'
  | 'dateOrders'
  | 'startsIn1904'
  | 'columnValues'
  | 'meanings'
  | 'secretReadings'
  | 'onInvalidPac'
  | 'correctionOf'
  | 'partOf'
  | 'authors'
>;

/** With a `rejection` nothing of the file is submitted: there is no plan, but rejected.csv and issues.ndjson. */
export interface Planned extends Counts {
  readonly requestCount: number;
  readonly requests?: PlanWriter['requests'];
  readonly planHash?: string;
  readonly contentHash?: string | undefined;
  /** @default - any number of rows may be ported on one day */
  readonly dayCycle?: number | undefined;
  /** A row must be approved before it is sent. */
  readonly needsApproval?: true;
  readonly issues: readonly Issue[];
  readonly rejection?: Issue;
}

/** @throws what reading, writing or looking up throws; then the buckets hold nothing of this attempt */
export const planImport = (files: Files, task: PlanTask): Promise<Planned> =>
  withLaterRows((laterRows) => planWith(laterRows, files, task));

async function planWith(laterRows: LaterRows, files: Files, task: PlanTask): Promise<Planned> {
  const { importId, reading, buckets, operation, attemptId } = task;
  const plan = new PlanWriter(files, buckets.work, { importId, reading, operation: operation.name, attemptId });
  const rejected = new RejectedWriter(files, buckets.results, task);
  const counter = new RowCounter(shownIssues);
  const content = new ContentHash(operation.name);
  const outputs = { plan, content, rejected, counter, locate: (issue: Issue) => issue };
  try {
    const open = async (layout: FileLayout) => openFile(countBytes(await files.read(task.object), task), task, layout);
    const rejection = await planFile(await open(task.settings.layout), { ...task, open, laterRows }, outputs);
    const contentHash = rejection === undefined ? content.value : undefined;
    const [same] = await Promise.all([
      contentHash && task.findSameContent?.(contentHash, counter.counts.accepted),
      task.onRead(),
    ]);
    if (same) addFileIssue(same, outputs);
    await Promise.all([rejected.close(), rejection === undefined ? plan.close() : plan.abort()]);
    const requestCount = rejection === undefined ? plan.requestCount : 0;
    const { requests, planHash, dayCycle } = plan;
    const { counts, firstIssues: issues, needsApproval } = counter;
    const found = { ...counts, requestCount, issues, ...(needsApproval && { needsApproval }) };
    return rejection === undefined ? { ...found, requests, planHash, contentHash, dayCycle } : { ...found, rejection };
  } catch (error) {
    await Promise.allSettled([plan.abort(), rejected.abort()]);
    throw error;
  }
}

async function* countBytes(source: AsyncIterable<Uint8Array>, { onBytes }: PlanTask): AsyncIterable<Uint8Array> {
  let bytes = 0;
  for await (const chunk of source) {
    bytes += chunk.length;
    onBytes?.(bytes);
    yield chunk;
  }
}

interface Outputs {
  readonly plan: PlanWriter;
  readonly content: ContentHash;
  readonly rejected: RejectedWriter;
  readonly counter: RowCounter;
  /** Also names the sheet of an issue. */
  readonly locate: (issue: Issue) => Issue;
}

/** Also with the function that opens the file again. */
type OpenTask = PlanTask & {
  readonly open: (layout: FileLayout) => Promise<OpenedCsv>;
  readonly laterRows: LaterRows;
};

async function openFile(source: AsyncIterable<Uint8Array>, task: PlanTask, layout: FileLayout): Promise<OpenedCsv> {
  const isHeader = createHeaderTest(task.operation.columns, task.settings.mapping);
  const options = { ...layout, isHeader, severalSheets: 'reject', checkTime: task.checkTime } as const;
  return openChanged(source, options, task.changes);
}

/** Returns why the file is rejected; undefined when its plan is complete. */
async function planFile(opened: OpenedCsv, task: OpenTask, outputs: Outputs): Promise<Issue | undefined> {
  if (!opened.ok) return addFileIssue(opened.issue, outputs);
  const csv = opened.value;
  const located = { ...outputs, locate: createLocating(csv) };
  try {
    const rejection = await planRecords(csv, task, located);
    addFileIssues(csv.notices(), outputs);
    return rejection;
  } finally {
    await csv.close();
  }
}

async function planRecords(csv: CsvContents, task: OpenTask, outputs: Outputs): Promise<Issue | undefined> {
  const { operation } = task;
  const { first, batches } = await peekBatch(csv.batches);
  const samples = [...samplesOf(first), ...task.laterRows.samples];
  const correction = await task.openCorrection(csv.header, samples);
  if (correction !== undefined && 'code' in correction) return addFileIssue(correction, outputs);
  const settings = correction?.settings ?? task.settings;
  const { defaults, meanings, onInvalidPac, dateOrder = correction?.root.dateOrders } = settings;
  const ownIndexes = ownColumns(csv.header);
  // Columns that simporter added are not columns of the operation.
  const isOwn = new Set(ownIndexes);
  const own = csv.header.map((name, index) => (isOwn.has(index) ? name : ''));
  const skipped = [...csv.header.keys()].filter((index) => !isOwn.has(index));
  const hasSheets = csv.otherSheets !== undefined;
  const mapping = { ...csv.added, ...settings.mapping };
  const headerOptions = { line: csv.headerLine, defaults, meanings, mapping, samples, skipped, hasSheets };
  const header = await readHeader(own, operation.columns, headerOptions, task.context.catalogue);
  const layout = layoutOf(csv, task.settings);
  const file = { indexes: header.indexes, contents: csv, first };
  const recognised = await recogniseDates(operation.columns, file, dateOrder, task.laterRows.rowsForDates, async () => {
    const again = await (csv.again ?? task.open)(layout);
    return again.ok ? again.value : undefined;
  });
  const dates = { ...recognised, startsIn1904: csv.startsIn1904 ?? correction?.root.startsIn1904 };
  const columnIndexes = Object.fromEntries(header.indexes);
  const secret = findSecrets({ own, columnIndexes, ownIndexes, samples }, csv, task);
  const chain = correction && chainOf(correction);
  await task.onHeader({
    columnIndexes,
    layout,
    dateOrders: dates.orders,
    ...(dates.startsIn1904 && { startsIn1904: true }),
    secretReadings: secret.readings,
    ...storedValues(header),
    ...indexesForPeople(header, ownIndexes),
    ...storedOptions(header, ownIndexes),
    ...(onInvalidPac && { onInvalidPac }),
    ...chain,
  });
  const issues = [...header.issues, ...secret.issues, ...dates.issues];
  addFileIssues(issues, outputs);
  const error = issues.find(({ severity }) => severity === 'error');
  if (error !== undefined) return error;
  const headerContext = { line: csv.headerLine, header: csv.header, samples };
  addFileIssues(headerNotices(header, task.operation.columns, headerContext), outputs);

  const findHeader = createSecondHeaderTest(csv.header, operation.columns, mapping);
  const rootLineOf = createRootLineOf(correction?.kind && correction.mark);
  outputs.rejected.begin({ header: csv.header, columnIndexes }, csv.delimiter, rootLineOf);
  const fault = await planRows(
    batches,
    header,
    { ...task, settings, dates, correction, rootLineOf, secret: secret.indexes, findHeader },
    outputs,
  );
  const { toleratedFailurePercentage = task.limits.toleratedFailurePercentage } = settings;
  const rejection = fault ?? checkThreshold(outputs.counter.counts, toleratedFailurePercentage);
  return rejection && addFileIssue(rejection, outputs);
}

const chainOf = ({ correctionOf, kind, root, authors }: Correction) => ({
  correctionOf,
  ...(kind && { partOf: { importId: root.importId, kind } }),
  ...(authors.length > 0 && { authors: [...authors] }),
});

/** They differ where columns of simporter are in front of the file's own. */
function indexesForPeople({ indexes }: HeaderMap, own: readonly number[]): Partial<RecognisedFile> {
  if (own.every((index, place) => index === place)) return {};
  const places = [...indexes].map(([name, index]) => [name, own.indexOf(index)] as const);
  return { columnIndexesForPeople: Object.fromEntries(places) };
}

function storedOptions({ options = [] }: FileHeader, own: readonly number[]): Partial<RecognisedFile> {
  const placeOf = new Map(own.map((index, place) => [index, place]));
  const stored = options.map((option) => ({ ...storeOption(option), index: placeOf.get(option.index) ?? -1 }));
  // The table has no PACs, and a file without a header has its first row there.
  return stored.length === 0 ? {} : { optionColumns: stored.filter(({ header }) => redactText(header) === header) };
}

/** The table has no PACs. */
function storedValues({ defaults, meanings }: HeaderMap): Pick<RecognisedFile, 'columnValues' | 'meanings'> {
  const isStored = (value: string) => redactText(value) === value;
  const values = [...defaults].filter(([, value]) => isStored(value));
  const said = Object.entries(meanings).map(([column, texts]) => {
    return [column, Object.entries(texts).filter((entry) => entry.every(isStored))] as const;
  });
  const named = said.filter(([, texts]) => texts.length > 0);
  return {
    ...(values.length > 0 && { columnValues: Object.fromEntries(values) }),
    ...(named.length > 0 && {
      meanings: Object.fromEntries(named.map(([column, texts]) => [column, Object.fromEntries(texts)])),
    }),
  };
}

/** With what the header and the first rows decided. */
interface RowTask extends PlanTask {
  readonly dates: RowDates;
  readonly correction: Correction | undefined;
  readonly rootLineOf: RootLineOf;
  /** The columns whose cells no message quotes. */
  readonly secret: ReadonlySet<number>;
  readonly findHeader: FindHeader;
}

async function planRows(
  batches: AsyncIterable<RecordBatch>,
  header: FileHeader,
  task: RowTask,
  outputs: Outputs,
): Promise<Issue | undefined> {
  const { plan, content, rejected, counter, locate } = outputs;
  const { operation, context, limits, dates, correction, rootLineOf, secret, tables, findHeader } = task;
  const numberColumn = operation.submission.claims ? header.indexes.get('msisdn') : undefined;
  const predictions = tables && numberColumn !== undefined ? new NumberPredictions(tables, numberColumn) : undefined;
  const ports = openPortReadings(task, header);
  const dailyCapacity = await limitRowsPerDay(task.settings, correction);
  const catalogue = ports?.catalogue ?? context.catalogue;
  const ofImport = { predictNumber: predictions?.get, dailyCapacity, sent: correction?.sent };
  const writer = correction === undefined ? 'others' : 'simporter';
  const validator = new RowValidator(
    operation,
    { ...header, writer } as const,
    { ...context, catalogue, ...ofImport },
    dates,
  );
  const grouping = new Grouping(groupingLimits(task), content, (...request) => plan.add(...request));
  const rowJson = new RowJson();
  const planner = {
    correction,
    rootLineOf,
    columnIndexes: Object.fromEntries(header.indexes),
    validator,
    grouping,
    rowJson,
    rejected,
    counter,
    locate,
    predictions,
    secret,
    findHeader,
  };
  for await (const batch of batches) {
    checkLateValues(batch, header);
    await ports?.readBatch(batch);
    const fault = (await planBatch(batch, planner)) ?? batch.fault ?? tooManyRows(counter.counts, limits);
    if (validator.hasContradictingDate) throw new ContradictingDate();
    if (fault !== undefined) return fault;
    await plan.drain();
    await rejected.drain();
    await task.onProgress(counter.counts);
  }
  // Each is written before the next one is emitted: together they may be larger than the memory.
  for (const _ of grouping.emitOpen()) await plan.drain();
  const ofFile = [
    ...unusedDefaults(header, validator.usedDefaults),
    ...[predictions, ports, dailyCapacity].map((source) => source?.notice),
    ...findRounded(validator.uniqueness, counter),
    ...groupingNotices(grouping),
  ];
  addFileIssues(ofFile, outputs);
  plan.dayCycle = dailyCapacity?.cycle;
  return undefined;
}

function groupingLimits({ limits, settings, context }: RowTask) {
  const { maxRowsPerPort = Number.POSITIVE_INFINITY, separateExpiringPacs: separatesAtRisk } = settings;
  const maxRowsPerRequest = Math.min(context.settings.maxRowsPerRequest, maxRowsPerPort);
  return { ...limits, maxRowsPerRequest, separatesAtRisk };
}

/** undefined: rows of this operation name no port, or no table is read. */
function openPortReadings({ operation, tables, context }: RowTask, header: HeaderMap) {
  if (operation.allowsChange === undefined || tables === undefined) return undefined;
  return new PortReadings(tables, operation, header, context.catalogue);
}

const tooManyRows = ({ rows }: Counts, { maxFileRows }: PlanLimits): Issue | undefined =>
  rows > maxFileRows
    ? errorAt(0, 'FILE_TOO_MANY_ROWS', `the file has more than ${maxFileRows} rows: split it`)
    : undefined;

/** A default fills empty cells only, so that it never changes what a file contains. */
function unusedDefaults({ indexes, defaults }: HeaderMap, used: ReadonlySet<string>): Issue[] {
  const unused = [...defaults.keys()].filter((name) => indexes.has(name) && !used.has(name));
  return unused.map((column) => {
    const message = `every row has a value in ${column}, so --set ${column} changed nothing`;
    return { line: 0, column, ...notice('HEADER_DEFAULT_UNUSED', message) };
  });
}

function addFileIssues(issues: readonly (Issue | undefined)[], outputs: Outputs): void {
  for (const issue of issues) if (issue !== undefined) addFileIssue(issue, outputs);
}

/** A file without a header has its first row there, so its names may be codes. */
function addFileIssue(found: Issue, { counter, rejected, locate }: Outputs): Issue {
  const { column, message } = found;
  const issue = { ...locate(found), column: column && redactText(column), message: redactText(message) };
  counter.addIssue(issue);
  rejected.addIssue(issue);
  return issue;
}

/** Rejects a file with too many invalid rows, and always one without a valid row. */
function checkThreshold({ rows, accepted, rejected, leftOut = 0 }: Counts, tolerated: number): Issue | undefined {
  if (rows === 0) return errorAt(0, 'FILE_EMPTY', 'the file has a header but no rows');
  const others = leftOut === 0 ? '' : `, ${count(leftOut)} ${leftOut === 1 ? 'is' : 'are'} left out`;
  const share = `${count(rejected)} of ${counted(rows, 'row')} ${rejected === 1 ? 'has' : 'have'} errors${others}`;
  if (accepted === 0) return errorAt(0, 'FILE_THRESHOLD_EXCEEDED', `${share}: there is nothing to submit`);
  if (rejected * 100 <= tolerated * rows) return undefined;
  const message = `${share}, and at most ${tolerated} % are tolerated: nothing was submitted`;
  return errorAt(0, 'FILE_THRESHOLD_EXCEEDED', message);
}
