// Submit and sync over a table of their own on the wire, against the porting service, on clocks that the test moves.
import { randomUUID } from 'node:crypto';
import { CreateTableCommand } from '@aws-sdk/client-dynamodb';
import { PutObjectCommand } from '@aws-sdk/client-s3';
import type { SubmitParts } from '#functions/submit/parts.ts';
import { submit } from '#functions/submit/submit.ts';
import type { SyncParts } from '#functions/sync/parts.ts';
import { sync } from '#functions/sync/sync.ts';
import { createDrifts } from '#shared/aws/drifts.ts';
import { createFiles } from '#shared/aws/files.ts';
import { createImports } from '#shared/aws/imports.ts';
import { createLeases } from '#shared/aws/leases.ts';
import { createLooks } from '#shared/aws/looks.ts';
import { createNumbers } from '#shared/aws/numbers.ts';
import { createPaceStore } from '#shared/aws/pace-store.ts';
import { createPlans } from '#shared/aws/plans.ts';
import { createPorts } from '#shared/aws/ports.ts';
import { createQueues } from '#shared/aws/queues.ts';
import { createReminders } from '#shared/aws/reminders.ts';
import { createRequests } from '#shared/aws/requests.ts';
import { tableDefinition } from '#shared/aws/table-definition.ts';
import { requestToken } from '#shared/domain/identity.ts';
import type { ImportItem, RequestItem } from '#shared/domain/ledger.ts';
import type { PlannedRequest, PlannedRow, SubmitMessage } from '#shared/domain/plan.ts';
import { createTimeZone } from '#shared/domain/time-zone.ts';
import { createCatalogue } from '#shared/operations/catalogue.ts';
import type { CreatePortHead } from '#shared/operations/create-port-submission.ts';
import { operationNamed } from '#shared/operations/registry.ts';
import { createPortingClient, type PortingClient } from '#shared/porting/client.ts';
import type { PortSummary } from '#shared/porting/contract.ts';
import { createPace } from '#shared/porting/pace.ts';
import type { MetricName } from '#shared/runtime/metrics.ts';
import { startTestService, type TestService } from './porting-service.ts';
import type { ResultsServices } from './results-services.ts';

export const leaseMs = 60_000;
export const quietMs = 30_000;

export const silentLog = {
  debug: () => {},
  info: () => {},
  warn: () => {},
  error: () => {},
  with: () => silentLog,
};

/** A port that the list shows, of a service that the test plays itself. */
export const portSummaryOf = (id: string, changes: Partial<PortSummary> = {}): PortSummary => ({
  id,
  name: `port ${id}`,
  connectionDate: '2026-07-20T00:00:00',
  portType: 1,
  portTypeName: 'Port',
  rowCount: 1,
  status: 5,
  statusName: 'Submitted',
  ...changes,
});

export const importItemOf = (importId: string, changes: Partial<ImportItem> = {}): ImportItem => ({
  importId,
  account: 1001,
  operation: 'create-port',
  state: 'submitting',
  bucket: 'inbox',
  key: 'create-port/numbers.csv',
  etag: 'e',
  bytes: 1,
  planOnly: false,
  receivedAt: '2026-07-06T09:00:00.000Z',
  changedAt: '2026-07-06T09:00:00.000Z',
  rows: 0,
  accepted: 0,
  rejected: 0,
  warnings: 0,
  requestCount: 1,
  issues: [],
  requests: {},
  ports: {},
  attention: 0,
  withdrawnRows: 0,
  ...changes,
});

/** `07700 900001` is number 1; the PAC decides what the service makes of it. */
export const msisdnOf = (index: number): string => `447700900${String(index).padStart(3, '0')}`;

export const plannedRowOf = (index: number, line: number, pac = 'ABC123456'): PlannedRow => ({
  line,
  subject: msisdnOf(index),
  wire: {
    msisdn: `0${msisdnOf(index).slice(2)}`,
    serialNo: `894411${String(index).padStart(14, '0')}`,
    pac,
    esim: false,
  },
});

