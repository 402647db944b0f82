// What a run of sync costs: calls to the service, write units and CPU time, for lists of up to 100,000 ports. Prints one line
// of JSON: `node bench/sync.ts [--quick]`. What is real in it and what is not: METHOD.md.
import { parseArgs } from 'node:util';
import { createSyncWorld } from './sync-world.ts';

export interface SyncFigures {
  readonly ports: number;
  readonly live: number;
  readonly changed: number;
  /** Runs until every live port was looked at. */
  readonly runs: number;
  /** Of the run that made the most. */
  readonly calls: number;
  /** min(pages, live) + changed + 2: the most that a run may make. */
  readonly bound: number;
  /** A GET for each live port, as a loop over them would make. */
  readonly naiveCalls: number;
  /** Of all runs together. */
  readonly writeUnits: number;
  readonly cpuMs: number;
}

const shares = [1, 0.1, 0.01] as const;
const mostRuns = 1_000;

async function measure(ports: number, live: number): Promise<SyncFigures> {
  const changed = Math.max(1, Math.round(live / 100));
  const world = await createSyncWorld({ ports, live, changed });
  const sum = { runs: 0, calls: 0, writeUnits: 0, cpuMs: 0 };
  while (world.waiting() > 0 && sum.runs < mostRuns) {
    const before = process.cpuUsage();
    const { calls, writeUnits } = await world.run();
    const { user, system } = process.cpuUsage(before);
    sum.runs += 1;
    sum.calls = Math.max(sum.calls, calls);
    sum.writeUnits += writeUnits;
    sum.cpuMs += Math.round((user + system) / 1000);
    console.error(
      `${ports} ports, ${live} live: run ${sum.runs}, ${calls} calls, ${world.waiting()} not looked at yet`,
    );
  }
  const bound = Math.min(world.pages, live) + changed + 2;
  return { ports, live, changed, ...sum, bound, naiveCalls: live };
}

const { values } = parseArgs({ options: { quick: { type: 'boolean', default: false } } });
const sizes = values.quick ? [100, 1_000] : [100, 1_000, 10_000, 100_000];
const figures: SyncFigures[] = [];
for (const ports of sizes) for (const share of shares) figures.push(await measure(ports, Math.round(ports * share)));
console.log(JSON.stringify(figures));
