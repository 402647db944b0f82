// The lock of a folder: one process has it, and the operating system releases it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { claimDirectory } from '#local/data-folder.ts';
import { isLocked, takeLock } from '#local/folder-lock.ts';
import { notOn } from '../support/not-on.ts';

const module = fileURLToPath(new URL('../../local/folder-lock.ts', import.meta.url));
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'folder # löck-'));
});
afterEach(() => rm(folder, { recursive: true }));

test('another process cannot take it, and has it as soon as the owner is killed', async () => {
  const path = join(folder, 'lock');
  const script = `
    import { takeLock } from ${JSON.stringify(module)};
    globalThis.release = takeLock(${JSON.stringify(path)}, 0);
    console.log('locked');
    setInterval(() => {}, 1_000);`;
  const owner = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, TZ: 'Asia/Tokyo' },
  });
  await once(owner.stdout, 'data');
  expect(isLocked(path)).toBe(true);
  expect(takeLock(path, 0)).toBeUndefined();

  owner.kill('SIGKILL');
  await once(owner, 'exit');

  expect(isLocked(path)).toBe(false);
  const release = takeLock(path, 0);
  expect(isLocked(path)).toBe(true);
  release?.();
  expect(isLocked(path)).toBe(false);
});

test('a lock that nobody took is free, and checking it creates no file', () => {
  expect(isLocked(join(folder, 'missing', 'lock'))).toBe(false);
});

test('a file that cannot be locked is an error with its path', async () => {
  await mkdir(join(folder, 'lock'));
  expect(() => takeLock(join(folder, 'lock'), 0)).toThrow(`${join(folder, 'lock')} cannot be locked`);
});

const hasModes = notOn(['Windows'], 'files have no mode bits');

hasModes('a folder that others could open is closed to them by the emulator that claims it', async () => {
  const directory = join(folder, 'shared');
  await mkdir(directory, { mode: 0o755 });
  const release = await claimDirectory(directory);
  expect((await stat(directory)).mode & 0o777).toBe(0o700);
  release();
});
