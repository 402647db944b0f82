// How old the status of a port is when sync sees it, for accounts of up to a million ports. Prints one line of JSON:
// `npx node bench/freshness.ts [--quick]`. METHOD.md explains what is real and what is simulated.
import { parseArgs } from 'node:util';
import { createFreshnessScenario } from '../test/support/freshness-scenario.ts';
import { changeStatuses } from '../test/support/simulated-ports.ts';

interface Delay {
  readonly median: number;
  /** 95 of 100 changes are seen within this time. */
  readonly most: number;
}

const minute = 60_000;

function delayOf(sorted: Float64Array): Delay {
  const at = (share: number): number => Math.round((sorted[Math.floor(sorted.length * share)] ?? 0) / minute);
  return { median: at(0.5), most: at(0.95) };
}

function measure(ports: number, callsPerSecond: number, days: number) {
  const scenario = createFreshnessScenario({ ports, callsPerSecond });
  scenario.run(1);
  // Ports that have not ended, at the end of the measured time.
  const { calls, delays, livePorts } = scenario.run(days);
  // Minutes from the change to the read that sees it, by the status that the port then has.
  const minutes = changeStatuses.map((status) => [status, delayOf(Float64Array.from(delays(status)).sort())]);
  // Calls of sync in the measured time, relative to all that the rate limit allows.
  const shareOfCalls = Math.round((calls / (days * 86_400 * callsPerSecond)) * 1000) / 1000;
  const figures = { livePorts, callsPerSecond, shareOfCalls, minutes: Object.fromEntries(minutes) };
  console.error(JSON.stringify(figures));
  return figures;
}

const { values } = parseArgs({ options: { quick: { type: 'boolean', default: false } } });
const sizes = values.quick ? [1_000] : [1_000, 10_000, 100_000, 300_000, 1_000_000];
const rates = values.quick ? [10] : [10, 100];
const days = values.quick ? 1 : 3;
console.log(JSON.stringify(rates.flatMap((rate) => sizes.map((ports) => measure(ports, rate, days)))));
