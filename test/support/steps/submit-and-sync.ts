// Submit and sync with a separate table in an embedded DynamoDB, against the porting simulator, on clocks of the test.
import { hash, randomUUID } from 'node:crypto';
import { CreateTableCommand } from '@aws-sdk/client-dynamodb';
import { PutObjectCommand } from '@aws-sdk/client-s3';
import type { SubmitPipeline } from '#functions/submit/attempt.ts';
import { submit } from '#functions/submit/submit.ts';
import { createFailureClassifier } from '#functions/sync/failure-classifier.ts';
import { sync } from '#functions/sync/sync.ts';
import type { ImportItem } from '#shared/import/import.ts';
import type { CreatePortHead } from '#shared/operations/create-port/submission.ts';
import type { SubmitMessage } from '#shared/request/messages.ts';
import type { PlannedRequest, PlannedRow, RequestItem } from '#shared/request/request.ts';
import type { MetricName } from '#shared/runtime/metrics.ts';
import { createPortingClient, type PortingClient } from '#shared/service/client.ts';
import type { PortSummary } from '#shared/service/contract.ts';
import { createRateLimiter } from '#shared/service/rate-limiter.ts';
import { createRateLimitStore } from '#shared/store/leases.ts';
import { type OperationName, requestToken } from '#shared/text/identity.ts';
import type { Port, RowStatus } from '#simulator/ports/port.ts';
import { createMemoryStore } from '#simulator/store/memory-store.ts';
import type { Store } from '#simulator/store/store.ts';
import { checkAtEnd } from '../../rig/end-of-test.ts';
import { createSteps } from '../../rig/steps.ts';
import type { ResultsServices } from '../embedded/services.ts';
import { tableDefinition } from '../embedded/table.ts';
import type { TwinServices } from '../in-memory/services.ts';
import { startTestSimulator, type TestSimulator } from '../service/simulator.ts';
import { createTestPipeline, type TestPipeline, testResources, testSettings, textLog } from './test-pipeline.ts';

export const { leaseMs, quietMs } = testSettings;

/** A port of the list, for tests that simulate the service themselves. */
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
  account: testSettings.account,
  operation: 'create-port',
  state: 'submitting',
  bucket: 'inbox',
  key: 'create-port/numbers.csv',
  etag: 'e',
  bytes: 1,
  columnIndexes: { msisdn: 0 },
  planOnly: false,
  expiresAt: 1_850_000_000,
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
  actionRequired: 0,
  skippedRows: 0,
  ...changes,
});

/** `07700 900001` is number 1. The PAC determines what the simulator does. */
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

