// The embedded S3: which operation a request means. Every other request gets a clear 501, so that nothing is half done
// (a tagging call taken for a PUT would overwrite the object).
import type { IncomingMessage, ServerResponse } from 'node:http';
import { finished } from 'node:stream/promises';
import { isClientGone } from '../http/loopback.ts';
import { type AccessKey, isSignedWith, openKey, readSignature } from '../http/signature.ts';
import * as buckets from './buckets.ts';
import { type DeliverToQueue, notifyCreated, putNotification } from './buckets.ts';
import { listObjects, listVersions } from './list-objects.ts';
import * as multipart from './multipart.ts';
import * as objects from './objects.ts';
import { invalidRequest, notImplemented, parseRequest, S3Error, type S3Request, sendXml } from './request.ts';
import { ObjectStore } from './store.ts';

type Operation = (call: S3Request) => Promise<void>;

/** Query parameters that modify an operation. Every other parameter names an operation in the table below. */
const describingParameters = new Set([
  'list-type',
  'prefix',
  'delimiter',
  'max-keys',
  'continuation-token',
  'start-after',
  'encoding-type',
  'marker',
  'max-uploads',
  'upload-id-marker',
  'Cache-Control',
  'Content-MD5',
  'Content-Type',
  'Version',
  'key-marker',
  'version-id-marker',
  'fetch-owner',
  'versionId',
  'x-id',
  'partNumber',
  'max-buckets',
  'part-number-marker',
  'max-parts',
  ...objects.settableHeaders.map((name) => `response-${name}`),
]);
const isDescribing = (name: string): boolean =>
  describingParameters.has(name) || name.toLowerCase().startsWith('x-amz-');

/** Headers that store something which this S3 cannot return. */
const unsupportedHeaders = [
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
    'HEAD bucket': (call) => buckets.headBucket(store, call, region),
    'GET bucket location': (call) => buckets.getLocation(store, call, region),
    'GET bucket': on(listObjects),
    'GET bucket uploads': on(multipart.listUploads),
    'GET bucket versions': on(listVersions),
    'PUT bucket versioning': on(buckets.putVersioning),
    'PUT bucket notification': (call) => putNotification(store, call, deliver, clock),
    'POST bucket delete': on(buckets.deleteObjects),
    'PUT object': put,
    'GET object': on(objects.getObject),
    'HEAD object': on(objects.getObject),
    'DELETE object': on(objects.deleteObject),
    'POST object uploads': on(multipart.createUpload),
    'GET object uploadId': on(multipart.listParts),
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
  const unsupported = unsupportedHeaders.find((header) => call.header(header) !== undefined);
  if (unsupported !== undefined) throw notImplemented(`the header ${unsupported}`);
  const operation = table[name];
  if (operation === undefined) throw notImplemented(name);
  return operation;
};

/** How long the rest of a body is awaited whose answer is known: a client that still sends would not read it. */
const lingerMs = 2_000;

/** Of the file system, in the words of a person. */
const storageProblems: Readonly<Record<string, string>> = {
  ENOSPC: 'its disk is full',
  EDQUOT: 'the quota of this user is used up',
  EROFS: 'its disk is read-only',
};

/** 507 is repeated by no client: what is wrong is to be repaired by a person. */
function toS3Error(error: unknown): S3Error {
  if (error instanceof S3Error) return error;
  const { code = '', syscall } = error as NodeJS.ErrnoException;
  if (syscall === undefined) return new S3Error(500, 'InternalError', String(error));
  const message = `The emulator cannot use its folder: ${storageProblems[code] ?? code}`;
  return new S3Error(507, 'InsufficientStorage', message);
}

