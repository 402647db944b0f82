// The folder of an engine that keeps nothing. It goes with the engine; where the engine was killed, it goes at the next start
// of any engine.
import { rmSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { claimDirectory, isAbandoned } from './directory.ts';

const prefix = 'simporter-engine-';
const removal = { recursive: true, force: true, maxRetries: 5 } as const;

/** Folders of engines that are gone. One without a claim is left alone: its engine may be about to make it. */
const removeAbandoned = async (): Promise<void> => {
  const names = (await readdir(tmpdir())).filter((name) => name.startsWith(prefix));
  for (const folder of names.map((name) => join(tmpdir(), name))) {
    if (await isAbandoned(folder)) await rm(folder, removal);
  }
};

export interface TemporaryFolder {
  readonly path: string;
  remove(): Promise<void>;
}

export const openTemporaryFolder = async (): Promise<TemporaryFolder> => {
  // Another user's folders cannot be removed, and need not be.
  await removeAbandoned().catch(() => undefined);
  const path = await mkdtemp(join(tmpdir(), prefix));
  await claimDirectory(path);
  // Where the process ends without a stop, there is no time for anything that waits.
  const removeAtOnce = (): void => rmSync(path, removal);
  process.once('exit', removeAtOnce);
  return {
    path,
    remove: async () => {
      await rm(path, removal);
      process.off('exit', removeAtOnce);
    },
  };
};
