// The commands of docs/guides/deploy.md that empty the buckets of an environment, as a shell runs them.
import { execFile } from 'node:child_process';
import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { DeleteObjectCommand, ListObjectVersionsCommand, PutBucketVersioningCommand } from '@aws-sdk/client-s3';
import { expect } from 'vitest';
import { bucket, client, directory, put, s3, useServedS3 } from '../support/embedded/s3.ts';
import { notOn } from '../support/not-on.ts';

const test = notOn(['Windows'], 'the commands are for a shell');
useServedS3();

/** The AWS command line, as far as the commands use it. Its answers are those that --query selects. */
const aws = (url: string) => `#!${process.execPath}
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
const require = createRequire(${JSON.stringify(import.meta.filename)});
const { DeleteObjectsCommand, ListObjectVersionsCommand, S3Client } = require('@aws-sdk/client-s3');
const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
const client = new S3Client({ endpoint: ${JSON.stringify(url)}, region: 'eu-west-2', credentials });
const [, action, ...words] = process.argv.slice(2);
const option = (name) => words[words.indexOf(name) + 1];
const Bucket = option('--bucket');
if (action === 'list-object-versions') {
  if (!words.includes('--no-paginate')) throw new Error('more than a thousand versions at a time');
  const { Versions = [], DeleteMarkers = [] } = await client.send(new ListObjectVersionsCommand({ Bucket }));
  const Objects = [...Versions, ...DeleteMarkers].map(({ Key, VersionId }) => ({ Key, VersionId }));
  console.log(JSON.stringify({ Quiet: true, Objects }));
} else {
  const Delete = JSON.parse(readFileSync(option('--delete').replace('file://', ''), 'utf8'));
  await client.send(new DeleteObjectsCommand({ Bucket, Delete }));
}
`;

test('delete thousands of versions with long names, and delete markers', async () => {
  const page = await readFile('docs/guides/deploy.md', 'utf8');
  const [, block = ''] = /^for bucket in [^\n]*; do\n(.*?)^done$/ms.exec(page) ?? [];
  const program = join(directory, 'aws');
  await writeFile(`${program}.mjs`, aws(s3.url));
  await writeFile(program, `#!/bin/sh\nexec ${process.execPath} ${program}.mjs "$@"\n`);
  await chmod(program, 0o755);
  await client.send(new PutBucketVersioningCommand({ Bucket: bucket, VersioningConfiguration: { Status: 'Enabled' } }));
  // A single argument of a command may have 128 KiB.
  const long = 'porting list of customer number '.repeat(4);
  for (let index = 0; index < 1_100; index += 1) await put(`plan/create-port/${long}${index}.csv`, 'a');
  await client.send(new DeleteObjectCommand({ Bucket: bucket, Key: `plan/create-port/${long}0.csv` }));

  const env = { ...process.env, PATH: `${directory}:${process.env.PATH}` };
  const loop = `for bucket in ${bucket}; do\n${block}done`;
  await promisify(execFile)('sh', ['-c', loop], { env, cwd: directory, maxBuffer: 16 * 1024 ** 2 });

  const { Versions = [], DeleteMarkers = [] } = await client.send(new ListObjectVersionsCommand({ Bucket: bucket }));
  expect([Versions.length, DeleteMarkers.length]).toEqual([0, 0]);
});
