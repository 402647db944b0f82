// Links that carry their signature in the query. The embedded S3 knows no secrets, but it holds what a link promises:
// when it expires, and which headers come with it.
import { S3Error } from './errors.ts';
import type { S3Request } from './request.ts';

/** `20260701T100000Z` in epoch milliseconds. */
const signedAt = (text: string): number =>
  Date.parse(text.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'));

/** @throws S3Error AccessDenied for a link that has expired, or without a header that was signed */
export const checkPresignedLink = ({ query, header }: S3Request, now: number): void => {
  if (!query.has('X-Amz-Signature')) return;
  const expiresAt = signedAt(query.get('X-Amz-Date') ?? '') + 1_000 * Number(query.get('X-Amz-Expires'));
  if (!(now <= expiresAt)) throw new S3Error(403, 'AccessDenied', 'Request has expired');
  const signed = (query.get('X-Amz-SignedHeaders') ?? '').split(';');
  if (signed.every((name) => header(name) !== undefined)) return;
  const message = 'The request signature we calculated does not match the signature you provided.';
  throw new S3Error(403, 'SignatureDoesNotMatch', message);
};
