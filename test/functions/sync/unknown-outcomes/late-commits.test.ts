// Ports that the service creates after the outcome of their request was decided: once an hour the list is searched.
import { beforeEach, describe, expect, test } from 'vitest';
import { resolveRequest } from '#functions/sync/resolve-request.ts';
import type { SyncPipeline } from '#functions/sync/run.ts';
import { watchLateCommits } from '#functions/sync/unknown-outcomes/late-commits.ts';
import { abandonRequest, applyAnswer } from '#shared/request/request-state.ts';
import { createDeadline } from '#shared/runtime/clock.ts';
import type { PortSummary } from '#shared/service/contract.ts';
import { Ambiguous, NotFound, Unavailable } from '#shared/service/errors.ts';
import { day, hour, minute } from '../../../support/service/simulator.ts';
import { rig, services, useFreshRig } from '../../../support/steps/fresh-services.ts';
import { withoutPorts } from '../../../support/steps/purged-ports.ts';
import {
  importItemOf,
  msisdnOf,
  plannedRowOf,
  portSummaryOf,
  quietMs,
  type Rig,
} from '../../../support/steps/submit-and-sync.ts';
import { expiredPlans } from '../../../support/steps/test-pipeline.ts';

useFreshRig();

const rows = [plannedRowOf(1, 2), plannedRowOf(2, 3)];
const call = 'POST /api/porting/1001';
type Client = SyncPipeline['client'];

beforeEach(async () => {
  const receivedAt = new Date(rig.service.now()).toISOString();
  await rig.imports.begin(importItemOf('import-a', { receivedAt }));
});

const watch = (client: Client = rig.porting) => rig.sync({ watchLateCommits, client });

describe('a port of an abandoned request', () => {
  let portId: string;

  beforeEach(async () => {
    const message = await rig.planOne('import-a', rows);
    let body: Parameters<Rig['porting']['createPort']>[0] | undefined;
    const createPort = async (sent: NonNullable<typeof body>) => {
      body = sent;
      throw new Ambiguous('reset', { call });
    };
    await rig.submit(message, { client: { ...rig.submitParts().client, createPort } });
    const item = await rig.request('import-a');
    const abandoned = { what: 'abandon', by: 'Sam', at: item.changedAt } as const;
    await rig.requests.replace(item, abandonRequest(item, abandoned, 'abandoned', rig.service.now()));
    if (body !== undefined) portId = await rig.porting.createPort(body);
  });

  test('is followed, raises the alarm, and requires action until a person keeps it', async () => {
    expect(await watch()).toMatchObject({ imports: 1 });
    expect(await rig.request('import-a')).toMatchObject({ state: 'created', portId, isLate: true });
    expect(rig.counts.duplicates).toBe(1);
    await rig.sync();
    const concern = expect.stringContaining('after its request had ended');
    expect(await rig.ports.actionRequired()).toMatchObject([{ portId, concern, status: 'Created' }]);
    const keep = { kind: 'keep', portId, cancelOthers: false } as const;
    const answer = await resolveRequest({ importId: 'import-a', request: 1, what: keep, by: 'Sam' }, rig.syncParts());
    expect(answer).toMatchObject({ resolved: true, portId });
    expect(await rig.ports.actionRequired()).toEqual([]);
    rig.pass(hour);
    await watch();
    expect(rig.counts.duplicates).toBe(1);
  });

  test('is reported on until it ends, whenever it is found and whichever message is lost', async () => {
    rig.pass(20 * day);
    await rig.imports.update('import-a', { state: 'finished' });
    services.emptyQueues();
    const killed = { send: () => Promise.reject(new Error('killed')) };
    await rig.sync({ watchLateCommits, queues: killed }).catch(() => undefined);
    expect(await rig.request('import-a')).toMatchObject({ state: 'created', isLate: true });
    for (const passed of [hour, day, 2 * day]) {
      rig.pass(passed);
      await rig.sync();
      expect(services.waiting('report').map(({ body }) => body)).toContainEqual({ importId: 'import-a' });
      services.emptyQueues();
    }
  });

  test('requires no action once it is cancelled', async () => {
    await watch();
    await rig.sync();
    await rig.porting.cancelPort(portId);
    rig.pass(6 * hour);
    await rig.sync();
    const { status, concern } = (await rig.ports.get(portId)) ?? {};
    expect([status, concern]).toEqual(['Cancelled', undefined]);
    expect(await rig.request('import-a')).toMatchObject({ endedAt: expect.any(String), actionRequired: 0 });
  });

  test('that was cancelled before requires no action', async () => {
    await rig.porting.cancelPort(portId);
    rig.pass(6 * hour);
    expect(await watch()).toMatchObject({ imports: 0 });
    expect(await rig.request('import-a')).toMatchObject({ state: 'declined' });
  });
});

