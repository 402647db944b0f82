// The cost of a sync run: calls to the service, write units and CPU time, for lists of up to 100,000 ports. Prints one
// line of JSON: `npx node bench/sync.ts [--quick]`. METHOD.md explains what is real and what is simulated.
import { parseArgs } from 'node:util';
import { createSyncScenario } from '../test/support/sync-scenario.ts';

interface SyncFigures {
  readonly ports: number;
  readonly live: number;
  readonly changed: number;
  /** Runs until every live port was read. */
  readonly runs: number;
  /** Of the run with the most calls. */
  readonly calls: number;
  /** min(pages, live) + changed + 2: the upper limit of a run. */
  readonly bound: number;
  /** One GET per live port, as a simple loop makes. */
  readonly naiveCalls: number;
  /** Of all runs together. */
  readonly writeUnits: number;
  readonly cpuMs: number;
}

const shares = [1, 0.1, 0.01] as const;
const mostRuns = 1_000;

async function measure(ports: number, live: number): Promise<SyncFigures> {
  const changed = Math.max(1, Math.round(live / 100));
  const scenario = await createSyncScenario({ ports, live, changed });
  const sum = { runs: 0, calls: 0, writeUnits: 0, cpuMs: 0 };
  while (scenario.waiting() > 0 && sum.runs < mostRuns) {
    const before = process.cpuUsage();
    const { calls, writeUnits } = await scenario.run();
    const { user, system } = process.cpuUsage(before);
    sum.runs += 1;
    sum.calls = Math.max(sum.calls, calls);
    sum.writeUnits += writeUnits;
    sum.cpuMs += Math.round((user + system) / 1000);
    console.error(`${ports} ports, ${live} live: run ${sum.runs}, ${calls} calls, ${scenario.waiting()} not read yet`);
  }
  const bound = Math.min(scenario.pages, live) + changed + 2;
  return { ports, live, changed, ...sum, bound, naiveCalls: live };
}

const { values } = parseArgs({ options: { quick: { type: 'boolean', default: false } } });
const sizes = values.quick ? [100, 1_000] : [100, 1_000, 10_000, 100_000];
const figures: SyncFigures[] = [];
for (const ports of sizes) for (const share of shares) figures.push(await measure(ports, Math.round(ports * share)));
console.log(JSON.stringify(figures));
