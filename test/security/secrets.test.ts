// A whole import over the wire with marked porting codes, a marked client secret and marked tokens, against a service that
// repeats all of them: afterwards everything that was logged, sent, stored or written is searched for the marks (decision 44), and
// the logs for phone numbers as well.
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GetObjectCommand, ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3';
import { SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startDynamoDb } from '#local/aws/dynamodb.ts';
import { startSqs } from '#local/aws/sqs.ts';
import { writeState } from '#local/directory.ts';
import { type Engine, startEngine } from '#local/engine.ts';
import { acceleratedClock } from '#shared/runtime/clock.ts';
import { connectionTo, sendAll } from '../support/local-engine.ts';
import { until } from '../support/pipeline-process.ts';
import { dropFile, importOf } from './import.ts';
import { badRows, goodRows, markedFile, misplacedPacs, newPac, numbers, pacs, updateFile } from './marked-files.ts';
import { recordInFrontOf } from './recorder.ts';
import { startTalkativeService, type TalkativeService } from './talkative-service.ts';

/** No shape gives it away, as it gives a PAC or a token away. */
const clientSecret = 'Marked_Client.Secret~of+the/test';

interface Place {
  readonly name: string;
  readonly text: string;
}

let folder: string;
let service: TalkativeService;
let engine: Engine;
const undo: (() => Promise<unknown>)[] = [];
const lines: { readonly source: string; readonly line: string }[] = [];
/** Everything that was told, by where. */
const places: Place[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'simporter-security-'));
  undo.push(() => rm(folder, { recursive: true, force: true }));
  // Sync runs every half second, and a day is over in a minute.
  const time = { origin: Date.now(), speed: 1440 };
  await mkdir(join(folder, 'engine'));
  await writeState(join(folder, 'engine'), { ...time, tcpPorts: {}, guards: [], secrets: {} });
  service = await startTalkativeService(clientSecret, acceleratedClock(time.origin, time.speed));
  const [database, queues] = await Promise.all([startDynamoDb(), startSqs('eu-west-2')]);
  const [table, messages] = await Promise.all([recordInFrontOf(database.url), recordInFrontOf(queues.url)]);
  undo.push(service.close, database.stop, queues.stop, table.close, messages.close);
  engine = await startEngine({
    ...{ directory: join(folder, 'engine'), service: service.access },
    callerEnvironment: { AWS_ENDPOINT_URL_DYNAMODB: table.url, AWS_ENDPOINT_URL_SQS: messages.url },
    log: (source, line) => void lines.push({ source, line }),
  });
  undo.push(engine.stop);

  await sendPoison(queues.url);
  await importWhole();

  places.push(
    ...lines.map(({ source, line }) => ({ name: `log of ${source}`, text: line })),
    ...table.bodies.map((text) => ({ name: 'item of a table', text })),
    ...messages.bodies.map((text) => ({ name: 'message of a queue', text })),
    ...(await events()),
    ...(await objects()),
    ...(await Promise.all(
      ['engine.json', 'state.json'].map(async (name) => ({
        name,
        text: await readFile(join(folder, 'engine', name), 'utf8'),
      })),
    )),
  );
}, 120_000);
afterAll(async () => {
  for (const step of undo.reverse()) await step();
});

/** Messages that nobody can read. They come from elsewhere, so they do not pass the recorder; what is made of them does. */
async function sendPoison(endpoint: string): Promise<void> {
  const sqs = new SQSClient(connectionTo(endpoint));
  const [pac = ''] = pacs;
  const [number = ''] = numbers;
  for (const name of ['IngestQueueUrl', 'SubmitQueueUrl', 'ReportQueueUrl']) {
    const queue = `${endpoint}${new URL(engine.outputs[name] ?? '').pathname}`;
    await sendAll(sqs, queue, [`{"importId": 1, "pac": "${pac}"`, `${pac} is no message`, `44${number} is none`]);
  }
}

/** Ports with every kind of answer, and a change of one. */
async function importWhole(): Promise<void> {
  const ports = await dropFile(engine, 'create-port', markedFile());
  const sent = await until('every request has its answer', async () => {
    const item = await importOf(engine, ports);
    return item.state === 'following' ? item : undefined;
  });
  expect(sent).toMatchObject({ rejected: badRows, accepted: goodRows });
  const change = await dropFile(engine, 'update-port', updateFile());
  await until('the change was taken', async () => {
    const { state } = await importOf(engine, change);
    return state === 'completed' || undefined;
  });
  const reported = async () => (await importOf(engine, change)).reported;
  await until('its results are written', reported);
}

/** The bus shows what it was given. */
async function events(): Promise<Place[]> {
  const found = until('an event on the bus', async () => {
    const text = await (await fetch(`${engine.endpoints.eventBridge}/events`)).text();
    return text.includes('detail-type') ? text : undefined;
  });
  return [{ name: 'events of the bus', text: await found }];
}

