// Over the wire: one port that the service always fails to show holds up no other, and a service that is down is found out
// with few calls.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { SyncParts } from '#functions/sync/parts.ts';
import { day, hour, minute } from '../../support/porting-service.ts';
import { plannedRowOf, quietMs, type Rig, silentLog, startRig } from '../../support/results-rig.ts';
import { type ResultsServices, startResultsServices } from '../../support/results-services.ts';

let services: ResultsServices;
let rig: Rig;
/** Calls that reached the service, tokens apart. */
let calls: string[];
let errors: unknown[];

beforeAll(async () => {
  services = await startResultsServices();
});
afterAll(() => services.stop());
beforeEach(async () => {
  rig = await startRig(services);
  calls = [];
  errors = [];
});

type Fails = (call: string) => boolean;
/** An environment whose calls are answered 500 where they should fail. */
const broken = (fails: Fails) =>
  rig.connect(async (input, init) => {
    const { pathname } = new URL(String(input));
    if (pathname.endsWith('/connect/token')) return fetch(input, init);
    const call = `${init?.method ?? 'GET'} ${pathname}`;
    calls.push(call);
    return fails(call) ? new Response('it broke', { status: 500 }) : fetch(input, init);
  });
const troubled = (fails: Fails, changes: Partial<SyncParts> = {}): Partial<SyncParts> => {
  const log = { ...silentLog, error: (...told: unknown[]) => void errors.push(told) };
  return { ...broken(fails), log, ...changes };
};
const showing = (portIds: readonly (string | undefined)[]): Fails => {
  const paths = portIds.map((id) => `GET /api/porting/1001/port/${id}`);
  return (call) => paths.includes(call);
};
const everything: Fails = () => true;
const everyPort: Fails = (call) => call.startsWith('GET /api/porting/1001/port/');

/** So many ports of one number each, made and read back; answers their ids. */
const portsMade = async (count: number, date = '2026-07-08'): Promise<string[]> => {
  const groups = Array.from({ length: count }, (_, index) => [plannedRowOf(index + 1, index + 2)]);
  for (const message of await rig.plan('import-a', groups, { connectionDate: date as never }))
    await rig.submit(message);
  return Promise.all(groups.map(async (_, index) => (await rig.request('import-a', index + 1)).portId ?? ''));
};
const dueOf = async (portId: string): Promise<number> => Date.parse((await rig.ports.get(portId))?.dueAt ?? '');
/** As they stand in the table. */
const statusesOf = (ids: readonly string[]) => Promise.all(ids.map(async (id) => (await rig.ports.get(id))?.status));

