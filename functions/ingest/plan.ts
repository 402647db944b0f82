// Phase 1 of an import: bytes -> records -> rows -> requests, as a stream. Nothing that is written here is acted upon
// before the whole file was read: a file is never half sent.
import type { Files, ObjectRef } from '#shared/aws/files.ts';
import { type HeaderMap, mapHeader } from '#shared/csv/header.ts';
import { readCsv } from '#shared/csv/reader.ts';
import type { CsvContents, RecordBatch, RejectedRecord } from '#shared/csv/records.ts';
import { ownColumnCount } from '#shared/csv/returned-columns.ts';
import type { Issue, IssueCode } from '#shared/domain/issue.ts';
import type { JudgeContext, Operation } from '#shared/operations/operation.ts';
import { createGrouping, type Grouping } from './grouping.ts';
import { createPlainRows, type PlainRows } from './plain-rows.ts';
import { openPlan, type PlanWriter } from './plan-writer.ts';
import { plannedRowJson } from './planned-row-json.ts';
import { openRejected, type RejectWriter } from './reject-writer.ts';
import { createRowJudge, type RowJudge, type Verdict } from './row-judge.ts';
import { type Counts, createTally, type Tally } from './tally.ts';

/** How many issues the import's own item shows; all of them stand in issues.ndjson. */
const shownIssues = 20;
const noIssues: readonly Issue[] = [];

export interface PlanLimits {
  readonly maxFileRows: number;
  /** At most this share of the rows may be rejected, else nothing is sent; 0 is all or nothing. */
  readonly toleratedFailurePercentage: number;
  /** Rows that may wait for their request to fill; bounds memory. */
  readonly maxWaitingRows: number;
}

export interface PlanTask {
  readonly importId: string;
  readonly object: ObjectRef;
  readonly operation: Operation;
  /** Values for whole columns, by column name. */
  readonly defaults: Readonly<Record<string, string>>;
  readonly limits: PlanLimits;
  readonly context: JudgeContext;
  readonly buckets: { readonly work: string; readonly results: string };
  /** Called between batches; what it throws stops the reading, and nothing is left behind. */
  readonly onProgress: (counts: Counts) => Promise<void>;
  /** Called before the files take their place; what it throws stops that, too. */
  readonly onRead: (counts: Counts) => Promise<void>;
}

/** `refusal` says why nothing of the file may be sent; then there is no plan, but there are rejected.csv and issues.ndjson. */
export interface Planned extends Counts {
  readonly requestCount: number;
  readonly issues: readonly Issue[];
  readonly refusal?: Issue;
}

/** @throws what reading, writing or looking up throws; the work and results buckets then hold nothing of this attempt */
export async function planImport(files: Pick<Files, 'open' | 'read'>, task: PlanTask): Promise<Planned> {
  const { importId, buckets, operation } = task;
  const plan = openPlan(files, buckets.work, importId, operation.name);
  const rejected = openRejected(files, buckets.results, importId);
  const tally = createTally(shownIssues);
  try {
    const refusal = await readFile(await files.read(task.object), task, { plan, rejected, tally });
    await task.onRead(tally.counts());
    await rejected.close();
    await (refusal === undefined ? plan.close() : plan.abort());
    const requestCount = refusal === undefined ? plan.requestCount : 0;
    return { ...tally.counts(), requestCount, issues: tally.shown, ...(refusal === undefined ? {} : { refusal }) };
  } catch (thrown) {
    await Promise.allSettled([plan.abort(), rejected.abort()]);
    throw thrown;
  }
}

interface Outputs {
  readonly plan: PlanWriter;
  readonly rejected: RejectWriter;
  readonly tally: Tally;
}

/** Answers why the file is refused; undefined when its plan stands. */
async function readFile(
  source: AsyncIterable<Uint8Array>,
  task: PlanTask,
  outputs: Outputs,
): Promise<Issue | undefined> {
  const opened = await readCsv(source);
  if (!opened.ok) return refuse(opened.issue, outputs);
  const csv = opened.value;
  try {
    return await readRecords(csv, task, outputs);
  } finally {
    await csv.close();
  }
}

