import { PutObjectCommand } from '@aws-sdk/client-s3';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { createFiles, type Files, splitLines } from '#shared/store/files.ts';
import { ObjectGone } from '#shared/store/object-keys.ts';
import { anyText } from '../../support/any-text.ts';
import { type ResultsServices, startResultsServices } from '../../support/embedded/services.ts';

let services: ResultsServices;
let files: Files;
const bucket = 'work';

beforeAll(async () => {
  services = await startResultsServices();
  files = createFiles(services.s3);
});
afterAll(() => services.stop());

const put = (key: string, Body: string, Metadata: Record<string, string> = {}) =>
  services.s3.send(new PutObjectCommand({ Bucket: bucket, Key: key, Body, Metadata }));

test('head returns size, etag without quotes and metadata, or undefined for a missing object', async () => {
  await put('a.txt', 'hello', { 'set-tariff': '2001' });
  expect(await files.head({ bucket, key: 'a.txt' })).toMatchObject({
    bytes: 5,
    etag: expect.stringMatching(/^[0-9a-f]{32}$/),
    metadata: { 'set-tariff': '2001' },
  });
  expect(await files.head({ bucket, key: 'none.txt' })).toBeUndefined();
});

test('a range is in bytes, from start (inclusive) to end (exclusive)', async () => {
  await put('range.txt', 'aé\n{"b":1}\n');
  expect((await files.readBytes({ bucket, key: 'range.txt' }, { start: 4, end: 11 })).toString()).toBe('{"b":1}');
});

test('fault 3: an object that was overwritten is not read under the old etag', async () => {
  await put('changed.txt', 'one');
  const head = await files.head({ bucket, key: 'changed.txt' });
  expect(await files.readText({ bucket, key: 'changed.txt', etag: head?.etag })).toBe('one');
  await put('changed.txt', 'two');
  await expect(files.readText({ bucket, key: 'changed.txt', etag: head?.etag })).rejects.toBeInstanceOf(ObjectGone);
});

test('fault 7: a missing object has a separate error', async () => {
  await expect(files.readText({ bucket, key: 'none.txt' })).rejects.toBeInstanceOf(ObjectGone);
});

test('a small text is written at the end, in one call', async () => {
  const writer = files.open(bucket, 'small.csv', 'text/csv');
  await writer.write('a,b\n');
  expect(await files.head({ bucket, key: 'small.csv' })).toBeUndefined();
  await writer.write('é,ü\n');
  await writer.close();
  expect(await files.head({ bucket, key: 'small.csv' })).toMatchObject({ bytes: 10 });
  expect(await files.readText({ bucket, key: 'small.csv' })).toBe('a,b\né,ü\n');
});

test('an empty text is an empty object', async () => {
  await files.open(bucket, 'empty.csv', 'text/csv').close();
  expect(await files.head({ bucket, key: 'empty.csv' })).toMatchObject({ bytes: 0 });
});

test('a large text is written in parts, and every byte is read back', async () => {
  const line = `${'0123456789abcde'.repeat(64)}é\n`;
  const writer = files.open(bucket, 'large.csv', 'text/csv');
  const chunk = line.repeat(512);
  for (let index = 0; index < 40; index += 1) await writer.write(chunk);
  await writer.close();
  expect(await files.head({ bucket, key: 'large.csv' })).toMatchObject({ bytes: Buffer.byteLength(chunk) * 40 });
  expect(await files.readText({ bucket, key: 'large.csv' })).toBe(chunk.repeat(40));
});

test('bytes are copied, so that the caller may overwrite them', async () => {
  const writer = files.open(bucket, 'reused.csv', 'text/csv');
  const chunk = Buffer.from('first\n');
  await writer.write(chunk);
  chunk.write('other\n');
  await writer.write(chunk);
  await writer.close();
  expect(await files.readText({ bucket, key: 'reused.csv' })).toBe('first\nother\n');
});

test('fault 26: an aborted upload leaves nothing', async () => {
  await put('kept.csv', 'as before');
  const writer = files.open(bucket, 'kept.csv', 'text/csv');
  await writer.write('x'.repeat(9 * 1024 * 1024));
  await writer.abort();
  expect(await files.readText({ bucket, key: 'kept.csv' })).toBe('as before');
});

describe('lines of JSON', () => {
  async function* inChunks(bytes: Uint8Array, size: number) {
    for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size);
  }

  it('reads every value, wherever a chunk ends and whatever text the value contains', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyText()), fc.integer({ min: 1, max: 20 }), async (values, size) => {
        const bytes = Buffer.from(values.map((value) => `${JSON.stringify(value)}\n`).join(''));
        const lines = await Array.fromAsync(splitLines(inChunks(bytes, size)));
        expect(lines.map((line) => JSON.parse(line))).toEqual(values);
      }),
    );
  });
});
