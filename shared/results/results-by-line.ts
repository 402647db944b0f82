// The result of every row that a request knows, by line. Thousands of rows share a result, so a row costs only four
// bytes.

import type { PortItem, PortRowState } from '#shared/items/port.ts';
import { addMismatches, resultsOf } from '#shared/outcome/request-results.ts';
import type { RowResult } from '#shared/outcome/row-result.ts';
import type { ComparisonItem } from '#shared/outcome/service-comparison.ts';
import type { RequestItem } from '#shared/request/request.ts';
import type { PortReader } from '#shared/store/ports.ts';
import type { RequestReader } from '#shared/store/requests.ts';

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
  for await (const port of ports.itemsOf?.([...items.keys()]) ?? []) read.set(port.portId, port);
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