async function readRecords(csv: CsvContents, task: PlanTask, outputs: Outputs): Promise<Issue | undefined> {
  const own = csv.header.slice(0, ownColumnCount(csv.header));
  const header = mapHeader(own, task.operation.columns, { line: csv.headerLine, defaults: task.defaults });
  const broken = header.issues.filter((issue) => refuse(issue, outputs).severity === 'error');
  if (broken[0] !== undefined) return broken[0];

  outputs.rejected.begin(csv.header);
  const fault = await readRows(csv, header, task, outputs);
  const refusal = fault ?? intolerable(outputs.tally.counts(), task.limits);
  return refusal && refuse(refusal, outputs);
}

async function readRows(
  csv: CsvContents,
  header: HeaderMap,
  task: PlanTask,
  outputs: Outputs,
): Promise<Issue | undefined> {
  const { plan, rejected, tally } = outputs;
  const judge = createRowJudge(task.operation, header, task.context);
  const { maxRowsPerRequest } = task.context.settings;
  const grouping = createGrouping({ maxRowsPerRequest, maxWaitingRows: task.limits.maxWaitingRows }, plan.add);
  const plainRows = createPlainRows(task.operation, header, task.context.settings, judge, grouping);
  for await (const batch of csv.batches) {
    await takeBatch(batch, plainRows, judge, grouping, outputs);
    if (batch.fault !== null) return batch.fault;
    if (tally.counts().rows > task.limits.maxFileRows) return tooManyRows(task.limits.maxFileRows);
    await plan.drain();
    await rejected.drain();
    await task.onProgress(tally.counts());
  }
  grouping.flush();
  return undefined;
}

/** Records and rejected records come apart, and are put back into the order of the file. */
async function takeBatch(
  batch: RecordBatch,
  plainRows: PlainRows,
  judge: RowJudge,
  grouping: Grouping,
  outputs: Outputs,
): Promise<void> {
  const { lines, spans, rejected: broken } = batch;
  plainRows.read(spans);
  let nextBroken = 0;
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index] as number;
    while (nextBroken < broken.length && (broken[nextBroken]?.line ?? line) < line) {
      rejectRecord(broken[nextBroken++] as RejectedRecord, outputs);
    }
    if (plainRows.take(spans, index, line)) {
      outputs.tally.addRow(true, noIssues);
      continue;
    }
    const record = batch.cellsOf(index);
    const lookingUp = judge.prepare(record);
    if (lookingUp !== undefined) await lookingUp;
    const verdict = judge.judge(line);
    takeRow(line, record, verdict, grouping, outputs);
    if (verdict.accepted !== undefined && verdict.issues.length === 0) plainRows.learn(verdict.accepted.shape, record);
  }
  for (const record of broken.slice(nextBroken)) rejectRecord(record, outputs);
}

function takeRow(
  line: number,
  record: readonly string[],
  verdict: Verdict,
  grouping: Grouping,
  outputs: Outputs,
): void {
  const { issues, accepted } = verdict;
  outputs.tally.addRow(accepted !== undefined, issues);
  if (issues.length > 0) outputs.rejected.add(line, record, issues);
  if (accepted === undefined) return;
  const { subject, wire } = accepted.row;
  grouping.add(accepted.shape, plannedRowJson(line, subject, wire));
}

function rejectRecord({ line, cells, issue }: RejectedRecord, { tally, rejected }: Outputs): void {
  tally.addRow(false, [issue]);
  rejected.add(line, cells, [issue]);
}

function refuse(issue: Issue, { tally, rejected }: Outputs): Issue {
  tally.addIssue(issue);
  rejected.addIssue(issue);
  return issue;
}

const wholeFile = (code: IssueCode, message: string): Issue => ({
  line: 0,
  column: null,
  severity: 'error',
  code,
  message,
});

const tooManyRows = (most: number): Issue =>
  wholeFile('FILE_TOO_MANY_ROWS', `the file has more than ${most} rows: split it`);

/** Why so many rejected rows are too many; a file without a row that can be sent is always refused. */
function intolerable({ rows, accepted, rejected }: Counts, limits: PlanLimits): Issue | undefined {
  if (rows === 0) return wholeFile('FILE_EMPTY', 'the file has a header but no rows');
  const share = `${rejected} of ${rows} rows have errors`;
  if (accepted === 0) return wholeFile('FILE_THRESHOLD_EXCEEDED', `${share}: there is nothing to send`);
  const most = limits.toleratedFailurePercentage;
  if (rejected * 100 <= most * rows) return undefined;
  return wholeFile('FILE_THRESHOLD_EXCEEDED', `${share}, and at most ${most} % are tolerated: nothing is sent`);
}
