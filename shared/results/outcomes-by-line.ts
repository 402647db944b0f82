// The outcomes of some rows of a file, without what the parts of its import did. Only the requests of these rows are
// read: the index of the plan names them. So ten rows of an import with 100,000 requests cost little.
import * as z from 'zod/mini';
import type { ImportItem } from '#shared/import/import.ts';
import type { Outcome } from '#shared/outcome/outcome.ts';
import { collectResults, createResults } from '#shared/outcome/rows-of-requests.ts';
import type { ComparisonItem } from '#shared/outcome/service-comparison.ts';
import { unpackLines } from '#shared/request/packed-lines.ts';
import { placeOfRequest, type RequestItem } from '#shared/request/request.ts';
import { type Issue, isDuplicate } from '#shared/row/issue.ts';
import type { ResultsReader } from '#shared/store/account.ts';
import { readJsonLines, splitLines } from '#shared/store/files.ts';
import { isObjectGone, issuesKey, planIndexKey } from '#shared/store/object-keys.ts';
import type { RequestReader } from '#shared/store/requests.ts';
import { partNumber, type RequestNumber } from '#shared/text/identity.ts';
import { openOutcomes, resultOfUnsent } from './file-rows.ts';

export interface OutcomesByLine {
  /** Whether a request has the row. */
  wasPlanned(line: number): boolean;
  /** A line without a row has no outcome. */
  of(lines: readonly number[]): Promise<ReadonlyMap<number, Outcome>>;
}

export interface LinesReader extends ResultsReader {
  readonly resources: { readonly resultsBucket: string; readonly workBucket: string };
}

/** @throws ObjectGone where both the plan and the file have expired */
export async function openOutcomesByLine(item: ImportItem, reader: LinesReader): Promise<OutcomesByLine> {
  const requestOf = item.state === 'rejected' ? undefined : await readRequestsByLine(item, reader);
  if (requestOf === undefined) return readAllOutcomes(item, reader);
  const readPlanned = createPlannedReader(item, requestOf, reader);
  return {
    wasPlanned: (line) => requestOf(line) !== undefined,
    of: async (lines) => {
      const planned = lines.filter((line) => requestOf(line) !== undefined);
      const outcomes = new Map<number, Outcome>();
      if (planned.length < lines.length) await addUnplanned(item, new Set(lines), reader, outcomes);
      const outcomeOf = await readPlanned(planned);
      for (const line of planned) outcomes.set(line, outcomeOf(line));
      return outcomes;
    },
  };
}

/** The index of the plan has expired, or nothing of the plan was sent: every row is read. */
async function readAllOutcomes(item: ImportItem, reader: LinesReader): Promise<OutcomesByLine> {
  const all = new Map<number, Outcome>();
  const { batches } = await openOutcomes(item, reader);
  for await (const batch of batches) for (const { line, result } of batch) all.set(line, result.outcome);
  const outcomeOf = (line: number): Outcome => all.get(line) ?? 'rejected';
  return {
    wasPlanned: (line) => outcomeOf(line) !== 'rejected' && outcomeOf(line) !== 'duplicate',
    of: async (lines) => new Map(lines.filter((line) => all.has(line)).map((line) => [line, outcomeOf(line)])),
  };
}

type FindRequest = (line: number) => number | undefined;

const plannedLines = z.object({ request: z.int().check(z.positive()), lines: z.string() });

/** Finds the request of a row by its line. undefined: there is no index. */
async function readRequestsByLine(
  item: ImportItem,
  { files, resources }: LinesReader,
): Promise<FindRequest | undefined> {
  let requests = new Uint32Array(1024);
  const index = { bucket: resources.workBucket, key: planIndexKey(item) };
  try {
    for await (const { request, lines } of readJsonLines(files, index, plannedLines)) {
      for (const line of unpackLines(lines)) {
        if (line >= requests.length) requests = grown(requests, line);
        requests[line] = request;
      }
    }
  } catch (error) {
    if (isObjectGone(error)) return undefined;
    throw error;
  }
  return (line) => requests[line] || undefined;
}

function grown(numbers: Uint32Array<ArrayBuffer>, index: number): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(Math.max(index + 1, numbers.length * 2));
  larger.set(numbers);
  return larger;
}

/** Rows that are in no request: what ingest found. */
async function addUnplanned(
  item: ImportItem,
  wanted: ReadonlySet<number>,
  { files, resources }: LinesReader,
  outcomes: Map<number, Outcome>,
): Promise<void> {
  const ref = { bucket: resources.resultsBucket, key: issuesKey(item) };
  if (((await files.head(ref))?.bytes ?? 0) === 0) return;
  const errors = new Map<number, Issue['code'][]>();
  for await (const text of splitLines(await files.read(ref))) {
    const { line, code, severity }: Issue = JSON.parse(text);
    if (!wanted.has(line)) continue;
    if (code === 'ROW_LEFT_OUT') outcomes.set(line, 'not-sent');
    if (severity === 'error') errors.set(line, [...(errors.get(line) ?? []), code]);
  }
  for (const [line, codes] of errors) outcomes.set(line, isDuplicate(codes) ? 'duplicate' : 'rejected');
}

/** Reads each request once, whatever rows are asked about: a correction of a whole file asks about all of them. */
function createPlannedReader(
  item: ImportItem,
  requestOf: FindRequest,
  { requests, ports, comparisons }: LinesReader,
): (lines: readonly number[]) => Promise<(line: number) => Outcome> {
  const { importId } = item;
  const results = createResults();
  const read = new Set<number>();
  let compared: readonly ComparisonItem[] | undefined;
  return async (lines) => {
    const numbers = new Set(lines.flatMap((line) => requestOf(line) ?? []));
    const unread = [...numbers].filter((request) => !read.has(request));
    if (unread.length > 0) {
      const wanted = unread.map((request) => ({ importId, request }));
      const found = await readRequests(wanted, requests);
      compared ??= await Array.fromAsync(comparisons.ofImport(importId));
      await collectResults(inOrder(found), ports, compared, results);
      for (const request of unread) read.add(request);
    }
    return (line) => (results.of(line) ?? resultOfUnsent(results, item)).outcome;
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

/** In that of the plan, in which a request is in front of its parts. */
async function* inOrder(requests: readonly RequestItem[]): AsyncIterable<RequestItem> {
  const placed = requests.map((item) => ({ item, place: placeOfRequest(item.request) }));
  placed.sort((one, other) => (one.place < other.place ? -1 : 1));
  for (const { item } of placed) yield item;
}
