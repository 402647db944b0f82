// The templates the engine runs: the CDK app of this repository, synthesised without bundling. The CDK is by far the
// largest thing a start of the engine loads, so it runs in a thread whose memory is given back afterwards, beside the
// rest of the start.
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Template } from './template/template.ts';

/**
 * Synthesises the CDK app for a stage.
 *
 * @param signal ends the thread, whatever it is doing.
 * @returns every stack of the app, in the order of the assembly (a stack comes after those it depends on).
 * @throws Error as the app does, naming the setting or the finding.
 */
export const synthesise = async (stage: string, signal?: AbortSignal): Promise<Template[]> => {
  // Made and removed here: a thread that is ended half-way removes nothing.
  const outdir = await mkdtemp(join(tmpdir(), 'simporter-synth-'));
  const worker = new Worker(new URL('./synthesise-worker.ts', import.meta.url), {
    workerData: { stage, outdir },
    env: { ...process.env, CDK_VALIDATION: 'false' },
    execArgv: [],
  });
  try {
    const [templates] = await once(worker, 'message', { signal });
    return templates as Template[];
  } finally {
    await worker.terminate();
    await rm(outdir, { recursive: true, force: true });
  }
};