describe('a port that was left as missing', () => {
  let portId: string;
  let lost: Client;

  beforeEach(async () => {
    await rig.submit(await rig.planOne('import-a', rows));
    await rig.submit(await rig.planOne('import-b', [plannedRowOf(9, 2)]));
    await rig.sync();
    ({ portId = '' } = await rig.request('import-a'));
    const listPorts: Client['listPorts'] = async (page, size) => {
      const shown = await rig.porting.listPorts(page, size);
      return { ...shown, total: shown.total - 1, data: shown.data.filter(({ id }) => id !== portId) };
    };
    lost = { ...withoutPorts(rig, portId), listPorts };
    for (let read = 0; ((await rig.ports.get(portId))?.missingReads ?? 0) < 3 && read < 20; read += 1) {
      rig.pass(day);
      await rig.sync({ client: lost });
    }
  });

  const leave = async (what: { kind: 'abandon' } | { kind: 'resend'; yes: true }) => {
    const asked = { importId: 'import-a', request: 1, what, by: 'Sam' };
    await resolveRequest(asked, { ...rig.syncParts(), client: lost });
    expect((await rig.ports.get(portId))?.dueAt).toBeUndefined();
    rig.pass(hour);
  };

  test('and reappears is followed, and requires action until a person keeps it', async () => {
    await leave({ kind: 'abandon' });
    expect(await rig.request('import-a')).toMatchObject({ state: 'declined', formerPortIds: [portId] });
    await watch(lost);
    expect(await rig.request('import-a')).toMatchObject({ state: 'declined' });
    rig.pass(hour);
    expect(await watch()).toMatchObject({ imports: 1 });
    expect(await rig.request('import-a')).toMatchObject({ state: 'created', portId, isLate: true });
    await rig.sync();
    const concern = expect.stringContaining('after its request had ended');
    expect(await rig.ports.get(portId)).toMatchObject({ missingReads: 0, status: 'Complete', concern });
    rig.pass(hour);
    expect(await watch()).toMatchObject({ imports: 0 });
  });

  test('and reappears before its request is sent again is the port of the request: nothing is sent twice', async () => {
    await leave({ kind: 'resend', yes: true });
    await watch();
    expect(await rig.request('import-a')).toMatchObject({ state: 'created', portId });
    await rig.sync();
    expect(await rig.ports.get(portId)).toMatchObject({ missingReads: 0, status: 'Complete' });
  });
});

describe('the list', () => {
  /** The list of the service with these ports behind it. */
  const listing = (...added: readonly PortSummary[]): Client => ({
    ...rig.porting,
    listPorts: async (page, size) => {
      const shown = await rig.porting.listPorts(page, size);
      return page === 1 ? { ...shown, data: [...shown.data, ...added] } : shown;
    },
  });
  const named = (token: string, id = 'late-port') => portSummaryOf(id, { name: `Group 1 ${token}` });

  test('shows a second port of a request: it is a duplicate, and the alarm is raised', async () => {
    await rig.submit(await rig.planOne('import-a', rows));
    await rig.sync();
    const { token, portId = '' } = await rig.request('import-a');
    expect(await watch(listing(named(token)))).toMatchObject({ imports: 1 });
    expect(await rig.request('import-a')).toMatchObject({ portId, duplicatePortIds: ['late-port'] });
    expect(rig.counts.duplicates).toBe(1);
    await rig.sync();
    expect((await rig.ports.get(portId))?.concern).toContain('late-port');
  });

  test('shows ports of others, of other installations and of requests that do not exist: nothing changes', async () => {
    await rig.submit(await rig.planOne('import-a', rows));
    const foreign = named(`sim1-${'0'.repeat(16)}`);
    expect(await watch(listing(portSummaryOf('of-others'), foreign))).toMatchObject({ imports: 0 });
    expect(rig.counts.duplicates).toBeUndefined();
  });

  test('shows the port of a call in flight: its answer, or the search, is first', async () => {
    const message = await rig.planOne('import-a', rows);
    const { token } = await rig.request('import-a');
    const createPort = () => Promise.reject(new Ambiguous('reset', { call }));
    await rig.submit(message, { client: { ...rig.submitParts().client, createPort } });
    expect(await watch(listing(named(token)))).toMatchObject({ imports: 0 });
    expect(await rig.request('import-a')).toMatchObject({ state: 'unknown' });
  });
});

