// How many rows per second the local emulator in memory takes from the upload of a file to its last created port.
// Also how much of the offer of a service with a limit its callers use, in virtual time.
// Prints one line of JSON, and progress on stderr: `npx node bench/throughput.ts [--rows N]`. See METHOD.md.
import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { wallClock } from '#shared/runtime/clock.ts';
import { generateBlocks } from '../test/support/ingest/generate-rows.ts';
import { callLimitedService } from '../test/support/service/limited-service.ts';
import { type LocalImport, onPipeline, untilCreated } from './local-import.ts';
import { type ProcessCost, processCosts } from './process-costs.ts';

interface StageCost {
  readonly processes: number;
  readonly cpuMicrosecondsPerRow: number;
  /** Of the largest process. */
  readonly peakRssMb: number;
}

/** Reading the figures of every process costs CPU time itself. */
const sampleEveryMs = 1_000;

/** The process of the emulator contains S3, SQS, the pollers of Lambda and this program. */
function stageOf({ command, functionName }: ProcessCost): string {
  if (functionName !== undefined) return /-(\w+)Function$/.exec(functionName)?.[1]?.toLowerCase() ?? functionName;
  if (command.includes('dynoxide')) return 'table';
  return command.includes('simulator') ? 'service' : 'emulator';
}

/** Keeps the last sample of every process: some end before the run does. */
function createProcessSampler() {
  const atFirst = processCosts();
  const latest = new Map(atFirst);
  let readAt = 0;
  const sample = (): void => {
    if (performance.now() - readAt < sampleEveryMs) return;
    sampleNow();
  };
  const sampleNow = (): void => {
    readAt = performance.now();
    for (const [pid, cost] of processCosts()) latest.set(pid, cost);
  };
  const stages = (rows: number): Record<string, StageCost> => {
    sampleNow();
    const byStage = Map.groupBy(latest, ([, cost]) => stageOf(cost));
    const costs = [...byStage].map(([stage, processes]): [string, StageCost] => {
      const cpuMs = processes.reduce((sum, [pid, cost]) => sum + cost.cpuMs - (atFirst.get(pid)?.cpuMs ?? 0), 0);
      return [
        stage,
        {
          processes: processes.filter(([, { peakRssMb }]) => peakRssMb > shellMb).length,
          cpuMicrosecondsPerRow: Math.round((cpuMs * 1000) / rows),
          peakRssMb: Math.max(...processes.map(([, { peakRssMb }]) => peakRssMb)),
        },
      ];
    });
    return Object.fromEntries(costs.sort(([one], [other]) => one.localeCompare(other)));
  };
  return { sample, stages };
}

/** Shells that supervise programs are smaller than the programs. */
const shellMb = 10;

async function measure(local: LocalImport, rows: number) {
  const sampler = createProcessSampler();
  const begun = wallClock();
  await local.upload('create-port/bench.csv', generateBlocks({ rows, combinations: 40 }));
  const item = await untilCreated(local, sampler.sample);
  const stages = sampler.stages(rows);
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

const { values } = parseArgs({ options: { rows: { type: 'string', default: '100000' } } });
const rows = Number(values.rows);
if (!(Number.isInteger(rows) && rows > 0)) throw new Error('--rows must be a whole number from 1');
const limitedService = await measureLimitedService();
const figures = await onPipeline({}, (local) => measure(local, rows));
console.log(JSON.stringify({ ...figures, limitedService }));
