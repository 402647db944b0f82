// A whole import with marked PACs, a marked client secret and marked tokens, against a service that repeats all of
// them. The test then searches everything that was logged, sent, stored or written for the marks (spec gap 44), and the
// logs for phone numbers.
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GetObjectCommand, ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';
import { SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { startPipeline } from '#cli/local-pipeline/local-pipeline.ts';
import { startDynamoDb } from '#local/aws/dynamodb.ts';
import { writeState } from '#local/data-folder.ts';
import type { Emulator } from '#local/emulator-options.ts';
import { MessageStore } from '#local/sqs/message-store.ts';
import { acceleratedClock } from '#shared/runtime/clock.ts';
import { connectionTo, sendAll } from '../support/emulator/emulator.ts';
import { until } from '../support/emulator/start-process.ts';
import { dropFile, importOf } from './import.ts';
import { type LeakingService, startLeakingService } from './leaking-service.ts';
import {
  badRows,
  markedFile,
  misplacedPacs,
  newPac,
  numbers,
  pacs,
  updateFile,
  validRowCount,
} from './marked-files.ts';
import { recordInFrontOf } from './recorder.ts';

/** Unlike a PAC or a token, its form does not reveal it. */
const clientSecret = 'Marked_Client.Secret~of+the/test';

interface Place {
  readonly name: string;
  readonly text: string;
}

let folder: string;
let service: LeakingService;
let emulator: Emulator;
const undo: (() => Promise<unknown>)[] = [];
const lines: { readonly source: string; readonly line: string }[] = [];
/** All observed texts, by place. */
const places: Place[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'simporter-security-'));
  undo.push(() => rm(folder, { recursive: true, force: true }));
  // Sync runs every half second, and a day takes one minute.
  const time = { origin: Date.now(), speed: 1440 };
  await mkdir(join(folder, 'emulator'));
  await writeState(join(folder, 'emulator'), { ...time, tcpPorts: {}, secrets: {} });
  service = await startLeakingService(clientSecret, acceleratedClock(time.origin, time.speed));
  const database = await startDynamoDb();
  const table = await recordInFrontOf(database.url);
  const messages = vi.spyOn(MessageStore.prototype, 'send');
  undo.push(service.close, database.stop, table.close, async () => messages.mockRestore());
  emulator = await startPipeline({
    directory: join(folder, 'emulator'),
    service: service.access,
    callerEnvironment: { AWS_ENDPOINT_URL_DYNAMODB: table.url },
    log: (source, line) => void lines.push({ source, line }),
  });
  undo.push(emulator.stop);

  await sendPoison();
  messages.mockClear();
  await importWhole();

  places.push(
    ...lines.map(({ source, line }) => ({ name: `log of ${source}`, text: line })),
    ...table.bodies.map((text) => ({ name: 'item of a table', text })),
    ...messages.mock.calls.map(([, message]) => ({ name: 'message of a queue', text: JSON.stringify(message) })),
    ...(await events()),
    ...(await objects()),
    ...(await Promise.all(
      ['emulator.json', 'state.json'].map(async (name) => ({
        name,
        text: await readFile(join(folder, 'emulator', name), 'utf8'),
      })),
    )),
  );
});
afterAll(async () => {
  for (const step of undo.reverse()) await step();
});

/**
 * Invalid messages. They are not recorded, because other systems sent them; the logs about them are.
 */
async function sendPoison(): Promise<void> {
  const { AWS_ACCESS_KEY_ID: accessKeyId = '', AWS_SECRET_ACCESS_KEY: secretAccessKey = '' } = emulator.environment;
  const credentials = { accessKeyId, secretAccessKey };
  const sqs = new SQSClient({ ...connectionTo(emulator.endpoints.sqs), credentials });
  const [pac = ''] = pacs;
  const [number = ''] = numbers;
  for (const name of ['IngestQueueUrl', 'SubmitQueueUrl', 'ReportQueueUrl']) {
    await sendAll(sqs, emulator.outputs[name] ?? '', [
      `{"importId": 1, "pac": "${pac}"`,
      `${pac} is no message`,
      `44${number} is none`,
    ]);
  }
}

/** Ports with every kind of answer, and a change of one. */
async function importWhole(): Promise<void> {
  const ports = await dropFile(emulator, 'create-port', markedFile());
  const sent = await until('every request has its answer', async () => {
    const item = await importOf(emulator, ports);
    return item.state === 'in-progress' ? item : undefined;
  });
  expect(sent).toMatchObject({ rejected: badRows, accepted: validRowCount });
  const change = await dropFile(emulator, 'update-port', updateFile());
  await until('the change was taken', async () => {
    const { state } = await importOf(emulator, change);
    return state === 'finished' || undefined;
  });
  const reported = async () => (await importOf(emulator, change)).reported;
  await until('its results are written', reported);
  await until('every kind of line is logged', () => logsWithout(toldLines).length === 0 || undefined);
}

/** What the steps log of such an import. */
const toldLines = ['import ingested', 'called', 'port changed', 'a port was adopted', 'results written', 'synced'];
const logsWithout = (messages: readonly string[]): readonly string[] =>
  messages.filter((message) => !lines.some(({ line }) => line.includes(`"message":"${message}"`)));

