// From the drop of a file to its last port created, on the embedded engine with everything in memory. Prints one line of
// JSON, and progress on stderr: `node bench/end-to-end.ts [--rows N]`. What the figures say: METHOD.md.
import { loadavg } from 'node:os';
import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { S3Client } from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { type Engine, startEngine } from '#local/engine.ts';
import { documentClient } from '#shared/aws/clients.ts';
import { createImports } from '#shared/aws/imports.ts';
import { createRequests } from '#shared/aws/requests.ts';
import type { ImportItem } from '#shared/domain/ledger.ts';
import { wallClock } from '#shared/runtime/clock.ts';
import { generateRows } from './generate-rows.ts';
import { type ProcessCost, processCosts } from './process-costs.ts';

export interface EndToEndFigures {
  readonly rows: number;
  readonly requests: number;
  /** From the first byte uploaded to the last port created, by the ledger. */
  readonly seconds: number;
  readonly rowsPerSecond: number;
  /** Until the import's own item told of it, which report brings up to date every few seconds. */
  readonly secondsUntilTold: number;
  /** Processors that all of it kept busy: below their number, something else was at work, or all of it waited. */
  readonly coresUsed: number;
  /** What two processors of one's own could do at most: 2 by the CPU time of a row. */
  readonly rowsPerSecondOfTwoCores: number;
  /** Load of the machine, averaged over the last minute of the run. */
  readonly load: number;
  readonly stages: Readonly<Record<string, StageCost>>;
}

export interface StageCost {
  readonly processes: number;
  readonly cpuMicrosecondsPerRow: number;
  /** Of the largest of its processes. */
  readonly peakRssMb: number;
}

const lookEveryMs = 250;
/** To look at every process costs time itself. */
const meterEveryMs = 1_000;
const tellEveryMs = 5_000;
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

/** The engine's own process plays S3, SQS and the pollers of Lambda, and holds this program. */
function stageOf({ command, functionName }: ProcessCost): string {
  if (functionName !== undefined) return /-(\w+)Function$/.exec(functionName)?.[1]?.toLowerCase() ?? functionName;
  if (command.includes('dynoxide')) return 'table';
  return command.includes('porting-service') ? 'service' : 'engine';
}

/** Remembers what every process had cost when it was last seen: some end before the run does. */
function createMeter() {
  const atFirst = processCosts();
  const latest = new Map(atFirst);
  let lookedAt = 0;
  const look = (): void => {
    if (performance.now() - lookedAt < meterEveryMs) return;
    lookNow();
  };
  const lookNow = (): void => {
    lookedAt = performance.now();
    for (const [pid, cost] of processCosts()) latest.set(pid, cost);
  };
  const stages = (rows: number): Record<string, StageCost> => {
    lookNow();
    const byStage = Map.groupBy(latest, ([, cost]) => stageOf(cost));
    const costs = [...byStage].map(([stage, processes]): [string, StageCost] => {
      const cpuMs = processes.reduce((sum, [pid, cost]) => sum + cost.cpuMs - (atFirst.get(pid)?.cpuMs ?? 0), 0);
      return [
        stage,
        {
          processes: processes.filter(([, { peakRssMb }]) => peakRssMb > guardMb).length,
          cpuMicrosecondsPerRow: Math.round((cpuMs * 1000) / rows),
          peakRssMb: Math.max(...processes.map(([, { peakRssMb }]) => peakRssMb)),
        },
      ];
    });
    return Object.fromEntries(costs.sort(([one], [other]) => one.localeCompare(other)));
  };
  return { look, stages };
}

/** The shells that guard programs are smaller than any of the programs. */
const guardMb = 10;

function connect({ endpoints, outputs, service }: Engine) {
  const connection = { region: 'eu-west-2', credentials: { accessKeyId: 'local', secretAccessKey: 'local' } };
  const s3 = new S3Client({ ...connection, endpoint: endpoints.s3, forcePathStyle: true });
  const table = documentClient(new DynamoDBClient({ ...connection, endpoint: endpoints.dynamodb }));
  const imports = createImports(table, outputs.ResultsTable ?? '');
  const requests = createRequests(table, outputs.ResultsTable ?? '');
  const accountId = service?.accountId ?? 0;
  return {
    drop: async (rows: number): Promise<void> => {
      const Body = Readable.from(blocksOf(rows));
      const params = { Bucket: outputs.InboxBucket ?? '', Key: 'create-port/bench.csv', Body };
      await new Upload({ client: s3, params }).done();
    },
    /** The only import there is, once it has begun. */
    look: async (): Promise<ImportItem | undefined> => (await imports.list(accountId, { limit: 1 }))[0],
    /** Epoch milliseconds at which the last of its requests was answered. */
    lastAnswer: async ({ importId }: ImportItem): Promise<number> => {
      let last = 0;
      for await (const { changedAt } of requests.ofImport(importId)) last = Math.max(last, Date.parse(changedAt));
      return last;
    },
  };
}

const isCreated = ({ state, requests, requestCount }: ImportItem): boolean =>
  state !== 'planning' && requestCount > 0 && (requests.created ?? 0) >= requestCount;

/** @throws Error when the import is refused, or a request of it ends otherwise than as a port */
async function untilCreated(look: () => Promise<ImportItem | undefined>, between: () => void): Promise<ImportItem> {
  const begun = performance.now();
  let toldAt = begun;
  for (;;) {
    const item = await look();
    between();
    if (item !== undefined && isCreated(item)) return item;
    if (item !== undefined && (item.state === 'refused' || item.requests.refused || item.requests['needs-human']))
      throw new Error(`the import went wrong: ${JSON.stringify({ state: item.state, requests: item.requests })}`);
    if (performance.now() - toldAt >= tellEveryMs) {
      toldAt = performance.now();
      const seconds = Math.round((toldAt - begun) / 1000);
      console.error(`${seconds} s: ${item?.state ?? 'dropped'}, ${item?.rows ?? 0} rows, ${requestsText(item)}`);
    }
    await pause(lookEveryMs);
  }
}

const requestsText = (item: ImportItem | undefined): string =>
  item === undefined ? '' : `${item.requests.created ?? 0} of ${item.requestCount} requests created`;

async function measure(rows: number): Promise<EndToEndFigures> {
  const engine = await startEngine({ callerEnvironment: {}, log: () => undefined });
  try {
    const { drop, look, lastAnswer } = connect(engine);
    const meter = createMeter();
    const begun = wallClock();
    await drop(rows);
    const item = await untilCreated(look, meter.look);
    const stages = meter.stages(rows);
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
    await engine.stop();
  }
}

const { values } = parseArgs({ options: { rows: { type: 'string', default: '100000' } } });
const rows = Number(values.rows);
if (!(Number.isInteger(rows) && rows > 0)) throw new Error('--rows must be a whole number from 1');
console.log(JSON.stringify(await measure(rows)));
