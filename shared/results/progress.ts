// What an import sends, how far it and its corrections are, and what interrupts it.
import type { ImportItem, ImportState } from '#shared/import/import.ts';
import { type Outcome, outcomeOrder, sendableAgain } from '#shared/outcome/outcome.ts';
import { resultsOf } from '#shared/outcome/request-results.ts';
import { type RequestedRows, rollUp } from '#shared/outcome/rows-of-requests.ts';
import { ownRows, unpackLines } from '#shared/request/packed-lines.ts';
import type { RequestItem } from '#shared/request/request.ts';
import type { RateLimitItem } from '#shared/request/shared-rate-limit.ts';
import { redactText } from '#shared/row/redact.ts';
import type { AccountReader, ResultsReader } from '#shared/store/account.ts';
import type { SyncRunsItem } from '#shared/store/leases.ts';
import { isObjectGone, planIndexKey, type ReadImport, readAgainIfReplaced } from '#shared/store/object-keys.ts';
import { type PlanSample, readPlanIndex } from '#shared/store/plans.ts';
import type { RequestReader } from '#shared/store/requests.ts';
import type { Tally } from '#shared/text/stored-values.ts';
import type { ImportProgress, Interruptions, PlanGroup } from './answers.ts';
import { type LinesReader, openOutcomesByLine } from './outcomes-by-line.ts';
import { foldWithPart, openFoldedOutcomes, type Part, readFirst, readPartRows, readRowParts } from './parts.ts';
import type { ResultsIndex } from './results-csv.ts';
import { openIndexedResults } from './row-page.ts';

// How far an import is: its rows by outcome, and when the ports in progress are expected to complete.

/** An import with more requests is shown as report has counted it: to read them takes a second or more. */
const countedRequests = 200;

/** Reads the requests only, as far as it reads: each has the counts of its port (decision 3). */
export async function readImportProgress(
  { requests }: { readonly requests: RequestReader },
  item: ImportItem,
): Promise<ImportProgress> {
  if (item.requestCount > countedRequests) return asCounted(item);
  const { requested } = await rollUp(requests.ofImport(item.importId), item.requestCount);
  return progressOf(item, requested);
}

/** @param requested @default - nothing is submitted yet */
export function progressOf(
  { state, accepted, rejected, duplicates = 0, leftOut = 0 }: ImportItem,
  { rows, outcomes, ...dates }: RequestedRows = { rows: 0, outcomes: new Map() },
): ImportProgress {
  const tally = new Map(outcomes);
  const add = (outcome: Outcome, count: number): void => {
    if (count > 0) tally.set(outcome, (tally.get(outcome) ?? 0) + count);
  };
  add('duplicate', duplicates);
  add('rejected', rejected - duplicates);
  add('not-sent', leftOut);
  add(state === 'rejected' ? 'not-sent' : 'waiting', accepted - rows);
  return { outcomes: inOutcomeOrder(tally), ...dates };
}

/**
 * Every row of a first file once, as it is now. A row that is hidden behind another has ended or waits to be moved; a
 * move that goes on is counted when the files are written, which is next.
 * @param parts those that were folded when `hidden` was counted
 */
export function countWithParts(
  { outcomes }: ImportProgress,
  parts: readonly ImportItem[],
  hidden: Tally,
): ImportProgress['outcomes'] {
  const tallies = parts.map((item) => item.progress?.outcomes ?? progressOf(item).outcomes);
  const sum = new Map<Outcome, number>();
  for (const outcome of outcomeOrder) {
    const rows = [outcomes, ...tallies].reduce((total, tally: Tally) => total + (tally[outcome] ?? 0), 0);
    const shown = rows - (hidden[outcome] ?? 0);
    if (shown > 0) sum.set(outcome, shown);
  }
  return inOutcomeOrder(sum);
}

/**
 * The state of an import as people see it: one with rows under way is not finished. A part may send some of its rows,
 * and the outcomes may be read later than the item.
 */
export const stateBeside = (
  { waiting = 0, scheduled = 0, 'in-progress': moving = 0 }: ImportProgress['outcomes'],
  state: ImportState,
): ImportState => (state === 'finished' && waiting + scheduled + moving > 0 ? 'in-progress' : state);

/** The latest of the dates that there are. Calendar text compares as text. */
export const latestExpectedDate = (dates: readonly (string | undefined)[]) =>
  dates.flatMap((date) => date ?? []).reduce<string | undefined>(later, undefined);

const later = (one: string | undefined, other: string): string => (one !== undefined && one > other ? one : other);

const inOutcomeOrder = (tally: ReadonlyMap<Outcome, number>): ImportProgress['outcomes'] =>
  Object.fromEntries(outcomeOrder.flatMap((outcome) => (tally.has(outcome) ? [[outcome, tally.get(outcome)]] : [])));

// How far an import is with its parts: every row of the first file is counted once.