/** The events on the bus. */
async function events(): Promise<Place[]> {
  const found = until('an event on the bus', async () => {
    const headers = { authorization: `Bearer ${emulator.environment.AWS_SECRET_ACCESS_KEY}` };
    const text = await (await fetch(`${emulator.endpoints.emulator}/events`, { headers })).text();
    return text.includes('detail-type') ? text : undefined;
  });
  return [{ name: 'events of the bus', text: await found }];
}

async function objects(): Promise<Place[]> {
  const s3 = new S3Client({ ...connectionTo(emulator.endpoints.s3, emulator.environment), forcePathStyle: true });
  const found: Place[] = [];
  for (const Bucket of [emulator.outputs.InboxBucket, emulator.outputs.WorkBucket, emulator.outputs.ResultsBucket]) {
    const { Contents = [] } = await s3.send(new ListObjectsV2Command({ Bucket }));
    for (const { Key } of Contents) {
      const { Body } = await s3.send(new GetObjectCommand({ Bucket, Key }));
      found.push({ name: `${Bucket}/${Key}`, text: (await Body?.transformToString()) ?? '' });
    }
  }
  return found;
}

/** In any form: spaces and hyphens do not change a PAC. */
const plain = (text: string): string => text.toUpperCase().replace(/[\s-]/g, '');
const placesOf = (mark: string): string[] => [
  ...new Set(
    places.filter(({ text }) => plain(text).includes(plain(mark))).map(({ name, text }) => `${name}: ${text}`),
  ),
];

/** Files that the customer uploaded or downloads, and the plan (spec gap 44). */
const mayContainPacs = (place: string): boolean =>
  place.startsWith(`${emulator.outputs.InboxBucket}/`) ||
  /\/imports\/[^/]+\/(plan\.ndjson|rejected\.csv): /.test(place);

describe('after a whole import', () => {
  test('the service has repeated everything it received', () => {
    expect([...service.said]).toHaveLength(6);
    expect(service.tokens.length).toBeGreaterThan(0);
  });

  test('there was something to search', () => {
    const kinds = [
      'log of ingest',
      'log of submit',
      'log of sync',
      'log of report',
      'item of a table',
      'message of a queue',
    ];
    expect(kinds.filter((kind) => !places.some(({ name }) => name === kind))).toEqual([]);
    const files = ['plan.ndjson', 'rejected.csv', 'issues.ndjson', 'results.csv'];
    expect(files.filter((file) => !places.some(({ name }) => name.endsWith(file)))).toEqual([]);
  });

  test.each([...pacs, newPac])('the porting code %s is nowhere but in what the customer gave and gets back', (pac) => {
    expect(placesOf(pac).filter((place) => !mayContainPacs(place))).toEqual([]);
  });

  test.each(misplacedPacs)('a PAC in another column, %s, is repeated by no message, and masked in results', (pac) => {
    expect(placesOf(pac)).not.toEqual([]);
    expect(placesOf(pac).filter((place) => !mayContainPacs(place))).toEqual([]);
  });

  test.each(numbers)('the number %s is in the table and in no log', (number) => {
    const told = placesOf(number);
    expect(told.filter((place) => place.startsWith('item of a table'))).not.toEqual([]);
    expect(told.filter((place) => place.startsWith('log of '))).toEqual([]);
  });

  test('the client secret is nowhere', () => {
    expect(placesOf(clientSecret)).toEqual([]);
    expect(placesOf(encodeURIComponent(clientSecret))).toEqual([]);
    expect(placesOf(new URLSearchParams({ clientSecret }).toString().slice('clientSecret='.length))).toEqual([]);
  });

  test('no access token or signature of one is anywhere', () => {
    const marks = service.tokens.flatMap((token) => [token, token.split('.').at(-1) ?? token]);
    expect(marks.flatMap(placesOf)).toEqual([]);
  });
});

interface LogLine {
  readonly level: string;
  readonly message: string;
  readonly service: string;
  readonly timestamp: string;
  readonly importId?: string;
  readonly request?: number;
  readonly portId?: string;
}

/** Log entries about a run, a message or the service, not about one import. */
const aboutNoImport = [
  'a message could not be decoded',
  'announced',
  'ingest failed, the message is repeated',
  'nothing to import',
  'searched the port list',
  'synced',
  'the reference data was written',
  'the service could not be called; what is due stays due',
];

describe('the log lines of the functions', () => {
  const stages = ['ingest', 'submit', 'sync', 'report', 'announce'];
  const logged = () =>
    lines
      .filter(({ source }) => stages.includes(source))
      .map(({ source, line }) => ({ source, line, entry: JSON.parse(line) as LogLine }))
      .filter(({ entry }) => !('_aws' in entry));

  test('are JSON with level, time and step', () => {
    const unstructured = logged().filter(
      ({ source, entry }) => !entry.level || !entry.timestamp || !entry.message || entry.service !== source,
    );
    expect(unstructured.map(({ line }) => line)).toEqual([]);
  });

  test('name the import if they are about one, and always with a request or a port', () => {
    const nameless = logged().filter(({ entry }) => {
      const { importId, request, portId, message } = entry;
      return importId === undefined && (request ?? portId ?? !aboutNoImport.includes(message));
    });
    expect(nameless.map(({ line }) => line)).toEqual([]);
  });

  test('include every kind of failure', () => {
    const told = new Set(logged().map(({ entry }) => entry.message));
    expect(toldLines.filter((message) => !told.has(message))).toEqual([]);
  });
});
