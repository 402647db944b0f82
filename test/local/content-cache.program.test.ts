// Builds that later starts use again, and the end of old ones.
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, rename, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { cachedFolder, compileCache, hashFiles, isWritable, userCache } from '#local/content-cache.ts';
import { notOn } from '../support/not-on.ts';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'emulator-cache-'));
});
afterEach(async () => {
  vi.restoreAllMocks();
  await rm(directory, { recursive: true });
});

const build = (key: string, content = key) =>
  cachedFolder(directory, [key], (folder) => writeFile(join(folder, 'built'), content));
const age = async (path: string, days: number) => {
  const time = new Date(Date.now() - days * 86_400_000);
  await utimes(path, time, time);
};

describe('a hash of files', () => {
  test('changes with a content, a name and a new file, and with nothing else', async () => {
    await mkdir(join(directory, 'folder', 'deep'), { recursive: true });
    const hash = () => hashFiles(directory, ['folder', 'single']);
    await writeFile(join(directory, 'single'), 'a');
    await writeFile(join(directory, 'folder', 'deep', 'file'), 'b');
    const first = await hash();
    await age(join(directory, 'single'), 3);
    expect(await hash()).toBe(first);
    await writeFile(join(directory, 'folder', 'new'), '');
    const second = await hash();
    await writeFile(join(directory, 'single'), 'ab');
    expect(new Set([first, second, await hash()]).size).toBe(3);
  });
});

test('builds can be stored in a new folder, and not below a file', async () => {
  expect(isWritable(join(directory, 'new'))).toBe(true);
  await writeFile(join(directory, 'file'), '');
  expect(isWritable(join(directory, 'file'))).toBe(false);
});

describe('the folder of a user for code that later starts run', () => {
  const onUnix = notOn(['Windows'], 'the home of a user is closed to others, without modes');
  const cache = () => userCache('simporter', { XDG_CACHE_HOME: directory });
  const folder = () => join(directory, 'simporter');

  onUnix('is created for this user only, and used again', async () => {
    expect([cache(), cache()]).toEqual([folder(), folder()]);
    expect((await stat(folder())).mode & 0o777).toBe(0o700);
  });

  onUnix('is not used where other users can open it, or where it is a link', async () => {
    await mkdir(folder());
    await chmod(folder(), 0o770);
    expect(cache()).toBeUndefined();
    await rename(folder(), join(directory, 'elsewhere'));
    await symlink(join(directory, 'elsewhere'), folder());
    expect(cache()).toBeUndefined();
  });

  onUnix('is not used where another user owns it', async () => {
    await mkdir(folder(), { mode: 0o700 });
    const { uid } = await stat(folder());
    vi.spyOn(process, 'getuid').mockReturnValue(uid + 1);
    expect(cache()).toBeUndefined();
  });
});

describe('a build', () => {
  test('is made once for a key', async () => {
    const folder = await build('one');
    expect(await build('one', 'again')).toBe(folder);
    expect(await build('other')).not.toBe(folder);
    expect(await readdir(folder)).toEqual(['built']);
  });

  test('that fails leaves nothing, and is tried again', async () => {
    const failing = cachedFolder(directory, ['key'], async () => {
      throw new Error('no room');
    });
    await expect(failing).rejects.toThrow('no room');
    expect(await readdir(join(directory, 'builds'))).toEqual([]);
    expect(existsSync(await build('key'))).toBe(true);
  });

  test('that two processes make at once is one build', async () => {
    const [one, other] = await Promise.all([build('same', 'one'), build('same', 'other')]);
    expect(other).toBe(one);
    expect(await readdir(join(directory, 'builds'))).toHaveLength(1);
  });

  test('is removed when it is old and ten newer ones exist; so is compiled code after a month', async () => {
    const folders: string[] = [];
    for (let index = 0; index < 12; index += 1) folders.push(await build(`build ${index}`));
    const [oldest = '', recent = ''] = folders;
    await age(oldest, 2);
    await age(recent, 0.5);
    await mkdir(compileCache(directory));
    for (const [name, days] of [
      ['used', 3],
      ['unused', 40],
    ] as const) {
      await writeFile(join(compileCache(directory), name), '');
      await age(join(compileCache(directory), name), days);
    }

    await build('the last');

    expect([existsSync(oldest), existsSync(recent)]).toEqual([false, true]);
    expect(await readdir(compileCache(directory))).toEqual(['used']);
  });
});