export interface RootProgress {
  /** The first import; the import itself where it is no part. */
  readonly root: ImportItem;
  readonly progress: ImportProgress;
  /** What people see of the import itself: of a part its own rows, of any other the same as of the whole. */
  readonly shown: ImportProgress;
}

/** Reads no more than the requests; with parts also the rows of the file, or of a large one only those of the parts. */
export async function readRootProgress(reader: LinesReader, item: ImportItem): Promise<RootProgress> {
  const root = await readFirst(reader.imports, item);
  const own = await readImportProgress(reader, root);
  if (!root.hasParts) return { root, progress: own, shown: own };
  const parts = await readRowParts(root, reader.imports);
  const [outcomes, ofParts] = await Promise.all([
    countFamily(reader, root, parts, own.outcomes),
    Promise.all(parts.map((part) => readImportProgress(reader, part))),
  ]);
  const expectedDate = latestExpectedDate([own, ...ofParts].map((each) => each.expectedDate));
  const { split } = own;
  const progress = { outcomes, ...(expectedDate && { expectedDate }), ...(split && { split }) };
  return { root, progress, shown: root === item ? progress : await readImportProgress(reader, item) };
}

// As report has counted, without reading the requests.

const asCounted = (item: ImportItem): ImportProgress => item.progress ?? progressOf(item);

/** Of a first import every row once, with what its parts did (spec gap 40). */
export const storedProgress = (item: ImportItem): ImportProgress => withParts(item, asCounted(item));

/** @param own the rows of the import itself, perhaps newer than report */
export const withParts = ({ outcomes, merged }: ImportItem, own: ImportProgress): ImportProgress =>
  merged !== undefined && outcomes !== undefined
    ? { ...own, outcomes, expectedDate: latestExpectedDate([own.expectedDate, merged.expectedDate]) }
    : own;

/** As report has counted its rows. */
export const shownState = (item: ImportItem): ImportState => stateBeside(storedProgress(item).outcomes, item.state);

/** As report has counted them, where the file of the import or of a part is gone. */
async function countFamily(
  reader: LinesReader,
  root: ImportItem,
  parts: readonly Part[],
  own: ImportProgress['outcomes'],
): Promise<ImportProgress['outcomes']> {
  try {
    return root.requestCount > countedRequests
      ? await readAgainIfReplaced(() => countLive(reader, root, parts, own))
      : await countRows(reader, root, parts);
  } catch (error) {
    if (!isObjectGone(error)) throw error;
    return storedProgress(root).outcomes;
  }
}

/** What report has counted of the first import, with its parts as they are now: a person has just sent one. */
async function countLive(
  reader: LinesReader,
  root: ImportItem,
  parts: readonly Part[],
  own: ImportProgress['outcomes'],
): Promise<ImportProgress['outcomes']> {
  const rows = await readPartRows(root, parts, reader);
  return countCorrected(reader, root, own, rows);
}

async function countRows(
  reader: ResultsReader,
  root: ImportItem,
  parts: readonly Part[],
): Promise<ImportProgress['outcomes']> {
  const tally = new Map<Outcome, number>();
  const { batches } = await openFoldedOutcomes(root, parts, reader);
  for await (const rows of batches) {
    for (const { result } of rows) tally.set(result.outcome, (tally.get(result.outcome) ?? 0) + 1);
  }
  return inOutcomeOrder(tally);
}

type Outcomes = ImportProgress['outcomes'];
interface WithOutcome {
  readonly outcome: Outcome;
}

/**
 * Every row of the file once, with its latest outcome. The rows of the file are not read.
 * @param own the outcomes of the import itself
 * @param parts what its parts did, by line
 * @throws ObjectGone when results.csv is replaced meanwhile: count again
 */
export async function countCorrected(
  reader: LinesReader,
  item: ImportItem,
  own: Outcomes,
  parts: ReadonlyMap<number, { readonly result: WithOutcome; readonly isNote?: true }>,
): Promise<Outcomes> {
  if (parts.size === 0) return own;
  const tally = new Map(Object.entries(own) as [Outcome, number][]);
  for (const [line, before] of await readOwnOutcomes(reader, item, parts.keys())) {
    if (!sendableAgain.has(before)) continue;
    const { outcome } = foldWithPart<WithOutcome>({ outcome: before }, parts.get(line));
    const rows = tally.get(before) ?? 0;
    // What is read may be older than the outcomes: then the row waits for the next count. No row is sent twice.
    if (rows === 0) continue;
    tally.set(before, rows - 1);
    tally.set(outcome, (tally.get(outcome) ?? 0) + 1);
  }
  return inOutcomeOrder(new Map([...tally].filter(([, rows]) => rows > 0)));
}

/**
 * What the import itself did with rows, those of the parts among them: from the index that report has written, and
 * before that from the plan.
 */
