// Items of the table that cannot be read, for example after a manual change, or that cannot be written: they are named
// and counted, and do not stop the others.

import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { listPorts } from '#functions/sync/list-ports.ts';
import type { SyncPipeline } from '#functions/sync/run.ts';
import { watchLateCommits } from '#functions/sync/unknown-outcomes/late-commits.ts';
import { importKey } from '#shared/import/import.ts';
import { comparisonKey } from '#shared/outcome/service-comparison.ts';
import { portKey, portRowsKey } from '#shared/port/port.ts';
import { numberKey } from '#shared/request/number-claim.ts';
import { requestKey } from '#shared/request/request.ts';
import { markActionRequired } from '#shared/request/request-state.ts';
import { findPorts, openPortList } from '#shared/results/ports.ts';
import { UnreadableItem } from '#shared/row/issue.ts';
import { resolutionKey } from '#shared/store/people.ts';
import type { ItemKey } from '#shared/text/stored-values.ts';
import { double } from '../../support/double.ts';
import { type ResultsServices, startResultsServices } from '../../support/embedded/services.ts';
import { day, hour, minute } from '../../support/service/simulator.ts';
import { importItemOf, msisdnOf, plannedRowOf, type Rig, startRig } from '../../support/steps/submit-and-sync.ts';
import { silentLog } from '../../support/steps/test-pipeline.ts';

let services: ResultsServices;
let rig: Rig;
let errors: unknown[][];

beforeAll(async () => {
  services = await startResultsServices();
});
afterAll(() => services.stop());
beforeEach(async () => {
  rig = await startRig(services);
  errors = [];
});

const syncAll = (changes: Partial<SyncPipeline> = {}) =>
  rig.sync({ log: { ...silentLog, error: (...told) => void errors.push(told) }, ...changes });

/** Gives an attribute of the item a wrong type. */
async function spoil(key: ItemKey, attribute: string): Promise<void> {
  await services.table.send(
    new UpdateCommand({
      TableName: rig.table,
      Key: { ...key },
      UpdateExpression: 'SET #it = :odd',
      ConditionExpression: 'attribute_exists(pk)',
      ExpressionAttributeNames: { '#it': attribute },
      ExpressionAttributeValues: { ':odd': { odd: true } },
    }),
  );
}
/** The items that were named in the log. */
const named = () =>
  errors.flatMap(([, fields]) => {
    const { error } = fields as { readonly error?: unknown };
    return error instanceof UnreadableItem ? [error.place] : [];
  });
const requests = async (count: number) => {
  const groups = Array.from({ length: count }, (_, index) => [plannedRowOf(index + 1, index + 2)]);
  return rig.plan('import-a', groups);
};
const submitted = async (count: number): Promise<string[]> => {
  const messages = await requests(count);
  for (const message of messages) await rig.submit(message);
  return Promise.all(messages.map(async ({ request }) => (await rig.request('import-a', request)).portId ?? ''));
};

test('a lost request that cannot be read does not stop the others from being sent again', async () => {
  await requests(3);
  await spoil(requestKey('import-a', 2), 'label');
  rig.pass(16 * minute);
  expect(await syncAll()).toMatchObject({ resent: 2 });
  expect(named()).toEqual(['import#import-a request#0000002']);
  expect(rig.counts.unreadableItems).toBe(1);
});

test.each([
  ['the port', (portId: string) => portKey(portId), 'connectionDate'],
  ['its rows', (portId: string) => portRowsKey(portId), 'rows'],
  ['its request', () => requestKey('import-a', 1), 'label'],
])('a due port whose %s cannot be read does not stop the others', async (_what, keyOf, attribute) => {
  const [bad = '', ...others] = await submitted(3);
  await spoil(keyOf(bad), attribute);
  rig.pass(hour);
  expect(await syncAll()).toMatchObject({ changed: 2 });
  for (const portId of others) expect(await rig.ports.get(portId)).toMatchObject({ status: 'Submitted' });
  expect(named()).toEqual([`${keyOf(bad).pk} ${keyOf(bad).sk}`]);
  expect(rig.counts.unreadableItems).toBe(1);
});

test('a port whose other items cannot be read is not read again at once', async () => {
  const [bad = ''] = await submitted(1);
  await spoil(portRowsKey(bad), 'rows');
  rig.pass(hour);
  await syncAll();
  expect(Date.parse((await rig.ports.get(bad))?.dueAt ?? '')).toBeGreaterThan(rig.service.now());
});

test('a port that is too large for an item does not stop the others', async () => {
  const [bad = '', ...others] = await submitted(3);
  const { client } = rig.syncParts();
  const port = async (id: string) => {
    const detail = await client.port(id);
    return id === bad ? { ...detail, statusName: 'x'.repeat(500_000) } : detail;
  };
  rig.pass(hour);
  expect(await syncAll({ client: { ...client, port } })).toMatchObject({ changed: 2 });
  for (const portId of others) expect(await rig.ports.get(portId)).toMatchObject({ status: 'Submitted' });
  expect(named()).toEqual([`port#${bad}`]);
  expect(Date.parse((await rig.ports.get(bad))?.dueAt ?? '')).toBeGreaterThan(rig.service.now());
});

