// Ingest over in-memory twins: drop a text into the inbox, look at everything that came of it.
import type { SQSEvent, SQSRecord } from 'aws-lambda';
import { createHandler, type HandlerDependencies } from '#functions/ingest/handler.ts';
import { type IngestDependencies, ingest } from '#functions/ingest/ingest.ts';
import type { Issue } from '#shared/domain/issue.ts';
import type { ImportItem } from '#shared/domain/ledger.ts';
import { type PlannedRequest, plannedRequest, type ReportMessage, type SubmitMessage } from '#shared/domain/plan.ts';
import { createCatalogue } from '#shared/operations/catalogue.ts';
import { operations } from '#shared/operations/registry.ts';
import { accountSettings, countedLookups, goodCells, monday } from './rows-catalogue.ts';
import { type MemoryFiles, type MemoryLedger, memoryFiles, memoryLedger } from './rows-memory.ts';

export interface IngestBench {
  readonly dependencies: HandlerDependencies;
  readonly files: MemoryFiles;
  readonly ledger: MemoryLedger;
  readonly messages: SubmitMessage[];
  /** The imports that report was told of. */
  readonly told: string[];
  /** The imports that were given a reminder. */
  readonly reminded: string[];
  /** The message ids that were given back. */
  readonly givenBack: string[];
  /** Everything that was logged, as text. */
  readonly logged: string[];
  time: number;
  remainingMs: number;
  /** Drops a file and ingests it; answers the import. */
  drop(body: string | Buffer, options?: DropOptions): Promise<ImportItem | undefined>;
  /** The plan, request by request, each read by its byte range as submit does. */
  plan(item: ImportItem | undefined): PlannedRequest[];
  rejected(item: ImportItem | undefined): string;
  issues(item: ImportItem | undefined): Issue[];
}

export interface DropOptions {
  readonly key?: string;
  readonly metadata?: Record<string, string>;
  readonly sequencer?: string;
}

export const inbox = 'inbox';
const reportQueueUrl = 'https://queue.example/report';
const defaultKey = 'create-port/file.csv';

export function ingestBench(overrides: Partial<IngestDependencies> = {}): IngestBench {
  const files = memoryFiles();
  const ledger = memoryLedger();
  const messages: SubmitMessage[] = [];
  const told: string[] = [];
  const reminded: string[] = [];
  const givenBack: string[] = [];
  const logged: string[] = [];
  const note = (message: string, fields: unknown = {}) => void logged.push(`${message} ${JSON.stringify(fields)}`);
  const log = { debug: note, info: note, warn: note, error: note, with: () => log };
  const bench: IngestBench = {
    files,
    ledger,
    messages,
    told,
    reminded,
    givenBack,
    logged,
    time: monday,
    remainingMs: 900_000,
    dependencies: {
      files,
      imports: ledger.imports,
      requests: ledger.requests,
      reminders: { set: async (importId) => void reminded.push(importId) },
      queues: {
        send: async (queueUrl, bodies) => {
          if (queueUrl === reportQueueUrl) told.push(...(bodies as ReportMessage[]).map(({ importId }) => importId));
          else messages.push(...(bodies as SubmitMessage[]));
        },
      },
      giveBack: async (failed) => {
        givenBack.push(...(failed as readonly unknown[] as SQSRecord[]).map(({ messageId }) => messageId));
      },
      plans: { read: async () => undefined },
      operations,
      openCatalogue: () => createCatalogue(countedLookups()),
      account: 1001,
      settings: accountSettings,
      limits: {
        maxFileBytes: 10_000_000,
        maxFileRows: 100_000,
        toleratedFailurePercentage: 100,
        maxWaitingRows: 20_000,
      },
      workBucket: 'work',
      resultsBucket: 'results',
      ingestQueueUrl: 'https://queue.example/ingest',
      submitQueueUrl: 'https://queue.example/submit',
      reportQueueUrl,
      calendar: () => bench.time,
      wall: () => bench.time,
      now: () => new Date(bench.time).toISOString(),
      log,
      metrics: { count: () => {}, gauge: () => {}, flush: () => {} },
      ...overrides,
    },
    drop: (body, { key = defaultKey, metadata = {}, sequencer = '1' } = {}) => {
      files.put(inbox, key, body, metadata);
      const object = { bucket: inbox, key, etag: 'etag-1', sequencer };
      return ingest(object, () => bench.remainingMs, bench.dependencies);
    },
    plan: (item) => {
      const bytes = Buffer.from(files.text('work', `imports/${item?.importId}/plan.ndjson`));
      const requests = [...ledger.planned.values()].filter(({ importId }) => importId === item?.importId);
      return requests.map(({ plan: { start, end } }) =>
        plannedRequest.parse(JSON.parse(bytes.subarray(start, end).toString('utf8'))),
      );
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

/** The bench's handler, called as Lambda calls it with these message bodies; `deliveries` counts this one. */
export const handle = (bench: IngestBench, bodies: readonly string[], deliveries = 1) => {
  const attributes = { ApproximateReceiveCount: String(deliveries) };
  const Records = bodies.map((body, index) => ({ messageId: `message-${index}`, body, attributes }));
  return createHandler(bench.dependencies)({ Records } as unknown as SQSEvent, {
    getRemainingTimeInMillis: () => bench.remainingMs,
  });
};

/** The body of a notification, with the key encoded as S3 does it. */
export const notification = (key: string, object: Record<string, string> = {}): string =>
  JSON.stringify({
    Records: [
      {
        eventName: 'ObjectCreated:Put',
        s3: {
          bucket: { name: inbox },
          object: {
            key: encodeURIComponent(key).replaceAll('%20', '+').replaceAll('%2F', '/'),
            eTag: 'etag-1',
            ...object,
          },
        },
      },
    ],
  });

const fileColumns = [...Object.keys(goodCells), 'boltOns', 'reference'];

/** A create-port file; each row is given by the cells that differ from a good row with its own number and SIM. */
export function csvOf(rows: readonly Record<string, string>[], columns: readonly string[] = fileColumns): string {
  const lines = rows.map((row, index) => {
    const cells: Record<string, string> = { ...goodCells, msisdn: numberAt(index), serialNo: simAt(index), ...row };
    return columns.map((column) => quoted(cells[column] ?? '')).join(',');
  });
  return `${[columns.join(','), ...lines].join('\n')}\n`;
}

/** That many good rows. */
export const goodRows = (count: number): Record<string, string>[] => Array.from({ length: count }, () => ({}));

const quoted = (cell: string): string => (/[",\n\r]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);

export const numberAt = (index: number): string => `07700${String(900_000 + index)}`;

export function simAt(index: number): string {
  const payload = `89441100${String(index).padStart(10, '0')}`;
  const sum = [...payload].reverse().reduce((total, digit, place) => {
    const doubled = place % 2 === 0 ? Number(digit) * 2 : Number(digit);
    return total + (doubled > 9 ? doubled - 9 : doubled);
  }, 0);
  return `${payload}${(10 - (sum % 10)) % 10}`;
}
