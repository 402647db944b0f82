// The same numbers arrive more than once: as another delivery of one event, as the same file again, as a file mended by hand.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Engine, startEngine } from '#local/engine.ts';
import { createImports } from '#shared/aws/imports.ts';
import type { ImportItem } from '#shared/domain/ledger.ts';
import { generateRows } from '../../bench/generate-rows.ts';
import { runIn } from '../support/cli-engine.ts';
import { connectionTo } from '../support/local-engine.ts';
import { until } from '../support/pipeline-process.ts';
import { numbersPortedTwice, portsAtTheService } from '../support/pipeline-service.ts';

const rows = 250;
let folder: string;
let engine: Engine;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'simporter-twice-'));
  engine = await startEngine({ directory: join(folder, '.local'), speed: 1440, memory: true });
  await writeFile(join(folder, 'numbers.csv'), [...generateRows({ rows, combinations: 5 })].join(''));
});
afterAll(async () => {
  await engine?.stop();
  await rm(folder, { recursive: true, force: true });
});

interface Import {
  readonly importId: string;
  readonly file: string;
  readonly state: string;
  readonly withdrawn: number;
  readonly requests: Readonly<Record<string, number>>;
}

const imports = async (): Promise<Import[]> =>
  (JSON.parse((await runIn(folder, ['--json', 'imports'])).stdout) as { imports: Import[] }).imports;

const sent = (file: string) =>
  until(`${file} was sent`, async () => {
    const found = (await imports()).find((each) => each.file === file);
    return found !== undefined && ['following', 'completed'].includes(found.state) ? found : undefined;
  });

const storedImport = async (importId: string): Promise<ImportItem> => {
  const client = DynamoDBDocumentClient.from(new DynamoDBClient(connectionTo(engine.endpoints.dynamodb)));
  const item = await createImports(client, engine.outputs.ResultsTable ?? '').get(importId);
  if (item === undefined) throw new Error(`there is no import ${importId}`);
  return item;
};

/** What S3 puts into the ingest queue for an object of the inbox. */
const uploadEvent = ({ bucket, key, etag: eTag, versionId }: ImportItem) => ({
  Records: [
    {
      eventSource: 'aws:s3',
      eventName: 'ObjectCreated:Put',
      s3: { bucket: { name: bucket }, object: { key, eTag, versionId, size: 1, sequencer: '01' } },
    },
  ],
});

test('a file that is dropped twice is sent once, and the second says which import has the numbers', async () => {
  expect((await runIn(folder, ['import', 'numbers.csv'])).exitCode).toBe(0);
  const first = await sent('numbers.csv');
  await writeFile(join(folder, 'again.csv'), [...generateRows({ rows, combinations: 5 })].join(''));
  await runIn(folder, ['import', 'again.csv']);
  const second = await sent('again.csv');
  const { stdout } = await runIn(folder, ['--json', 'results', 'again.csv']);
  const lines = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { outcome: string; message: string });
  const ports = await portsAtTheService({ engine });

  expect(second.withdrawn).toBe(rows);
  expect(new Set(lines.map((line) => line.outcome))).toEqual(new Set(['withdrawn']));
  expect(lines.filter((line) => !line.message.includes(first.importId))).toEqual([]);
  expect(numbersPortedTwice(ports)).toEqual([]);
  expect(ports.reduce((count, port) => count + port.rows.length, 0)).toBe(rows);
});

test('fault 1: an event that is delivered again, and again at once, is the same import', async () => {
  const before = await imports();
  const [known] = before.filter((each) => each.file === 'numbers.csv');
  const sqs = new SQSClient(connectionTo(engine.endpoints.sqs));
  const MessageBody = JSON.stringify(uploadEvent(await storedImport(known?.importId ?? '')));
  const QueueUrl = engine.outputs.IngestQueueUrl;
  await Promise.all([1, 2, 3].map(() => sqs.send(new SendMessageCommand({ QueueUrl, MessageBody }))));
  await until('the messages were taken', () => {
    const queue = engine.status().queues['simporter-local-IngestQueue'];
    return (queue?.ready === 0 && queue.inFlight === 0) || undefined;
  });
  const ports = await portsAtTheService({ engine });

  expect((await imports()).map((each) => each.importId)).toEqual(before.map((each) => each.importId));
  expect(numbersPortedTwice(ports)).toEqual([]);
});
