// What an import sends, and how far it and its corrections are; the outage.
import type { ImportItem } from '#shared/import/import.ts';
import { type Outcome, outcomeOrder, sendableAgain } from '#shared/outcome/outcome.ts';
import { type RequestedRows, rollUp } from '#shared/outcome/rows-of-requests.ts';
import { unpackLines } from '#shared/request/lines.ts';
import type { AccountReader, ResultsReader } from '#shared/store/account.ts';
import { planIndexKey, readAgainIfReplaced } from '#shared/store/object-keys.ts';
import { readPlanIndex } from '#shared/store/plans.ts';
import type { RequestReader } from '#shared/store/requests.ts';
import type { Tally } from '#shared/text/stored-values.ts';
import type { ImportProgress, Outage, PlanGroup } from './answers.ts';
import { readCorrectedRows, readCorrections, shownResult } from './corrected-rows.ts';
import { openResults, readRoot } from './results.ts';
import { openIndexedResults } from './row-page.ts';

// How far an import is: its rows by outcome, and when the ports in progress are expected to complete.

/** An import with more requests is shown as report has counted it: to read them takes a second or more. */
export const countedRequests = 200;

/** Reads the requests only: each has the counts of its port (decision 60). */
export async function readImportProgress(
  { requests }: { readonly requests: RequestReader },
  item: ImportItem,
): Promise<ImportProgress> {
  const { requested } = await rollUp(requests.ofImport(item.importId), item.requestCount);
  return progressOf(item, requested);
}

/** @param requested @default - nothing is submitted yet */
export function progressOf(
  { state, accepted, rejected, duplicates = 0 }: ImportItem,
  { rows, outcomes, ...dates }: RequestedRows = { rows: 0, outcomes: new Map() },
): ImportProgress {
  const tally = new Map(outcomes);
  const add = (outcome: Outcome, count: number): void => {
    if (count > 0) tally.set(outcome, (tally.get(outcome) ?? 0) + count);
  };
  add('duplicate', duplicates);
  add('rejected', rejected - duplicates);
  add(state === 'rejected' ? 'not-sent' : 'waiting', accepted - rows);
  return { outcomes: inOutcomeOrder(tally), ...dates };
}

/**
 * Every row of a first file once, as it is now. A row that is hidden behind another has ended, so it never changes.
 * @param corrections those that were merged when `hidden` was counted
 */
export function countWithCorrections(
  { outcomes }: ImportProgress,
  corrections: readonly ImportItem[],
  hidden: Tally,
): ImportProgress['outcomes'] {
  const tallies = corrections.map((item) => item.progress?.outcomes ?? progressOf(item).outcomes);
  const sum = new Map<Outcome, number>();
  for (const outcome of outcomeOrder) {
    const rows = [outcomes, ...tallies].reduce((total, tally: Tally) => total + (tally[outcome] ?? 0), 0);
    const shown = rows - (hidden[outcome] ?? 0);
    if (shown > 0) sum.set(outcome, shown);
  }
  return inOutcomeOrder(sum);
}

/** The latest of the dates that these have. Calendar text compares as text. */
export const latestExpectedDate = (progress: readonly (Pick<ImportProgress, 'expectedDate'> | undefined)[]) =>
  progress.flatMap((one) => one?.expectedDate ?? []).reduce<string | undefined>(later, undefined);

const later = (one: string | undefined, other: string): string => (one !== undefined && one > other ? one : other);

const inOutcomeOrder = (tally: ReadonlyMap<Outcome, number>): ImportProgress['outcomes'] =>
  Object.fromEntries(outcomeOrder.flatMap((outcome) => (tally.has(outcome) ? [[outcome, tally.get(outcome)]] : [])));

// How far an import is with the corrections of its rows: every row of the first file is counted once.

export interface RootProgress {
  /** The first import of the chain; the import itself where it corrects nothing. */
  readonly root: ImportItem;
  readonly progress: ImportProgress;
}

/**
 * Without corrections it reads the requests only; with corrections also the rows of the file, or of a large one only
 * those of the corrections.
 */
