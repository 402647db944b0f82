// An account with up to a hundred thousand ports, followed by the real sync and the real stores over in-memory doubles,
// on a clock that only calls and writes advance.
import { type DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import type { SyncPipeline } from '#functions/sync/run.ts';
import { type SyncResult, sync } from '#functions/sync/sync.ts';
import type { PortRowState } from '#shared/port/port.ts';
import { storedRequest } from '#shared/request/waiting-request.ts';
import { createDeadline } from '#shared/runtime/clock.ts';
import type { AwsClients } from '#shared/store/clients.ts';
import { createPorts } from '#shared/store/ports.ts';
import { createSteps } from '../../rig/steps.ts';
import { double } from '../double.ts';
import { unitsOf } from '../embedded/computed-write-units.ts';
import { createTableTwin } from '../in-memory/table.ts';
import { iso, noon, portItemOf, requestItemOf } from './ledger-items.ts';
import { portSummaryOf } from './submit-and-sync.ts';
import { clocksOf, createTestPipeline, expiredPlans, type TestPipeline, testSettings } from './test-pipeline.ts';

export interface SyncScenarioOptions {
  /** Ports in the list of the service. */
  readonly ports: number;
  /** Of these, ports that sync follows, all due, spread evenly over the list. */
  readonly live: number;
  /** Of these, ports whose status has changed. */
  readonly changed: number;
  /** Pages that the list reports. @default - as many as it has */
  readonly reportedPages?: number;
  /** The time limit of a run. */
  readonly budgetMs?: number;
  /** Calls or writes in progress at once. @default 4 */
  readonly width?: number;
  /** What a write takes. @default 5 ms */
  readonly writeMs?: number;
}

export interface SyncScenario {
  /** One run. The next one starts five minutes after this one started. */
  run(): Promise<SyncRun>;
  /** Ports that no run has read yet. */
  waiting(): number;
  /** Pages of the port list. */
  readonly pages: number;
}

export interface SyncRun extends SyncResult {
  readonly pageCalls: number;
  readonly detailCalls: number;
  readonly writeUnits: number;
  /** Less than 0: it was killed. */
  readonly remainingMs: number;
}

const pageSize = 50;
const rowsPerPort = 100;
const everyMs = 5 * 60_000;
/** What a call takes. */
const callMs = 500;
/** As in functions/sync/entry.ts. */
const runLimit = 100_000;

const idOf = (index: number): string => `port-${String(index).padStart(6, '0')}`;
const indexOf = (id: string): number => Number(id.slice('port-'.length));
const msisdnOf = (port: number, row: number): string => String(447_000_000_000 + port * rowsPerPort + row);
const rowsOf = (port: number): PortRowState[] =>
  Array.from({ length: rowsPerPort }, (_, row) => ({
    line: row + 2,
    msisdn: msisdnOf(port, row),
    status: 'Submitted',
  }));

export async function createSyncScenario(options: SyncScenarioOptions): Promise<SyncScenario> {
  const { ports, live, changed, budgetMs = 240_000, width = 4, writeMs = 5 } = options;
  const time = createTime(noon + 86_400_000);
  const calls = { pages: 0, details: 0 };
  const isLive = spread(live, ports);
  const followed = Array.from({ length: ports }, (_, index) => index).filter(isLive);
  const isChanged = spread(changed, followed.length);
  const moved = new Set(followed.filter((_, place) => isChanged(place)));
  const table = await createTable(time, followed, moved, writeMs / width);

  const statusOf = (index: number) => (moved.has(index) ? 'Locked' : isLive(index) ? 'Submitted' : 'Complete');
  const client = createCountingClient(options, time, calls, statusOf);
  const rateLimiter = double<SyncPipeline['rateLimiter']>({ get: async () => undefined, probeNow: async () => {} });
  const clocks = clocksOf(time.now);
  const { settings } = around;
  const steps = createSteps(
    createTestPipeline(
      { ...double<AwsClients>({}), table: table.client, resultsTable: 'results', client, rateLimiter, clocks },
      { ...double<Partial<TestPipeline>>(around), settings: { ...settings, callsAtOnce: width }, wait: time.wait },
    ),
  );

  const run = async (): Promise<SyncRun> => {
    const begun = time.now();
    const before = { ...calls, units: table.units() };
    const deadline = createDeadline(() => begun + budgetMs - time.now());
    const result = await sync(steps.sync({ deadline, runId: `run-${begun}` }));
    const remainingMs = deadline.remainingMs();
    time.pass(Math.max(0, begun + everyMs - time.now()));
    return {
      ...result,
      pageCalls: calls.pages - before.pages,
      detailCalls: calls.details - before.details,
      writeUnits: table.units() - before.units,
      remainingMs,
    };
  };
  return { run, waiting: () => live - table.portsRead(), pages: Math.ceil(ports / pageSize) };
}

/** The service: counts the calls of a run and advances the clock by what they take. */
function createCountingClient(
  options: SyncScenarioOptions,
  time: Time,
  calls: { pages: number; details: number },
  statusOf: (index: number) => string,
): SyncPipeline['client'] {
  const { ports, reportedPages = Math.ceil(ports / pageSize), width = 4 } = options;
  const shown = (index: number) => portSummaryOf(idOf(index), { statusName: statusOf(index), rowCount: rowsPerPort });
  return double({
    throwIfDeferred: async () => {},
    networks: async () => [],
    listPorts: async (page: number) => {
      calls.pages += 1;
      time.pass(callMs / width);
      const first = (page - 1) * pageSize;
      const length = Math.max(0, Math.min(pageSize, ports - first));
      const data = Array.from({ length }, (_, place) => shown(first + place));
      return { total: ports, totalPages: reportedPages, data };
    },
    port: async (id: string) => {
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
  });
}

interface Time {
  readonly now: () => number;
  readonly wait: (milliseconds: number) => Promise<void>;
  pass(milliseconds: number): void;
}

/** Time advances only by `pass`, which also ends the waits that are over. */
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

/** Selects `some` of `all`, spread evenly. */
const spread =
  (some: number, all: number) =>
  (index: number): boolean =>
    Math.floor(((index + 1) * some) / all) > Math.floor((index * some) / all);

async function createTable(time: Time, followed: readonly number[], moved: ReadonlySet<number>, writeMs: number) {
  const read = new Set<unknown>();
  let units = 0;
  let write: 'alone' | 'in-transaction' = 'alone';
  const twin = createTableTwin({
    now: time.now,
    pageSize: 25_000,
    onWrite: (before, after) => {
      units += unitsOf(before, after, write);
      if (after?.sk === 'port' && before !== undefined) read.add(after.portId);
      time.pass(writeMs);
    },
  });
  const client = {
    send: (command: { readonly input: unknown }) => {
      write = command.constructor.name === 'TransactWriteCommand' ? 'in-transaction' : 'alone';
      return twin.send(command);
    },
  } as unknown as DynamoDBDocumentClient;
  const stored = createPorts(client, 'results');
  for (const index of followed) {
    const port = {
      portId: idOf(index),
      portStatus: 'Submitted',
      portRows: { 'in-progress': 1 },
      portDate: '2026-07-20',
    };
    const request = { request: index + 1, state: 'created' as const, ...port };
    // Sync reads the request and the rows only of ports that have changed.
    const Item = storedRequest(requestItemOf({ ...request, actionRequired: 0, rowCount: rowsPerPort }));
    if (moved.has(index)) await client.send(new PutCommand({ TableName: 'results', Item }));
    const rows = moved.has(index) ? rowsOf(index) : undefined;
    const next = portItemOf({
      portId: idOf(index),
      request: index + 1,
      rowCount: rowsPerPort,
      rowsReadAt: iso(time.now()),
      dueAt: iso(noon + index),
    });
    await stored.record({ next, rows });
  }
  units = 0;
  return {
    client,
    portsRead: () => read.size,
    units: () => units,
  };
}

/** What would add calls and writes of its own. */
const around = {
  unfinishedSince: async () => undefined,
  imports: { get: async () => undefined },
  notifications: { due: async () => [], set: async () => {}, remove: async () => {} },
  plans: expiredPlans,
  searches: { load: async () => ({}), save: async () => {} },
  resolutions: { waiting: async () => [], answer: async () => {} },
  queues: { send: async () => {} },
  operationNamed: () => undefined,
  settings: { ...testSettings, quietMs: 1, limit: runLimit },
};
