// How many rows per second the local emulator in memory takes from the upload of a file to its last created port.
// Also how much of the offer of a service with a limit its callers use, in virtual time.
// Prints one line of JSON, and progress on stderr: `npx node bench/throughput.ts [--rows N]`. See METHOD.md.
import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { wallClock } from '#shared/runtime/clock.ts';
import { generateBlocks } from '../test/support/ingest/generate-rows.ts';
import { callLimitedService } from '../test/support/service/limited-service.ts';
import { sendInBatches } from '../test/support/service/submit-fleet.ts';
import { type LocalImport, onPipeline, untilCreated } from './local-import.ts';
import { createProcessSampler, type StageCost, type Stages } from './processes.ts';

interface StageOfRow extends Omit<StageCost, 'cpuMs'> {
  readonly cpuMicrosecondsPerRow: number;
}

const perRowOf = (stages: Stages, rows: number): Record<string, StageOfRow> =>
  Object.fromEntries(
    Object.entries(stages).map(([stage, { cpuMs, ...cost }]) => [
      stage,
      { ...cost, cpuMicrosecondsPerRow: Math.round((cpuMs * 1000) / rows) },
    ]),
  );

async function measure(local: LocalImport, rows: number) {
  const sampler = createProcessSampler();
  const begun = wallClock();
  await local.upload('create-port/bench.csv', generateBlocks({ rows, combinations: 40 }));
  const item = await untilCreated(local, sampler.sample);
  const stages = perRowOf(sampler.stages(), rows);
  const secondsUntilTold = (wallClock() - begun) / 1000;
  const seconds = ((await local.lastCreated(item)) - begun) / 1000;
  const perRow = Object.values(stages).reduce((sum, { cpuMicrosecondsPerRow }) => sum + cpuMicrosecondsPerRow, 0);
  return {
    rows,
    requests: item.requestCount,
    /** From the first uploaded byte to the last created port, by the ledger. */
    seconds: Math.round(seconds * 10) / 10,
    rowsPerSecond: Math.round(rows / seconds),
    /** Until the import item showed it; report updates that item every few seconds. */
    secondsUntilTold: Math.round(secondsUntilTold * 10) / 10,
    /** CPU time by wall time: a figure below the number of cores means waiting or other load. */
    coresUsed: Math.round((perRow * rows) / secondsUntilTold / 1e4) / 100,
    /** The upper limit on two cores without other load: two seconds by the CPU time per row. */
    rowsPerSecondOfTwoCores: Math.round(2e6 / perRow),
    /** Load average of the last minute of the run. */
    load: Math.round((loadavg()[0] ?? 0) * 10) / 10,
    stages,
  };
}

/** A service of 300 calls a minute that answers 429 to the others, for an hour, with calls of a second. */
async function measureLimitedService() {
  const figures: unknown[] = [];
  for (const callers of [5, 50, 200]) {
    for (const namesWait of [true, false]) {
      const run = { callers, namesWait, callsPerMinute: 300, latencyMs: 1_000, minutes: 60 };
      figures.push({ callers, namesWait, ...(await callLimitedService(run)) });
    }
  }
  return figures;
}

/** All instances of submit at high rate limits, for half a minute of virtual time. */
async function measureFastService() {
  const figures: unknown[] = [];
  for (const callsPerSecond of [100, 500, 1_000]) {
    for (const latencyMs of [1_000, 3_000]) {
      const run = { callsPerSecond, latencyMs, seconds: 30 };
      figures.push({ callsPerSecond, latencyMs, ...(await sendInBatches(run)) });
    }
  }
  return figures;
}

const { values } = parseArgs({ options: { rows: { type: 'string', default: '100000' } } });
const rows = Number(values.rows);
if (!(Number.isInteger(rows) && rows > 0)) throw new Error('--rows must be a whole number from 1');
const limitedService = await measureLimitedService();
const fastService = await measureFastService();
const figures = await onPipeline({}, (local) => measure(local, rows));
console.log(JSON.stringify({ ...figures, limitedService, fastService }));
