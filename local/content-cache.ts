// What earlier starts built from the same sources: templates and bundles, in folders that are named by content, and
// compiled code.
import { createHash, randomUUID } from 'node:crypto';
import { accessSync, constants, existsSync, lstatSync, mkdirSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, stat, utimes } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { wallClock } from './clock.ts';

const filesIn = async (path: string): Promise<string[]> => {
  if (!(await stat(path)).isDirectory()) return [path];
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
};

/** A hash over the names and the contents of files, and of all files in folders. */
export const hashFiles = async (root: string, paths: readonly string[]): Promise<string> => {
  const files = (await Promise.all(paths.map((path) => filesIn(join(root, path))))).flat().toSorted();
  const contents = await Promise.all(files.map((file) => readFile(file)));
  const hash = createHash('sha256');
  for (const [index, content] of contents.entries()) {
    hash.update(`${files[index]?.slice(root.length)} ${content.length}\n`).update(content);
  }
  return hash.digest('hex');
};

/** Whether this user can store builds in `folder`. */
export const isWritable = (folder: string): boolean => {
  try {
    const builds = join(folder, 'builds');
    mkdirSync(builds, { recursive: true });
    accessSync(builds, constants.W_OK);
    return true;
  } catch {
    return false;
  }
};

/** Creates `folder` where it does not exist. Returns false where another user owns it or can write to it. */
export const isPrivate = (folder: string): boolean => {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const { uid, mode } = lstatSync(folder);
    // Windows has no such owner and mode: there, the home of a user is closed to others.
    return process.getuid === undefined || (uid === process.getuid() && (mode & 0o077) === 0);
  } catch {
    return false;
  }
};

/**
 * This user's folder, with the name of the program, for code that later starts run again; undefined where another user
 * could write to it.
 */
export const userCache = (name: string, environment: NodeJS.ProcessEnv = process.env): string | undefined => {
  const folder = join(environment.XDG_CACHE_HOME || join(homedir(), '.cache'), name);
  return isPrivate(folder) ? folder : undefined;
};

/** The folder of compiled code, for NODE_COMPILE_CACHE. */
export const compileCache = (cacheDirectory: string): string => join(cacheDirectory, 'code');

const keptBuilds = 10;
const dayMs = 86_400_000;

const agesOf = (paths: readonly string[]) =>
  Promise.all(paths.map(async (path) => ({ path, ageMs: wallClock() - (await stat(path)).mtimeMs })));

/** A running emulator may still use a build of the last day. Compiled code that is removed is compiled again. */
const removeOld = async (cacheDirectory: string): Promise<void> => {
  const builds = join(cacheDirectory, 'builds');
  const newestFirst = (await agesOf((await readdir(builds)).map((name) => join(builds, name)))).toSorted(
    (one, other) => one.ageMs - other.ageMs,
  );
  const code = await agesOf(await filesIn(compileCache(cacheDirectory)));
  const old = [
    ...newestFirst.slice(keptBuilds).filter(({ ageMs }) => ageMs > dayMs),
    ...code.filter(({ ageMs }) => ageMs > 30 * dayMs),
  ];
  for (const { path } of old) await rm(path, { recursive: true });
};

/**
 * The folder of a build. It is built where it does not exist yet; a build that fails leaves nothing.
 * @param key everything that decides what is built
 */
export const cachedFolder = async (
  cacheDirectory: string,
  key: readonly string[],
  build: (folder: string) => Promise<void>,
): Promise<string> => {
  const name = createHash('sha256').update(JSON.stringify(key)).digest('hex').slice(0, 32);
  const folder = join(cacheDirectory, 'builds', name);
  const now = new Date();
  if (existsSync(folder)) {
    await utimes(folder, now, now);
    return folder;
  }
  const draft = `${folder}.${randomUUID()}`;
  await mkdir(draft, { recursive: true });
  try {
    await build(draft);
    await rename(draft, folder);
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    // Another process may have built the same meanwhile.
    if (!existsSync(folder)) throw error;
  }
  await removeOld(cacheDirectory).catch(() => undefined);
  return folder;
};
