// A service with a hundred thousand ports, and the table that follows the live ones: the real sync and the real stores over
// twins in memory, on a clock that only calls and writes move.
import { type DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import type { SyncParts } from '#functions/sync/parts.ts';
import { type SyncResult, sync } from '#functions/sync/sync.ts';
import { createDrifts } from '#shared/aws/drifts.ts';
import { createLeases } from '#shared/aws/leases.ts';
import { createLooks } from '#shared/aws/looks.ts';
import { createNumbers } from '#shared/aws/numbers.ts';
import { createPorts } from '#shared/aws/ports.ts';
import { createRequests, storedRequest } from '#shared/aws/requests.ts';
import type { PortRowState } from '#shared/domain/ledger.ts';
import { createTimeZone } from '#shared/domain/time-zone.ts';
import { iso, noon, portItemOf, requestItemOf } from '../test/support/results-ledger.ts';
import { portSummaryOf, silentLog } from '../test/support/results-rig.ts';
import { createTableTwin } from '../test/support/twin-table.ts';
import { unitsOf } from './sync-units.ts';

export interface SyncWorldOptions {
  /** Ports that the service lists. */
  readonly ports: number;
  /** Of these, ports that are followed, all of them due, spread evenly over the list. */
  readonly live: number;
  /** Of these, ports whose status has moved. */
  readonly changed: number;
  /** Pages that the list is said to have. @default as many as it has */
  readonly pagesSaid?: number;
  /** Milliseconds that a call to the service takes, and a write. Four of either are under way at once. */
  readonly callMs?: number;
  readonly writeMs?: number;
  /** What a run may take. */
  readonly budgetMs?: number;
  /** As `runLimit` of functions/sync/entry.ts. */
  readonly limit?: number;
}

export interface SyncWorld {
  /** One run; the next begins five minutes after this one did. */
  run(): Promise<SyncRun>;
  /** Ports that nobody has looked at yet. */
  waiting(): number;
  /** Pages of the list. */
  readonly pages: number;
}

export interface SyncRun extends SyncResult {
  readonly pageCalls: number;
  readonly detailCalls: number;
  readonly writeUnits: number;
}

const pageSize = 50;
const rowsPerPort = 100;
const everyMs = 5 * 60_000;
const width = 4;

const idOf = (index: number): string => `port-${String(index).padStart(6, '0')}`;
const indexOf = (id: string): number => Number(id.slice('port-'.length));
const msisdnOf = (port: number, row: number): string => String(447_000_000_000 + port * rowsPerPort + row);
const rowsOf = (port: number): PortRowState[] =>
  Array.from({ length: rowsPerPort }, (_, row) => ({
    line: row + 2,
    msisdn: msisdnOf(port, row),
    status: 'Submitted',
  }));

export async function createSyncWorld(options: SyncWorldOptions): Promise<SyncWorld> {
  const { ports, live, changed, callMs = 500, writeMs = 5, budgetMs = 240_000, limit = 100_000 } = options;
  const time = createTime(noon + 86_400_000);
  const calls = { pages: 0, details: 0 };
  const isLive = spread(live, ports);
  const followed = Array.from({ length: ports }, (_, index) => index).filter(isLive);
  const isAmong = spread(changed, followed.length);
  const moved = new Set(followed.filter((_, place) => isAmong(place)));
  const table = await createTable(time, followed, moved, writeMs);

  const shown = (index: number) => {
    const statusName = moved.has(index) ? 'Locked' : isLive(index) ? 'Submitted' : 'Complete';
    return portSummaryOf(idOf(index), { statusName, rowCount: rowsPerPort });
  };
  const client: SyncParts['client'] = {
    ready: async () => {},
    networks: async () => [],
    listPorts: async (page) => {
      calls.pages += 1;
      time.pass(callMs);
      const first = (page - 1) * pageSize;
      const length = Math.max(0, Math.min(pageSize, ports - first));
      const data = Array.from({ length }, (_, place) => shown(first + place));
      return { total: ports, totalPages: options.pagesSaid ?? Math.ceil(ports / pageSize), data };
    },
    port: async (id) => {
      calls.details += 1;
      time.pass(callMs / width);
      const networks = { targetNetworkId: 1, targetNetworkName: 'A', sourceNetworkId: 1, sourceNetworkName: 'B' };
      const rows = rowsOf(indexOf(id)).map(({ msisdn, status }) => ({
        id: msisdn,
        msisdn,
        status: 1,
        statusName: status,
      }));
      return { ...shown(indexOf(id)), ...networks, rows };
    },
    simServices: async () => [],
    cancelPort: async () => {},
    updatePort: async () => {},
  };

  const run = async (): Promise<SyncRun> => {
    const begun = time.now();
    const before = { ...calls, units: table.units() };
    const remainingMs = () => begun + budgetMs - time.now();
    const parts = {
      ...table.stores,
      client,
      pace: { get: async () => undefined, probeNow: async () => {} },
      remainingMs,
      wait: time.wait,
      clocks: { wall: time.now, calendar: time.now },
    };
    const result = await sync({ ...parts, ...around(limit), runId: `run-${begun}` });
    time.pass(Math.max(0, begun + everyMs - time.now()));
    return {
      ...result,
      pageCalls: calls.pages - before.pages,
      detailCalls: calls.details - before.details,
      writeUnits: table.units() - before.units,
    };
  };
  return { run, waiting: () => live - table.looked(), pages: Math.ceil(ports / pageSize) };
}

interface Time {
  readonly now: () => number;
  readonly wait: (milliseconds: number) => Promise<void>;
  pass(milliseconds: number): void;
}

/** Passes only where it is told to; whoever waits goes on as soon as that much has passed. */
function createTime(begin: number): Time {
  let now = begin;
  let waiting: { readonly until: number; readonly resolve: () => void }[] = [];
  return {
    now: () => now,
    wait: (milliseconds) => new Promise((resolve) => waiting.push({ until: now + milliseconds, resolve })),
    pass: (milliseconds) => {
      now += milliseconds;
      const due = waiting.filter(({ until }) => until <= now);
      if (due.length === 0) return;
      waiting = waiting.filter(({ until }) => until > now);
      for (const { resolve } of due) resolve();
    },
  };
}

/** Which of `all` belong to the `some` that are spread evenly over them. */
const spread =
  (some: number, all: number) =>
  (index: number): boolean =>
    Math.floor(((index + 1) * some) / all) > Math.floor((index * some) / all);

async function createTable(time: Time, followed: readonly number[], moved: ReadonlySet<number>, writeMs: number) {
  const looked = new Set<unknown>();
  let units = 0;
  let transacts = false;
  const twin = createTableTwin({
    now: time.now,
    pageSize: 25_000,
    onWrite: (before, after) => {
      units += unitsOf(before, after, transacts);
      if (after?.sk === 'port' && before !== undefined) looked.add(after.portId);
      time.pass(writeMs / width);
    },
  });
  const client = {
    send: (command: { readonly input: unknown }) => {
      transacts = command.constructor.name === 'TransactWriteCommand';
      return twin.send(command);
    },
  } as unknown as DynamoDBDocumentClient;
  const stores = {
    requests: createRequests(client, 'results'),
    ports: createPorts(client, 'results'),
    leases: createLeases(client, 'results'),
    drifts: createDrifts(client, 'results'),
  };
  const numbers = createNumbers(client, 'results');
  for (const index of followed) {
    const request = { request: index + 1, state: 'created' as const, portId: idOf(index), portStatus: 'Submitted' };
    // Only of a port that has moved are the request and the rows read.
    const Item = storedRequest(requestItemOf({ ...request, attention: 0, rowCount: rowsPerPort }));
    if (moved.has(index)) await client.send(new PutCommand({ TableName: 'results', Item }));
    const rows = moved.has(index) ? rowsOf(index) : undefined;
    const next = portItemOf({
      portId: idOf(index),
      request: index + 1,
      rowCount: rowsPerPort,
      dueAt: iso(noon + index),
    });
    await stores.ports.record({ next, rows });
  }
  units = 0;
  return {
    stores: { ...stores, numbers, looks: createLooks(stores.ports, numbers, stores.drifts) },
    looked: () => looked.size,
    units: () => units,
  };
}

const around = (limit: number) => ({
  imports: { get: async () => undefined },
  reminders: { due: async () => [], set: async () => {}, strike: async () => {} },
  plans: { read: async () => undefined },
  sweepInbox: async () => 0,
  writeLookupPack: async () => false,
  queues: { send: async () => {} },
  operationNamed: () => undefined,
  settings: {
    account: 1001,
    zone: createTimeZone('Europe/London'),
    callingCode: '44',
    quietMs: 1,
    submitQueueUrl: 'https://queue',
    reportQueueUrl: 'https://queue',
    limit,
    simsPerRun: 1_000,
  },
  log: silentLog,
  metrics: { count: () => {}, gauge: () => {}, flush: () => {} },
});
