// The result of every row that a request knows, by line. Thousands of rows share a result, so a row costs only four
// bytes.
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
} from '#shared/domain/imports/outcome.ts';
import { unpackLines } from '#shared/domain/imports/packed-lines.ts';
import type { ComparisonItem } from '#shared/domain/ports/service-mismatch.ts';
import type { PortItem } from '#shared/items/port.ts';
import type { RequestItem } from '#shared/items/request.ts';
import type { PortReader } from '#shared/store/tables/ports.ts';
import type { RequestReader } from '#shared/store/tables/requests.ts';

export interface ResultsByLine {
  /** undefined: no request has this row yet. */
  of(line: number): RowResult | undefined;
  /** Requests ended before their rows were known, because their plan had expired. */
  readonly hasExpiredPlans: boolean;
}

export interface RequestSource {
  readonly ofImport: RequestReader['ofImport'];
}

/** Ports and their rows. */
export interface PortSource {
  readonly rowsOf: PortReader['rowsOf'];
  /** @default - results have no dates */
  readonly itemsOf?: PortReader['itemsOf'] | undefined;
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
    addRequest(item, results);
    results.hasExpiredPlans ||= item.state === 'declined' && item.lines === undefined;
    if (item.portId !== undefined) unread.set(item.portId, item);
    if (unread.size < portsPerRead) continue;
    await addPortRows(unread, ports, results);
    unread = new Map();
  }
  await addPortRows(unread, ports, results);
  for await (const { sims } of comparisons) {
    for (const sim of sims) {
      const complete = results.of(sim.line);
      if (complete !== undefined) results.set(sim.line, mismatchResult(complete, sim));
    }
  }
  return results;
}

function addRequest(item: RequestItem, results: Results): void {
  const { lines = '', state, error } = item;
  if (state === 'accepted') addAccepted(item, lines, results);
  else {
    const whole = withTimes(requestResult(item), item);
    for (const line of unpackLines(lines)) {
      results.set(line, error?.lines === undefined ? whole : withTimes(declinedResult(item, line), item));
    }
  }
  for (const { lines, ticket } of item.split?.accepted ?? []) addAccepted({ ...item, ticket }, lines, results);
  for (const lines of item.split?.waiting ?? []) {
    for (const line of unpackLines(lines)) results.set(line, waitingPartResult(item));
  }
  for (const row of item.excludedRows ?? []) results.set(row.line, excludedResult(row));
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

/** @param port absent while it was never read */
function withTimes(result: RowResult, { submittedAt = '' }: RequestItem, port?: PortItem): RowResult {
  if (submittedAt === '' && port === undefined) return result;
  const completedAt = port !== undefined && result.outcome === 'complete' ? port.changedAt : result.completedAt;
  return { ...result, submittedAt, completedAt, bookedDate: port?.connectionDate.slice(0, 10) ?? '' };
}

async function addPortRows(
  items: ReadonlyMap<string, RequestItem>,
  ports: PortSource,
  results: Results,
): Promise<void> {
  const read = new Map<string, PortItem>();
  for await (const port of ports.itemsOf?.([...items.keys()]) ?? []) read.set(port.portId, port);
  for await (const { portId, rows } of ports.rowsOf([...items.keys()])) {
    const item = items.get(portId);
    if (item === undefined) continue;
    const blockingLines = blockingLinesOf(item, rows);
    const port = read.get(portId);
    for (const row of rows) results.set(row.line, withTimes(rowResult(item, row, blockingLines), item, port));
  }
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
