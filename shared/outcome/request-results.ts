// The result of every row of a request. Each surface that shows a row or counts rows asks here: results.csv and the
// rows of the API, the search for a number, the counts of an import, the plan of a cancellation.

import { dayOfPort, type PortItem, type PortRowState } from '#shared/port/port.ts';
import { ownRows, unpackLines } from '#shared/request/packed-lines.ts';
import type { RequestItem } from '#shared/request/request.ts';
import { rowsNotSent } from '#shared/request/request-state.ts';
import type { Tally } from '#shared/text/stored-values.ts';
import {
  blockingLinesOf,
  declinedResult,
  excludedResult,
  mismatchResult,
  type RowResult,
  requestResult,
  rowResult,
  simResults,
} from './row-result.ts';
import type { ComparisonItem } from './service-comparison.ts';

/** What was read of the port of a request. */
export interface PortOfRequest {
  /** @default - the rows were never read */
  readonly rows?: readonly PortRowState[] | undefined;
  /** @default - the results have no dates */
  readonly item?: PortItem | undefined;
}

/**
 * By line: what is known first decides. A request that was never attempted does not know its lines: `requestResult` is
 * the result of each row. The rows of a divided request are those of its parts, except those that were named.
 * @param comparison of its SIMs. @default - a port: the services of no SIM differ. A ticket: no SIM was read back
 */
export function resultsOf(
  item: RequestItem,
  port: PortOfRequest = {},
  comparison?: ComparisonItem,
): ReadonlyMap<number, RowResult> {
  const results = new Map<number, RowResult>();
  const add = (line: number, result: RowResult): void => {
    if (!results.has(line)) results.set(line, result);
  };
  for (const row of rowsNotSent(item)) add(row.line, excludedResult(row));
  for (const [line, result] of portResults(item, port, comparison)) add(line, result);
  const sent = sentResult(item, comparison);
  for (const line of unpackLines(item.lines ?? '')) add(line, sent(line));
  for (const { line } of item.excludedRows ?? []) add(line, sent(line));
  return results;
}

/** Rows of a port that was read: those that have ended also show what their SIMs lack. */
function* portResults(
  item: RequestItem,
  { rows = [], item: port }: PortOfRequest,
  comparison: ComparisonItem | undefined,
): Generator<readonly [line: number, result: RowResult]> {
  const blocking = blockingLinesOf(item, rows);
  const sims = new Map(comparison?.sims.map((sim) => [sim.line, sim]));
  for (const row of rows) {
    const result = withTimes(rowResult(item, row, blocking), item, port);
    const sim = sims.get(row.line);
    yield [row.line, sim === undefined ? result : mismatchResult(result, sim)];
  }
}

/** The result of each row that is not known from a port. Most rows share one object. */
function sentResult(item: RequestItem, comparison: ComparisonItem | undefined): (line: number) => RowResult {
  const { state, error, endedAt = '' } = item;
  if (error?.lines !== undefined && state !== 'accepted') return (line) => withTimes(declinedResult(item, line), item);
  const whole = withTimes(requestResult(item), item);
  if (state !== 'accepted' || comparison === undefined) return () => whole;
  const complete: RowResult = { ...whole, outcome: 'complete', completedAt: endedAt };
  const others = simResults(item, comparison);
  return (line) => {
    const other = others.get(line);
    return other === undefined ? complete : withTimes(other, item);
  };
}

/** Rows by outcome. The rows of a port, and SIMs, were counted when they were read (decision 3). */
export function countResults(item: RequestItem): Tally {
  const { portId, portRows, simRows } = item;
  const read = portId === undefined ? simRows : portRows;
  const tally: Record<string, number> = {};
  const add = (outcome: string, rows: number): void => {
    if (rows > 0) tally[outcome] = (tally[outcome] ?? 0) + rows;
  };
  if (read !== undefined) {
    for (const row of rowsNotSent(item)) add(excludedResult(row).outcome, 1);
    for (const [outcome, rows] of Object.entries(read)) add(outcome, rows);
    return tally;
  }
  const results = resultsOf(item);
  for (const { outcome } of results.values()) add(outcome, 1);
  add(requestResult(item).outcome, ownRows(item) - results.size);
  return tally;
}

/** @param port absent while it was never read */
function withTimes(result: RowResult, { submittedAt = '' }: RequestItem, port?: PortItem): RowResult {
  if (submittedAt === '' && port === undefined) return result;
  const completedAt = port !== undefined && result.outcome === 'complete' ? port.changedAt : result.completedAt;
  return { ...result, submittedAt, completedAt, bookedDate: port === undefined ? '' : dayOfPort(port) };
}
