// The token of the console on this machine. It is kept with the data, so that a bookmark works after the next start.
import { randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const shape = /^[\w-]{32}$/;

export const newToken = (): string => randomBytes(24).toString('base64url');

/** Creates it where the folder has none. Only the user of the machine may read it. */
export async function keptToken(directory: string): Promise<string> {
  const path = join(directory, 'console-token');
  const kept = await readFile(path, 'utf8').catch(() => '');
  if (shape.test(kept)) return kept;
  const token = newToken();
  await mkdir(directory, { recursive: true });
  await writeFile(path, token, { mode: 0o600 });
  return token;
}
