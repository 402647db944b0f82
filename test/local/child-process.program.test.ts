// Programs beside the emulator end with it, however it ends.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { startChild } from '#local/child-process.ts';
import { takeLock } from '#local/folder-lock.ts';
import { notOn } from '../support/not-on.ts';
import { isRunning } from '../support/processes.ts';

const pidOf = async (stream: NodeJS.ReadableStream | null): Promise<number> => {
  if (stream === null) throw new Error('There is no output to read');
  const [chunk] = await once(stream, 'data');
  return Number(String(chunk).trim());
};
/** Writes its process id and never ends; with `more` it may ignore signals. */
const endless = (more = ''): string[] => ['-e', `${more}; console.log(process.pid); setInterval(() => {}, 1_000)`];

const listsProcesses = notOn(['Windows'], 'the processes of the machine are listed by ps');

describe('a guarded process', () => {
  listsProcesses('ends when it is stopped', async () => {
    const started = startChild(process.execPath, endless(), process.env);
    const pid = await pidOf(started.child.stdout);

    await started.stop();

    expect(isRunning(pid)).toBe(false);
  });

  listsProcesses('is killed when it ignores SIGTERM', async () => {
    const started = startChild(process.execPath, endless(`process.on('SIGTERM', () => {})`), process.env);
    const pid = await pidOf(started.child.stdout);

    await started.stop();

    expect(isRunning(pid)).toBe(false);
  });

  test('has an exit code when it ends by itself', async () => {
    expect(await startChild(process.execPath, ['-e', 'process.exit(7)'], process.env).exited).toBe(7);
  });

  test('that cannot be started names itself', async () => {
    const started = startChild('/no/such/program', [], process.env);
    const [text] = await once(started.child.stderr as NodeJS.ReadableStream, 'data');

    expect(String(text)).toContain('/no/such/program');
    expect(await started.exited).toBe(1);
  });

  listsProcesses('ends when the process that started it is killed', async () => {
    const module = fileURLToPath(new URL('../../local/child-process.ts', import.meta.url));
    const script = `
      import { startChild } from ${JSON.stringify(module)};
      const words = ${JSON.stringify(endless())};
      startChild(process.execPath, words, process.env).child.stdout.pipe(process.stdout);`;
    const parent = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const pid = await pidOf(parent.stdout);
    expect(isRunning(pid)).toBe(true);

    parent.kill('SIGKILL');

    await expect.poll(() => isRunning(pid)).toBe(false);
  });

  test('starts when the one before it has ended: both have the same lock', async ({ onTestFinished }) => {
    const folder = await mkdtemp(join(tmpdir(), 'guard-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const lock = join(folder, 'program.lock');
    const first = startChild(process.execPath, endless(), process.env, lock);
    await pidOf(first.child.stdout);
    expect(takeLock(lock, 0)).toBeUndefined();
    const second = startChild(process.execPath, endless(), process.env, lock);
    onTestFinished(() => second.stop());
    const secondPid = pidOf(second.child.stdout);
    // The other one has it at once.
    await first.stop();

    expect(await secondPid).toBeGreaterThan(0);
    expect(takeLock(lock, 0)).toBeUndefined();
  });
});
