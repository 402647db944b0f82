// Links that carry their signature in the query: when they end, and for which request. The signature itself is checked
// where its secret is known, which is that of the emulator's own credentials: any others are accepted.
import { createHash, createHmac } from 'node:crypto';
import { invalidRequest, S3Error } from './errors.ts';
import type { S3Request } from './request.ts';

/** `20260701T100000Z` in epoch milliseconds. */
const signedAt = (text: string): number =>
  Date.parse(text.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'));

/**
 * S3 takes signatures of version 2 only for buckets from before June 2020, and in London for none.
 * @throws S3Error InvalidRequest
 */
export const checkSignatureVersion = ({ query, header }: S3Request): void => {
  if (!query.has('AWSAccessKeyId') && header('authorization')?.startsWith('AWS ') !== true) return;
  throw invalidRequest('The authorization mechanism you have provided is not supported. Please use AWS4-HMAC-SHA256.');
};

/** @throws S3Error AccessDenied: the link has expired; SignatureDoesNotMatch: another request than the signed one */
export const checkPresignedLink = (call: S3Request, now: number): void => {
  const { query, header } = call;
  if (!query.has('X-Amz-Signature')) return;
  const expiresAt = signedAt(query.get('X-Amz-Date') ?? '') + 1_000 * Number(query.get('X-Amz-Expires'));
  if (!(now <= expiresAt)) throw new S3Error(403, 'AccessDenied', 'Request has expired');
  const names = (query.get('X-Amz-SignedHeaders') ?? '').split(';');
  const [keyId, ...scope] = (query.get('X-Amz-Credential') ?? '').split('/');
  const isComplete = names.every((name) => header(name) !== undefined);
  if (isComplete && (keyId !== known.keyId || query.get('X-Amz-Signature') === sign(call, names, scope))) return;
  const message = 'The request signature we calculated does not match the signature you provided.';
  throw new S3Error(403, 'SignatureDoesNotMatch', message);
};

/** The credentials that the emulator gives its functions and the command line. */
const known = { keyId: 'local', secret: 'local' } as const;

const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();

/** Signature Version 4 of a request without a signed body. */
function sign({ request, query, header }: S3Request, names: readonly string[], scope: readonly string[]): string {
  const parameters = [...query].filter(([name]) => name !== 'X-Amz-Signature');
  // Sorted by their names: `=` comes after `-`, so texts would put `map-2` before `map`.
  const encoded = parameters
    .map(([name, value]) => [encode(name), encode(value)] as const)
    .sort(([one], [other]) => (one < other ? -1 : one > other ? 1 : 0))
    .map((parameter) => parameter.join('='));
  const path = (request.url ?? '/')
    .split('?')[0]
    ?.split('/')
    .map((part) => encode(decodeURIComponent(part)));
  const headers = names.map((name) => `${name}:${(header(name) ?? '').trim().replace(/ +/g, ' ')}\n`);
  const content = query.get('X-Amz-Content-Sha256') ?? 'UNSIGNED-PAYLOAD';
  const canonical = [request.method, path?.join('/'), encoded.join('&'), headers.join(''), names.join(';'), content];
  const digest = createHash('sha256').update(canonical.join('\n')).digest('hex');
  const key = scope.reduce<string | Buffer>(hmac, `AWS4${known.secret}`);
  const text = ['AWS4-HMAC-SHA256', query.get('X-Amz-Date'), scope.join('/'), digest];
  return hmac(key, text.join('\n')).toString('hex');
}

/** Also the characters that `encodeURIComponent` leaves. */
const encode = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
