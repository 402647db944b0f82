// Programs beside the engine: they end with it, however it ends.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { processStart } from '#local/directory.ts';
import { endLeftovers, startGuarded } from '#local/guarded-process.ts';

const pidOf = async (stream: NodeJS.ReadableStream | null): Promise<number> => {
  if (stream === null) throw new Error('There is no output to read');
  const [chunk] = await once(stream, 'data');
  return Number(String(chunk).trim());
};
/** Says its process id and waits for ever; `trap` makes it deaf to a friendly request to end. */
const patient = (trap = '') => `${trap} echo $$; while :; do sleep 1; done`;

describe('a guarded process', () => {
  test('ends when it is asked to', async () => {
    const guarded = startGuarded('/bin/sh', ['-c', patient()], process.env);
    const pid = await pidOf(guarded.child.stdout);

    await guarded.stop();

    expect(processStart(pid)).toBeUndefined();
  });

  test('ends even when it will not listen', async () => {
    const guarded = startGuarded('/bin/sh', ['-c', patient(`trap '' TERM;`)], process.env);
    const pid = await pidOf(guarded.child.stdout);

    await guarded.stop(50);

    expect(processStart(pid)).toBeUndefined();
  });

  test('tells its exit code when it ends by itself', async () => {
    const guarded = startGuarded('/bin/sh', ['-c', 'exit 7'], process.env);

    expect(await guarded.exited).toBe(7);
  });

  test('ends when whoever started it is killed', async () => {
    const module = fileURLToPath(new URL('../../local/guarded-process.ts', import.meta.url));
    const script = `
      import { startGuarded } from ${JSON.stringify(module)};
      startGuarded('/bin/sh', ['-c', ${JSON.stringify(patient())}], process.env).child.stdout.pipe(process.stdout);`;
    const parent = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const pid = await pidOf(parent.stdout);
    expect(processStart(pid)).toBeDefined();

    parent.kill('SIGKILL');

    await expect.poll(() => processStart(pid)).toBeUndefined();
  });
});

describe('leftovers of an engine that was killed', () => {
  test('are ended where they are stuck, and no other process is touched', async () => {
    const guarded = startGuarded('/bin/sh', ['-c', patient()], process.env);
    const pid = await pidOf(guarded.child.stdout);

    await endLeftovers([guarded.child.pid ?? 0, process.pid], 10);

    await guarded.exited;
    // The guard and its program are killed at once; nobody waits for the program, so it may go a moment later.
    await expect.poll(() => processStart(pid)).toBeUndefined();
  });
});
