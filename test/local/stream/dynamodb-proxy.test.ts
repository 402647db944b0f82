// The proxy in front of a DynamoDB whose own stream is on: its records must be those of that stream.
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { ClientRequest } from 'node:http';
import { isDeepStrictEqual } from 'node:util';
import {
  BatchExecuteStatementCommand,
  BatchWriteItemCommand,
  CreateTableCommand,
  DynamoDBClient,
  ExecuteStatementCommand,
} from '@aws-sdk/client-dynamodb';
import { type DynamoDBDocumentClient, PutCommand, TransactWriteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { type EmbeddedDynamoDb, startDynamoDb } from '#local/aws/dynamodb.ts';
import { type LoopbackServer, serveOnLoopback } from '#local/http/loopback.ts';
import { createDynamoDbProxy, type DynamoDbProxyOptions, type ItemChange } from '#local/stream/dynamodb-proxy.ts';
import { createFilter } from '#local/stream/filter.ts';
import { numberKey } from '#shared/request/number-claim.ts';
import { documentClient } from '#shared/store/clients.ts';
import { createImports } from '#shared/store/imports.ts';
import { createNumbers } from '#shared/store/numbers.ts';
import { createPorts } from '#shared/store/ports.ts';
import { createRequests } from '#shared/store/requests.ts';
import { wasWritten } from '#shared/store/table.ts';
import { tableDefinition } from '../../support/embedded/table.ts';
import { connectionTo } from '../../support/emulator/emulator.ts';
import { portEventOf } from '../../support/infra/stream-records.ts';
import { portItemOf, portRowsOf, requestItemOf } from '../../support/steps/ledger-items.ts';
import { importItemOf } from '../../support/steps/submit-and-sync.ts';

const table = 'results';
let dynamodb: EmbeddedDynamoDb;
let direct: DynamoDBClient;
let server: LoopbackServer;
let client: DynamoDBClient;
let items: DynamoDBDocumentClient;
const changes: ItemChange[] = [];

const serveProxy = async (options: DynamoDbProxyOptions): Promise<LoopbackServer> => {
  const proxy = createDynamoDbProxy(options);
  const { close, ...served } = await serveOnLoopback(proxy.handle);
  return { ...served, close: () => close().then(proxy.close) };
};

beforeAll(async () => {
  dynamodb = await startDynamoDb();
  direct = new DynamoDBClient(connectionTo(dynamodb.url));
  const stream = { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' } as const;
  const definition = tableDefinition(table);
  await direct.send(new CreateTableCommand({ ...definition, StreamSpecification: stream }));
  await direct.send(new CreateTableCommand({ ...definition, TableName: 'not-followed' }));
  const keys = (definition.KeySchema ?? []) as { AttributeName: string; KeyType: 'HASH' | 'RANGE' }[];
  server = await serveProxy({
    endpoint: dynamodb.url,
    filter: createFilter([]),
    tables: [{ name: table, streamArn: 'stream', KeySchema: keys }],
    changed: (change) => changes.push(change),
  });
  client = new DynamoDBClient(connectionTo(server.url));
  items = documentClient(client);
});
beforeEach(() => changes.splice(0));
afterAll(async () => {
  client.destroy();
  direct.destroy();
  await server.close();
  await dynamodb.stop();
});

/** The embedded DynamoDB needs a signature, which it does not check. */
const unchecked =
  'AWS4-HMAC-SHA256 Credential=local/20260706/eu-west-2/dynamodb/aws4_request, SignedHeaders=host, Signature=0';

/** A call of DynamoDB Streams, whose client is not a dependency. */
const ask = async (operation: string, input: object) => {
  const response = await fetch(dynamodb.url, {
    method: 'POST',
    headers: {
      authorization: unchecked,
      'x-amz-date': '20260706T120000Z',
      'content-type': 'application/x-amz-json-1.0',
      'x-amz-target': `DynamoDBStreams_20120810.${operation}`,
    },
    body: JSON.stringify(input),
  });
  const answer = await response.json();
  if (!response.ok) throw new Error(`${operation}: ${JSON.stringify(answer)}`);
  return answer as Record<string, never>;
};

/** All records of the table's own stream. */
async function ownStream(): Promise<Omit<ItemChange, 'streamArn'>[]> {
  const { Streams } = (await ask('ListStreams', { TableName: table })) as { Streams?: { StreamArn: string }[] };
  const StreamArn = Streams?.[0]?.StreamArn;
  const { StreamDescription } = (await ask('DescribeStream', { StreamArn })) as {
    StreamDescription?: { Shards: { ShardId: string }[] };
  };
  const ShardId = StreamDescription?.Shards[0]?.ShardId;
  const place = { StreamArn, ShardId, ShardIteratorType: 'TRIM_HORIZON' };
  const { ShardIterator } = (await ask('GetShardIterator', place)) as { ShardIterator?: string };
  const { Records } = (await ask('GetRecords', { ShardIterator })) as { Records?: ItemChange[] };
  // On AWS a write that changes nothing makes no record; the embedded table's own stream has one.
  const moved = (Records ?? []).filter(
    ({ dynamodb: { OldImage, NewImage } }) => !isDeepStrictEqual(OldImage, NewImage),
  );
  return moved.map(({ eventName, dynamodb: { Keys, NewImage, OldImage } }) => ({
    eventName,
    dynamodb: { Keys, ...(NewImage && { NewImage }), ...(OldImage && { OldImage }) },
  }));
}

/** Streams keep the order of one item, not that of two. */
const byItem = (all: readonly Omit<ItemChange, 'streamArn'>[]) =>
  Object.groupBy(all, ({ dynamodb: { Keys } }) => `${Keys.pk?.S} ${Keys.sk?.S}`);

const claim = (number: string) => ({
  number,
  importId: 'i',
  request: 1,
  line: 2,
  claimedAt: '2026-07-06T12:00:00.000Z',
  expiresAt: 1_850_000_000,
});
const told = { portId: 'p', status: 'PacInvalid', readAt: '2026-07-06T12:00:00.000Z', ended: false };

describe('the proxy', () => {
  test("makes the records of the table's own stream for every write, in the order of each item", async () => {
    const before = (await ownStream()).length;
    const numbers = createNumbers(items, table);
    const imports = createImports(items, table);
    const requests = createRequests(items, table);
    const ports = createPorts(items, table);

    await imports.begin(importItemOf('i', { state: 'planning' }));
    await imports.begin(importItemOf('i', { state: 'planning' }));
    await imports.update('i', { state: 'planned' }, ['planning']);
    await imports.update('i', { state: 'planned' }, ['planning']);
    await numbers.claim([claim('447700900001'), claim('447700900002')]);
    await numbers.claim([claim('447700900002'), claim('447700900003')]);
    await numbers.takeOver(claim('447700900003'), { ...claim('447700900003'), importId: 'j' });
    const report = { ...told, importId: 'i', request: 1 };
    await numbers.record([{ ...report, number: '447700900001' }]);
    await numbers.record([{ ...report, number: '447700900001' }]);
    await numbers.record([{ ...report, number: '447700900003' }]);
    const planned = requestItemOf({ importId: 'i', state: 'planned' });
    await requests.plan([planned]);
    const created = { ...planned, revision: 1, state: 'created' as const };
    await requests.replace({ ...planned, revision: 0 }, created);
    const port = portItemOf();
    await ports.record({
      next: port,
      rows: portRowsOf('Submitted'),
      event: portEventOf(),
      request: { seen: created, next: { ...created, portStatus: port.status } },
    });
    await ports.record({ next: port, event: portEventOf({ status: 'Locked' }) });
    await ports.touch(port, { ...port, readAt: '2026-07-07T12:00:00.000Z' });

    const said = (await ownStream()).slice(before);
    expect(said.length).toBeGreaterThan(10);
    await expect.poll(() => changes.length).toBe(said.length);
    expect(byItem(changes.map(({ streamArn, ...change }) => change))).toEqual(byItem(said));
  });

  test('returns a declined write unchanged', async () => {
    const never = { TableName: table, Item: numberKey('1'), ConditionExpression: 'attribute_exists(pk)' };
    expect(await wasWritten(() => items.send(new PutCommand(never)))).toBe(false);
    expect(changes).toEqual([]);
  });

  test('shows each of many writes of one item as a change from the previous one', async () => {
    const Key = { pk: 'counter', sk: 'current' };
    const add = { TableName: table, Key, UpdateExpression: 'ADD n :one', ExpressionAttributeValues: { ':one': 1 } };
    await Promise.all(Array.from({ length: 20 }, () => items.send(new UpdateCommand(add))));
    await expect.poll(() => changes.length).toBe(20);
    const steps = changes.map(({ dynamodb: { OldImage, NewImage } }) => [OldImage?.n?.N ?? '0', NewImage?.n?.N]);
    expect(steps).toEqual(Array.from({ length: 20 }, (_, index) => [String(index), String(index + 1)]));
  });

  test('makes no records for a table whose stream has no consumer', async () => {
    const Item = { pk: 'a', sk: 'b' };
    await items.send(new TransactWriteCommand({ TransactItems: [{ Put: { TableName: 'not-followed', Item } }] }));
    expect(changes).toEqual([]);
  });

  test('declines a write that it cannot read, with the reason', async () => {
    const target = { 'x-amz-target': 'DynamoDB_20120810.ExecuteStatement' };
    const body = JSON.stringify({ Statement: 'DELETE FROM "results" WHERE pk = \'1\'' });
    const response = await fetch(server.url, { method: 'POST', headers: target, body });
    expect(response.status).toBe(400);
    expect(await response.text()).toContain('The emulator cannot read what this statement writes: DELETE FROM');
  });

  test('makes records for a batch that a person writes, and none for a statement that reads', async () => {
    const Item = { pk: { S: 'by hand' }, sk: { S: 'current' } };
    await client.send(new BatchWriteItemCommand({ RequestItems: { [table]: [{ PutRequest: { Item } }] } }));
    await client.send(new ExecuteStatementCommand({ Statement: `SELECT * FROM "${table}" WHERE pk = 'by hand'` }));
    expect(changes.map(({ eventName, dynamodb }) => [eventName, dynamodb.NewImage])).toEqual([['INSERT', Item]]);
  });
});

describe('a batch', () => {
  const key = (pk: string) => ({ pk: { S: pk }, sk: { S: 'of a batch' } });
  const insert = (pk: string) => ({
    Statement: `INSERT INTO "${table}" VALUE {'pk': ?, 'sk': ?}`,
    Parameters: Object.values(key(pk)),
  });
  const insertAll = (...pks: string[]) => new BatchExecuteStatementCommand({ Statements: pks.map(insert) });
  /** A record comes after the answer to its write. */
  const expectInserts = (...pks: string[]) =>
    expect
      .poll(() => changes.filter(({ dynamodb }) => pks.includes(dynamodb.Keys.pk?.S ?? '')))
      .toMatchObject(pks.map((pk) => ({ eventName: 'INSERT', dynamodb: { Keys: key(pk) } })));
  /** The operations that reach the DynamoDB behind the proxy, without what the proxy reads. */
  const operationsOf = async (work: () => Promise<unknown>): Promise<string[]> => {
    const seen: string[] = [];
    const note = (message: unknown): void => {
      const { request } = message as { readonly request: ClientRequest };
      if (String(request.host) !== new URL(dynamodb.url).hostname) return;
      seen.push(String(request.getHeader('x-amz-target')).split('.')[1] ?? '');
    };
    subscribe('http.client.request.start', note);
    await work();
    unsubscribe('http.client.request.start', note);
    return seen.filter((name) => name !== 'BatchGetItem');
  };

  test('of inserts is one transaction, with the answer and the records of a batch', async () => {
    let answer: unknown;
    const operations = await operationsOf(async () => {
      answer = (await client.send(insertAll('one', 'two'))).Responses;
    });
    expect(operations).toEqual(['ExecuteTransaction']);
    const separate = await direct.send(insertAll('three', 'four'));
    expect(answer).toEqual(separate.Responses);
    await expectInserts('one', 'two');
  });

  test('with an item that exists stores the others, and names the one that is declined', async () => {
    await client.send(insertAll('exists'));
    const { Responses = [] } = await client.send(insertAll('new', 'exists', 'newer'));
    expect(Responses.map(({ Error: error }) => error?.Code)).toEqual([undefined, 'DuplicateItem', undefined]);
    await expectInserts('new', 'newer');
  });

  test('of puts and deletions is one transaction', async () => {
    const writes = [{ PutRequest: { Item: key('put') } }, { DeleteRequest: { Key: key('gone') } }];
    let answer: unknown;
    const operations = await operationsOf(async () => {
      answer = await client.send(new BatchWriteItemCommand({ RequestItems: { [table]: writes } }));
    });
    expect(operations).toEqual(['TransactWriteItems']);
    expect(answer).toMatchObject({ UnprocessedItems: {} });
    await expectInserts('put');
  });
});

/** A proxy with the filter of these patterns, which counts how often it reads. */
async function startNarrow(patterns: readonly string[]) {
  const reads = { count: 0 };
  const countRead = (message: unknown): void => {
    const { request } = message as { readonly request: ClientRequest };
    if (request.getHeader('x-amz-target') === 'DynamoDB_20120810.BatchGetItem') reads.count += 1;
  };
  subscribe('http.client.request.start', countRead);
  const wanted: ItemChange[] = [];
  const narrow = await serveProxy({
    endpoint: dynamodb.url,
    changed: (change: ItemChange) => wanted.push(change),
    filter: createFilter(patterns),
    tables: [
      {
        name: table,
        streamArn: 's',
        KeySchema: [
          { AttributeName: 'pk', KeyType: 'HASH' },
          { AttributeName: 'sk', KeyType: 'RANGE' },
        ],
      },
    ],
  });
  const through = new DynamoDBClient(connectionTo(narrow.url));
  onTestFinished(async () => {
    unsubscribe('http.client.request.start', countRead);
    through.destroy();
    await narrow.close();
  });
  return { through: documentClient(through), wanted, reads };
}

test('only items that the filter may want are read, and a put that cannot pass costs no read', async () => {
  const { through, wanted, reads } = await startNarrow([
    '{"dynamodb":{"Keys":{"sk":{"S":["current"]}},"NewImage":{"told":{"M":{"ended":{"BOOL":[false]}}}}}}',
  ]);
  const numbers = createNumbers(through, table);

  await numbers.claim([claim('447700900101'), claim('447700900102')]);
  expect(reads.count).toBe(0);
  await numbers.record([{ ...told, number: '447700900101', importId: 'i', request: 1 }]);
  await expect.poll(() => wanted.length).toBe(1);
  expect(reads.count).toBe(2);
});

test('an item that is put is read only before: afterwards it is what was sent', async () => {
  const { through, wanted, reads } = await startNarrow(['{"dynamodb":{"Keys":{"sk":{"S":[{"prefix":"event#"}]}}}}']);
  const port = portItemOf({ portId: 'q' });

  await createPorts(through, table).record({ next: port, event: portEventOf({ portId: 'q' }) });

  await expect.poll(() => wanted.map(({ eventName }) => eventName)).toEqual(['INSERT']);
  expect(reads.count).toBe(1);
});

test('an update that returns the new item is read only before', async () => {
  const { through, wanted, reads } = await startNarrow(['{"dynamodb":{"Keys":{"sk":{"S":["import"]}}}}']);
  const imports = createImports(through, table);
  await imports.begin(importItemOf('updated', { state: 'planning' }));
  reads.count = 0;

  await imports.update('updated', { state: 'planned' }, ['planning']);

  await expect.poll(() => wanted.map(({ dynamodb }) => dynamodb.NewImage?.state?.S)).toEqual(['planning', 'planned']);
  expect(reads.count).toBe(1);
});

test('a transaction that is declined makes no records', async () => {
  const { through, wanted, reads } = await startNarrow(['{"dynamodb":{"Keys":{"sk":{"S":[{"prefix":"event#"}]}}}}']);
  const port = portItemOf({ portId: 'r' });
  const ports = createPorts(through, table);
  await ports.record({ next: port });

  expect(await ports.record({ next: port, event: portEventOf({ portId: 'r' }) })).toBe(false);

  await expect.poll(() => reads.count).toBe(2);
  expect(wanted).toEqual([]);
});