const head = {
  portType: 'Port',
  targetNetworkId: 11,
  networkNumber: 101,
  sourceNetworkId: 1,
  connectionDate: '2026-07-08',
  auto: false,
  groupName: 'Business',
  tariffId: 2001,
  boltOns: [101],
  services: null,
  provisioningOrder: 5001,
  provisioningOrderName: null,
};

export interface Rig extends Awaited<ReturnType<typeof startRig>> {}

/** @param atEnd takes what closes the porting service. @default at the end of the test */
export async function startRig(services: ResultsServices, atEnd?: (close: () => Promise<void>) => void) {
  const service: TestService = await startTestService({}, atEnd);
  const table = `results-${randomUUID()}`;
  await services.table.send(new CreateTableCommand(tableDefinition(table)));
  services.emptyQueues();
  await services.emptyBuckets();
  const clocks = { wall: () => service.now(), calendar: () => service.now() };
  const files = createFiles(services.s3);
  const [client] = service.clients;
  const paceStore = createPaceStore(services.table, table, service.accountId);
  /** An environment's own client and pace; `fetch` may stand for a service with troubles. */
  const connect = (fetch = globalThis.fetch) => {
    const pace = createPace({
      store: paceStore,
      // A service in this process, on a clock that stands still while it is called.
      callsPerSecond: 10_000,
      clock: service.now,
      random: () => 0.5,
      wait: async () => {},
      tell: () => {},
      onFailure: (error) => {
        throw error;
      },
    });
    const porting = createPortingClient({
      baseUrl: service.baseUrl,
      authUrl: service.authUrl,
      accountId: service.accountId,
      credentials: async () => ({ clientId: client?.clientId ?? '', clientSecret: client?.clientSecret ?? '' }),
      wait: async () => {},
      pace,
      fetch,
    });
    return { client: porting, pace: { get: paceStore.get, probeNow: pace.probeNow } };
  };
  const { client: porting, pace } = connect();
  const calls: string[] = [];
  const counted = countCalls(porting, calls);
  const counts: Partial<Record<MetricName, number>> = {};
  const metrics = {
    count: (name: MetricName, value = 1) => {
      counts[name] = (counts[name] ?? 0) + value;
    },
    gauge: (name: MetricName, value: number) => {
      counts[name] = value;
    },
    flush: () => {},
  };
  const stores = {
    imports: createImports(services.table, table),
    requests: createRequests(services.table, table),
    numbers: createNumbers(services.table, table),
    ports: createPorts(services.table, table),
    leases: createLeases(services.table, table),
    drifts: createDrifts(services.table, table),
    reminders: createReminders(services.table, table),
  };
  const shared = {
    ...stores,
    looks: createLooks(stores.ports, stores.numbers, stores.drifts),
    plans: createPlans(files, services.buckets.work),
    queues: createQueues(services.sqs),
    pace,
    client: counted,
    operationNamed,
    clocks,
    remainingMs: () => 60_000,
    log: silentLog,
    metrics,
  };
  const rules = { zone: 'Europe/London', callingCode: '44', msisdnFormat: 'national' as const, maxRowsPerRequest: 100 };
  const { submitQueueUrl, reportQueueUrl } = services;

  const submitParts = (changes: Partial<SubmitParts> = {}): SubmitParts => ({
    ...shared,
    judge: {
      catalogue: createCatalogue(changes.client ?? counted),
      settings: rules,
      calendar: clocks.calendar,
    },
    settings: {
      account: service.accountId,
      rules,
      leaseMs,
      quietMs,
      callTimeoutMs: 5_000,
      retryWithoutRefused: true,
      submitQueueUrl,
    },
    alsoChanged: () => {},
    inTurn: (work) => work(),
    random: () => 0.5,
    ...changes,
  });
  const syncParts = (changes: Partial<SyncParts> = {}): SyncParts => ({
    ...shared,
    settings: {
      account: service.accountId,
      zone: createTimeZone('Europe/London'),
      callingCode: '44',
      quietMs,
      submitQueueUrl,
      reportQueueUrl,
      limit: 5_000,
      simsPerRun: 1_000,
    },
    // Real time is too short for a renewal; a test that wants one brings its own.
    wait: () => new Promise(() => {}),
    sweepInbox: async () => 0,
    writeLookupPack: async () => false,
    runId: randomUUID(),
    ...changes,
  });

  /** Plans one request per list of rows, and answers their messages; `changes` to what all of them ask for. */
  const plan = async (
    importId: string,
    groups: readonly (readonly PlannedRow[])[],
    changes: Partial<CreatePortHead> = {},
  ): Promise<SubmitMessage[]> => {
    const key = `imports/${importId}/plan.ndjson`;
    const messages: SubmitMessage[] = [];
    const items: RequestItem[] = [];
    let text = '';
    for (const [index, rows] of groups.entries()) {
      const request = index + 1;
      const token = requestToken(importId, request);
      const label = `Group ${request}`;
      const planned: PlannedRequest = {
        importId,
        request,
        operation: 'create-port',
        token,
        label,
        head: { ...head, ...changes },
        rows: [...rows],
      };
      const start = Buffer.byteLength(text);
      text += `${JSON.stringify(planned)}\n`;
      const range = { key, start, end: Buffer.byteLength(text) - 1 };
      const changedAt = new Date(service.now()).toISOString();
      const { operation } = planned;
      const rowCount = rows.length;
      items.push({
        importId,
        request,
        operation,
        state: 'planned',
        label,
        token,
        rowCount,
        plan: range,
        attempt: 0,
        changedAt,
      });
      messages.push({ importId, request, plan: range });
    }
    await services.s3.send(new PutObjectCommand({ Bucket: services.buckets.work, Key: key, Body: text }));
    await stores.requests.plan(items);
    return messages;
  };

  const planOne = async (importId: string, rows: readonly PlannedRow[]): Promise<SubmitMessage> => {
    const [message] = await plan(importId, [rows]);
    if (message === undefined) throw new Error('nothing was planned');
    return message;
  };

  return {
    ...stores,
    service,
    services,
    table,
    files,
    porting,
    connect,
    pace: paceStore,
    /** The names of the client's methods that were called, in order. */
    calls,
    counts,
    plan,
    planOne,
    submitParts,
    syncParts,
    submit: (message: SubmitMessage, changes: Partial<SubmitParts> = {}) => submit(message, submitParts(changes)),
    sync: (changes: Partial<SyncParts> = {}) => sync(syncParts(changes)),
    request: async (importId: string, request = 1): Promise<RequestItem> => {
      const item = await stores.requests.get(importId, request);
      if (item === undefined) throw new Error(`there is no request ${request} of ${importId}`);
      return item;
    },
    /** Moves the clock to the next look at any port, and syncs; does nothing once no port is followed any more. */
    syncNext: async (): Promise<void> => {
      const [next] = await stores.ports.due('9999', 1_000);
      if (next?.dueAt === undefined) return;
      service.pass(Math.max(0, Date.parse(next.dueAt) - service.now()));
      await sync(syncParts());
    },
    /** How many ports the service holds. */
    portsThere: async (): Promise<number> => (await porting.listPorts(1)).total,
    pass: (milliseconds: number) => service.pass(milliseconds),
  };
}

function countCalls(client: PortingClient, calls: string[]): PortingClient {
  return Object.fromEntries(
    Object.entries(client).map(([name, method]) => [
      name,
      (...given: unknown[]) => {
        if (name !== 'ready') calls.push(name);
        return (method as (...given: unknown[]) => unknown)(...given);
      },
    ]),
  ) as unknown as PortingClient;
}
