// The embedded S3 over HTTP, called by the real SDK: a new one with one bucket for each test.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CreateBucketCommand, GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { afterEach, beforeEach } from 'vitest';
import { type Served, serveS3 } from '../emulator/services.ts';

export const bucket = 'inbox';
export let directory: string;
export let client: S3Client;
export let delivered: { arn: string; body: Record<string, unknown> }[];
export let s3: Served;

/** Also after a stop, on the same folder. */
export const start = async () => {
  s3 = await serveS3({
    directory,
    clock: () => Date.UTC(2026, 5, 1, 9),
    deliver: async (arn, body) => void delivered.push({ arn, body: JSON.parse(body) }),
    log: (line) => console.error(line),
  });
  client = new S3Client({
    endpoint: s3.url,
    region: 'eu-west-2',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  });
};

export const forgetDelivered = () => {
  delivered = [];
};

export function useServedS3(): void {
  beforeEach(async () => {
    forgetDelivered();
    directory = await mkdtemp(join(tmpdir(), 'simporter-s3-'));
    await start();
    await client.send(new CreateBucketCommand({ Bucket: bucket }));
  });
  afterEach(async () => {
    client.destroy();
    await s3.stop();
    await rm(directory, { recursive: true });
  });
}

export const put = (key: string, body: string | Buffer, more: object = {}) =>
  client.send(new PutObjectCommand({ Bucket: bucket, Key: key, Body: body, ...more }));
export const get = async (key: string, more: object = {}) => {
  const { Body, ...rest } = await client.send(new GetObjectCommand({ Bucket: bucket, Key: key, ...more }));
  return { text: await Body?.transformToString(), ...rest };
};
