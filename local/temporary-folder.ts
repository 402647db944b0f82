// The folder of an emulator that keeps nothing. It is removed when the emulator stops; where the emulator was killed,
// the next start of any emulator removes it.
import { rmSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { claimDirectory, isAbandoned } from './data-folder.ts';

const prefix = 'aws-emulator-';
const removal = { recursive: true, force: true, maxRetries: 5 } as const;

/** Removes folders of emulators that were killed. One without a claim stays: its emulator may be about to claim it. */
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
  // Folders of other users cannot be removed.
  await removeAbandoned().catch(() => undefined);
  const path = await mkdtemp(join(tmpdir(), prefix));
  await claimDirectory(path);
  // Where the process ends without a stop, nothing asynchronous runs any more.
  const removeOnExit = (): void => rmSync(path, removal);
  process.once('exit', removeOnExit);
  return {
    path,
    remove: async () => {
      await rm(path, removal);
      process.off('exit', removeOnExit);
    },
  };
};
