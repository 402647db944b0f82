// The embedded SQS: fauxqs's queues behind a loopback server of our own. Only its SQS half is used: its S3 half keeps
// whole objects in memory and cannot promise an untorn object after a crash (see s3/).
import { type BuildAppOptions, buildApp } from 'fauxqs';
import { serveOnLoopback } from '../loopback.ts';
import { deliverFairly, rememberGroups } from './fair-queues.ts';

export interface EmbeddedSqs {
  readonly url: string;
  readonly tcpPort: number;
  /** Messages by state, for the status of the engine. */
  depth(queueName: string): { readonly ready: number; readonly delayed: number; readonly inFlight: number };
  stop(): Promise<void>;
}

type Stores = NonNullable<BuildAppOptions['stores']>;
type Persistence = NonNullable<Stores['sqsStore']['persistence']>;

/** fauxqs exports its server but not its stores, which are what decides about persistence and queue URLs. */
const importStores = async () => {
  const root = import.meta.resolve('fauxqs');
  const load = async (path: string): Promise<Record<string, unknown>> => import(new URL(path, root).href);
  const [sqs, sns, s3, persistence] = await Promise.all([
    load('./sqs/sqsStore.js'),
    load('./sns/snsStore.js'),
    load('./s3/s3Store.js'),
    load('./persistence.js'),
  ]);
  return {
    SqsStore: sqs.SqsStore as new () => Stores['sqsStore'],
    SnsStore: sns.SnsStore as new () => Stores['snsStore'],
    S3Store: s3.S3Store as new () => Stores['s3Store'],
    PersistenceManager: persistence.PersistenceManager as new (directory: string) => Persistence,
  };
};

/**
 * Starts SQS on loopback.
 *
 * Messages that were in flight when an earlier run of this directory ended are visible again at once: whoever had
 * received them is gone. Their receive counts stay, as on AWS.
 *
 * @param directory where messages are kept (SQLite); in memory where undefined.
 */
export const startSqs = async (region: string, directory?: string, preferredTcpPort = 0): Promise<EmbeddedSqs> => {
  const { SqsStore, SnsStore, S3Store, PersistenceManager } = await importStores();
  const stores: Stores = { sqsStore: new SqsStore(), snsStore: new SnsStore(), s3Store: new S3Store() };
  const { sqsStore } = stores;
  deliverFairly(sqsStore);
  const persistence = directory === undefined ? undefined : new PersistenceManager(directory);
  if (persistence !== undefined) {
    // fauxqs fails when it writes down that a message is visible again (it sets a count to null that must not be). The
    // row may as well keep saying "in flight": every start makes such messages visible.
    persistence.updateMessageReady = () => undefined;
    persistence.loadSqsAndSns(sqsStore, stores.snsStore);
    sqsStore.persistence = persistence;
    for (const queue of sqsStore.allQueues()) {
      queue.persistence = persistence;
      for (const { receiptHandle } of queue.inspectMessages().inflight) queue.changeVisibility(receiptHandle, 0);
    }
  }

  const app = buildApp({ logger: false, defaultRegion: region, stores });
  rememberGroups(app);
  // Without a host of its own, a queue's URL names the host of the request: the loopback address, which needs no DNS.
  sqsStore.host = '';
  await app.ready();
  const server = await serveOnLoopback((request, response) => {
    if (request.headers['content-type']?.startsWith('application/x-amz-json-1.0')) {
      app.routing(request, response);
      return;
    }
    response.writeHead(501, { 'content-type': 'application/json' });
    response.end(
      JSON.stringify({ message: 'This endpoint is SQS with the JSON protocol; S3 has an endpoint of its own' }),
    );
  }, preferredTcpPort);
  // Queues kept from an earlier run remember the address of that run.
  for (const queue of sqsStore.allQueues())
    Object.assign(queue, { url: `${server.url}${new URL(queue.url).pathname}` });

  return {
    url: server.url,
    tcpPort: server.tcpPort,
    depth: (queueName) => {
      const messages = sqsStore.inspectQueue(queueName)?.messages;
      return {
        ready: messages?.ready.length ?? 0,
        delayed: messages?.delayed.length ?? 0,
        inFlight: messages?.inflight.length ?? 0,
      };
    },
    stop: async () => {
      sqsStore.shutdown();
      await server.close();
      await app.close();
      persistence?.close();
    },
  };
};
