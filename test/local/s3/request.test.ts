// A link is valid for the request that was signed: its method, key, headers with their values, and time.
import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { describe, expect, it } from 'vitest';
import { linkSigner } from '#shared/store/browser-files.ts';
import { bucket, client, get, s3, useServedS3 } from '../../support/embedded/s3.ts';

useServedS3();

const signingDate = new Date(Date.UTC(2026, 5, 1, 9));
const once = { 'if-none-match': '*' };
const sign = (key: string, more: object = {}, signer: S3Client = client) =>
  getSignedUrl(linkSigner(signer), new PutObjectCommand({ Bucket: bucket, Key: key, IfNoneMatch: '*', ...more }), {
    expiresIn: 60,
    signingDate,
  });
const upload = async (url: string, headers: Record<string, string> = once, body = '12345') => {
  const response = await fetch(url, { method: 'PUT', headers, body });
  return [response.status, /<Code>(\w+)/.exec(await response.text())?.[1]];
};
const mismatch = [403, 'SignatureDoesNotMatch'];

describe('a link of the credentials "local"', () => {
  it.each(['plan/create-port/july.csv', "plan/create-port/Grüße (2) + 'ü'*~.csv"])('uploads %s', async (key) => {
    expect(await upload(await sign(key))).toEqual([200, undefined]);
    expect((await get(key)).text).toBe('12345');
    expect(await upload(await sign(key))).toEqual([412, 'PreconditionFailed']);
  });

  it('accepts exactly the size that was signed', async () => {
    const url = await sign('july.csv', { ContentLength: 4 });
    expect(await upload(url)).toEqual(mismatch);
    expect(await upload(url, once, '1234')).toEqual([200, undefined]);
  });

  it('accepts no other key, method or value of a signed header', async () => {
    const url = await sign('plan/create-port/july.csv');
    expect(await upload(url.replace('/plan/', '/'))).toEqual(mismatch);
    expect(await upload(url, { 'if-none-match': '"e"' })).toEqual(mismatch);
    expect(await upload(url.replace('Expires=60', 'Expires=600'))).toEqual(mismatch);
    expect((await fetch(url, { headers: once })).status).toBe(403);
  });
});

it('a link of other credentials is declined', async () => {
  const credentials = { accessKeyId: 'AKIAEXAMPLE', secretAccessKey: 'of a person' };
  const signer = new S3Client({ region: 'eu-west-2', endpoint: s3.url, forcePathStyle: true, credentials });
  expect(await upload(await sign('july.csv', {}, signer))).toEqual(mismatch);
});

it('stores the metadata in a link, where SDKs put it', async () => {
  const Metadata = { map: 'Date=connectionDate', 'map-2': 'x', 'plan-only': 'true' };
  const url = await getSignedUrl(client, new PutObjectCommand({ Bucket: bucket, Key: 'july.csv', Metadata }), {
    signingDate,
  });
  expect(new URL(url).searchParams.get('x-amz-meta-plan-only')).toBe('true');
  expect(await upload(url, {})).toEqual([200, undefined]);
  expect((await get('july.csv')).Metadata).toEqual(Metadata);
});

it('accepts the parameters that version 2 of the SDK adds to a link', async () => {
  const link = `${s3.url}/${bucket}/july.csv?Content-MD5=x&Content-Type=text%2Fcsv&Cache-Control=no-store`;
  const response = await fetch(link, { method: 'PUT', body: 'msisdn' });
  expect(response.status).toBe(200);
});

it.each([
  ['a link', '?AWSAccessKeyId=local&Expires=4102444800&Signature=x', {}],
  ['a header', '', { authorization: 'AWS local:x' }],
])('declines a signature of version 2 in %s: new buckets do not take it', async (_, search, headers) => {
  const response = await fetch(`${s3.url}/${bucket}/july.csv${search}`, { method: 'PUT', body: 'msisdn', headers });
  expect(response.status).toBe(400);
  expect(await response.text()).toContain('Please use AWS4-HMAC-SHA256');
  await expect(get('july.csv')).rejects.toMatchObject({ name: 'NoSuchKey' });
});
