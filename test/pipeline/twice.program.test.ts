// The same numbers arrive more than once: by another delivery of one event, or in the same file imported again. And
// the service is down for hours of the queues' time: Lambda delivers the work that waits again and again, by
// messages that functions send to their own queues, and afterwards each number is sent once.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Pipeline, startPipeline } from '#cli/local-pipeline/local-pipeline.ts';
import type { ImportItem } from '#shared/import/import.ts';
import { createImports } from '#shared/store/imports.ts';
import type { Fault } from '#simulator/controls/faults.ts';
import { runInFolder } from '../support/cli/emulator.ts';
import { connectionTo } from '../support/emulator/emulator.ts';
import { until } from '../support/emulator/start-process.ts';
import { generateRows } from '../support/ingest/generate-rows.ts';
import { numbersPortedTwice, portsAtTheService } from '../support/service/ports-after-run.ts';
import { createCall } from '../support/service/simulator-controls.ts';

const rows = 250;
let folder: string;
let emulator: Pipeline;
const reports: string[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'simporter-twice-'));
  emulator = await startPipeline({
    directory: join(folder, '.local'),
    speed: 1440,
    memory: true,
    sandbox: true,
    report: (line) => void reports.push(line),
  });
  await writeFile(join(folder, 'numbers.csv'), [...generateRows({ rows, combinations: 5 })].join(''));
});
afterAll(async () => {
  await emulator?.stop();
  await rm(folder, { recursive: true, force: true });
});

interface Import {
  readonly importId: string;
  readonly file: string;
  readonly state: string;
  readonly skipped: number;
  readonly requests: Readonly<Record<string, number>>;
}

const imports = async (): Promise<Import[]> =>
  (JSON.parse((await runInFolder(folder, ['--json', 'imports'])).stdout) as { imports: Import[] }).imports;

const sent = (file: string) =>
  until(`${file} was sent`, async () => {
    const found = (await imports()).find((each) => each.file === file);
    return found !== undefined && ['in-progress', 'finished'].includes(found.state) ? found : undefined;
  });

const openImports = () =>
  createImports(
    DynamoDBDocumentClient.from(new DynamoDBClient(connectionTo(emulator.endpoints.dynamodb))),
    emulator.outputs.ResultsTable ?? '',
  );
const storedImport = async (importId: string): Promise<ImportItem> => {
  const item = await openImports().get(importId);
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

test('a file that is imported twice is sent once, and the second import names the first', async () => {
  expect((await runInFolder(folder, ['import', 'numbers.csv'])).exitCode).toBe(0);
  const first = await sent('numbers.csv');
  await writeFile(join(folder, 'again.csv'), [...generateRows({ rows, combinations: 5 })].join(''));
  await runInFolder(folder, ['import', 'again.csv']);
  const second = await sent('again.csv');
  const { stdout } = await runInFolder(folder, ['--json', 'results', 'again.csv']);
  const lines = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { outcome: string; message: string });
  const ports = await portsAtTheService({ emulator });

  expect(second.skipped).toBe(rows);
  expect(new Set(lines.map((line) => line.outcome))).toEqual(new Set(['skipped']));
  expect(lines.filter((line) => !line.message.includes(first.importId))).toEqual([]);
  expect(numbersPortedTwice(ports)).toEqual([]);
  expect(ports.reduce((count, port) => count + port.rows.length, 0)).toBe(rows);
});

test('an event that is delivered again, several times at once, is the same import (fault 1)', async () => {
  const before = await imports();
  const [known] = before.filter((each) => each.file === 'numbers.csv');
  const sqs = new SQSClient(connectionTo(emulator.endpoints.sqs));
  const MessageBody = JSON.stringify(uploadEvent(await storedImport(known?.importId ?? '')));
  const QueueUrl = emulator.outputs.IngestQueueUrl;
  await Promise.all([1, 2, 3].map(() => sqs.send(new SendMessageCommand({ QueueUrl, MessageBody }))));
  await until('the messages were received', () => {
    const queue = emulator.status().queues['simporter-local-IngestQueue'];
    return (queue?.ready === 0 && queue.inFlight === 0) || undefined;
  });
  const ports = await portsAtTheService({ emulator });

  expect((await imports()).map((each) => each.importId)).toEqual(before.map((each) => each.importId));
  expect(numbersPortedTwice(ports)).toEqual([]);
});

