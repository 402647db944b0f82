// A start that is aborted, at whatever moment: it ends soon and leaves nothing behind.
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, expect, vi } from 'vitest';
import { startPipeline } from '#cli/local-pipeline/local-pipeline.ts';
import { notOn } from '../../support/not-on.ts';
import { descendants } from '../../support/processes.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'simporter-aborted-'));
  for (const name of ['TMPDIR', 'TEMP']) vi.stubEnv(name, folder);
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(folder, { recursive: true, force: true });
});

/** The programs that this process has started beside the functions. */
const programs = (): number[] => ['child-launcher.ts', 'main.ts'].flatMap((name) => descendants(process.pid, name));

notOn(['Windows'], 'the processes of the machine are listed by ps').each([0, 50, 100, 200])(
  'after %i ms',
  async (milliseconds) => {
    const interruption = new AbortController();
    const starting = startPipeline({ callerEnvironment: {}, log: () => undefined, signal: interruption.signal });
    const outcome = starting.then(
      (emulator) => emulator.stop().then(() => 'started'),
      (error: unknown) => String(error),
    );
    await delay(milliseconds);
    const begun = performance.now();
    interruption.abort(new Error('interrupted'));

    expect(await outcome).toBe('Error: interrupted');

    // Programs end by themselves: one that does not is killed after ten seconds.
    expect(performance.now() - begun).toBeLessThan(10_000);
    expect(await readdir(folder)).toEqual([]);
    expect(programs()).toEqual([]);
  },
);