describe('pages', () => {
  let read: number[];
  const pagesOf = (totalPages: number, failing?: number): Client => ({
    ...rig.porting,
    listPorts: async (page) => {
      read.push(page);
      if (page === failing) throw new Unavailable('down', { call: 'GET /api/porting/1001', status: 503 });
      if (page === 0 || page > totalPages) throw notFound;
      return { total: 50 * totalPages, totalPages, data: [portSummaryOf(`port-${page}`)] };
    },
  });
  const notFound = new NotFound(
    { message: 'no such page', fieldErrors: [], msisdns: [] },
    { call: 'GET /api/porting/1001', status: 404 },
  );
  const between = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, at) => first + at);
  const look = async (client: Client): Promise<number[]> => {
    read = [];
    rig.pass(hour);
    await watch(client);
    return read;
  };

  test('are read once an hour, a part of a long list each time, and then from the first one again', async () => {
    expect(await look(pagesOf(45))).toEqual(between(0, 21));
    read = [];
    rig.pass(59 * minute);
    await watch(pagesOf(45));
    expect(read).toEqual([]);
    expect(await look(pagesOf(45))).toEqual(between(21, 41));
    expect(await look(pagesOf(45))).toEqual(between(41, 45));
    expect(await look(pagesOf(45))).toEqual(between(0, 21));
    expect(await look(pagesOf(10))).toEqual([21]);
    expect(await look(pagesOf(1))).toEqual([0, 1]);
  });

  test('of a service that answers page 0 with the first one are all read, also one by one', async () => {
    const clamping: Client = {
      ...rig.porting,
      listPorts: async (page) => {
        read.push(page);
        return { total: 250, totalPages: 5, data: [portSummaryOf(`port-${Math.max(1, page)}`)] };
      },
    };
    rig.pass(hour);
    read = [];
    const settings = { ...rig.syncParts().settings, callsAtOnce: 1 };
    await rig.sync({ watchLateCommits, client: clamping, settings });
    expect(read).toEqual(between(0, 5));
  });

  test('of a list without an end are read until they repeat, and then from the first one again', async () => {
    const endless: Client = {
      ...rig.porting,
      listPorts: async (page) => {
        read.push(page);
        return { total: 50 * page + 50, totalPages: page + 1, data: [portSummaryOf(`port-${Math.min(page, 3)}`)] };
      },
    };
    const first = await look(endless);
    expect(Math.max(...first)).toBeLessThan(10);
    expect(await look(endless)).toEqual(first);
  });

  test('that cannot be read are read in the next hour', async () => {
    expect(await look(pagesOf(45))).toEqual(between(0, 21));
    expect(await look(pagesOf(45, 30))).toContain(30);
    expect(await look(pagesOf(45))).toEqual(between(21, 41));
  });

  test('are left to the next run where the time is short', async () => {
    read = [];
    const deadline = createDeadline(() => 20_000);
    await rig.sync({ watchLateCommits, client: pagesOf(45), deadline });
    expect(read).toEqual([]);
  });
});

// A second port of a request that has ended: it is recorded, whatever happened to the first port.
describe('a port that appears late', () => {
  useFreshRig();

  /**
   * Ends the request of `import-a` by cancelling its port; then a late answer names another port. Returns the first.
   * @param meanwhile what happens between them
   */
  const endThenNameAnother = async (meanwhile = async () => {}): Promise<string> => {
    await rig.submit(await rig.planOne('import-a', rows));
    const { portId = '' } = await rig.request('import-a');
    await rig.porting.cancelPort(portId);
    rig.pass(6 * hour);
    await rig.sync();
    const item = await rig.request('import-a');
    expect(item.endedAt).toBeDefined();
    await meanwhile();
    const times = { now: rig.service.now(), quietMs };
    const late = applyAnswer(item, 1, { kind: 'created', portId: 'late-port' }, times) ?? item;
    await rig.requests.replace(item, late);
    return portId;
  };

  test('fault 46: a second port is a concern although the request has ended', async () => {
    const portId = await endThenNameAnother();
    const { endedAt } = await rig.request('import-a');
    expect(await rig.sync()).toMatchObject({ imports: 1 });
    expect((await rig.ports.get(portId))?.concern).toContain('late-port');
    expect(await rig.request('import-a')).toMatchObject({ endedAt, actionRequired: 1 });
  });

  test('fault 46: a second port is a concern when the service has purged the ended one', async () => {
    const portId = await endThenNameAnother();
    const { endedAt } = await rig.request('import-a');
    expect(await rig.sync({ client: withoutPorts(rig, portId) })).toMatchObject({ imports: 1, actionRequired: 0 });
    expect(await rig.ports.actionRequired()).toMatchObject([
      { portId, status: 'Cancelled', missingReads: 1, concern: expect.stringContaining('late-port') },
    ]);
    const request = await rig.request('import-a');
    expect(request).toMatchObject({ state: 'created', endedAt, actionRequired: 1 });
    expect(request.dueAt).toBeUndefined();
  });

  test('fault 46: a second port is a concern when the plan has expired and another import has the numbers', async () => {
    const portId = await endThenNameAnother(async () => {
      expect(await rig.submit(await rig.planOne('import-b', rows))).toBe('created');
    });
    expect(await rig.sync({ plans: expiredPlans })).toMatchObject({ imports: 1, actionRequired: 0 });
    expect((await rig.ports.get(portId))?.concern).toContain('late-port');
    expect(await rig.request('import-a')).toMatchObject({ state: 'created', actionRequired: 1 });
    expect(await rig.numbers.get(msisdnOf(1))).toMatchObject({ importId: 'import-b' });
  });
});
