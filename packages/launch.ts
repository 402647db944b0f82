// Starts a program of the package: checks the version of Node, and lets Node keep compiled code for the next start.
import module from 'node:module';
import { compileCache, userCache } from '#local/content-cache.ts';

/** The first with `node:sqlite` without a flag. */
export const oldestNode = '22.13';

export async function launch(program: string): Promise<void> {
  if (isOlder(process.versions.node, oldestNode)) {
    console.error(`error: simporter needs Node ${oldestNode} or newer, and this is Node ${process.versions.node}.`);
    process.exit(3);
  }
  // Without a folder, Node would use one in the temporary folder, where every user of the machine can write.
  const folder = userCache('simporter');
  if (folder !== undefined) module.enableCompileCache(compileCache(folder));
  await import(program);
}

const isOlder = (version: string, oldest: string): boolean =>
  version.localeCompare(oldest, 'en', { numeric: true }) < 0;
