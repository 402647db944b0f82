// Ports in progress, in whole runs: what a reading changes, and what it leaves as it is.
import { describe, expect, test } from 'vitest';
import type { SyncPipeline } from '#functions/sync/run.ts';
import { sync } from '#functions/sync/sync.ts';
import type { PortItem } from '#shared/port/port.ts';
import { notInPort } from '#shared/port/port-status.ts';
import type { RequestItem } from '#shared/request/request.ts';
import { createDeadline } from '#shared/runtime/clock.ts';
import type { PortingClient } from '#shared/service/client.ts';
import type { PortSummary } from '#shared/service/contract.ts';
import { NotFound, Unavailable } from '#shared/service/errors.ts';
import { createPortSnapshots, type PortChange } from '#shared/store/ports.ts';
import { double } from '../../../support/double.ts';
import { day, hour, minute } from '../../../support/service/simulator.ts';
import { rig, services, useFreshRig } from '../../../support/steps/fresh-services.ts';
import { iso, noon, portItemOf, requestItemOf } from '../../../support/steps/ledger-items.ts';
import { msisdnOf, plannedRowOf, portSummaryOf } from '../../../support/steps/submit-and-sync.ts';
import { expiredPlans, silentLog, testResources, testSettings } from '../../../support/steps/test-pipeline.ts';

useFreshRig();

const rows = [plannedRowOf(1, 2), plannedRowOf(2, 3)];

const followTo = async (status: string, importId = 'import-a') => {
  for (let step = 0; step < 200; step += 1) {
    const { portStatus } = await rig.request(importId);
    if (portStatus === status) return;
    await rig.syncNext();
  }
  throw new Error(`${status} was never reached`);
};

test('a port is followed to Complete, its history is recorded, and its numbers are free again', async () => {
  await rig.submit(await rig.planOne('import-a', rows));
  await followTo('Complete');
  const request = await rig.request('import-a');
  expect(request.endedAt).toBeDefined();
  const statuses = (await rig.ports.events(request.portId ?? '')).map(({ status }) => status);
  expect(statuses[0]).toBe('Created');
  expect(statuses.at(-1)).toBe('Complete');
  expect(await rig.ports.get(request.portId ?? '')).toMatchObject({ status: 'Complete' });
  expect((await rig.ports.get(request.portId ?? ''))?.dueAt).toBeUndefined();
  expect(await rig.numbers.get(msisdnOf(1))).toMatchObject({ latest: { status: 'Complete', ended: true } });
  expect(services.waiting('report').map(({ body }) => body)).toContainEqual({ importId: 'import-a' });
});

test('an invalid PAC requires action and blocks the valid row, and both are recorded', async () => {
  await rig.submit(await rig.planOne('import-a', [plannedRowOf(1, 2), plannedRowOf(2, 3, 'INV123456')]));
  await followTo('Pac Check Failed');
  const { portId = '', actionRequired } = await rig.request('import-a');
  expect(actionRequired).toBe(1);
  expect(await rig.ports.actionRequired()).toMatchObject([
    { portId, actionRequired: 1, readyRows: 1, blockingRows: 1 },
  ]);
  expect(await rig.numbers.get(msisdnOf(2))).toMatchObject({ latest: { status: 'PacInvalid', ended: false } });
  expect((await rig.numbers.get(msisdnOf(1)))?.latest).toBeUndefined();
  expect(rig.counts.actionRequired).toBe(1);
});

test('an amended PAC is noticed although the status of the port does not change at once', async () => {
  await rig.submit(await rig.planOne('import-a', [plannedRowOf(1, 2), plannedRowOf(2, 3, 'INV123456')]));
  await followTo('Pac Check Failed');
  const { portId = '' } = await rig.request('import-a');
  const Rows = [{ Msisdn: '07700900002', Pac: 'ABC123456', PortRowStatus: 'Amended' as const }];
  await rig.porting.updatePort(portId, { Rows });
  await followTo('Submitted');
  expect(await rig.ports.actionRequired()).toEqual([]);
  expect((await rig.numbers.get(msisdnOf(2)))?.latest?.status).not.toBe('PacInvalid');
});

