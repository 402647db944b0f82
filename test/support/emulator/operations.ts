// One emulator for every operation: uploads files with an S3 client, reads results.csv and asks the porting simulator
// for its state.
import { setTimeout as pause } from 'node:timers/promises';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { parse } from 'csv-parse/sync';
import * as z from 'zod';
import { startPipeline } from '#cli/local-pipeline/local-pipeline.ts';
import { outcomeColumns } from '#shared/files/added-columns.ts';
import type { ImportItem } from '#shared/import/import.ts';
import { acceleratedClock, type Clock } from '#shared/runtime/clock.ts';
import { createPortingClient, type PortingClient } from '#shared/service/client.ts';
import { createSender } from '#shared/service/sender.ts';
import { documentClient } from '#shared/store/clients.ts';
import { createImports } from '#shared/store/imports.ts';
import { patienceMs } from '../patience.ts';
import { connectionTo } from './emulator.ts';

const submission = z.object({
  operation: z.string(),
  serialNumbers: z.array(z.string()),
  body: z.looseObject({}),
  ticketNumber: z.string(),
});
export type KeptSubmission = z.infer<typeof submission>;

const resultLine = z.looseObject({
  line: z.coerce.number(),
  outcome: z.string(),
  portId: z.string(),
  status: z.string(),
  message: z.string(),
});
export type ResultLine = z.infer<typeof resultLine>;

/** Our columns are the last, and have another name where the file has theirs: docs/reference/files.md. */
function nameColumns(header: readonly string[]): string[] {
  const own = header.slice(0, -outcomeColumns.length);
  return [...own.map((name) => `own ${name}`), ...outcomeColumns];
}

export interface OperationsEngine {
  readonly client: PortingClient;
  readonly calendar: Clock;
  /** Everything that was logged. */
  readonly log: readonly string[];
  /** Uploads a file to the folder of an operation; resolves when the pipeline has started it. */
  drop(operation: string, text: string): Promise<ImportItem>;
  /** Polls an import until `isReached`. */
  until(importId: string, isReached: (item: ImportItem) => boolean): Promise<ImportItem>;
  /** Polls results.csv until `isReached`. */
  results(importId: string, isReached: (lines: readonly ResultLine[]) => boolean): Promise<ResultLine[]>;
  /** Every submission of the simulator. */
  submissions(): Promise<KeptSubmission[]>;
  stop(): Promise<void>;
}

/** Polls until there is a value; the pause keeps the processor free. */
async function poll<Value>(what: () => string, look: () => Promise<Value | undefined>): Promise<Value> {
  for (const end = Date.now() + patienceMs; ; await pause(100)) {
    const found = await look();
    if (found !== undefined) return found;
    if (Date.now() > end) throw new Error(`Not within ${patienceMs} ms: ${what()}`);
  }
}

export async function startOperationsEngine(speed: number): Promise<OperationsEngine> {
  const log: string[] = [];
  const engine = await startPipeline({
    speed,
    memory: true,
    sandbox: true,
    callerEnvironment: {},
    log: (source, line) => void log.push(`${source} ${line}`),
  });
  const { service, endpoints, outputs } = engine;
  const access = { ...service, credentials: async () => service };
  const send = createSender(access);
  const s3 = new S3Client({ ...connectionTo(endpoints.s3), forcePathStyle: true });
  const table = documentClient(new DynamoDBClient(connectionTo(endpoints.dynamodb)));
  const imports = createImports(table, outputs.ResultsTable ?? '');
  let dropped = 0;

  const readResults = async (importId: string): Promise<ResultLine[]> => {
    const order = new GetObjectCommand({ Bucket: outputs.ResultsBucket, Key: `imports/${importId}/results.csv` });
    const text = await s3.send(order).then(
      ({ Body }) => Body?.transformToString(),
      () => '',
    );
    return z.array(resultLine).parse(parse(text ?? '', { columns: nameColumns, bom: true }));
  };

  return {
    client: createPortingClient(access),
    calendar: acceleratedClock(engine.calendar.origin, engine.calendar.speed),
    log,
    drop: async (operation, text) => {
      dropped += 1;
      const key = `${operation}/file-${dropped}.csv`;
      await s3.send(new PutObjectCommand({ Bucket: outputs.InboxBucket, Key: key, Body: text }));
      return poll(
        () => `an import of ${key}; the log ends ${log.slice(-5).join('\n')}`,
        async () => (await imports.list()).find((item) => item.key === key),
      );
    },
    until: async (importId, isReached) => {
      let last: ImportItem | undefined;
      return poll(
        () => JSON.stringify(last),
        async () => {
          last = await imports.get(importId);
          // A rejected file never reaches another state: waiting would hide its reason.
          if (last?.state === 'rejected' && !isReached(last)) throw new Error(JSON.stringify(last.issues));
          return last !== undefined && isReached(last) ? last : undefined;
        },
      );
    },
    results: async (importId, isReached) => {
      let last: ResultLine[] = [];
      return poll(
        () => JSON.stringify(last),
        async () => {
          last = await readResults(importId);
          return last.length > 0 && isReached(last) ? last : undefined;
        },
      );
    },
    submissions: async () => {
      const { answer } = await send({ method: 'GET', path: '/_sandbox/dump' });
      return z.object({ submissions: z.array(submission) }).parse(JSON.parse(answer.text)).submissions;
    },
    stop: () => engine.stop(),
  };
}
