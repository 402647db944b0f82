// The result of every row of the requests of an import, by line, and their sums.

import type { ImportState, StopKind } from '#shared/import/import.ts';
import type { PortItem, PortRowState } from '#shared/port/port.ts';
import { portStatus } from '#shared/port/port-status.ts';
import { openRows, unpackLines } from '#shared/request/lines.ts';
import type { RequestItem } from '#shared/request/request.ts';
import { isStopped, isUnsent } from '#shared/request/request-state.ts';
import type { Tally } from '#shared/text/stored-values.ts';
import type { Outcome } from './outcome.ts';
import { addMismatches, countResults, resultsOf } from './request-results.ts';
import type { RowResult } from './row-result.ts';
import type { ComparisonItem } from './service-comparison.ts';

// Sums up all requests of an import: counts, rows by outcome, and the state of the import.

/** The rows of an import that are in requests. */
export interface RequestedRows {
  readonly rows: number;
  readonly outcomes: ReadonlyMap<Outcome, number>;
  /** The latest date of the ports in progress that require no action, YYYY-MM-DD. */
  readonly expectedDate?: string;
  /** Declined requests that were sent again in halves, and their calls so far. */
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
}

/** `requests` may be in any order; `expected` is their number in the plan. */
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
  for await (const item of requests) {
    seen += 1;
    requested.add(item);
    count(byState, item.state);
    if (item.portStatus !== undefined) count(byStatus, item.portStatus);
    unsent += Number(isUnsent(item.state));
    held += Number(item.state === 'planned' && isStopped(item));
    sendOn = earlier(sendOn, item.sendOn);
    ended += Number(item.endedAt !== undefined);
    actionRequired += item.state === 'action-required' ? openRows(item) : (item.actionRequired ?? 0);
    unconfirmedRows += unconfirmedRowsOf(item);
    ledgerRevision += item.revision ?? 0;
  }
  const tallies = { requests: Object.fromEntries(byState), ports: Object.fromEntries(byStatus) };
  const isWaiting = unsent > 0 || seen < expected;
  const allWait = seen === expected && held + (byState.get('scheduled') ?? 0) === unsent;
  const state = (allWait && waitingState(unsent, held, stop)) || stateOf(isWaiting, ended === seen);
  const inRequests = requested.read();
  const skippedRows = inRequests.outcomes.get('skipped') ?? 0;
  const rows = { actionRequired, skippedRows, unconfirmedRows };
  return { state, ...tallies, ...rows, sendOn, requested: inRequests, ledgerRevision };
}

function createRowCounts() {
  const outcomes = new Map<Outcome, number>();
  const split = { requests: 0, calls: 0 };
  let rows = 0;
  let expectedDate = '';
  const add = (outcome: Outcome, count: number): void => {
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + count);
  };
  return {
    add: (item: RequestItem): void => {
      rows += item.rowCount;
      for (const [outcome, count] of Object.entries(countResults(item))) add(outcome as Outcome, count);
      if (item.split !== undefined) {
        split.requests += 1;
        split.calls += item.attempt;
      }
      const date = expectedDateOf(item);
      // Calendar text compares as text.
      if (date > expectedDate) expectedDate = date;
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

/**
 * `held` of the unsent requests wait until the import is resumed, the others for their day. Version 0.1 also held
 * requests of imports that nobody had stopped.
 */
function waitingState(unsent: number, held: number, stop: StopKind | undefined): ImportState | undefined {
  if (held > 0) return stop === 'none' ? undefined : 'stopped';
  return unsent > 0 ? 'scheduled' : undefined;
}

/** Of calendar days, as text. */
const earlier = (one: string | undefined, other: string | undefined): string | undefined =>
  one === undefined || (other !== undefined && other < one) ? other : one;

const unconfirmedRowsOf = ({ readBack }: RequestItem): number =>
  readBack === undefined ? 0 : unpackLines(readBack.waiting).length + unpackLines(readBack.unread).length;

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

export async function collectResults(
  requests: AsyncIterable<RequestItem>,
  ports: PortSource,
  comparisons: AsyncIterable<ComparisonItem>,
): Promise<ResultsByLine> {
  const results = createResults();
  let unread = new Map<string, RequestItem>();
  for await (const item of requests) {
    results.hasExpiredPlans ||= item.state === 'declined' && item.lines === undefined;
    if (item.portId === undefined) add(resultsOf(item), results);
    else unread.set(item.portId, item);
    if (unread.size < portsPerRead) continue;
    await addPorts(unread, ports, results);
    unread = new Map();
  }
  await addPorts(unread, ports, results);
  for await (const comparison of comparisons) {
    addMismatches(comparison, { get: results.of, set: results.set });
  }
  return results;
}

async function addPorts(items: ReadonlyMap<string, RequestItem>, ports: PortSource, results: Results): Promise<void> {
  const read = new Map<string, PortItem>();
  for await (const port of ports.itemsOf([...items.keys()])) read.set(port.portId, port);
  const rowsOf = new Map<string, readonly PortRowState[]>();
  for await (const { portId, rows } of ports.rowsOf([...items.keys()])) rowsOf.set(portId, rows);
  for (const [portId, item] of items)
    add(resultsOf(item, { rows: rowsOf.get(portId), item: read.get(portId) }), results);
}

function add(ofRequest: ReadonlyMap<number, RowResult>, results: Results): void {
  for (const [line, result] of ofRequest) results.set(line, result);
}

interface Results extends ResultsByLine {
  hasExpiredPlans: boolean;
  set(line: number, result: RowResult): void;
}

function createResults(): Results {
  /** By line, the index in `distinct`; 0 stands for none. */
  let indexes = new Uint32Array(1024);
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

  const set = (line: number, result: RowResult): void => {
    if (line >= indexes.length) {
      const larger = new Uint32Array(Math.max(line + 1, indexes.length * 2));
      larger.set(indexes);
      indexes = larger;
    }
    indexes[line] = indexOf(result);
  };

  return { hasExpiredPlans: false, set, of: (line) => distinct[indexes[line] ?? 0] };
}