test('fault 56: a row that leaves a submitted port is noticed within a day, and its number is free', async () => {
  const groups = [1, 11, 21, 31].map((first) => [plannedRowOf(first, first + 1), plannedRowOf(first + 1, first + 2)]);
  const messages = await rig.plan('import-a', groups, { connectionDate: '2026-07-20' as never });
  for (const message of messages) await rig.submit(message);
  for (let step = 0; step < 12; step += 1) {
    rig.pass(30 * minute);
    await rig.sync();
  }
  const { portId = '' } = await rig.request('import-a');
  expect((await rig.ports.get(portId))?.status).toBe('Submitted');
  const [row] = (await rig.porting.port(portId)).rows;
  const left = { Msisdn: row?.msisdn ?? '', PortRowStatus: 'CancellationRequested' as const };
  await rig.porting.updatePort(portId, { Rows: [left] });
  for (let hours = 0; hours < 25; hours += 1) {
    rig.pass(hour);
    await rig.sync();
  }
  expect((await rig.ports.rows(portId))?.map(({ status }) => status)).toEqual(['Cancelled', 'Submitted']);
  expect((await rig.numbers.get(msisdnOf(1)))?.latest).toMatchObject({ status: 'Cancelled', ended: true });
});

test('a new date of a locked port is shown from the next reading of the list on', async () => {
  const messages = await rig.plan(
    'import-a',
    [1, 2, 3, 4].map((index) => [plannedRowOf(index, index + 1)]),
  );
  for (const message of messages) await rig.submit(message);
  await followTo('Locked');
  rig.pass(minute);
  await rig.sync();
  const connectionDate = '2026-07-13T00:00:00';
  const { client } = rig.syncParts();
  const moved: typeof client = {
    ...client,
    port: async (id) => ({ ...(await client.port(id)), statusName: 'Locked', connectionDate }),
    listPorts: async (page, size) => {
      const list = await client.listPorts(page, size);
      return { ...list, data: list.data.map((port) => ({ ...port, statusName: 'Locked', connectionDate })) };
    },
  };
  for (let hours = 0; hours < 24; hours += 1) {
    rig.pass(hour);
    await rig.sync({ client: moved });
  }
  const shown = await Promise.all([1, 2, 3, 4].map((request) => rig.request('import-a', request)));
  expect(shown.map(({ portStatus, portDate }) => [portStatus, portDate])).toEqual(
    shown.map(() => ['Locked', '2026-07-13']),
  );
});

test('a port cancelled at the service ends its request with the reason on the row', async () => {
  await rig.submit(await rig.planOne('import-a', [plannedRowOf(1, 2, 'REJ123456'), plannedRowOf(2, 3)]));
  await followTo('Cancelled');
  const { portId = '', endedAt } = await rig.request('import-a');
  expect(endedAt).toBeDefined();
  expect((await rig.ports.rows(portId))?.[0]?.message).toContain('Rejected by the source network');
  expect(await rig.numbers.get(msisdnOf(1))).toMatchObject({ latest: { status: 'Cancelled', ended: true } });
});

test('fault 48: an older reading never overwrites a newer one', async () => {
  await rig.submit(await rig.planOne('import-a', rows));
  const { portId = '' } = await rig.request('import-a');
  rig.pass(day);
  const { client } = rig.syncParts();
  const overtaken = {
    ...client,
    port: async (id: string) => {
      const old = { ...(await client.port(id)), statusName: 'Created' };
      // Meanwhile a later reading shows more.
      rig.pass(minute);
      const port = await rig.ports.get(id);
      if (port)
        await rig.ports.touch(port, {
          ...port,
          status: 'Locked',
          readAt: new Date(rig.service.now()).toISOString(),
        });
      return old;
    },
  };
  await rig.sync({ client: overtaken });
  expect(await rig.ports.get(portId)).toMatchObject({ status: 'Locked' });
});

test('fault 48: an unknown status is kept as it is, counted, and never terminal', async () => {
  await rig.submit(await rig.planOne('import-a', rows));
  rig.pass(hour);
  const { client } = rig.syncParts();
  const odd = {
    ...client,
    port: async (id: string) => ({ ...(await client.port(id)), statusName: 'Quarantined (2)' }),
  };
  await rig.sync({ client: odd });
  const request = await rig.request('import-a');
  expect(request.portStatus).toBe('Quarantined (2)');
  expect(request.endedAt).toBeUndefined();
  expect(rig.counts.unknownStatus).toBe(1);
  expect((await rig.ports.get(request.portId ?? ''))?.dueAt).toBeDefined();
});

