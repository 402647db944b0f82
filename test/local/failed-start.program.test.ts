// A start that fails ends soon, names the cause, and leaves nothing behind.
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { connectionTo, startTestEmulator } from '../support/emulator/emulator.ts';
import { lambda, recordingStack, stackOf } from '../support/emulator/templates.ts';
import { notOn } from '../support/not-on.ts';
import { descendants } from '../support/processes.ts';

const templates = [recordingStack({}, { Inbox: { Type: 'AWS::S3::Bucket' } })];
let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'emulator-failed-'));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

/** The guards of programs that this process has started. */
const guards = (): number[] => descendants(process.pid, 'child-launcher.ts');

const garbage = 'this is no database, and longer than the header of one would be: '.repeat(10);

const listsProcesses = notOn(['Windows'], 'the processes of the machine are listed by ps');

describe('a start', () => {
  listsProcesses.each<[string, (path: string) => Promise<unknown>]>([
    ['sqs.sqlite', (path) => mkdir(path)],
    ['sqs.sqlite', (path) => writeFile(path, garbage)],
    ['dynamodb.sqlite', (path) => writeFile(path, garbage)],
    ['s3', (path) => writeFile(path, '')],
    [
      's3/index.sqlite',
      async (path) => {
        await mkdir(join(path, '..'));
        await writeFile(path, garbage);
      },
    ],
    ['logs', (path) => writeFile(path, '')],
    ['state.json', (path) => writeFile(path, '{"origin":')],
  ])('with a damaged %s fails, names it, and leaves nothing running', async (name, damage) => {
    await damage(join(directory, name));

    await expect(startTestEmulator({ templates, directory, log: undefined })).rejects.toThrow(join(directory, name));

    expect(guards()).toEqual([]);
    // The folder is free for the next start.
    await rm(join(directory, name), { recursive: true });
    const { emulator } = await startTestEmulator({ templates, directory });
    await emulator.stop();
  });

  listsProcesses('with a function that cannot be bundled fails and leaves nothing running', async () => {
    const broken = { ...lambda('record'), Metadata: { 'simporter:entry': join(directory, 'missing.ts') } };

    await expect(startTestEmulator({ templates: [stackOf({ Broken: broken })], directory })).rejects.toThrow(
      'missing.ts',
    );

    expect(guards()).toEqual([]);
  });
});

describe('a start after a loss', () => {
  test('names the objects whose files are missing, and their readers get an error', async () => {
    const first = await startTestEmulator({ templates, directory });
    const Bucket = 'test-inbox';
    const put = new PutObjectCommand({ Bucket, Key: 'create-port/lost.csv', Body: 'msisdn' });
    await new S3Client(connectionTo(first.emulator.endpoints.s3)).send(put);
    await first.emulator.stop();
    await rm(join(directory, 's3', 'objects'), { recursive: true });

    const { emulator, reports } = await startTestEmulator({ templates, directory });

    expect(reports.join('\n')).toContain(
      `Files are missing in ${join(directory, 's3')} for s3://test-inbox/create-port/lost.csv`,
    );
    const s3 = new S3Client({ ...connectionTo(emulator.endpoints.s3), maxAttempts: 1 });
    const reading = s3.send(new GetObjectCommand({ Bucket, Key: 'create-port/lost.csv' }));
    await expect(reading).rejects.toThrow('A file of s3://test-inbox/create-port/lost.csv is missing on disk');
    await emulator.stop();
  });
});

const hasFullDisk = notOn(['macOS', 'Windows'], 'a full disk is the device /dev/full');

hasFullDisk('a disk without room for logs is reported once, and the emulator goes on', async () => {
  await mkdir(join(directory, 'logs'));
  for (const source of ['record', 'emulator']) await symlink('/dev/full', join(directory, 'logs', `${source}.log`));
  const { emulator, reports } = await startTestEmulator({ templates, directory, log: undefined });

  for (let run = 0; run < 3; run += 1) await emulator.invoke('record', { Records: 'no list' });

  await expect.poll(() => reports.join('\n')).toContain(join(directory, 'logs', 'record.log'));
  expect(await emulator.invoke('record', { Records: [] })).toMatchObject({ ok: true });
  expect(reports.filter((line) => line.includes('record.log'))).toHaveLength(1);
  await emulator.stop();
});
