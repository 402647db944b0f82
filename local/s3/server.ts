// The embedded S3: which operation a request means, and a clear 501 for everything that is not one of them, so that
// nothing is ever half done (a tagging call taken for a PUT would overwrite the object).
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Loopback, serveOnLoopback } from '../loopback.ts';
import * as buckets from './buckets.ts';
import { notImplemented, S3Error } from './errors.ts';
import * as multipart from './multipart.ts';
import { type DeliverToQueue, getNotification, notifyCreated, putNotification } from './notifications.ts';
import * as objects from './objects.ts';
import { parseRequest, type S3Request, sendXml } from './request.ts';
import { type ObjectStore, openObjectStore } from './store.ts';
import { listVersions } from './versions.ts';

export interface EmbeddedS3 {
  readonly url: string;
  readonly tcpPort: number;
  stop(): Promise<void>;
}

type Operation = (call: S3Request) => Promise<void>;

/** Query parameters that say which operation is meant; one that is not in the tables below is refused. */
const describingParameters = new Set([
  ...['list-type', 'prefix', 'delimiter', 'max-keys', 'continuation-token', 'start-after', 'marker', 'encoding-type'],
  ...['key-marker', 'version-id-marker', 'fetch-owner', 'versionId', 'x-id', 'partNumber', 'max-buckets'],
]);
const isDescribing = (name: string): boolean =>
  describingParameters.has(name) || name.startsWith('response-') || name.toLowerCase().startsWith('x-amz-');

/** Headers that would change what is stored in a way this S3 could not give back. */
const refusedHeaders = [
  'x-amz-tagging',
  'x-amz-object-lock-mode',
  'x-amz-object-lock-legal-hold',
  'x-amz-website-redirect-location',
];

const operations = (store: ObjectStore, deliver: DeliverToQueue, region: string, clock: () => number) => {
  const created = notifyCreated(store, deliver, region);
  const on =
    (operation: (store: ObjectStore, call: S3Request) => Promise<void>): Operation =>
    (call) =>
      operation(store, call);
  const put: Operation = (call) =>
    call.header('x-amz-copy-source') === undefined
      ? objects.putObject(store, call, created)
      : objects.copyObject(store, call, created);
  const part: Operation = (call) =>
    call.header('x-amz-copy-source') === undefined
      ? multipart.uploadPart(store, call)
      : multipart.uploadPartCopy(store, call);
  /** Keyed by method, level and subresource. */
  const table: Readonly<Record<string, Operation>> = {
    'GET service': on(buckets.listBuckets),
    'PUT bucket': on(buckets.createBucket),
    'HEAD bucket': on(buckets.headBucket),
    'GET bucket': on(buckets.listObjects),
    'DELETE bucket': on(buckets.deleteBucket),
    'GET bucket versions': on(listVersions),
    'GET bucket location': on(buckets.getLocation),
    'PUT bucket versioning': on(buckets.putVersioning),
    'GET bucket versioning': on(buckets.getVersioning),
    'PUT bucket notification': (call) => putNotification(store, call, deliver, clock),
    'GET bucket notification': on(getNotification),
    'POST bucket delete': on(buckets.deleteObjects),
    'PUT object': put,
    'GET object': on(objects.getObject),
    'HEAD object': on(objects.getObject),
    'DELETE object': on(objects.deleteObject),
    'POST object uploads': on(multipart.createUpload),
    'PUT object uploadId': part,
    'POST object uploadId': (call) => multipart.completeUpload(store, call, created),
    'DELETE object uploadId': on(multipart.abortUpload),
  };
  return table;
};

const choose = (table: Readonly<Record<string, Operation>>, call: S3Request): Operation => {
  const level = call.bucket === '' ? 'service' : call.key === '' ? 'bucket' : 'object';
  const subresources = [...call.query.keys()].filter((name) => !isDescribing(name)).sort();
  const name = [call.request.method, level, ...subresources].join(' ');
  const refused = refusedHeaders.find((header) => call.header(header) !== undefined);
  if (refused !== undefined) throw notImplemented(`the header ${refused}`);
  const operation = table[name];
  if (operation === undefined) throw notImplemented(name);
  return operation;
};

const answerError = (error: unknown, call: S3Request, log: (line: string) => void): void => {
  const { response, request } = call;
  const known = error instanceof S3Error ? error : undefined;
  // A client that goes away in the middle of its upload is no failure of ours.
  const clientIsGone = response.destroyed || (request.destroyed && !request.complete);
  if (known === undefined && !clientIsGone) log(`s3: ${request.method} ${request.url}: ${String(error)}`);
  if (response.headersSent || clientIsGone) {
    response.destroy();
    return;
  }
  // What is left of a refused body is not read: the connection cannot be used again.
  response.setHeader('connection', 'close');
  sendXml(
    response,
    'Error',
    {
      Code: known?.code ?? 'InternalError',
      Message: known?.message ?? String(error),
      Resource: `/${call.bucket}/${call.key}`,
    },
    known?.status ?? 500,
  );
};

export interface S3Options {
  /** Where objects and their index are kept. */
  readonly directory: string;
  readonly region: string;
  readonly clock: () => number;
  readonly deliver: DeliverToQueue;
  readonly log: (line: string) => void;
  readonly preferredTcpPort?: number;
}

/** Starts S3 on loopback. Path-style and `bucket.localhost` addresses, no authentication. */
export const startS3 = async ({
  directory,
  region,
  clock,
  deliver,
  log,
  preferredTcpPort,
}: S3Options): Promise<EmbeddedS3> => {
  const store = openObjectStore(directory, clock);
  const table = operations(store, deliver, region, clock);
  let requests = 0;
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    requests += 1;
    response.setHeader('x-amz-request-id', requests.toString(16).toUpperCase().padStart(16, '0'));
    const call = parseRequest(request, response);
    try {
      await choose(table, call)(call);
    } catch (error) {
      answerError(error, call, log);
    }
  };
  const server: Loopback = await serveOnLoopback(
    (request, response) => void handle(request, response),
    preferredTcpPort,
  );
  return {
    url: server.url,
    tcpPort: server.tcpPort,
    stop: async () => {
      await server.close();
      store.close();
    },
  };
};
