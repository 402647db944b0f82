// Programs beside the emulator end with it, however it ends.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { processStart } from '#local/data-folder.ts';
import { endLeftoverProcesses, startGuarded } from '#local/guarded-process.ts';

const pidOf = async (stream: NodeJS.ReadableStream | null): Promise<number> => {
  if (stream === null) throw new Error('There is no output to read');
  const [chunk] = await once(stream, 'data');
  return Number(String(chunk).trim());
};
/** Writes its process id and never ends; with `trap` it ignores SIGTERM. */
const endless = (trap = '') => `${trap} echo $$; while :; do sleep 1; done`;

describe('a guarded process', () => {
  test('ends at SIGTERM', async () => {
    const guarded = startGuarded('/bin/sh', ['-c', endless()], process.env);
    const pid = await pidOf(guarded.child.stdout);

    await guarded.stop();

    expect(processStart(pid)).toBeUndefined();
  });

  test('is killed when it ignores SIGTERM', async () => {
    const guarded = startGuarded('/bin/sh', ['-c', endless(`trap '' TERM;`)], process.env);
    const pid = await pidOf(guarded.child.stdout);

    await guarded.stop(50);

    expect(processStart(pid)).toBeUndefined();
  });

  test('has an exit code when it ends by itself', async () => {
    const guarded = startGuarded('/bin/sh', ['-c', 'exit 7'], process.env);

    expect(await guarded.exited).toBe(7);
  });

  test('ends when the process that started it is killed', async () => {
    const module = fileURLToPath(new URL('../../local/guarded-process.ts', import.meta.url));
    const script = `
      import { startGuarded } from ${JSON.stringify(module)};
      startGuarded('/bin/sh', ['-c', ${JSON.stringify(endless())}], process.env).child.stdout.pipe(process.stdout);`;
    const parent = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const pid = await pidOf(parent.stdout);
    expect(processStart(pid)).toBeDefined();

    parent.kill('SIGKILL');

    await expect.poll(() => processStart(pid)).toBeUndefined();
  });
});

describe('the programs of an emulator that was killed', () => {
  test('are killed where they do not end, and no other process is', async () => {
    const guarded = startGuarded('/bin/sh', ['-c', endless()], process.env);
    const pid = await pidOf(guarded.child.stdout);

    await endLeftoverProcesses([guarded.child.pid ?? 0, process.pid], 10);

    await guarded.exited;
    // The program gets its signal together with the guard, and may end a moment later.
    await expect.poll(() => processStart(pid)).toBeUndefined();
  });
});