describe('a port that always answers 500 while the service answers otherwise', () => {
  test('is put off and named, and the others are looked at', async () => {
    const [bad = '', ...others] = await portsMade(6);
    rig.pass(hour);
    expect(await rig.sync(troubled(showing([bad])))).toMatchObject({ looked: 6, changed: 5, left: 0 });
    expect(await statusesOf([bad])).toEqual(['Created']);
    expect(new Set(await statusesOf(others))).toEqual(new Set(['Submitted']));
    expect(rig.counts.leftForLater).toBe(1);
    const about = expect.objectContaining({ portId: bad, error: expect.objectContaining({ status: 500 }) });
    expect(errors).toEqual([['a port could not be read', about]]);
  });

  test('is looked at ever more rarely, and at the usual times once it is shown again', async () => {
    const [bad = ''] = await portsMade(1);
    const waits: number[] = [];
    for (let look = 0; look < 5; look += 1) {
      rig.pass((await dueOf(bad)) - rig.service.now());
      await rig.sync(troubled(showing([bad])));
      waits.push(((await dueOf(bad)) - rig.service.now()) / minute);
    }
    expect(waits).toEqual([1, 2, 4, 8, 16]);
    rig.pass(16 * minute);
    expect(await rig.sync()).toMatchObject({ looked: 1, changed: 1 });
  });

  test('is a concern after an hour, with the time at which it was last seen, until it is shown again', async () => {
    const [bad = '', ...others] = await portsMade(8, '2026-07-16');
    rig.pass(hour);
    await rig.sync();
    const seen = await rig.ports.get(bad);
    const looks = async (changes: Partial<SyncParts>) => {
      rig.pass(day);
      await rig.sync(changes);
    };
    // The list shows no page, so each port is read by itself.
    const fails: Fails = (call) => showing([bad])(call) || call === 'GET /api/porting/1001';
    for (let look = 1; look <= 3; look += 1) {
      expect(await rig.ports.attention(1001)).toEqual([]);
      await looks(troubled(fails));
    }
    const concern = expect.stringContaining('could not be read');
    expect(await rig.ports.attention(1001)).toMatchObject([{ portId: bad, concern, lookedAt: seen?.lookedAt }]);
    expect(await rig.request('import-a')).toMatchObject({ attention: 1 });
    expect(rig.counts.attention).toBe(1);
    expect(services.waiting('report').at(-1)?.body).toEqual({ importId: 'import-a' });
    await looks({});
    expect(await rig.ports.attention(1001)).toEqual([]);
    expect(await rig.request('import-a')).toMatchObject({ attention: 0 });
    expect(new Set(await statusesOf([bad, ...others]))).toEqual(new Set(['Submitted']));
  });

  test('holds nobody up together with more such ports than are read at a time', async () => {
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

  test('as a new one keeps no other new one from being read for the first time', async () => {
    const groups = [1, 2, 3].map((index) => [plannedRowOf(index, index + 1)]);
    const messages = await rig.plan('import-a', groups);
    for (const message of messages) await rig.submit(message, { client: broken(everyPort).client });
    const [bad, ...others] = await Promise.all(messages.map(({ request }) => rig.request('import-a', request)));
    await rig.sync(troubled(showing([bad?.portId])));
    expect(await statusesOf(others.map(({ portId = '' }) => portId))).toEqual(['Created', 'Created']);
    const left = await rig.request('import-a', 1);
    expect(left).toMatchObject({ state: 'created', dueAt: new Date(rig.service.now() + quietMs).toISOString() });
  });

  test('that cannot be amended keeps no line of others from being taken out', async () => {
    const groups = [1, 11].map((first) => [plannedRowOf(first, 2), plannedRowOf(first + 1, 3, 'INV123456')]);
    for (const message of await rig.plan('import-a', groups)) await rig.submit(message);
    rig.pass(2 * hour);
    await rig.sync();
    const ids = await Promise.all([1, 2].map(async (request) => (await rig.request('import-a', request)).portId));
    const settings = { ...rig.syncParts().settings, evictAfterMs: hour };
    const taken: unknown[] = [];
    // Whichever of them comes first: the other one goes on.
    for (const bad of ids) {
      rig.pass(2 * hour);
      const fails: Fails = (call) => call === `PATCH /api/porting/1001/port/${bad}`;
      taken.push((await rig.sync(troubled(fails, { settings }))).evicted);
    }
    expect(taken).toEqual([1, 1]);
  });
});

test('a page of the list that the service fails to show: each port that is due is read by itself', async () => {
  await portsMade(4);
  rig.pass(hour);
  const list: Fails = (call) => call === 'GET /api/porting/1001';
  expect(await rig.sync(troubled(list))).toMatchObject({ looked: 4, changed: 4, left: 0 });
});

describe('a service', () => {
  test('that is down is found out with nine calls, and asked once by the next run; what is due stays due', async () => {
    const ids = await portsMade(20);
    rig.pass(hour);
    const dues = await Promise.all(ids.map(dueOf));
    expect(await rig.sync(troubled(everything))).toMatchObject({ looked: 0, changed: 0 });
    expect(calls.length).toBeLessThanOrEqual(9);
    calls.length = 0;
    await rig.sync(troubled(everything));
    expect(calls).toEqual(['GET /api/porting/1001/networks']);
    expect(await Promise.all(ids.map(dueOf))).toEqual(dues);
    expect(rig.counts.leftForLater).toBeUndefined();
  });

  test('that is down while two ports are due wastes no more', async () => {
    const ids = await portsMade(2);
    rig.pass(hour);
    const dues = await Promise.all(ids.map(dueOf));
    await rig.sync(troubled(everything));
    expect(calls.length).toBeLessThanOrEqual(9);
    expect(await Promise.all(ids.map(dueOf))).toEqual(dues);
  });

  test('that shows no port at all, but answers otherwise, is left alone after a few', async () => {
    const ids = await portsMade(40);
    rig.pass(hour);
    const dues = await Promise.all(ids.map(dueOf));
    await rig.sync(troubled(everyPort));
    // The five that are left for later and the four that end the run, each with its repeats and a call to see.
    expect(calls.length).toBeLessThanOrEqual(1 + 9 * 5);
    const putOff = (await Promise.all(ids.map(dueOf))).filter((due, place) => due !== dues[place]);
    expect(putOff.length).toBeGreaterThanOrEqual(5);
    expect(putOff.length).toBeLessThanOrEqual(8);
  });
});
