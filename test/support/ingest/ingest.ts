// Ingest over the doubles: uploads a text, and shows everything that results.
import type { SQSEvent } from 'aws-lambda';
import { TestRunner } from 'vitest';
import { createIngestHandler, type IngestStep } from '#functions/ingest/handler.ts';
import { ingest } from '#functions/ingest/ingest.ts';
import type { ImportItem } from '#shared/import/import.ts';
import { createCatalogue } from '#shared/operations/catalogue.ts';
import type { PipelineSettings } from '#shared/pipeline/pipeline.ts';
import type { ReportMessage, SubmitMessage } from '#shared/request/messages.ts';
import { type PlannedRequest, plannedRequest, type RequestItem } from '#shared/request/request.ts';
import type { Issue } from '#shared/row/issue.ts';
import { createDeadline } from '#shared/runtime/clock.ts';
import type { AwsClients } from '#shared/store/clients.ts';
import type { Imports } from '#shared/store/imports.ts';
import { createPlans } from '#shared/store/plans.ts';
import type { Requests } from '#shared/store/requests.ts';
import { checkAtEnd } from '../../rig/end-of-test.ts';
import { createSteps } from '../../rig/steps.ts';
import { double } from '../double.ts';
import { createBucketTwin } from '../in-memory/bucket.ts';
import { type MemoryFiles, memoryFiles } from '../in-memory/files.ts';
import { type StoredItems, storedImports, storedRequests } from '../in-memory/stored-items.ts';
import { createTableTwin, type TableTwin } from '../in-memory/table.ts';
import { lambdaContext } from '../lambda-context.ts';
import { clocksOf, createTestPipeline, testResources, testSettings, textLog } from '../steps/test-pipeline.ts';
import { accountSettings, countedLookups, monday } from './catalogue.ts';

export interface IngestBench {
  dependencies: IngestStep;
  readonly files: MemoryFiles;
  /** What is stored, and the stores of the pipeline, whose methods a test may replace. */
  readonly ledger: {
    readonly imports: Imports;
    readonly requests: Requests;
    readonly items: StoredItems<ImportItem>;
    readonly planned: StoredItems<RequestItem>;
  };
  readonly messages: SubmitMessage[];
  /** What was asked of DynamoDB and S3, such as `Put import` or `PutObject plan.ndjson`. */
  readonly calls: string[];
  /** The imports of which report was notified. */
  readonly notifiedReports: string[];
  /** The imports with a stored notification of report. */
  readonly renotified: string[];
  /** The ids of the messages that are to be retried. */
  readonly retried: string[];
  /** Everything that was logged, as text. */
  readonly logged: string[];
  time: number;
  remainingMs: number;
  /** Uploads and ingests a file; returns the import. */
  upload(body: string | Buffer, options?: UploadFileOptions): Promise<ImportItem | undefined>;
  /** The plan, request by request, each read by its byte range as submit does. */
  plan(item: ImportItem | undefined): PlannedRequest[];
  /** The file of the plan. */
  planText(item: Pick<ImportItem, 'importId'> | undefined): string;
  rejected(item: ImportItem | undefined): string;
  issues(item: ImportItem | undefined): Issue[];
}

export interface UploadFileOptions {
  readonly key?: string;
  readonly metadata?: Record<string, string>;
  readonly sequencer?: string;
}

export const inbox = 'inbox';
const defaultKey = 'create-port/file.csv';

type Overrides = Partial<Omit<IngestStep, 'settings'>> & { readonly settings?: Partial<PipelineSettings> };

/** A property opens thousands of benches, of which the first are checked at its end. Outside of tests none is. */
const mostChecked = 20;
const checkedIn = new WeakMap<object, number>();
function isChecked(): boolean {
  const test = TestRunner.getCurrentTest();
  const count = (test && checkedIn.get(test)) ?? 0;
  if (test !== undefined) checkedIn.set(test, count + 1);
  return test !== undefined && count < mostChecked;
}

