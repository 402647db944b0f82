// What became of every line, packed: a few bytes a line, however many lines there are, because thousands of lines share
// one result.
import type { Ports } from '#shared/aws/ports.ts';
import type { DriftedSim, DriftItem } from '#shared/domain/drift.ts';
import type { PortRowState, RequestItem } from '#shared/domain/ledger.ts';
import { unpackLines } from '#shared/domain/lines.ts';
import {
  driftedResult,
  holdersOf,
  type LineResult,
  refusedResult,
  requestResult,
  rowResult,
  withdrawnResult,
} from '#shared/domain/outcome.ts';

export interface LineResults {
  /** undefined: no request knows of this line yet. */
  of(line: number): LineResult | undefined;
}

/** Ports whose rows are read at a time. */
const portsAtATime = 100;

export async function collectResults(
  requests: AsyncIterable<RequestItem>,
  ports: Pick<Ports, 'rowsOf'>,
  drifts: AsyncIterable<DriftItem>,
): Promise<LineResults> {
  const packed = createPacked();
  let waiting = new Map<string, RequestItem>();
  for await (const item of requests) {
    placeRequest(item, packed);
    if (item.portId !== undefined) waiting.set(item.portId, item);
    if (waiting.size < portsAtATime) continue;
    await placeRows(waiting, ports, packed);
    waiting = new Map();
  }
  await placeRows(waiting, ports, packed);
  for await (const { sims } of drifts) placeDrift(sims, packed);
  return packed;
}

function placeRequest(item: RequestItem, packed: Packed): void {
  const whole = requestResult(item);
  for (const line of unpackLines(item.lines ?? '')) {
    packed.set(line, item.error?.lines === undefined ? whole : refusedResult(item, line));
  }
  for (const row of item.withdrawn ?? []) packed.set(row.line, withdrawnResult(row));
}

async function placeRows(
  items: ReadonlyMap<string, RequestItem>,
  ports: Pick<Ports, 'rowsOf'>,
  packed: Packed,
): Promise<void> {
  for await (const { portId, rows } of ports.rowsOf([...items.keys()])) {
    const item = items.get(portId);
    if (item === undefined) continue;
    const holders = holdersOf(item, rows);
    for (const row of rows) packed.set(row.line, shared(packed, item, row, holders));
  }
}

/** Rows of one port that are in one state share their result. */
const shared = (packed: Packed, item: RequestItem, row: PortRowState, holders: readonly number[]): LineResult =>
  packed.same(rowResult(item, row, holders));

function placeDrift(sims: readonly DriftedSim[], packed: Packed): void {
  for (const sim of sims) {
    const complete = packed.of(sim.line);
    if (complete !== undefined) packed.set(sim.line, packed.same(driftedResult(complete, sim)));
  }
}

interface Packed extends LineResults {
  set(line: number, result: LineResult): void;
  /** The equal result that was made before, if there is one. */
  same(result: LineResult): LineResult;
}

function createPacked(): Packed {
  /** By line, the place in `results`; 0 stands for none. */
  let places = new Uint32Array(1024);
  const results: (LineResult | undefined)[] = [undefined];
  const placeOf = new Map<LineResult, number>();
  const equal = new Map<string, LineResult>();

  const set = (line: number, result: LineResult): void => {
    if (line >= places.length) {
      const larger = new Uint32Array(Math.max(line + 1, places.length * 2));
      larger.set(places);
      places = larger;
    }
    const place = placeOf.get(result) ?? results.push(result) - 1;
    placeOf.set(result, place);
    places[line] = place;
  };

  const same = (result: LineResult): LineResult => {
    const { portId, outcome, status, message, mendedBy } = result;
    const key = `${portId}\n${outcome}\n${status}\n${message}\n${mendedBy}`;
    const known = equal.get(key);
    if (known !== undefined) return known;
    equal.set(key, result);
    return result;
  };

  return { set, same, of: (line) => results[places[line] ?? 0] };
}
