// The result of every row of the requests of an import, by line, and their sums.

import type { ImportState, StopKind } from '#shared/import/import.ts';
import type { PortItem, PortRowState } from '#shared/port/port.ts';
import { portStatus } from '#shared/port/port-status.ts';
import { NumberOfLine, openRows, ownRows } from '#shared/request/packed-lines.ts';
import { placeOfRequest, type RequestItem } from '#shared/request/request.ts';
import { isStopped, isUnsent } from '#shared/request/request-state.ts';
import { partOf } from '#shared/text/identity.ts';
import type { Tally } from '#shared/text/stored-values.ts';
import type { Outcome } from './outcome.ts';
import { countResults, resultsOf } from './request-results.ts';
import type { RowResult } from './row-result.ts';
import type { ComparisonItem } from './service-comparison.ts';

// Sums up all requests of an import: counts, rows by outcome, and the state of the import.

/** The rows of an import that are in requests. */
export interface RequestedRows {
  readonly rows: number;
  readonly outcomes: ReadonlyMap<Outcome, number>;
  /** The latest date of the ports in progress that require no action, YYYY-MM-DD. */
  readonly expectedDate?: string;
  /** Declined requests whose rows were sent again in parts, and their calls so far. */
  readonly split?: { readonly requests: number; readonly calls: number };
}

export interface RollUp {
  readonly state: ImportState;
  readonly requests: Tally;
  /** By status name, as the service writes it. */
  readonly ports: Tally;
  /** Rows that need action. */
  readonly actionRequired: number;
  /** Rows whose numbers another import has, or that need no change. */
  readonly skippedRows: number;
  /** Accepted rows whose SIMs were not seen with their new services yet. */
  readonly unconfirmedRows: number;
  readonly requested: RequestedRows;
  /** The first day on which scheduled requests are sent. */
  readonly sendOn: string | undefined;
  /** Grows with every change of any request. */
  readonly ledgerRevision: number;
  /** The same of the requests with rows about which a person can do something, or that ended without success. */
  readonly finalRevision: number;
}

/** Parts come after the request that was divided; `expected` is the number of requests in the plan. */
export async function rollUp(
  requests: AsyncIterable<RequestItem> | Iterable<RequestItem>,
  expected: number,
  stop?: StopKind,
): Promise<RollUp> {
  const requested = createRowCounts();
  const byState = new Map<string, number>();
  const byStatus = new Map<string, number>();
  let seen = 0;
  let unsent = 0;
  let ended = 0;
  let actionRequired = 0;
  let held = 0;
  let sendOn: string | undefined;
  let unconfirmedRows = 0;
  let ledgerRevision = 0;
  let finalRevision = 0;
  let all = expected;
  for await (const item of asOfOneMoment(requests)) {
    seen += 1;
    if (item.parts === undefined) count(byState, item.state);
    else all += item.parts.length;
    if (item.portStatus !== undefined) count(byStatus, item.portStatus);
    unsent += Number(isUnsent(item.state));
    held += Number(item.state === 'planned' && isStopped(item));
    sendOn = earlier(sendOn, item.sendOn);
    ended += Number(item.endedAt !== undefined);
    actionRequired += rowsNeedingAction(item);
    unconfirmedRows += unconfirmedRowsOf(item);
    ledgerRevision += item.revision;
    if (requested.add(item).some(isFinal)) finalRevision += item.revision;
  }
  const tallies = { requests: Object.fromEntries(byState), ports: Object.fromEntries(byStatus) };
  const isWaiting = unsent > 0 || seen < all;
  const allWait = seen === all && held + (byState.get('scheduled') ?? 0) === unsent;
  const state = (allWait && waitingState(unsent, held, stop)) || stateOf(isWaiting, ended === seen);
  const inRequests = requested.read();
  const skippedRows = inRequests.outcomes.get('skipped') ?? 0;
  const rows = { actionRequired, skippedRows, unconfirmedRows };
  return { state, ...tallies, ...rows, sendOn, requested: inRequests, ledgerRevision, finalRevision };
}

/** Without the parts of a request that was read before it was divided: it counts as it was then. */
async function* asOfOneMoment(requests: AsyncIterable<RequestItem> | Iterable<RequestItem>) {
  const divided = new Set<number>();
  for await (const item of requests) {
    const parent = partOf(item.request)?.request;
    if (parent !== undefined && !divided.has(parent)) continue;
    if (item.parts !== undefined) divided.add(item.request);
    yield item;
  }
}

const isFinal = (outcome: Outcome): boolean =>
  outcome === 'action-required' || outcome === 'declined' || outcome === 'skipped' || outcome === 'cancelled';

function createRowCounts() {
  const outcomes = new Map<Outcome, number>();
  const split = { requests: 0, calls: 0 };
  let rows = 0;
  let expectedDate = '';
  const add = (outcome: Outcome, count: number): void => {
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + count);
  };
  return {
    /** Returns the outcomes of its rows. */
    add: (item: RequestItem): Outcome[] => {
      rows += ownRows(item);
      const counted = Object.entries(countResults(item)) as [Outcome, number][];
      for (const [outcome, count] of counted) add(outcome, count);
      if (item.parts !== undefined && item.part === undefined) split.requests += 1;
      if (item.parts !== undefined || item.part !== undefined) split.calls += item.attempt;
      const date = expectedDateOf(item);
      // Calendar text compares as text.
      if (date > expectedDate) expectedDate = date;
      return counted.map(([outcome]) => outcome);
    },
    read: (): RequestedRows => ({
      rows,
      outcomes,
      ...(expectedDate !== '' && { expectedDate }),
      ...(split.requests > 0 && { split }),
    }),
  };
}

