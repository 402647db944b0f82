// Calls that resolve one unknown outcome, by the length of the port list: the real search over a list in memory that
// takes 100 ms for each call, at 10 calls per second. Prints one line of JSON: `npx node bench/reconcile.ts`.
import { parseArgs } from 'node:util';
import type { Search } from '#functions/sync/unknown-outcomes/kept-search.ts';
import { findPorts } from '#functions/sync/unknown-outcomes/port-list-passes.ts';
import { createDeadline } from '#shared/runtime/clock.ts';
import { portName, requestToken } from '#shared/text/identity.ts';

const callsPerSecond = 10;
const callMs = 1_000 / callsPerSecond;
/** A run of four minutes searches until half a minute before its end. */
const runMs = 240_000;
const token = requestToken('bench', 1);
const sought = new Map([[token, { stamp: '1.1', passes: 0 } as const]]);

async function resolveOutcome(listed: number, outcome: 'newest port' | 'newest port, 60 newer ones' | 'no port') {
  const ours = outcome === 'no port' ? undefined : listed - (outcome === 'newest port' ? 1 : 61);
  const portAt = (place: number) => ({ id: `p${place}`, name: place === ours ? portName('Bench', token) : 'other' });
  const search: Search = {};
  let calls = 0;
  let runs = 0;
  for (let isResolved = false; !isResolved; runs += 1) {
    let leftMs = runMs;
    const listPorts = async (page: number, size: number) => {
      calls += 1;
      leftMs -= callMs;
      const first = (page - 1) * size;
      const length = page < 1 ? 0 : Math.max(0, Math.min(size, listed - first));
      const data = Array.from({ length }, (_, place) => portAt(first + place));
      return { total: listed, totalPages: Math.ceil(listed / size), data };
    };
    const deadline = createDeadline(() => leftMs);
    const settings = { limit: 1, callsAtOnce: callsPerSecond };
    const parts = { client: { listPorts }, ports: { due: async () => [] }, settings, deadline };
    const found = await findPorts(sought, parts as unknown as Parameters<typeof findPorts>[1], search);
    isResolved = found.isFound(token) || found.proofOf(token) !== undefined;
  }
  // One pass of 50 a page, and a second one of 46 where the first does not show the port.
  const pages = Math.ceil(listed / 50) + 1 + (outcome === 'no port' ? Math.ceil(listed / 46) : 0);
  // As before the search could continue: both passes in one run, page by page. 0: never in the time of a run.
  return { listed, outcome, calls, runs, callsBefore: pages * callMs <= runMs - 30_000 ? pages : 0 };
}

const { values } = parseArgs({ options: { quick: { type: 'boolean', default: false } } });
const figures: unknown[] = [];
for (const listed of values.quick ? [1_000, 50_000] : [1_000, 50_000, 1_000_000])
  for (const outcome of ['newest port', 'newest port, 60 newer ones', 'no port'] as const)
    figures.push(await resolveOutcome(listed, outcome));
console.log(JSON.stringify(figures));
