// Signatures of requests of S3: when a link ends, and for which request it is. A signature is verified where its secret
// is known.
import { type AccessKey, hasSignedHeaders, isSignedWith, openKey, readSignature } from '../http/signature.ts';
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

/**
 * @param accessKey the only key that requests may be signed with; undefined: every key is accepted, and none
 * @throws S3Error AccessDenied: the link has expired, or nothing is signed; SignatureDoesNotMatch
 */
export const checkSignature = ({ request, query }: S3Request, now: number, accessKey: AccessKey | undefined): void => {
  const isLink = query.has('X-Amz-Signature');
  if (isLink) {
    const expiresAt = signedAt(query.get('X-Amz-Date') ?? '') + 1_000 * Number(query.get('X-Amz-Expires'));
    if (!(now <= expiresAt)) throw new S3Error(403, 'AccessDenied', 'Request has expired');
  }
  if (!isLink && accessKey === undefined) return;
  const signature = readSignature(request);
  if (signature === undefined) throw new S3Error(403, 'AccessDenied', 'Access Denied');
  const { accessKeyId, secretAccessKey } = accessKey ?? openKey;
  const isOwn = signature.keyId === accessKeyId;
  const isValid = isOwn
    ? isSignedWith(secretAccessKey, request, signature, 1)
    : accessKey === undefined && hasSignedHeaders(request, signature);
  if (isValid) return;
  const message = 'The request signature we calculated does not match the signature you provided.';
  throw new S3Error(403, 'SignatureDoesNotMatch', message);
};
