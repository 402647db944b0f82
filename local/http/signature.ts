// Signature Version 4: whether the header or the query of a request was signed with a key.
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

export interface AccessKey {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/** The key of an emulator that takes every other key and unsigned requests, too: its data belongs to a simulation. */
export const openKey: AccessKey = { accessKeyId: 'local', secretAccessKey: 'local' };

/** DynamoDB Local takes letters and digits only. */
export const newAccessKey = (): AccessKey => ({
  accessKeyId: `LOCAL${randomBytes(8).toString('hex').toUpperCase()}`,
  // As long as one of AWS.
  secretAccessKey: randomBytes(30).toString('base64url'),
});

export type SignedRequest = Pick<IncomingMessage, 'method' | 'url' | 'headers'>;

export interface Signature {
  readonly keyId: string;
  /** Day, region, service and `aws4_request`. */
  readonly scope: readonly string[];
  readonly date: string;
  /** The names of the signed headers. */
  readonly names: readonly string[];
  readonly text: string;
  /** The hash of the body, or what stands for it; undefined where the request does not state it. */
  readonly content: string | undefined;
}

const headerForm = /^AWS4-HMAC-SHA256 Credential=([^,\s]+),\s*SignedHeaders=([^,\s]+),\s*Signature=(\w+)$/;

const queryOf = ({ url = '/' }: SignedRequest): URLSearchParams => new URLSearchParams(url.split(/\?(.*)/s)[1]);
const headerOf = ({ headers }: SignedRequest, name: string): string | undefined => headers[name]?.toString();

/** undefined: the request is not signed. */
export function readSignature(request: SignedRequest): Signature | undefined {
  const query = queryOf(request);
  const inQuery = (name: string): string => query.get(`X-Amz-${name}`) ?? '';
  const isLink = query.has('X-Amz-Signature');
  const [, ...inHeader] = headerForm.exec(headerOf(request, 'authorization') ?? '') ?? [];
  const [credential = '', names = '', text = ''] = isLink
    ? [inQuery('Credential'), inQuery('SignedHeaders'), inQuery('Signature')]
    : inHeader;
  if (text === '') return undefined;
  const [keyId = '', ...scope] = credential.split('/');
  const stated = { keyId, scope, names: names.split(';'), text };
  if (isLink) return { ...stated, date: inQuery('Date'), content: inQuery('Content-Sha256') || 'UNSIGNED-PAYLOAD' };
  const content = headerOf(request, 'x-amz-content-sha256');
  return { ...stated, date: headerOf(request, 'x-amz-date') ?? '', content };
}

const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();
export const sha256 = (content: string | Buffer): string => createHash('sha256').update(content).digest('hex');

/** Encodes the characters that `encodeURIComponent` leaves, too. */
const encode = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);

const signedPath = ({ url = '/' }: SignedRequest, encodings: 1 | 2): string =>
  (url.split('?')[0] ?? '')
    .split('/')
    .map((part) => encode(encodings === 1 ? decodeURIComponent(part) : part))
    .join('/');

/** Sorted by their names: `=` comes after `-`, so texts would put `map-2` before `map`. */
const signedQuery = (request: SignedRequest): string =>
  [...queryOf(request)]
    .filter(([name]) => name !== 'X-Amz-Signature')
    .map(([name, value]) => [encode(name), encode(value)] as const)
    .sort(([one], [other]) => (one < other ? -1 : one > other ? 1 : 0))
    .map((parameter) => parameter.join('='))
    .join('&');

const hasSignedHeaders = (request: SignedRequest, { names }: Signature): boolean =>
  names.every((name) => headerOf(request, name) !== undefined);

/**
 * The signature of a request as it arrived, in hexadecimal digits.
 * @param encodings how often the signer encodes a path: S3 once, the other services twice
 */
export function sign(
  secret: string,
  request: SignedRequest,
  { scope, date, names, content = '' }: Omit<Signature, 'text'>,
  encodings: 1 | 2,
): string {
  const headers = names.map((name) => `${name}:${(headerOf(request, name) ?? '').trim().replace(/ +/g, ' ')}\n`);
  const path = signedPath(request, encodings);
  const canonical = [request.method, path, signedQuery(request), headers.join(''), names.join(';'), content].join('\n');
  const key = scope.reduce<string | Buffer>(hmac, `AWS4${secret}`);
  return hmac(key, ['AWS4-HMAC-SHA256', date, scope.join('/'), sha256(canonical)].join('\n')).toString('hex');
}

export const isSignedWith = (secret: string, request: SignedRequest, signature: Signature, encodings: 1 | 2): boolean =>
  hasSignedHeaders(request, signature) && isSame(signature.text, sign(secret, request, signature, encodings));

/** What is not AWS's: clients name the secret of the key as their bearer token. */
export const hasBearer = (request: SignedRequest, secret: string): boolean =>
  isSame(headerOf(request, 'authorization') ?? '', `Bearer ${secret}`);

/** Takes as long for each text of the same length. */
const isSame = (one: string, other: string): boolean => {
  const [left, right] = [Buffer.from(one), Buffer.from(other)];
  return left.length === right.length && timingSafeEqual(left, right);
};
