// The cost of a sync run: calls to the service, write units and CPU time, for lists of up to 100,000 ports. Prints one
// line of JSON: `npx node bench/sync.ts [--quick]`. METHOD.md explains what is real and what is simulated.
import { parseArgs } from 'node:util';
import { createSyncScenario } from '../test/support/steps/sync-scenario.ts';

const shares = [1, 0.1, 0.01] as const;
const mostRuns = 1_000;

async function measure(ports: number, live: number) {
  const changed = Math.max(1, Math.round(live / 100));
  const scenario = await createSyncScenario({ ports, live, changed });
  /** Runs until every live port was read, calls of the run with the most, units and time of all runs. */
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
  // The upper limit of a run.
  const bound = Math.min(scenario.pages, live) + changed + 2;
  // One GET per live port, as a simple loop makes.
  return { ports, live, changed, ...sum, bound, naiveCalls: live };
}

const { values } = parseArgs({ options: { quick: { type: 'boolean', default: false } } });
const sizes = values.quick ? [100, 1_000] : [100, 1_000, 10_000, 100_000];
const figures: unknown[] = [];
for (const ports of sizes) for (const share of shares) figures.push(await measure(ports, Math.round(ports * share)));
console.log(JSON.stringify(figures));
