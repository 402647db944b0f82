// `kill -9` of the emulator: every program ends with it, and the next start continues with all data.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SQSClient } from '@aws-sdk/client-sqs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Emulator } from '#local/emulator-options.ts';
import { connectionTo, receiveUntil, recordsOf, sendAll, startTestEmulator } from '../support/emulator/emulator.ts';
import { lambda, mapping, queue, recordingStack, stackOf } from '../support/emulator/templates.ts';
import { notOn } from '../support/not-on.ts';
import { descendants, isRunning } from '../support/processes.ts';

let directory: string;
let emulator: Emulator | undefined;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'simporter-crash-'));
});
afterEach(async () => {
  await emulator?.stop();
  await rm(directory, { recursive: true, force: true });
});

const program = fileURLToPath(new URL('../support/emulator/emulator-process.ts', import.meta.url));

const startProcess = async (options: object, environment: NodeJS.ProcessEnv = {}) => {
  const child = spawn(process.execPath, [program, JSON.stringify(options)], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...environment },
  });
  const [line] = await once(child.stdout, 'data');
  return { child, outputs: JSON.parse(String(line)) as Record<string, string> };
};

/** A function that never finishes what it gets from the queue `Work`. */
const stuck = stackOf(
  {
    Work: queue({ VisibilityTimeout: 3_600 }),
    Records: queue(),
    Stuck: lambda('stuck', { Timeout: 900 }),
    Source: mapping('Work', 'Stuck'),
  },
  { Outputs: { WorkUrl: { Value: { Ref: 'Work' } } } },
);

notOn(['Windows'], 'the processes of the machine are listed by ps')(
  'a message in flight when the emulator was killed is redelivered at the next start',
  async () => {
    const { child, outputs } = await startProcess({ directory, templates: [stuck] });
    const sqs = new SQSClient(connectionTo(new URL(outputs.WorkUrl ?? '').origin));
    await sendAll(sqs, outputs.WorkUrl, ['precious']);
    const pidOfStuck = async () =>
      Number(await readFile(join(directory, 'logs', 'stuck.log'), 'utf8').catch(() => 'NaN'));
    await expect.poll(pidOfStuck, { timeout: 10_000 }).toBeGreaterThan(0);
    const environment = await pidOfStuck();
    const programs = descendants(child.pid ?? 0);
    expect(programs).toContain(environment);

    child.kill('SIGKILL');
    await once(child, 'exit');

    await expect.poll(() => programs.filter(isRunning), { timeout: 10_000 }).toEqual([]);
    const restarted = await startTestEmulator({ directory, templates: [recordingStack()] });
    emulator = restarted.emulator;
    const [record] = recordsOf(await receiveUntil(restarted.sqs, emulator.outputs.RecordsUrl, 1));
    expect(record?.bodies).toEqual(['precious']);
  },
);

test('the temporary folder of an emulator that was killed is removed by the next one', async () => {
  const temporary = await mkdtemp(join(directory, 'tmp-'));
  const environment = { TMPDIR: temporary, TEMP: temporary };
  const foldersOf = async () => (await readdir(temporary)).filter((name) => name.startsWith('aws-emulator-'));
  const killed = await startProcess({ templates: [recordingStack()] }, environment);
  const [left] = await foldersOf();
  killed.child.kill('SIGKILL');
  await once(killed.child, 'exit');
  expect(await foldersOf()).toEqual([left]);

  const next = await startProcess({ templates: [recordingStack()] }, environment);

  const folders = await foldersOf();
  next.child.kill('SIGKILL');
  await once(next.child, 'exit');
  expect(folders).toHaveLength(1);
  expect(folders).not.toContain(left);
});