async function readOwnOutcomes(reader: LinesReader, item: ImportItem, ofParts: Iterable<number>) {
  const opened = await openIndexedResults(reader, item.importId);
  if (opened !== undefined) return openRowsOf(opened.index);
  return openOutcomesByLine(item, reader).of([...ofParts]);
}

/** Those that may be sent again. Most rows of a large file are complete. */
function* openRowsOf({ lines }: ResultsIndex): Iterable<readonly [line: number, before: Outcome]> {
  for (const [before, packed] of Object.entries(lines) as [Outcome, string][])
    if (sendableAgain.has(before)) for (const line of unpackLines(packed)) yield [line, before];
}

// The requests of a plan, grouped by what their rows share.

/** The groups with the most rows first; empty when the plan has expired, or never existed. */
export async function readPlanGroups(
  { resources: { workBucket }, files }: AccountReader,
  item: ReadImport,
): Promise<PlanGroup[]> {
  if ((await files.head({ bucket: workBucket, key: planIndexKey(item) })) === undefined) return [];
  const groups = new Map<string, PlanGroup>();
  for await (const { label, why = null, rowCount, sample } of readPlanIndex(files, workBucket, item)) {
    const group = groups.get(label) ?? { group: label, dateReason: why, rows: 0, requestRows: [], samples: [] };
    if (sample !== undefined) group.samples.push({ values: valuesOf(sample), rows: sample.rows });
    group.dateReason ??= why;
    group.rows += rowCount;
    group.requestRows.push(rowCount);
    groups.set(label, group);
  }
  return [...groups.values()].sort((one, other) => other.rows - one.rows);
}

/** Where a row is in its plan. */
export interface PlannedPlace {
  readonly request: number;
  /** That of `PlanGroup`. */
  readonly group: string;
  /** On which its number is ported; null where nothing is ported. */
  readonly day: string | null;
  readonly dateReason: string | null;
}

/** By line. Not a line that several rows have, as in a file that was joined from corrections. */
export async function readPlannedPlaces(
  { resources: { workBucket }, files }: AccountReader,
  item: ReadImport,
  lines: readonly number[],
): Promise<ReadonlyMap<number, PlannedPlace>> {
  const places = new Map<number, PlannedPlace>();
  if (lines.length === 0) return places;
  const wanted = new Set(lines);
  const repeated = new Set<number>();
  for await (const planned of readPlanIndex(files, workBucket, item)) {
    const { request, label: group, day = null, why: dateReason = null } = planned;
    for (const line of unpackLines(planned.lines)) {
      if (!wanted.has(line)) continue;
      if (places.has(line)) repeated.add(line);
      places.set(line, { request, group, day, dateReason });
    }
  }
  for (const line of repeated) places.delete(line);
  return places;
}

/**
 * The lines of the rows that end with a request, ascending. One that was never attempted does not know them: they are
 * those of its plan.
 * @throws ObjectGone for one that was never attempted, once the plan has expired
 */
export async function readLinesOfRequest(
  { resources: { workBucket }, files }: AccountReader,
  item: ReadImport,
  request: RequestItem,
): Promise<number[]> {
  const lines = new Set(resultsOf(request).keys());
  if (lines.size < ownRows(request)) {
    for await (const planned of readPlanIndex(files, workBucket, item))
      if (planned.request === request.request) for (const line of unpackLines(planned.lines)) lines.add(line);
  }
  return [...lines].sort((one, other) => one - other);
}

/** How a request was planned, which its group says, and no value of the service. */
const unsent: ReadonlySet<string> = new Set(['auto', 'why', 'place', 'whole']);

function valuesOf({ head }: PlanSample): PlanGroup['samples'][number]['values'] {
  return Object.entries(head).flatMap(([name, value]) => {
    const text = textOf(value);
    return unsent.has(name) || text === '' ? [] : [{ name: name.replace(/(?:Id|Number)$/, ''), value: text }];
  });
}

function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (Array.isArray(value)) return value.map(textOf).join(', ');
  return redactText(typeof value === 'object' ? Object.values(value).map(textOf).join('=') : String(value));
}

// What interrupts every import: the service is down, or sync fails.

export async function readInterruptions({ rateLimiter, syncRuns }: AccountReader): Promise<Interruptions> {
  const [limit, runs] = await Promise.all([rateLimiter.get(), syncRuns.get()]);
  const outage = limit && outageOf(limit);
  const syncFailure = runs && syncFailureOf(runs);
  return { ...(outage && { outage }), ...(syncFailure && { syncFailure }) };
}

const outageOf = ({ outage, failing }: RateLimitItem): Interruptions['outage'] =>
  outage && failing && { since: failing.since, reason: failing.because, nextAttemptAt: outage.nextProbeAt };

/** One run may die with its computer. */
function syncFailureOf({ unfinished, unfinishedSince, failing }: SyncRunsItem): Interruptions['syncFailure'] {
  if (unfinished < 2 || unfinishedSince === undefined) return failing;
  return { since: unfinishedSince, reason: `${unfinished} runs did not end` };
}
