// A run of sync that cannot read everything: a port, or items of the table.

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
import { startTwinServices } from '../../support/in-memory/services.ts';
import { day, hour, minute } from '../../support/service/simulator.ts';
import {
  importItemOf,
  msisdnOf,
  plannedRowOf,
  quietMs,
  type Rig,
  startRig,
} from '../../support/steps/submit-and-sync.ts';
import { silentLog } from '../../support/steps/test-pipeline.ts';

// Over HTTP: one port that the service always fails to show delays no other, and an outage is noticed with few calls.
describe('a port that cannot be read', () => {
  let services: ResultsServices;
  let rig: Rig;
  /** Calls that reached the service, except for tokens. */
  let calls: string[];
  let errors: unknown[];

  beforeAll(async () => {
    services = await startTwinServices();
  });
  afterAll(() => services.stop());
  beforeEach(async () => {
    rig = await startRig(services);
    calls = [];
    errors = [];
  });

  type Fails = (call: string) => boolean;
  /** An environment whose failing calls are answered with 500. */
  const broken = (fails: Fails) =>
    rig.connect(async (input, init) => {
      const { pathname } = new URL(String(input));
      if (pathname.endsWith('/connect/token')) return fetch(input, init);
      const call = `${init?.method ?? 'GET'} ${pathname}`;
      calls.push(call);
      return fails(call) ? new Response('it broke', { status: 500 }) : fetch(input, init);
    });
  const troubled = (fails: Fails, changes: Partial<SyncPipeline> = {}): Partial<SyncPipeline> => {
    const log = { ...silentLog, error: (...told: unknown[]) => void errors.push(told) };
    return { ...broken(fails), log, ...changes };
  };
  const showing = (portIds: readonly (string | undefined)[]): Fails => {
    const paths = portIds.map((id) => `GET /api/porting/1001/port/${id}`);
    return (call) => paths.includes(call);
  };
  const everything: Fails = () => true;
  const everyPort: Fails = (call) => call.startsWith('GET /api/porting/1001/port/');

  /** Creates this many ports with one number each, reads them back, and returns their ids. */
  const portsMade = async (count: number, date = '2026-07-08'): Promise<string[]> => {
    const groups = Array.from({ length: count }, (_, index) => [plannedRowOf(index + 1, index + 2)]);
    for (const message of await rig.plan('import-a', groups, { connectionDate: date as never }))
      await rig.submit(message);
    return Promise.all(groups.map(async (_, index) => (await rig.request('import-a', index + 1)).portId ?? ''));
  };
  const dueOf = async (portId: string): Promise<number> => Date.parse((await rig.ports.get(portId))?.dueAt ?? '');
  /** The ports of the table. */
  const statusesOf = (ids: readonly string[]) => Promise.all(ids.map(async (id) => (await rig.ports.get(id))?.status));

  describe('a port that always answers 500 while the service answers other calls', () => {
    test('is deferred and named, and the others are read', async () => {
      const [bad = '', ...others] = await portsMade(6);
      rig.pass(hour);
      expect(await rig.sync(troubled(showing([bad])))).toMatchObject({ polled: 6, changed: 5, left: 0 });
      expect(await statusesOf([bad])).toEqual(['Created']);
      expect(new Set(await statusesOf(others))).toEqual(new Set(['Submitted']));
      expect(rig.counts.deferred).toBe(1);
      const about = expect.objectContaining({ portId: bad, error: expect.objectContaining({ status: 500 }) });
      expect(errors).toEqual([['a port could not be read', about]]);
    });

    test('is read less and less often, and at the usual times once it is shown again', async () => {
      const [bad = ''] = await portsMade(1);
      const waits: number[] = [];
      for (let look = 0; look < 5; look += 1) {
        rig.pass((await dueOf(bad)) - rig.service.now());
        await rig.sync(troubled(showing([bad])));
        waits.push(((await dueOf(bad)) - rig.service.now()) / minute);
      }
      expect(waits).toEqual([1, 2, 4, 8, 16]);
      rig.pass(16 * minute);
      expect(await rig.sync()).toMatchObject({ polled: 1, changed: 1 });
    });

    test('has a concern after an hour, with the time of its last reading, until it is shown again', async () => {
      const [bad = '', ...others] = await portsMade(8, '2026-07-16');
      rig.pass(hour);
      await rig.sync();
      const seen = await rig.ports.get(bad);
      const looks = async (changes: Partial<SyncPipeline>) => {
        rig.pass(day);
        await rig.sync(changes);
      };
      // The list shows no page, so each port is read by itself.
      const fails: Fails = (call) => showing([bad])(call) || call === 'GET /api/porting/1001';
      for (let look = 1; look <= 3; look += 1) {
        expect(await rig.ports.actionRequired()).toEqual([]);
        await looks(troubled(fails));
      }
      const concern = expect.stringContaining('could not be read');
      expect(await rig.ports.actionRequired()).toMatchObject([{ portId: bad, concern, readAt: seen?.readAt }]);
      expect(await rig.request('import-a')).toMatchObject({ actionRequired: 1 });
      expect(rig.counts.actionRequired).toBe(1);
      expect(services.waiting('report').at(-1)?.body).toEqual({ importId: 'import-a' });
      await looks({});
      expect(await rig.ports.actionRequired()).toEqual([]);
      expect(await rig.request('import-a')).toMatchObject({ actionRequired: 0 });
      expect(new Set(await statusesOf([bad, ...others]))).toEqual(new Set(['Submitted']));
    });

    test('delays no other, even with more such ports than are read at the same time', async () => {
      const ids = await portsMade(9);
      // The list shows the newest first.
      const bad = ids.slice(2);
      rig.pass(hour);
      for (let run = 0; run < 3; run += 1) {
        rig.pass(5 * minute);
        await rig.sync(troubled(showing(bad)));
      }
      expect(await statusesOf(ids.slice(0, 2))).toEqual(['Submitted', 'Submitted']);
    });

    test('does not keep other new ports from being read when it is new', async () => {
      const groups = [1, 2, 3].map((index) => [plannedRowOf(index, index + 1)]);
      const messages = await rig.plan('import-a', groups);
      for (const message of messages) await rig.submit(message, { client: broken(everyPort).client });
      const [bad, ...others] = await Promise.all(messages.map(({ request }) => rig.request('import-a', request)));
      await rig.sync(troubled(showing([bad?.portId])));
      expect(await statusesOf(others.map(({ portId = '' }) => portId))).toEqual(['Created', 'Created']);
      const left = await rig.request('import-a', 1);
      expect(left).toMatchObject({ state: 'created', dueAt: new Date(rig.service.now() + quietMs).toISOString() });
    });

    test('does not keep blocking rows of other ports from being removed', async () => {
      const groups = [1, 11].map((first) => [plannedRowOf(first, 2), plannedRowOf(first + 1, 3, 'INV123456')]);
      for (const message of await rig.plan('import-a', groups)) await rig.submit(message);
      rig.pass(2 * hour);
      await rig.sync();
      const ids = await Promise.all([1, 2].map(async (request) => (await rig.request('import-a', request)).portId));
      const settings = { ...rig.syncParts().settings, removeBlockingAfterMs: hour };
      const taken: unknown[] = [];
      // The other one continues, whichever comes first.
      for (const bad of ids) {
        rig.pass(2 * hour);
        const fails: Fails = (call) => call === `PATCH /api/porting/1001/port/${bad}`;
        taken.push((await rig.sync(troubled(fails, { settings }))).removed);
      }
      expect(taken).toEqual([1, 1]);
    });
  });

  test('when a page of the list cannot be read, each due port is read by itself', async () => {
    await portsMade(4);
    rig.pass(hour);
    const list: Fails = (call) => call === 'GET /api/porting/1001';
    expect(await rig.sync(troubled(list))).toMatchObject({ polled: 4, changed: 4, left: 0 });
  });

  describe('a service', () => {
    test('that is down is noticed with nine calls, and probed once by the next run; what is due stays due', async () => {
      const ids = await portsMade(20);
      rig.pass(hour);
      const dues = await Promise.all(ids.map(dueOf));
      expect(await rig.sync(troubled(everything))).toMatchObject({ polled: 0, changed: 0 });
      expect(calls.length).toBeLessThanOrEqual(9);
      calls.length = 0;
      await rig.sync(troubled(everything));
      expect(calls).toEqual(['GET /api/porting/1001/networks']);
      expect(await Promise.all(ids.map(dueOf))).toEqual(dues);
      expect(rig.counts.deferred).toBeUndefined();
    });

    test('that is down while two ports are due gets no more calls', async () => {
      const ids = await portsMade(2);
      rig.pass(hour);
      const dues = await Promise.all(ids.map(dueOf));
      await rig.sync(troubled(everything));
      expect(calls.length).toBeLessThanOrEqual(9);
      expect(await Promise.all(ids.map(dueOf))).toEqual(dues);
    });

    // Rarely, on a busy machine, five calls fail before the first probe succeeds: then the circuit breaker ends the run
    // after four deferred reads.
    test('that shows no port but answers other calls gets only a few calls', { retry: 2 }, async () => {
      const ids = await portsMade(40);
      rig.pass(hour);
      const dues = await Promise.all(ids.map(dueOf));
      await rig.sync(troubled(everyPort));
      // The five deferred reads and the four that end the run, each with its retries and a probe.
      expect(calls.length).toBeLessThanOrEqual(1 + 9 * 5);
      const deferred = (await Promise.all(ids.map(dueOf))).filter((due, place) => due !== dues[place]);
      expect(deferred.length).toBeGreaterThanOrEqual(5);
      expect(deferred.length).toBeLessThanOrEqual(8);
    });
  });
});

// Items of the table that cannot be read, for example after a manual change, or that cannot be written: they are named
// and counted, and do not stop the others.
describe('items that cannot be read', () => {
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
    const list = await openPortList({ files: rig.files, resources: { account: '1001@service', resultsBucket } });
    const shown = list && (await Array.fromAsync(findPorts(list, {}, rig.ports)));
    expect(shown?.map(({ portId, importId }) => [portId, importId])).toEqual(
      expect.arrayContaining([
        [one, null],
        [other, 'import-a'],
      ]),
    );
  });
});
