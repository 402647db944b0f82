// Storage for tests of the steps: in-memory doubles instead of the embedded services, under the same contract
// (test/chaos/twins.slow.test.ts). They take a tenth of the time.
import { queueNames } from '#shared/api/agreed-names.ts';
import type { AwsClients } from '#shared/store/clients.ts';
import type { ResultsServices } from '../embedded/services.ts';
import { createBucketTwin } from './bucket.ts';
import type { Item } from './expression.ts';
import { createQueueTwin } from './queue.ts';
import { createTableTwin, type OnWrite, type TableTwin } from './table.ts';

interface Command {
  readonly input: {
    readonly TableName?: string;
    readonly RequestItems?: Readonly<Record<string, unknown>>;
    readonly TransactItems?: readonly { readonly Put: { readonly TableName: string } }[];
    readonly Statements?: readonly { readonly Statement: string }[];
  };
}

const urlOf = (queue: string): string => `https://sqs.example/${queue}`;

/** Longer than a test lasts. */
const visibilityMs = 15 * 60_000;
const openQueues = () =>
  createQueueTwin({
    now: Date.now,
    queues: Object.fromEntries(queueNames.map((name) => [urlOf(name), { visibilityMs }])),
  });

/** What a test sees of the doubles beside their clients. */
export interface Doubles {
  /** Called with each write to a table. */
  watchWrites(onWrite: OnWrite): void;
  items(table: string): readonly Item[];
  text(bucket: string, key: string): string;
  places(): readonly string[];
}

export interface TwinServices extends ResultsServices {
  readonly doubles: Doubles;
}

export async function startTwinServices(): Promise<TwinServices> {
  let queues = openQueues();
  let bucket = createBucketTwin({ now: Date.now });
  let onWrite: OnWrite = () => {};
  const tables = tablesByName((before, after) => onWrite(before, after));
  const sqs = { send: (command: Command) => queues.send(command) };
  const s3 = { send: (command: Command) => bucket.send(command) };
  return {
    ...({ table: tables, s3, sqs } as unknown as AwsClients),
    tableName: 'results',
    buckets: { inbox: 'inbox', work: 'work', results: 'results' },
    ingestQueueUrl: urlOf('ingest'),
    commandQueueUrl: urlOf('command'),
    submitQueueUrl: urlOf('submit'),
    reportQueueUrl: urlOf('report'),
    waiting: (queue) => queues.unreceived(urlOf(queue)),
    hidden: () => new Map(),
    emptyQueues: () => {
      queues = openQueues();
    },
    emptyBuckets: async () => {
      bucket = createBucketTwin({ now: Date.now });
    },
    stop: async () => {},
    doubles: {
      watchWrites: (watch) => {
        onWrite = watch;
      },
      items: (table) => tables.of(table).items(),
      text: (name, key) => bucket.text(name, key),
      places: () => bucket.places(),
    },
  };
}

/** Every test has a separate table. */
function tablesByName(onWrite: OnWrite) {
  const tables = new Map<string, TableTwin>();
  const tableOf = (name: string): TableTwin => {
    const found = tables.get(name) ?? createTableTwin({ now: Date.now, onWrite });
    tables.set(name, found);
    return found;
  };
  return {
    of: tableOf,
    send: async (command: Command) => {
      if (command.constructor.name === 'CreateTableCommand') return {};
      return tableOf(nameIn(command.input)).send(command);
    },
  };
}

function nameIn({ TableName, RequestItems = {}, TransactItems = [], Statements = [] }: Command['input']): string {
  const [written, [read] = Object.keys(RequestItems)] = [TransactItems[0]?.Put.TableName];
  return TableName ?? written ?? read ?? /"([^"]+)"/.exec(Statements[0]?.Statement ?? '')?.[1] ?? '';
}
