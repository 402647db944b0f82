// The result of every row of a request. Each surface that shows a row or counts rows asks here: results.csv and the
// rows of the API, the search for a number, the counts of an import, the plan of a cancellation.

import type { PortItem, PortRowState } from '#shared/port/port.ts';
import { unpackLines } from '#shared/request/lines.ts';
import type { RequestItem } from '#shared/request/request.ts';
import type { Tally } from '#shared/text/stored-values.ts';
import {
  acceptedResults,
  blockingLinesOf,
  declinedResult,
  excludedResult,
  mismatchResult,
  type RowResult,
  requestResult,
  rowResult,
  waitingPartResult,
} from './row-result.ts';
import type { ComparisonItem } from './service-comparison.ts';

/** What was read of the port of a request. */
export interface ReadPort {
  /** @default - the rows were never read */
  readonly rows?: readonly PortRowState[] | undefined;
  /** @default - the results have no dates */
  readonly item?: PortItem | undefined;
  /** @default - the services of no SIM differ */
  readonly comparison?: ComparisonItem | undefined;
}

/** By line. A request that was never attempted does not know its lines: `requestResult` is the result of each row. */
export function resultsOf(item: RequestItem, port: ReadPort = {}): ReadonlyMap<number, RowResult> {
  const results = new Map<number, RowResult>();
  addSent(item, results);
  for (const { lines, ticket } of item.split?.accepted ?? []) addAccepted({ ...item, ticket }, lines, results);
  for (const lines of item.split?.waiting ?? []) setAll(lines, waitingPartResult(item), results);
  for (const row of item.excludedRows ?? []) results.set(row.line, excludedResult(row));
  const { rows = [] } = port;
  const blocking = blockingLinesOf(item, rows);
  for (const row of rows) results.set(row.line, withTimes(rowResult(item, row, blocking), item, port.item));
  addMismatches(port.comparison, results);
  return results;
}

/** Changes the rows whose SIMs have other services than those requested. */
export function addMismatches(
  comparison: ReadPort['comparison'],
  results: { get(line: number): RowResult | undefined; set(line: number, result: RowResult): unknown },
): void {
  for (const sim of comparison?.sims ?? []) {
    const complete = results.get(sim.line);
    if (complete !== undefined) results.set(sim.line, mismatchResult(complete, sim));
  }
}

/** Rows by outcome. The rows of a port were counted when it was read (decision 60). */
export function countResults(item: RequestItem): Tally {
  const { portId, portRows, excludedRows = [], rowCount } = item;
  const tally: Record<string, number> = {};
  const add = (outcome: string, rows: number): void => {
    if (rows > 0) tally[outcome] = (tally[outcome] ?? 0) + rows;
  };
  if (portId !== undefined && portRows !== undefined) {
    for (const row of excludedRows) add(excludedResult(row).outcome, 1);
    for (const [outcome, rows] of Object.entries(portRows)) add(outcome, rows);
    return tally;
  }
  const results = resultsOf(item);
  for (const { outcome } of results.values()) add(outcome, 1);
  add(requestResult(item).outcome, rowCount - results.size);
  return tally;
}

type Results = Map<number, RowResult>;

function addSent(item: RequestItem, results: Results): void {
  const { lines = '', state, error } = item;
  if (state === 'accepted') addAccepted(item, lines, results);
  else if (error?.lines === undefined) setAll(lines, withTimes(requestResult(item), item), results);
  else for (const line of unpackLines(lines)) results.set(line, withTimes(declinedResult(item, line), item));
}

function addAccepted(item: RequestItem, lines: string, results: Results): void {
  const resultOf = acceptedResults(item);
  const timed = new Map<RowResult, RowResult>();
  for (const line of unpackLines(lines)) {
    const result = resultOf(line);
    const known = timed.get(result) ?? withTimes(result, item);
    timed.set(result, known);
    results.set(line, known);
  }
}

function setAll(lines: string, result: RowResult, results: Results): void {
  for (const line of unpackLines(lines)) results.set(line, result);
}

/** @param port absent while it was never read */
function withTimes(result: RowResult, { submittedAt = '' }: RequestItem, port?: PortItem): RowResult {
  if (submittedAt === '' && port === undefined) return result;
  const completedAt = port !== undefined && result.outcome === 'complete' ? port.changedAt : result.completedAt;
  return { ...result, submittedAt, completedAt, bookedDate: port?.connectionDate.slice(0, 10) ?? '' };
}
