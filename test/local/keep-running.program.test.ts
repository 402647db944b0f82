// Programs beside the emulator that end by themselves are started again.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DynamoDBClient, GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { expect, type TestContext, test } from 'vitest';
import { keepRunning, startChild } from '#local/child-process.ts';
import { connectionTo, startTestEmulator } from '../support/emulator/emulator.ts';
import { stackOf } from '../support/emulator/templates.ts';
import { notOn } from '../support/not-on.ts';
import { descendants } from '../support/processes.ts';

const template = stackOf({
  Results: {
    Type: 'AWS::DynamoDB::GlobalTable',
    Properties: {
      AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
      KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
    },
  },
});

const startWith = async ({ onTestFinished }: TestContext, options: { directory?: string }) => {
  const started = await startTestEmulator({ templates: [template], ...options });
  const table = new DynamoDBClient({ ...connectionTo(started.emulator.endpoints.dynamodb), maxAttempts: 20 });
  onTestFinished(() => started.emulator.stop());
  return { ...started, table };
};
const put = new PutItemCommand({ TableName: 'test-Results', Item: { pk: { S: 'kept' } } });
const get = new GetItemCommand({ TableName: 'test-Results', Key: { pk: { S: 'kept' } } });

const killsDatabase = notOn(['Windows'], 'the processes of the machine are listed by ps');
const killDatabase = (): void => {
  const guards = descendants(process.pid, 'child-launcher.ts');
  for (const pid of guards.flatMap((guard) => descendants(guard))) process.kill(pid, 'SIGKILL');
};

killsDatabase('a DynamoDB that was killed runs again with its data, and the emulator reports both', async (context) => {
  const directory = await mkdtemp(join(tmpdir(), 'emulator-kept-'));
  context.onTestFinished(() => rm(directory, { recursive: true, force: true }));
  const { reports, table } = await startWith(context, { directory });
  await table.send(put);

  killDatabase();

  await expect.poll(() => reports.join('\n')).toContain('DynamoDB runs again');
  expect(reports[0]).toMatch(/^DynamoDB ended by itself \(exit code \d+\)\. It is started again in 0\.5 s$/);
  expect((await table.send(get)).Item).toEqual({ pk: { S: 'kept' } });
});

killsDatabase(
  'a DynamoDB in memory that was killed has its tables again, and the emulator reports the loss',
  async (context) => {
    const { reports, table } = await startWith(context, {});
    await table.send(put);

    killDatabase();

    await expect.poll(() => reports.join('\n')).toContain('is lost) runs again');
    expect((await table.send(get)).Item).toBeUndefined();
  },
);

test('a program that keeps ending is started with growing pauses, until it is stopped', async () => {
  const reports: string[] = [];
  let starts = 0;
  const kept = await keepRunning({
    name: 'The program',
    start: async () => {
      starts += 1;
      if (starts === 3) throw new Error('no room');
      return startChild(
        process.execPath,
        ['-e', starts > 4 ? 'setTimeout(() => {}, 60_000)' : 'process.exit(3)'],
        process.env,
      );
    },
    report: (line) => void reports.push(line),
  });

  await expect.poll(() => starts).toBe(5);
  await kept.stop();

  expect(reports).toEqual([
    'The program ended by itself (exit code 3). It is started again in 0.5 s',
    'The program runs again',
    'The program ended by itself (exit code 3). It is started again in 1 s',
    'The program could not be started: Error: no room. The next attempt is in 2 s',
    'The program runs again',
    'The program ended by itself (exit code 3). It is started again in 4 s',
    'The program runs again',
  ]);
});
