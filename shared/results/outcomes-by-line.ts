// The outcomes of some rows of a file, without what the parts of its import did. Invalid rows are in the findings. Of
// others only the requests are read: the index of the plan names them. So ten rows of an import with 100,000 requests
// cost little.
import type { ImportItem } from '#shared/import/import.ts';
import type { Outcome } from '#shared/outcome/outcome.ts';
import { collectResults, createResults } from '#shared/outcome/rows-of-requests.ts';
import type { ComparisonItem } from '#shared/outcome/service-comparison.ts';
import { NumberOfLine, unpackLines } from '#shared/request/packed-lines.ts';
import { placeOfRequest, type RequestItem } from '#shared/request/request.ts';
import type { ResultsReader } from '#shared/store/account.ts';
import { isObjectGone } from '#shared/store/object-keys.ts';
import { readPlanIndex } from '#shared/store/plans.ts';
import type { RequestReader } from '#shared/store/requests.ts';
import { partNumber, type RequestNumber } from '#shared/text/identity.ts';
import { openOutcomes, resultFromIssues, resultFromRequests } from './file-rows.ts';
import { readIssuesOf } from './read-issues.ts';

export interface OutcomesByLine {
  /** A line without a row has no outcome. */
  of(lines: readonly number[]): Promise<ReadonlyMap<number, Outcome>>;
}

export interface LinesReader extends ResultsReader {
  readonly resources: { readonly resultsBucket: string; readonly workBucket: string };
}

/** Reads what it needs when it is asked. It throws ObjectGone where both the plan and the file have expired. */
export function openOutcomesByLine(item: ImportItem, reader: LinesReader): OutcomesByLine {
  let opened: Promise<PlannedReader> | undefined;
  return {
    of: async (lines) => {
      // Mostly about invalid rows that were corrected: the large index is not read for them.
      const invalid = await readInvalid(item, lines, reader);
      const others = lines.filter((line) => !invalid.has(line));
      if (others.length === 0) return invalid;
      opened ??= openPlan(item, reader);
      return new Map([...invalid, ...(await (await opened)(others))]);
    },
  };
}

/** The outcomes of planned rows. A row that was not planned has none. */
type PlannedReader = (lines: readonly number[]) => Promise<Iterable<readonly [line: number, outcome: Outcome]>>;

async function openPlan(item: ImportItem, reader: LinesReader): Promise<PlannedReader> {
  const requestOf = item.state === 'rejected' ? undefined : await readRequestsByLine(item, reader);
  return requestOf === undefined ? readAllOutcomes(item, reader) : createPlannedReader(item, requestOf, reader);
}

/** The index of the plan has expired, or nothing of the plan was sent: every row is read. */
async function readAllOutcomes(item: ImportItem, reader: LinesReader): Promise<PlannedReader> {
  const all = new Map<number, Outcome>();
  const { batches } = await openOutcomes(item, reader);
  for await (const batch of batches) for (const { line, result } of batch) all.set(line, result.outcome);
  return async (lines) =>
    lines.flatMap((line) => {
      const outcome = all.get(line);
      return outcome === undefined ? [] : [[line, outcome] as const];
    });
}

type FindRequest = (line: number) => number | undefined;

/** Finds the request of a row by its line. undefined: there is no index. */
async function readRequestsByLine(
  item: ImportItem,
  { files, resources }: LinesReader,
): Promise<FindRequest | undefined> {
  const requests = new NumberOfLine();
  try {
    for await (const { request, lines } of readPlanIndex(files, resources.workBucket, item))
      for (const line of unpackLines(lines)) requests.set(line, request);
  } catch (error) {
    if (isObjectGone(error)) return undefined;
    throw error;
  }
  return (line) => requests.get(line) || undefined;
}

/** Those of the rows that are invalid, or that a person left out. */
async function readInvalid(
  item: ImportItem,
  lines: readonly number[],
  reader: LinesReader,
): Promise<ReadonlyMap<number, Outcome>> {
  const ascending = lines.toSorted((one, other) => one - other);
  const outcomes = new Map<number, Outcome>();
  for (const [line, issues] of await readIssuesOf(reader, item, ascending)) {
    const result = resultFromIssues(issues);
    if (result !== undefined) outcomes.set(line, result.outcome);
  }
  return outcomes;
}

/** Reads each request once, whatever rows are asked about: a correction of a whole file asks about all of them. */
function createPlannedReader(
  item: ImportItem,
  requestOf: FindRequest,
  { requests, ports, comparisons }: LinesReader,
): PlannedReader {
  const { importId } = item;
  const results = createResults();
  const read = new Set<number>();
  let compared: readonly ComparisonItem[] | undefined;
  return async (lines) => {
    const planned = lines.filter((line) => requestOf(line) !== undefined);
    const numbers = new Set(planned.flatMap((line) => requestOf(line) ?? []));
    const unread = [...numbers].filter((request) => !read.has(request));
    if (unread.length > 0) {
      const wanted = unread.map((request) => ({ importId, request }));
      const found = inPlanOrder(await readRequests(wanted, requests));
      compared ??= await Array.fromAsync(comparisons.ofImport(importId));
      await collectResults(each(found), ports, each(compared), results);
      for (const request of unread) read.add(request);
    }
    return planned.map((line) => [line, resultFromRequests(line, results, item).outcome] as const);
  };
}

/** The requests, and those into which they were divided. */
async function readRequests(wanted: readonly RequestNumber[], requests: RequestReader): Promise<RequestItem[]> {
  const found: RequestItem[] = [];
  for (let next = wanted; next.length > 0; ) {
    const find = await requests.getMany(next);
    const items = next.flatMap((one) => find(one) ?? []);
    found.push(...items);
    next = items.flatMap(({ importId, request, parts = [] }) =>
      parts.map((_, index) => ({ importId, request: partNumber(request, index + 1) })),
    );
  }
  return found;
}

/** In that order a request is in front of its parts. */
const inPlanOrder = (requests: readonly RequestItem[]): RequestItem[] =>
  requests
    .map((item) => ({ item, place: placeOfRequest(item.request) }))
    .sort((one, other) => (one.place < other.place ? -1 : 1))
    .map(({ item }) => item);

async function* each<Item>(items: readonly Item[]): AsyncIterable<Item> {
  yield* items;
}