test('fault 48: a port that the service does not know keeps its state, and has a concern after three readings', async () => {
  await rig.submit(await rig.planOne('import-a', rows));
  const { portId = '' } = await rig.request('import-a');
  const refusal = { message: 'not found', fieldErrors: [], msisdns: [] };
  const { client } = rig.syncParts();
  const lost = { ...client, port: () => Promise.reject(new NotFound(refusal, { call: 'GET /port', status: 404 })) };
  for (let look = 1; look <= 3; look += 1) {
    expect(await rig.ports.actionRequired()).toEqual([]);
    rig.pass(day);
    await rig.sync({ client: lost });
  }
  expect(await rig.ports.actionRequired()).toMatchObject([{ portId, status: 'Created', missingReads: 3 }]);
  expect((await rig.request('import-a')).actionRequired).toBe(1);
  rig.pass(day);
  await rig.sync();
  expect((await rig.ports.get(portId))?.concern).toBeUndefined();
});

test('when the service cannot be called, everything stays due', async () => {
  await rig.submit(await rig.planOne('import-a', rows));
  rig.pass(hour);
  const { client } = rig.syncParts();
  const fails = () => Promise.reject(new Unavailable('503', { call: 'GET' }));
  expect(await rig.sync({ client: { ...client, port: fails, networks: fails } })).toMatchObject({ polled: 0 });
  expect(await rig.sync()).toMatchObject({ polled: 1 });
});

test('fault 49: what one run has no time for is first in the next run', async () => {
  const groups = [1, 2].map((index) => [plannedRowOf(index, index + 1)]);
  for (const message of await rig.plan('import-a', groups)) await rig.submit(message);
  rig.pass(hour);
  expect(await rig.sync({ deadline: createDeadline(() => 1_000) })).toMatchObject({ polled: 0, left: 2 });
  expect(rig.counts.syncStaleness).toBeGreaterThan(0);
  expect(await rig.sync()).toMatchObject({ polled: 2, left: 0 });
  expect(rig.counts.syncStaleness).toBe(0);
});

test.each([
  ['without rows', () => []],
  ['with one of its two rows', (shown: readonly unknown[]) => shown.slice(1)],
] as const)('an end that the service shows once %s is not believed, and its numbers are not free', async (_, cut) => {
  await rig.submit(await rig.planOne('import-a', rows));
  await followTo('Awaiting RA');
  const { portId = '' } = await rig.request('import-a');
  let isCut = false;
  const { client } = rig.syncParts();
  const port: typeof client.port = async (id) => {
    const detail = await client.port(id);
    if (detail.statusName !== 'Complete' || isCut) return detail;
    isCut = true;
    return { ...detail, rows: cut(detail.rows) as typeof detail.rows };
  };
  for (let run = 0; run < 100 && !isCut; run += 1) {
    rig.pass(15 * minute);
    await rig.sync({ client: { ...client, port } });
  }
  expect(isCut).toBe(true);
  expect((await rig.numbers.get(msisdnOf(1)))?.latest?.ended).not.toBe(true);
  expect((await rig.request('import-a')).endedAt).toBeUndefined();
  rig.pass(2 * hour);
  await rig.sync();
  expect(await rig.ports.get(portId)).toMatchObject({ status: 'Complete', actionRequired: 0 });
  expect((await rig.ports.rows(portId))?.map(({ status }) => status)).not.toContain(notInPort);
  expect((await rig.numbers.get(msisdnOf(1)))?.latest).toMatchObject({ status: 'Complete', ended: true });
});