export async function readRootProgress(reader: ResultsReader, item: ImportItem): Promise<RootProgress> {
  const root = await readRoot(reader, item);
  const own = await readImportProgress(reader, root);
  if (!root.hasCorrections) return { root, progress: own };
  const { expectedDate } = root === item ? own : await readImportProgress(reader, item);
  const isIndexed =
    root.requestCount > countedRequests && (await openIndexedResults(reader, root.importId))?.index.lines !== undefined;
  const outcomes = isIndexed
    ? await readAgainIfReplaced(() => countLive(reader, root, own.outcomes))
    : await countRows(reader, root);
  return { root, progress: { outcomes, ...(expectedDate === undefined ? {} : { expectedDate }) } };
}

/** What report has written of the first import, with its corrections as they are now: a person has just sent one. */
async function countLive(
  reader: ResultsReader,
  root: ImportItem,
  own: ImportProgress['outcomes'],
): Promise<ImportProgress['outcomes']> {
  const corrections = await readCorrections(root, reader.imports);
  const corrected = await readCorrectedRows(corrections, reader);
  const results = new Map([...corrected].map(([line, { result }]) => [line, result]));
  return countCorrected(reader, root, own, results);
}

async function countRows(reader: ResultsReader, root: ImportItem): Promise<ImportProgress['outcomes']> {
  const tally = new Map<Outcome, number>();
  const { batches } = await openResults(reader, root);
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
 * Every row of the file once, with its latest outcome, from the index that report has written: the rows of the file are
 * not read.
 * @param own the outcomes of the import itself
 * @param corrected the results of its corrections, by line
 * @throws ObjectGone when results.csv is replaced meanwhile: count again
 */
export async function countCorrected(
  reader: ResultsReader,
  item: ImportItem,
  own: Outcomes,
  corrected: ReadonlyMap<number, WithOutcome>,
): Promise<Outcomes> {
  if (corrected.size === 0) return own;
  const tally = new Map(Object.entries(own) as [Outcome, number][]);
  const opened = await openIndexedResults(reader, item.importId);
  const listed = Object.entries(opened?.index.lines ?? {}) as [Outcome, string][];
  for (const [before, packed] of listed) {
    if (!sendableAgain.has(before)) continue;
    for (const line of unpackLines(packed)) {
      const { outcome } = shownResult<WithOutcome>({ outcome: before }, corrected.get(line));
      const rows = tally.get(before) ?? 0;
      // The file may be older than the outcomes: then the row waits for the next one. No row is sent twice.
      if (rows === 0) continue;
      tally.set(before, rows - 1);
      tally.set(outcome, (tally.get(outcome) ?? 0) + 1);
    }
  }
  return inOutcomeOrder(new Map([...tally].filter(([, rows]) => rows > 0)));
}

// The requests of a plan, grouped by what their rows share.

/** The groups with the most rows first; empty when the plan has expired, or never existed. */
export async function readPlanGroups(
  { resources: { workBucket }, files }: AccountReader,
  importId: string,
): Promise<PlanGroup[]> {
  if ((await files.head({ bucket: workBucket, key: planIndexKey(importId) })) === undefined) return [];
  const groups = new Map<string, PlanGroup>();
  for await (const { label, why = null, rowCount } of readPlanIndex(files, workBucket, importId)) {
    const group = groups.get(label) ?? { group: label, dateReason: why, rows: 0, requestRows: [] };
    group.dateReason ??= why;
    group.rows += rowCount;
    group.requestRows.push(rowCount);
    groups.set(label, group);
  }
  return [...groups.values()].sort((one, other) => other.rows - one.rows);
}

// An outage of the service, as the rate limiter of all functions has recorded it.

/** undefined: the service is available. */
export async function readOutage({ rateLimiter }: AccountReader): Promise<Outage | undefined> {
  const item = await rateLimiter.get();
  if (item?.outage === undefined || item.failing === undefined) return undefined;
  return { since: item.failing.since, reason: item.failing.because, nextAttemptAt: item.outage.nextProbeAt };
}
