// The time from the upload of a file to its last created port, on the local emulator in memory. Prints one line of
// JSON, and progress on stderr: `npx node bench/end-to-end.ts [--rows N]`. METHOD.md explains the figures.
import { loadavg } from 'node:os';
import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { S3Client } from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { type Pipeline, startPipeline } from '#cli/local-pipeline/start-pipeline.ts';
import type { ImportItem } from '#shared/domain/requests/ledger.ts';
import { wallClock } from '#shared/runtime/clock.ts';
import { documentClient } from '#shared/store/clients.ts';
import { createImports } from '#shared/store/tables/imports.ts';
import { createRequests } from '#shared/store/tables/requests.ts';
import { generateRows } from './generate-rows.ts';
import { type ProcessCost, processCosts } from './process-costs.ts';

export interface EndToEndFigures {
  readonly rows: number;
  readonly requests: number;
  /** From the first uploaded byte to the last created port, by the ledger. */
  readonly seconds: number;
  readonly rowsPerSecond: number;
  /** Until the import item showed it; report updates that item every few seconds. */
  readonly secondsUntilTold: number;
  /** CPU time by wall time: a figure below the number of cores means waiting or other load. */
  readonly coresUsed: number;
  /** The upper limit on two cores without other load: two seconds by the CPU time per row. */
  readonly rowsPerSecondOfTwoCores: number;
  /** Load average of the last minute of the run. */
  readonly load: number;
  readonly stages: Readonly<Record<string, StageCost>>;
}

export interface StageCost {
  readonly processes: number;
  readonly cpuMicrosecondsPerRow: number;
  /** Of the largest process. */
  readonly peakRssMb: number;
}

const pollEveryMs = 250;
/** Reading the figures of every process costs CPU time itself. */
const sampleEveryMs = 1_000;
const progressEveryMs = 5_000;
const blockBytes = 256 * 1024;

function* blocksOf(rows: number): Generator<Buffer> {
  let text = '';
  for (const record of generateRows({ rows, combinations: 40 })) {
    text += record;
    if (text.length < blockBytes) continue;
    yield Buffer.from(text);
    text = '';
  }
  yield Buffer.from(text);
}

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

function connect({ endpoints, outputs, service }: Pipeline) {
  const connection = { region: 'eu-west-2', credentials: { accessKeyId: 'local', secretAccessKey: 'local' } };
  const s3 = new S3Client({ ...connection, endpoint: endpoints.s3, forcePathStyle: true });
  const table = documentClient(new DynamoDBClient({ ...connection, endpoint: endpoints.dynamodb }));
  const imports = createImports(table, outputs.ResultsTable ?? '');
  const requests = createRequests(table, outputs.ResultsTable ?? '');
  const accountId = service.accountId;
  return {
    upload: async (rows: number): Promise<void> => {
      const Body = Readable.from(blocksOf(rows));
      const params = { Bucket: outputs.InboxBucket ?? '', Key: 'create-port/bench.csv', Body };
      await new Upload({ client: s3, params }).done();
    },
    /** The only import, once it has started. */
    readImport: async (): Promise<ImportItem | undefined> => (await imports.list(accountId, { limit: 1 }))[0],
    /** Epoch milliseconds of the answer to its last request. */
    lastAnswer: async ({ importId }: ImportItem): Promise<number> => {
      let last = 0;
      for await (const { changedAt } of requests.ofImport(importId)) last = Math.max(last, Date.parse(changedAt));
      return last;
    },
  };
}

const isCreated = ({ state, requests, requestCount }: ImportItem): boolean =>
  state !== 'planning' && requestCount > 0 && (requests.created ?? 0) >= requestCount;

/** @throws Error when the import is rejected, or one of its requests does not create a port */
async function untilCreated(
  readImport: () => Promise<ImportItem | undefined>,
  onPoll: () => void,
): Promise<ImportItem> {
  const begun = performance.now();
  let loggedAt = begun;
  for (;;) {
    const item = await readImport();
    onPoll();
    if (item !== undefined && isCreated(item)) return item;
    if (item !== undefined && (item.state === 'rejected' || item.requests.declined || item.requests['action-required']))
      throw new Error(`the import failed: ${JSON.stringify({ state: item.state, requests: item.requests })}`);
    if (performance.now() - loggedAt >= progressEveryMs) {
      loggedAt = performance.now();
      const seconds = Math.round((loggedAt - begun) / 1000);
      console.error(`${seconds} s: ${item?.state ?? 'uploaded'}, ${item?.rows ?? 0} rows, ${requestsText(item)}`);
    }
    await pause(pollEveryMs);
  }
}

const requestsText = (item: ImportItem | undefined): string =>
  item === undefined ? '' : `${item.requests.created ?? 0} of ${item.requestCount} requests created`;

async function measure(rows: number): Promise<EndToEndFigures> {
  const emulator = await startPipeline({ callerEnvironment: {}, log: () => undefined });
  try {
    const { upload, readImport, lastAnswer } = connect(emulator);
    const sampler = createProcessSampler();
    const begun = wallClock();
    await upload(rows);
    const item = await untilCreated(readImport, sampler.sample);
    const stages = sampler.stages(rows);
    const secondsUntilTold = (wallClock() - begun) / 1000;
    const seconds = ((await lastAnswer(item)) - begun) / 1000;
    const perRow = Object.values(stages).reduce((sum, { cpuMicrosecondsPerRow }) => sum + cpuMicrosecondsPerRow, 0);
    return {
      rows,
      requests: item.requestCount,
      seconds: Math.round(seconds * 10) / 10,
      rowsPerSecond: Math.round(rows / seconds),
      secondsUntilTold: Math.round(secondsUntilTold * 10) / 10,
      coresUsed: Math.round((perRow * rows) / secondsUntilTold / 1e4) / 100,
      rowsPerSecondOfTwoCores: Math.round(2e6 / perRow),
      load: Math.round((loadavg()[0] ?? 0) * 10) / 10,
      stages,
    };
  } finally {
    await emulator.stop();
  }
}

const { values } = parseArgs({ options: { rows: { type: 'string', default: '100000' } } });
const rows = Number(values.rows);
if (!(Number.isInteger(rows) && rows > 0)) throw new Error('--rows must be a whole number from 1');
console.log(JSON.stringify(await measure(rows)));