test('a port with blocking rows that cannot be read does not stop the others', async () => {
  const groups = [1, 11].map((first) => [plannedRowOf(first, 2), plannedRowOf(first + 1, 3, 'INV123456')]);
  for (const message of await rig.plan('import-a', groups)) await rig.submit(message);
  rig.pass(2 * hour);
  await syncAll();
  await spoil(portKey((await rig.request('import-a', 2)).portId ?? ''), 'connectionDate');
  rig.pass(2 * hour);
  expect(await syncAll({ settings: { ...rig.syncParts().settings, removeBlockingAfterMs: hour } })).toMatchObject({
    removed: 1,
  });
});

test('an import that cannot be read does not keep report from being notified of others, and is named every hour', async () => {
  for (const importId of ['import-a', 'import-b', 'import-c']) {
    await rig.imports.begin(importItemOf(importId, { changedAt: new Date(rig.service.now()).toISOString() }));
    await rig.notifications.set(importId, rig.service.now());
  }
  await spoil(importKey('import-b'), 'rows');
  await syncAll();
  const told = services.waiting('report').map(({ body }) => (body as { importId: string }).importId);
  expect(told.sort()).toEqual(['import-a', 'import-c']);
  expect(named()).toEqual(['import#import-b import']);
  rig.pass(hour - 1);
  await syncAll();
  expect(named()).toHaveLength(1);
  rig.pass(1);
  await syncAll();
  expect(named()).toHaveLength(2);
  expect(services.waiting('report').map(({ body }) => body)).not.toContainEqual({ importId: 'import-b' });
});

test('a comparison that cannot be read does not stop the others', async () => {
  const services = [{ name: 'Roaming', value: 'true' }];
  const groups = [1, 2].map((index) => [plannedRowOf(index, 2)]);
  for (const message of await rig.plan('import-a', groups, { services })) await rig.submit(message);
  rig.pass(4 * day);
  await rig.sync({ comparisons: double({ due: async () => [], replace: async () => false }) });
  await spoil(comparisonKey('import-a', 1), 'rounds');
  expect(await syncAll()).toMatchObject({ compared: 1 });
  expect(named()).toEqual(['import#import-a comparison#0000001']);
});

describe('a resolution that waits', () => {
  const ask = (request: number) =>
    rig.resolutions.ask({
      importId: 'import-a',
      request,
      what: { kind: 'abandon' },
      by: 'Sam',
      at: new Date(rig.service.now() + request).toISOString(),
      expiresAt: Math.floor(rig.service.now() / 1_000) + 86_400,
    });
  const answerTo = async (request: number) => (await rig.resolutions.get('import-a', request))?.answer;
  beforeEach(async () => {
    await requests(2);
    for (const request of [1, 2]) {
      const item = await rig.request('import-a', request);
      await rig.requests.replace(item, markActionRequired(item, 'unclear', rig.service.now()));
      await ask(request);
    }
    rig.pass(minute);
  });

  test('is answered if its request cannot be read, and the others are carried out', async () => {
    await spoil(requestKey('import-a', 1), 'label');
    await syncAll();
    expect(await answerTo(1)).toMatchObject({
      resolved: false,
      why: 'an item of the table cannot be read: import#import-a request#0000001',
    });
    expect(await answerTo(2)).toMatchObject({ resolved: true, state: 'declined' });
    expect(await rig.resolutions.waiting(rig.service.now(), 10)).toEqual([]);
    expect(new Set(named())).toEqual(new Set(['import#import-a request#0000001']));
  });

  test('is named if it cannot be read itself, and the others are carried out', async () => {
    await spoil(resolutionKey('import-a', 1), 'what');
    await syncAll();
    expect(await answerTo(2)).toMatchObject({ resolved: true, state: 'declined' });
    const { pk, sk } = resolutionKey('import-a', 1);
    expect(named()).toContain(`${pk} ${sk}`);
  });
});

test('a claim that cannot be read is named without its number', async () => {
  await submitted(1);
  await spoil(numberKey(msisdnOf(1)), 'claimedAt');
  const error = await rig.numbers.get(msisdnOf(1)).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(UnreadableItem);
  expect(String(error)).toContain('number#… current: claimedAt');
  expect(String(error)).not.toContain(msisdnOf(1));
});

test('a port that cannot be read stops neither the watch for late ports nor the list of ports for people', async () => {
  const [one = '', other = ''] = await submitted(2);
  await spoil(portKey(one), 'connectionDate');
  await rig.imports.begin(importItemOf('import-a', { receivedAt: new Date(rig.service.now()).toISOString() }));
  rig.pass(hour);
  const resultsBucket = services.buckets.results;
  await syncAll({ watchLateCommits });
  expect(new Set(named())).toEqual(new Set([`port#${one} port`]));
  expect(await listPorts(rig.syncParts())).toEqual({
    ports: 2,
    isComplete: true,
  });
  const list = await openPortList({ files: rig.files, resources: { account: 1001, resultsBucket } });
  const shown = list && (await Array.fromAsync(findPorts(list, {}, rig.ports)));
  expect(shown?.map(({ portId, importId }) => [portId, importId])).toEqual(
    expect.arrayContaining([
      [one, null],
      [other, 'import-a'],
    ]),
  );
});
