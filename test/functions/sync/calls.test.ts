// Fault 49 and the bound on calls, min(pages, due) + changed + 2, for any number of ports, with an in-memory table.
import { expect, test } from 'vitest';
import type { SyncPipeline } from '#functions/sync/run.ts';
import { sync } from '#functions/sync/sync.ts';
import type { PortItem } from '#shared/port/port.ts';
import type { RequestItem } from '#shared/request/request.ts';
import { createDeadline } from '#shared/runtime/clock.ts';
import type { PortingClient } from '#shared/service/client.ts';
import type { PortSummary } from '#shared/service/contract.ts';
import { createPortSnapshots, type PortChange } from '#shared/store/ports.ts';
import { double } from '../../support/double.ts';
import { iso, noon, portItemOf, requestItemOf } from '../../support/steps/ledger-items.ts';
import { portSummaryOf } from '../../support/steps/submit-and-sync.ts';
import { expiredPlans, silentLog, testResources, testSettings } from '../../support/steps/test-pipeline.ts';

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
    due: async (now: string, limit: number) =>
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
    leases: double({ take: async () => true, release: async () => {} }),
    plans: expiredPlans,
    searches: { load: async () => ({}), save: async () => {} },
    resolutions: double({ waiting: async () => [] }),
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