/** Answers as S3 does. @returns whether the error is one of the embedded S3 itself */
const answerError = async (error: unknown, request: IncomingMessage, response: ServerResponse): Promise<boolean> => {
  const known = toS3Error(error);
  const isGone = isClientGone(request, response);
  // A partly sent answer is aborted.
  if (response.headersSent || isGone) {
    response.destroy();
    return known.status >= 500 && !isGone;
  }
  await finished(request.resume(), { signal: AbortSignal.timeout(lingerMs) }).catch(() => undefined);
  // Where the rest of a body is not read, the connection cannot serve another request.
  if (!request.complete) response.setHeader('connection', 'close');
  const Resource = request.url?.split('?')[0];
  const RequestId = String(response.getHeader('x-amz-request-id'));
  const node = { Code: known.code, Message: known.message, Resource, RequestId, HostId: 'local' };
  sendXml(response, 'Error', node, known.status);
  return known.status >= 500;
};

export interface S3Options {
  /** Where objects and their index are kept. */
  readonly directory: string;
  readonly region: string;
  readonly clock: () => number;
  readonly deliver: DeliverToQueue;
  readonly log: (line: string) => void;
  /** The only key that requests may be signed with. @default - any, and none */
  readonly accessKey?: AccessKey | undefined;
}

/** Opens S3: path-style and `bucket.localhost` addresses. */
export const openS3 = ({ directory, region, clock, deliver, log, accessKey }: S3Options) => {
  const store = new ObjectStore(directory, clock);
  const table = operations(store, deliver, region, clock);
  let requests = 0;
  return {
    handle: async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
      requests += 1;
      // Not as AWS: a browser runs nothing of a stored object at this address, which is that of all of them.
      response.setHeader('content-security-policy', "default-src 'none'; sandbox");
      response.setHeader('x-amz-request-id', requests.toString(16).toUpperCase().padStart(16, '0'));
      try {
        const call = parseRequest(request, response);
        checkSignatureVersion(call);
        checkSignature(call, clock(), accessKey);
        await choose(table, call)(call);
      } catch (error) {
        if (await answerError(error, request, response)) log(`s3: ${request.method} ${request.url}: ${String(error)}`);
      }
    },
    /** Objects whose files were missing at the start, as `s3://bucket/key`. */
    missing: store.missing,
    stop: (): void => store.close(),
  };
};

export type EmbeddedS3 = ReturnType<typeof openS3>;

/** `20260701T100000Z` in epoch milliseconds. */
const signedAt = (text: string): number =>
  Date.parse(text.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'));

/**
 * S3 takes signatures of version 2 only for buckets from before June 2020, and in London for none.
 * @throws S3Error InvalidRequest
 */
const checkSignatureVersion = ({ query, header }: S3Request): void => {
  if (!query.has('AWSAccessKeyId') && header('authorization')?.startsWith('AWS ') !== true) return;
  throw invalidRequest('The authorization mechanism you have provided is not supported. Please use AWS4-HMAC-SHA256.');
};

/**
 * @param accessKey the only key that requests may be signed with; undefined: every key is accepted, and none, and links
 *   are signed with `openKey`
 * @throws S3Error AccessDenied: the link has expired, or nothing is signed; SignatureDoesNotMatch
 */
const checkSignature = ({ request, query }: S3Request, now: number, accessKey: AccessKey | undefined): void => {
  const isLink = query.has('X-Amz-Signature');
  if (isLink) {
    const expiresAt = signedAt(query.get('X-Amz-Date') ?? '') + 1_000 * Number(query.get('X-Amz-Expires'));
    if (!(now <= expiresAt)) throw new S3Error(403, 'AccessDenied', 'Request has expired');
  }
  if (!isLink && accessKey === undefined) return;
  const signature = readSignature(request);
  if (signature === undefined) throw new S3Error(403, 'AccessDenied', 'Access Denied');
  const { accessKeyId, secretAccessKey } = accessKey ?? openKey;
  if (signature.keyId === accessKeyId && isSignedWith(secretAccessKey, request, signature, 1)) return;
  const message = 'The request signature we calculated does not match the signature you provided.';
  throw new S3Error(403, 'SignatureDoesNotMatch', message);
};