const expectedDateOf = ({ portStatus: status = '', actionRequired = 0, portDate = '' }: RequestItem): string =>
  portStatus(status).terminal || actionRequired > 0 ? '' : portDate;

/** `held` of the unsent requests wait until the import is resumed, the others for their day. */
function waitingState(unsent: number, held: number, stop: StopKind | undefined): ImportState | undefined {
  if (held > 0) return stop === 'none' ? undefined : 'stopped';
  return unsent > 0 ? 'scheduled' : undefined;
}

/** The earlier of two calendar days, as text. */
const earlier = (one: string | undefined, other: string | undefined): string | undefined =>
  one === undefined || (other !== undefined && other < one) ? other : one;

const rowsNeedingAction = (item: RequestItem): number =>
  item.state === 'action-required' ? openRows(item) : (item.actionRequired ?? 0);

const unconfirmedRowsOf = ({ simRows }: RequestItem): number =>
  (simRows?.['in-progress'] ?? 0) + (simRows?.accepted ?? 0);

const count = (tally: Map<string, number>, name: string): void => {
  tally.set(name, (tally.get(name) ?? 0) + 1);
};

function stateOf(someUnsent: boolean, allEnded: boolean): ImportState {
  if (someUnsent) return 'submitting';
  return allEnded ? 'finished' : 'in-progress';
}

// The result of every row that a request knows, by line. Thousands of rows share a result, so a row costs only four
// bytes.

export interface ResultsByLine {
  /** undefined: no request has this row yet. */
  of(line: number): RowResult | undefined;
  /** Every row that a request has. */
  entries(): Iterable<readonly [line: number, result: RowResult]>;
  /** Requests ended before their rows were known, because their plan had expired. */
  readonly hasExpiredPlans: boolean;
}

/** Ports and their rows. */
interface PortSource {
  rowsOf(portIds: readonly string[]): AsyncIterable<{ portId: string; rows: PortRowState[] }>;
  itemsOf(portIds: readonly string[]): AsyncIterable<PortItem>;
}

/** Ports whose rows are read together. */
const portsPerRead = 100;

/** @param results to which those of these requests are added. @default - none so far */
export async function collectResults(
  requests: AsyncIterable<RequestItem>,
  ports: PortSource,
  comparisons: AsyncIterable<ComparisonItem>,
  results: Results = createResults(),
): Promise<ResultsByLine> {
  let unread = new Map<string, Compared>();
  for await (const compared of withComparisons(asOfOneMoment(requests), comparisons)) {
    const { item, comparison } = compared;
    results.hasExpiredPlans ||= item.state === 'declined' && item.lines === undefined;
    if (item.portId === undefined) add(resultsOf(item, {}, comparison), results);
    else unread.set(item.portId, compared);
    if (unread.size < portsPerRead) continue;
    await addPorts(unread, ports, results);
    unread = new Map();
  }
  await addPorts(unread, ports, results);
  return results;
}

/** A request with the comparison of its SIMs. */
interface Compared {
  readonly item: RequestItem;
  readonly comparison: ComparisonItem | undefined;
}

/** Both are in the order of the plan, so one of each is in memory. */
async function* withComparisons(
  requests: AsyncIterable<RequestItem>,
  comparisons: AsyncIterable<ComparisonItem>,
): AsyncIterable<Compared> {
  const following = comparisons[Symbol.asyncIterator]();
  const read = async () => {
    const next = await following.next();
    return next.done ? undefined : { place: placeOfRequest(next.value.request), comparison: next.value };
  };
  let next = await read();
  for await (const item of requests) {
    const place = placeOfRequest(item.request);
    while (next !== undefined && next.place < place) next = await read();
    yield { item, comparison: next?.place === place ? next.comparison : undefined };
  }
}

async function addPorts(compared: ReadonlyMap<string, Compared>, ports: PortSource, results: Results): Promise<void> {
  const read = new Map<string, PortItem>();
  for await (const port of ports.itemsOf([...compared.keys()])) read.set(port.portId, port);
  const rowsOf = new Map<string, readonly PortRowState[]>();
  for await (const { portId, rows } of ports.rowsOf([...compared.keys()])) rowsOf.set(portId, rows);
  for (const [portId, { item, comparison }] of compared)
    add(resultsOf(item, { rows: rowsOf.get(portId), item: read.get(portId) }, comparison), results);
}

function add(ofRequest: ReadonlyMap<number, RowResult>, results: Results): void {
  for (const [line, result] of ofRequest) results.set(line, result);
}

export interface Results extends ResultsByLine {
  hasExpiredPlans: boolean;
  set(line: number, result: RowResult): void;
}

export function createResults(): Results {
  /** The index in `distinct`. */
  const indexes = new NumberOfLine();
  const distinct: (RowResult | undefined)[] = [undefined];
  const known = new Map<string, number>();
  let last: RowResult | undefined;
  let lastIndex = 0;

  const indexOf = (result: RowResult): number => {
    // The rows of a request follow each other, and most share one object.
    if (result === last) return lastIndex;
    const key = Object.values(result).join('\n');
    const index = known.get(key) ?? distinct.push(result) - 1;
    known.set(key, index);
    last = result;
    lastIndex = index;
    return index;
  };

  const set = (line: number, result: RowResult): void => indexes.set(line, indexOf(result));

  const entries = function* (): Iterable<readonly [number, RowResult]> {
    for (const [line, index] of indexes.entries()) {
      const result = distinct[index];
      if (result !== undefined) yield [line, result];
    }
  };

  return { hasExpiredPlans: false, set, of: (line) => distinct[indexes.get(line)], entries };
}