/** @param options whether the buckets keep versions. @default none does */
export function ingestBench(
  { settings, ...overrides }: Overrides = {},
  { isVersioned = false }: { readonly isVersioned?: boolean } = {},
): IngestBench {
  const now = () => bench.time;
  const check = !isChecked()
    ? undefined
    : checkAtEnd(async () => ({
        items: table.items(),
        ports: [],
        text: files.text,
        places: files.keys(),
        spoken: logged,
        workBucket: testResources.workBucket,
      }));
  const calls: string[] = [];
  const table: TableTwin = recordCalls(createTableTwin({ now, ...(check && { onWrite: check.onWrite }) }), calls);
  const files = memoryFiles(recordCalls(createBucketTwin({ now, isVersioned: () => isVersioned }), calls));
  const messages: SubmitMessage[] = [];
  const notifiedReports: string[] = [];
  const renotified: string[] = [];
  const retried: string[] = [];
  const logged: string[] = [];
  const allSettings = { ...testSettings, ...accountSettings, ...settings };
  const pipeline = createTestPipeline(
    {
      ...double<AwsClients>({ table }),
      resultsTable: 'results',
      clocks: clocksOf(now),
      // Only the adoption of a port reads these.
      client: double({}),
      rateLimiter: double({}),
    },
    {
      files,
      plans: createPlans(files, testResources.workBucket),
      queues: {
        send: async (queueUrl, bodies) => {
          if (queueUrl === testResources.reportQueueUrl)
            notifiedReports.push(...(bodies as ReportMessage[]).map(({ importId }) => importId));
          else messages.push(...(bodies as SubmitMessage[]));
        },
      },
      openCatalogue: () => createCatalogue(countedLookups()),
      settings: { ...allSettings, limit: testSettings.limit, simsPerRun: testSettings.simsPerRun },
      log: textLog((text) => void logged.push(text)),
    },
  );
  const { set } = pipeline.notifications;
  const bench: IngestBench = {
    files,
    ledger: {
      imports: pipeline.imports,
      requests: pipeline.requests,
      items: storedImports(table),
      planned: storedRequests(table),
    },
    messages,
    calls,
    notifiedReports,
    renotified,
    retried,
    logged,
    time: monday,
    remainingMs: 900_000,
    dependencies: {
      ...createSteps(pipeline).ingest,
      notifications: {
        ...pipeline.notifications,
        set: async (importId, dueAt) => {
          renotified.push(importId);
          await set(importId, dueAt);
        },
      },
      retryLater: async (_queueUrl, failed) => {
        retried.push(...failed.map(({ messageId }) => messageId));
      },
      ...overrides,
    },
    upload: (body, { key = defaultKey, metadata = {}, sequencer = '1' } = {}) => {
      const etag = files.put(inbox, key, body, metadata);
      const object = { bucket: inbox, key, etag, sequencer };
      return ingest(object, deadlineOf(bench), bench.dependencies);
    },
    plan: (item) => {
      const requests = [...bench.ledger.planned.values()].filter(({ importId }) => importId === item?.importId);
      return requests.map(({ plan: { key, start, end } }) => {
        const bytes = Buffer.from(files.text('work', key)).subarray(start, end);
        return plannedRequest.parse(JSON.parse(bytes.toString('utf8')));
      });
    },
    planText: (item) => {
      const keys = files.keys().map((key) => key.slice(key.indexOf('/') + 1));
      const isPlan = (key: string) => key.startsWith(`imports/${item?.importId}/`) && key.endsWith('plan.ndjson');
      return files.text('work', keys.find(isPlan) ?? 'no plan');
    },
    rejected: (item) => files.text('results', `imports/${item?.importId}/rejected.csv`),
    issues: (item) =>
      files
        .text('results', `imports/${item?.importId}/issues.ndjson`)
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line)),
  };
  return bench;
}

interface Twin {
  send(command: { readonly input: unknown }): Promise<unknown>;
}

function recordCalls<Recorded extends Twin>(twin: Recorded, calls: string[]): Recorded {
  const { send } = twin;
  twin.send = (command) => {
    const name = command.constructor.name.replace(/Command$/, '');
    const { Key, Item } = command.input as {
      readonly Key?: string | { readonly pk: string };
      readonly Item?: { readonly pk: string };
    };
    const about = typeof Key === 'string' ? Key.split('/').at(-1) : (Key ?? Item)?.pk.split('#')[0];
    calls.push(about === undefined ? name : `${name} ${about}`);
    return send.call(twin, command);
  };
  return twin;
}

export const deadlineOf = (bench: IngestBench) => createDeadline(() => bench.remainingMs);

/** The bench's handler, called as Lambda calls it with these message bodies; `deliveries` counts this one. */
export const handle = (
  bench: IngestBench,
  bodies: readonly string[],
  deliveries = 1,
  sender = 'AROAX:anna',
  queue?: 'ingest' | 'command',
) => {
  const Records = bodies.map((body, index) => {
    const eventSourceARN = `arn:aws:sqs:eu-west-2:1:${queue ?? (body.startsWith('{"Records"') ? 'ingest' : 'command')}`;
    const attributes = { ApproximateReceiveCount: String(deliveries), SenderId: sender };
    return { messageId: `message-${index}`, body, eventSourceARN, attributes };
  });
  const context = lambdaContext(() => bench.remainingMs);
  return createIngestHandler(bench.dependencies)({ Records } as unknown as SQSEvent, context);
};

/** The body of a notification, with the key encoded as S3 does it. */
export const notification = (key: string, object: Record<string, string> = {}): string =>
  JSON.stringify({
    Records: [
      {
        eventName: 'ObjectCreated:Put',
        userIdentity: { principalId: 'AWS:AROAX:anna' },
        requestParameters: { sourceIPAddress: '198.51.100.7' },
        s3: {
          bucket: { name: inbox },
          object: {
            key: encodeURIComponent(key).replaceAll('%20', '+').replaceAll('%2F', '/'),
            ...object,
          },
        },
      },
    ],
  });