// Fault 49 and the bound on calls, min(pages, due) + changed + 2, for any number of ports, with an in-memory table.
describe('the calls of a run', () => {
  const day = 86_400_000;
  const idOf = (index: number): string => `port-${String(index).padStart(5, '0')}`;
  const msisdnOf = (index: number): string => String(447_700_000_000 + index);
  const indexOf = (portId: string): number => Number(portId.slice('port-'.length));

  /** `live` ports, all of them due. */
  function tableOf(live: number) {
    const ports = new Map<string, PortItem>();
    const requests = new Map<number, RequestItem>();
    for (let index = 0; index < live; index += 1) {
      const rowsReadAt = iso(noon + 24 * 3_600_000);
      const port = { portId: idOf(index), request: index + 1, dueAt: iso(noon), rowsReadAt };
      ports.set(idOf(index), portItemOf(port));
      const followed = {
        portId: idOf(index),
        portStatus: 'Submitted',
        portRows: { 'in-progress': 1 },
        portDate: '2026-07-20',
      };
      const request = { request: index + 1, state: 'created' as const, ...followed };
      requests.set(index + 1, requestItemOf({ ...request, actionRequired: 0 }));
    }
    const store = {
      get: async (portId: string) => ports.get(portId),
      rows: async (portId: string) => [{ line: 2, msisdn: msisdnOf(indexOf(portId)), status: 'Submitted' }],
      due: async (_account: string, now: string, limit: number) =>
        [...ports.values()].filter(({ dueAt = '9999' }) => dueAt <= now).slice(0, limit),
      itemsOf: async function* (ids: readonly string[]) {
        for (const id of ids) yield* [ports.get(id)].filter((port) => port !== undefined);
      },
      waiting: async function* () {},
      touch: async (_seen: PortItem, next: PortItem) => ports.set(next.portId, next).has(next.portId),
      record: async ({ next, request }: PortChange) => {
        if (request) requests.set(request.next.request, request.next);
        return ports.set(next.portId, next).has(next.portId);
      },
    };
    return { ports: store, requests };
  }

  /** The live ports are listed after the finished ones. Those in `moved` are Locked by now. */
  function serviceOf(live: number, finished: number, moved: ReadonlySet<string>) {
    const calls = { pages: 0, details: 0 };
    const shown = (port: PortSummary): PortSummary => (moved.has(port.id) ? { ...port, statusName: 'Locked' } : port);
    const all = [
      ...Array.from({ length: finished }, (_, index) => portSummaryOf(`old-${index}`, { statusName: 'Complete' })),
      ...Array.from({ length: live }, (_, index) => portSummaryOf(idOf(index))),
    ].map(shown);
    const totalPages = Math.ceil(all.length / 50);
    const client = double<PortingClient>({
      listPorts: async (page: number) => {
        calls.pages += 1;
        return { total: all.length, totalPages, data: all.slice((page - 1) * 50, page * 50) };
      },
      port: async (id: string) => {
        calls.details += 1;
        const row = { id: 'r', msisdn: msisdnOf(indexOf(id)), status: 1, statusName: 'Submitted' };
        const networks = { targetNetworkId: 1, targetNetworkName: 'A', sourceNetworkId: 1, sourceNetworkName: 'B' };
        return { ...shown(portSummaryOf(id)), ...networks, rows: [row] };
      },
      simServices: async () => [],
      throwIfDeferred: async () => {},
      networks: async () => [],
      cancelPort: async () => {},
      updatePort: async () => {},
    });
    return { client, calls, pages: totalPages };
  }

  function pipelineFor(live: number, client: SyncPipeline['client'], callsAtOnce = 4, limit = 20_000): SyncPipeline {
    const { ports, requests } = tableOf(live);
    return {
      ports: double(ports),
      requests: double({
        get: async (_importId, request) => requests.get(request),
        replace: async (_seen, next) => next,
        due: async () => [],
        lost: async () => [],
        held: async () => [],
        scheduled: async () => [],
      }),
      numbers: double({ get: async () => undefined }),
      snapshots: createPortSnapshots(
        double(ports),
        double({ record: async () => {} }),
        double({ expect: async () => {} }),
      ),
      imports: double({ get: async () => undefined }),
      notifications: { due: async () => [], set: async () => {}, remove: async () => {} },
      leases: double({ takeUp: async () => ({ note: '', isUnreleased: false }), release: async () => {} }),
      syncRuns: double({ end: async () => {} }),
      plans: expiredPlans,
      searches: { load: async () => ({}), save: async () => {} },
      resolutions: double({ waiting: async () => [] }),
      unfinishedSince: async () => undefined,
      wait: () => new Promise(() => {}),
      sweepInbox: async () => 0,
      rescueImports: async () => 0,
      watchLateCommits: async () => 0,
      writeReferenceData: async () => false,
      queues: { send: async () => {} },
      client,
      operationNamed: () => undefined,
      settings: { ...testSettings, limit, callsAtOnce },
      resources: testResources,
      files: double({}),
      openCatalogue: () => Promise.reject(new Error('no reference data is written')) as never,
      rateLimiter: double({ get: async () => undefined, probeNow: async () => {} }),
      comparisons: double({ due: async () => [], replace: async () => true }),
      clocks: { wall: () => noon + day, calendar: () => noon + day },
      runId: 'run-1',
      deadline: createDeadline(() => 60_000),
      log: silentLog,
      metrics: { count: () => {}, gauge: () => {}, flush: () => {} },
    };
  }

  test.each([
    { live: 10, finished: 0, changed: 1 },
    { live: 10, finished: 5_000, changed: 2 },
    { live: 120, finished: 40, changed: 7 },
    { live: 500, finished: 0, changed: 0 },
    { live: 2_000, finished: 100, changed: 25 },
    { live: 10_000, finished: 0, changed: 400 },
  ])(
    '$live due ports and $finished finished ones, of which $changed changed: within the bound',
    async ({ live, finished, changed }) => {
      const moved = new Set(Array.from({ length: changed }, (_, index) => idOf(index * 3)));
      for (const callsAtOnce of [1, 4, 100]) {
        const { client, calls, pages } = serviceOf(live, finished, moved);
        const result = await sync(pipelineFor(live, client, callsAtOnce));
        expect(result).toMatchObject({ polled: live, changed, left: 0 });
        expect(calls.pages + calls.details).toBe(result.calls);
        expect(result.calls).toBeLessThanOrEqual(Math.min(pages, live) + changed + 2);
      }
    },
  );

  test.each([
    { live: 5_000, finished: 0, limit: 500, calls: 100 },
    // The loaded ports alone would be read one by one, and the others in later runs.
    { live: 5_000, finished: 2_000, limit: 100, calls: 140 },
  ])(
    'more ports are due than a run loads ($live, $finished finished, $limit loaded): a page records all of its ports',
    async ({ live, finished, limit, calls }) => {
      const { client } = serviceOf(live, finished, new Set());
      const result = await sync(pipelineFor(live, client, 4, limit));
      expect(result).toMatchObject({ polled: live, left: 0, calls });
    },
  );

  test('more ports are due than a run loads, and the list hardly shows them: 20 pages, then one port after another', async () => {
    const { client, calls } = serviceOf(300, 300_000, new Set());
    const result = await sync(pipelineFor(300, client, 4, 100));
    expect(result).toMatchObject({ polled: 100, left: 0 });
    expect(calls).toEqual({ pages: 21, details: 100 });
  });

  test('pages are read at the same time, and so are ports', async () => {
    const moved = new Set(Array.from({ length: 40 }, (_, index) => idOf(index)));
    const { client } = serviceOf(1_000, 0, moved);
    const most = { pages: 0, ports: 0 };
    const counting = <Given, Answer>(kind: keyof typeof most, call: (given: Given) => Promise<Answer>) => {
      let busy = 0;
      return async (given: Given): Promise<Answer> => {
        busy += 1;
        most[kind] = Math.max(most[kind], busy);
        await Promise.resolve();
        return call(given).finally(() => {
          busy -= 1;
        });
      };
    };
    const watched = { listPorts: counting('pages', client.listPorts), port: counting('ports', client.port) };
    await sync(pipelineFor(1_000, { ...client, ...watched }, 7));
    expect(most).toEqual({ pages: 7, ports: 7 });
  });

  test('fault 44: a list that repeats its first page forever is read twice', async () => {
    const { client, calls } = serviceOf(120, 0, new Set());
    const first = await client.listPorts(1);
    const listPorts = async (page: number) => {
      calls.pages += 1;
      if (calls.pages > 10) throw new Error('it goes on and on');
      return { total: 1_000, totalPages: page + 1, data: first.data };
    };
    const result = await sync(pipelineFor(120, { ...client, listPorts }));
    expect(result).toMatchObject({ polled: 120, left: 0 });
    // One page above, and two pages of the run. The other 70 ports are read one by one.
    expect(calls).toEqual({ pages: 3, details: 70 });
  });
});