/** @param atEnd receives a function that stops the simulator. @default at the end of the test */
export async function startRig(services: ResultsServices | TwinServices, atEnd?: (close: () => Promise<void>) => void) {
  const store = createMemoryStore();
  const service: TestSimulator = await startTestSimulator({ store }, atEnd);
  const table = `results-${randomUUID()}`;
  await services.table.send(new CreateTableCommand(tableDefinition(table)));
  services.emptyQueues();
  await services.emptyBuckets();
  const clocks = { wall: () => service.now(), calendar: () => service.now() };
  const [client] = service.clients;
  const rateLimitStore = createRateLimitStore(services.table, table, testSettings.account);
  /** The client and rate limiter of one environment. `fetch` may add failures. */
  const connect = (fetch = globalThis.fetch) => {
    const rateLimiter = createRateLimiter({
      store: rateLimitStore,
      // The simulator is in this process, and its clock stops while it is called.
      callsPerSecond: 10_000,
      clock: service.now,
      random: () => 0.5,
      wait: async () => {},
      notify: () => {},
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
      rateLimiter: rateLimiter,
      fetch,
    });
    return { client: porting, rateLimiter: { get: rateLimitStore.get, ...rateLimiter } };
  };
  const { client: porting, rateLimiter } = connect();
  const spoken: string[] = [];
  const doubles = 'doubles' in services ? services.doubles : undefined;
  const atEndOfTest =
    atEnd === undefined && doubles !== undefined
      ? checkAtEnd(async () => ({
          items: doubles.items(table),
          ports: await portsNow(service, store),
          text: doubles.text,
          places: doubles.places(),
          spoken,
          workBucket: services.buckets.work,
        }))
      : undefined;
  doubles?.watchWrites(atEndOfTest?.onWrite ?? (() => {}));
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
  const { ingestQueueUrl, commandQueueUrl, submitQueueUrl, reportQueueUrl } = services;
  const resources = { ...testResources, ingestQueueUrl, commandQueueUrl, submitQueueUrl, reportQueueUrl };
  const clients = { ...services, resultsTable: table, client: counted, rateLimiter, clocks };
  const pipeline = createTestPipeline(clients, { resources, metrics, log: textLog((text) => void spoken.push(text)) });
  const { imports, requests, numbers, ports, leases, syncRuns, comparisons, resolutions, notifications, files } =
    pipeline;
  const stores = {
    imports,
    requests,
    numbers,
    ports,
    leases,
    syncRuns,
    comparisons,
    resolutions,
    notifications,
    files,
  };

  /** Of a new environment, which knows nothing of calls before. */
  const submitParts = (changes: Partial<SubmitPipeline> = {}): SubmitPipeline => createSteps(pipeline).submit(changes);
  const syncParts = (changes: Partial<TestPipeline> = {}): TestPipeline => ({
    ...pipeline,
    ...createSteps(pipeline).sync({ runId: randomUUID(), ...changes }),
  });

  /** Plans one request per list of rows and returns their messages; `changes` apply to all requests. */
  const plan = async (
    importId: string,
    groups: readonly (readonly PlannedRow[])[],
    changes: Partial<CreatePortHead> = {},
    operation: OperationName = 'create-port',
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
        operation,
        token,
        label,
        head: { ...head, ...changes },
        rows: [...rows],
      };
      const start = Buffer.byteLength(text);
      const written = JSON.stringify(planned);
      text += `${written}\n`;
      const range = { key, start, end: Buffer.byteLength(text) - 1, digest: hash('sha256', written) };
      const changedAt = new Date(service.now()).toISOString();
      const rowCount = rows.length;
      items.push({
        account: testSettings.account,
        importId,
        request,
        operation,
        state: 'planned',
        label,
        token,
        rowCount,
        plan: range,
        attempt: 0,
        revision: 0,
        changedAt,
        expiresAt: 1_850_000_000,
      });
      messages.push({ importId, request, plan: range });
    }
    await services.s3.send(new PutObjectCommand({ Bucket: services.buckets.work, Key: key, Body: text }));
    await stores.imports.begin(importItemOf(importId, { operation, requestCount: groups.length }));
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
    porting,
    connect,
    rateLimiter: rateLimitStore,
    /** See `EndOfTest`. */
    breaks: (text: string) => atEndOfTest?.breaks(text),
    /** The names of the called methods of the client, in order. */
    calls,
    counts,
    plan,
    planOne,
    submitParts,
    syncParts,
    submit: (message: SubmitMessage, changes: Partial<SubmitPipeline> = {}) => submit(message, submitParts(changes)),
    /** As within a run. */
    runParts: (changes: Partial<TestPipeline> = {}) => {
      const parts = syncParts(changes);
      return { ...parts, ...createFailureClassifier(parts), changed: new Set<string>() };
    },
    sync: (changes: Partial<TestPipeline> = {}) => sync(syncParts(changes)),
    request: async (importId: string, request = 1): Promise<RequestItem> => {
      const item = await stores.requests.get(importId, request);
      if (item === undefined) throw new Error(`there is no request ${request} of ${importId}`);
      return item;
    },
    /** Advances the clock to the next due port and syncs; does nothing if no port is followed. */
    syncNext: async (): Promise<void> => {
      const [next] = await stores.ports.due(testSettings.account, '9999', 1_000);
      if (next?.dueAt === undefined) return;
      service.pass(Math.max(0, Date.parse(next.dueAt) - service.now()));
      await sync(syncParts());
    },
    /** The number of ports at the service. */
    portsThere: async (): Promise<number> => (await porting.listPorts(1)).total,
    pass: (milliseconds: number) => service.pass(milliseconds),
  };
}

/** The service works out what became of a port when it is read. */
async function portsNow({ simulator, accountId, baseUrl, clientId, clientSecret }: TestSimulator, store: Store) {
  const { ports } = await store.ports(accountId, 0, Number.MAX_SAFE_INTEGER);
  if (ports.length < 2) return ports;
  const form = { client_id: clientId, client_secret: clientSecret, grant_type: 'client_credentials' };
  const body = new URLSearchParams(form);
  const token = await simulator.fetch(new Request(`${baseUrl}/connect/token`, { method: 'POST', body }));
  const { access_token } = (await token.json()) as { access_token: string };
  const headers = { authorization: `Bearer ${access_token}` };
  return Promise.all(
    ports.map(async (port): Promise<Port> => {
      const answer = await simulator.fetch(
        new Request(`${baseUrl}/api/porting/${accountId}/port/${port.id}`, { headers }),
      );
      const now = (await answer.json()) as { statusName: Port['status']; rows: { statusName: RowStatus }[] };
      const rows = port.rows.map((row, place) => ({ ...row, status: now.rows[place]?.statusName ?? row.status }));
      return { ...port, status: now.statusName, rows };
    }),
  );
}

function countCalls(client: PortingClient, calls: string[]): PortingClient {
  return Object.fromEntries(
    Object.entries(client).map(([name, method]) => [
      name,
      (...given: unknown[]) => {
        if (name !== 'ready' && name !== 'throwIfDeferred') calls.push(name);
        return (method as (...given: unknown[]) => unknown)(...given);
      },
    ]),
  ) as unknown as PortingClient;
}