test('three corrections of one text that are imported at the same moment send it once', async () => {
  const header = 'serialNumber,network,message';
  const sim = '89440023210010002509';
  const write = (file: string, ...lines: readonly string[]) => writeFile(join(folder, file), `${lines.join('\n')}\n`);
  await write('texts.csv', header, `${sim},232,`, '89440023210010002608,232,Hello');
  await runInFolder(folder, ['import', 'texts.csv', '--operation', 'send-sms']);
  const { importId } = await sent('texts.csv');
  const files = ['one.csv', 'two.csv', 'three.csv'];
  for (const file of files) await write(file, `${header},importId,line`, `${sim},232,Text ${file},${importId},2`);
  await Promise.all(files.map((file) => runInFolder(folder, ['import', file, '--operation', 'send-sms'])));
  await until('all have ended', async () => {
    const parts = await openImports().parts(await storedImport(importId));
    const items = await Promise.all(parts.map(({ partId }) => storedImport(partId)));
    return items.filter(({ state }) => /finished|rejected/.test(state)).length === files.length || undefined;
  });

  const { submissions } = (await createCall(emulator.service)('GET', '/_sandbox/dump')) as { submissions: object[] };
  expect(submissions.filter((submission) => JSON.stringify(submission).includes(sim))).toHaveLength(1);
  const { stdout } = await runInFolder(folder, ['--json', 'status', 'texts.csv']);
  expect(JSON.parse(stdout).root).toEqual({ importId, rows: 2, outcomes: { accepted: 2 } });
});

const setFaults = async (...faults: readonly Fault[]): Promise<void> =>
  void (await createCall(emulator.service)('PUT', '/_sandbox/faults', { faults }));
const down = (endpoint: string): Fault => ({ endpoint, rate: 1, does: { kind: 'error', status: 503, when: 'before' } });

/** The messages of a queue, by the end of its name. */
const depthOf = (name: string) => {
  const found = Object.entries(emulator.status().queues).find(([queue]) => queue.endsWith(name));
  if (found === undefined) throw new Error(`there is no queue ${name}: ${Object.keys(emulator.status().queues)}`);
  return found[1];
};
const oneWaits = { ready: 0, inFlight: 0, delayed: 1 };
const waits = (name: string) => isDeepStrictEqual(depthOf(name), oneWaits) || undefined;

/** Lambda would stop a chain of messages after 16 invocations: one more, and one that was on its way at the start. */
const hoursDown = 18;

test('18 hours without the service: a file and a request wait, nothing is dead-lettered, and then each is sent once', async () => {
  const [header = '', ...lines] = [...generateRows({ rows: rows + 12, combinations: 1 })];
  await writeFile(join(folder, 'request.csv'), [header, ...lines.slice(rows, rows + 6)].join(''));
  // Ingest keeps the lists of the service: only a row that it would reject makes it ask again.
  const unknown = (lines[0] ?? '').replace(/UK Mobile [AB]/, 'UK Mobile Z');
  await writeFile(join(folder, 'file.csv'), [header, ...lines.slice(rows + 6), unknown].join(''));
  // Otherwise a request that is sent before the circuit breaker is open would have an unknown outcome.
  const limited: Fault = { endpoint: 'createPort', rate: 1, does: { kind: 'rate-limited', retryAfter: '1' } };
  await setFaults(limited);
  await runInFolder(folder, ['import', 'request.csv']);
  await until('the request waits', () => waits('SubmitQueue'));
  await setFaults(limited, ...['getPortingNetworks', 'listPorts', 'getPort'].map(down));
  await runInFolder(folder, ['import', 'file.csv']);
  await until('the file waits', () => waits('IngestQueue'));
  const before = emulator.status().functions;
  for (let hours = 0; hours < hoursDown; hours += 1) {
    emulator.advanceQueues(3_600_000);
    // A message that report has in hand would become visible with the next hour, as often as it may be received.
    const depths = () => [depthOf('SubmitQueue'), depthOf('IngestQueue'), depthOf('ReportQueue').inFlight];
    await expect.poll(depths, { interval: 20 }).toEqual([oneWaits, oneWaits, 0]);
  }
  const after = emulator.status().functions;
  const chain = (name: string) => (after[name]?.invocations ?? 0) - (before[name]?.invocations ?? 0);

  expect([chain('ingest') > 16, chain('submit') > 16]).toEqual([true, true]);
  expect(['Ingest', 'Submit', 'Report'].map((step) => depthOf(`${step}DeadLetters`).ready)).toEqual([0, 0, 0]);
  await setFaults();
  await until('both were sent', async () => {
    emulator.advanceQueues(60_000);
    const states = (await imports()).filter(({ file }) => ['request.csv', 'file.csv'].includes(file));
    return states.every(({ state }) => ['in-progress', 'finished'].includes(state)) || undefined;
  });
  const ports = await portsAtTheService({ emulator });
  expect(numbersPortedTwice(ports)).toEqual([]);
  expect(ports.reduce((count, port) => count + port.rows.length, 0)).toBe(rows + 12);
  expect(reports.filter((line) => line.includes('recursive loop'))).toEqual([]);
}, 600_000);