async function objects(): Promise<Place[]> {
  const s3 = new S3Client({ ...connectionTo(engine.endpoints.s3), forcePathStyle: true });
  const found: Place[] = [];
  for (const Bucket of [engine.outputs.InboxBucket, engine.outputs.WorkBucket, engine.outputs.ResultsBucket]) {
    const { Contents = [] } = await s3.send(new ListObjectsV2Command({ Bucket }));
    for (const { Key } of Contents) {
      const { Body } = await s3.send(new GetObjectCommand({ Bucket, Key }));
      found.push({ name: `${Bucket}/${Key}`, text: (await Body?.transformToString()) ?? '' });
    }
  }
  return found;
}

/** However it is written: spaces and hyphens do not make it another code. */
const plain = (text: string): string => text.toUpperCase().replace(/[\s-]/g, '');
const placesOf = (mark: string): string[] => [
  ...new Set(
    places.filter(({ text }) => plain(text).includes(plain(mark))).map(({ name, text }) => `${name}: ${text}`),
  ),
];

/** What the customer gave, the plan that is sent, and what they get back to mend (decision 44). */
const mayHoldPacs = (place: string): boolean =>
  place.startsWith(`${engine.outputs.InboxBucket}/`) || /\/imports\/[^/]+\/(plan\.ndjson|rejected\.csv): /.test(place);
/** It shows the cells of the file as they were; only the column of the codes is masked in it. */
const showsOtherColumns = (place: string): boolean => /\/imports\/[^/]+\/results\.csv: /.test(place);

describe('after a whole import', () => {
  test('the service has repeated everything it was told', () => {
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

  test.each([...pacs, newPac])(
    'the porting code %s stands nowhere but in what the customer gave and gets back',
    (pac) => {
      expect(placesOf(pac).filter((place) => !mayHoldPacs(place))).toEqual([]);
    },
  );

  test.each(misplacedPacs)('a porting code in another column, %s, is repeated by no message about it', (pac) => {
    const told = placesOf(pac).filter((place) => !mayHoldPacs(place) && !showsOtherColumns(place));
    expect(told).toEqual([]);
    const inMessages = placesOf(pac)
      .filter(showsOtherColumns)
      .flatMap((place) => plain(place).split(pac));
    expect(inMessages).toHaveLength(2);
  });

  test.each(numbers)('the number %s stands in the table, and in no log', (number) => {
    const told = placesOf(number);
    expect(told.filter((place) => place.startsWith('item of a table'))).not.toEqual([]);
    expect(told.filter((place) => place.startsWith('log of '))).toEqual([]);
  });

  test('the client secret stands nowhere', () => {
    expect(placesOf(clientSecret)).toEqual([]);
    expect(placesOf(encodeURIComponent(clientSecret))).toEqual([]);
    expect(placesOf(new URLSearchParams({ clientSecret }).toString().slice('clientSecret='.length))).toEqual([]);
  });

  test('no access token stands anywhere, whole or its signature alone', () => {
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

/** What is logged of a run, a message or the service, and not of one import. */
const aboutNoImport = [
  'a message is not a report message',
  'a message is not a submit message',
  'announced',
  'import not taken, to be repeated',
  'nothing to import',
  'requests of unknown outcome were looked for',
  'synced',
  'the lookup pack was written',
  'the service could not be asked; what is due stays due',
];

describe('the log lines of the functions', () => {
  const stages = ['ingest', 'submit', 'sync', 'report', 'announce'];
  const logged = () =>
    lines
      .filter(({ source }) => stages.includes(source))
      .map(({ source, line }) => ({ source, line, entry: JSON.parse(line) as LogLine }))
      .filter(({ entry }) => !('_aws' in entry));

  test('are JSON, each with its level, its time and its stage', () => {
    const unstructured = logged().filter(
      ({ source, entry }) => !entry.level || !entry.timestamp || !entry.message || entry.service !== source,
    );
    expect(unstructured.map(({ line }) => line)).toEqual([]);
  });

  test('name the import wherever they are about one, and always beside a request or a port', () => {
    const nameless = logged().filter(({ entry }) => {
      const { importId, request, portId, message } = entry;
      return importId === undefined && (request ?? portId ?? !aboutNoImport.includes(message));
    });
    expect(nameless.map(({ line }) => line)).toEqual([]);
  });

  test('tell of every kind of trouble there was', () => {
    const told = new Set(logged().map(({ entry }) => entry.message));
    const expected = ['import taken', 'called', 'port changed', 'a port was adopted', 'results written', 'synced'];
    expect(expected.filter((message) => !told.has(message))).toEqual([]);
  });
});
