// The emulator's folder: which process uses it, what must stay the same between runs, and what a command line needs to
// find the emulator.
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import * as z from 'zod';
import { isLocked, takeLock } from './folder-lock.ts';

const endpoints = z
  .object({
    s3: z.url(),
    sqs: z.url(),
    dynamodb: z.url(),
    secretsManager: z.url(),
    /** Takes events. */
    eventBridge: z.url(),
    lambda: z.url(),
    /** `GET /status` shows functions and queues, `GET /events` the events of the bus (with `?follow` also new ones). */
    emulator: z.url(),
  })
  // Those of the other service.
  .catchall(z.string());
export type Endpoints = z.infer<typeof endpoints>;

/** What a command line reads to find a running emulator. `environment` has its access key, which is a secret. */
const emulatorFile = z.object({
  version: z.literal(1),
  pid: z.int(),
  endpoints,
  outputs: z.record(z.string(), z.string()),
  environment: z.record(z.string(), z.string()),
  speed: z.number(),
  calendarOrigin: z.number(),
});
export type EmulatorFile = z.infer<typeof emulatorFile>;

/** What the next run on the same folder needs. */
const stateFile = z.object({
  /** Where the calendar counts from, and how fast it runs. */
  origin: z.number(),
  speed: z.number(),
  start: z.number().optional(),
  tcpPorts: z.record(z.string(), z.int()).default({}),
  /** Generated values of secrets. */
  secrets: z.record(z.string(), z.string()).default({}),
});
export type DirectoryState = z.infer<typeof stateFile>;

/** The databases of the embedded services: the first is DynamoDB's own, the others are of `local/database.ts`. */
export const databasesIn = (directory: string): string[] =>
  ['dynamodb.sqlite', 'sqs.sqlite', join('s3', 'index.sqlite')].map((name) => join(directory, name));

const lockOf = (directory: string): string => join(directory, 'lock.sqlite');

const writeAtomically = async (path: string, content: unknown): Promise<void> => {
  const draft = `${path}.${randomUUID()}`;
  await writeFile(draft, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
  await replaceFile(draft, path);
};

/** Windows declines this while another process reads the old file. */
const replaceFile = async (draft: string, path: string): Promise<void> => {
  for (let left = 50; ; left -= 1) {
    try {
      return await rename(draft, path);
    } catch (error) {
      const { code = '' } = error as NodeJS.ErrnoException;
      if (left === 0 || !['EPERM', 'EACCES', 'EBUSY'].includes(code)) throw error;
      await delay(20);
    }
  }
};

const readParsed = async <Schema extends z.ZodType>(
  path: string,
  schema: Schema,
): Promise<z.output<Schema> | undefined> => {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (text === undefined) return undefined;
  try {
    return schema.parse(JSON.parse(text));
  } catch (error) {
    throw new Error(`${path} is damaged: ${String(error)}. Remove it if no emulator runs on this folder.`, {
      cause: error,
    });
  }
};

/** Whether an emulator claimed the folder and was killed. That of another user cannot be read. */
export const isAbandoned = (directory: string): boolean => {
  try {
    return existsSync(lockOf(directory)) && !isLocked(lockOf(directory));
  } catch {
    return false;
  }
};

export class DirectoryInUseError extends Error {
  override readonly name = 'DirectoryInUseError';
}

/** A command line that looks for the emulator has the lock for a moment. */
const claimPatienceMs = 500;

/**
 * Makes this process the one emulator of the folder.
 * @returns a function that releases the folder, as the end of the process does
 * @throws DirectoryInUseError that names the process
 */
export const claimDirectory = async (directory: string): Promise<() => void> => {
  await mkdir(directory, { recursive: true });
  // The folder may have been there. It holds uploads with PACs, which other users of the machine must not read.
  await chmod(directory, 0o700);
  const release = takeLock(lockOf(directory), claimPatienceMs);
  if (release === undefined) {
    const owner = await readEmulatorFile(directory).catch(() => undefined);
    const who = owner === undefined ? 'and is being started' : `(process ${owner.pid})`;
    throw new DirectoryInUseError(`An emulator already runs on ${directory} ${who}.`);
  }
  // One that was killed left it behind.
  await removeEmulatorFile(directory);
  return release;
};

export const readState = (directory: string): Promise<DirectoryState | undefined> =>
  readParsed(join(directory, 'state.json'), stateFile);
export const writeState = (directory: string, state: DirectoryState): Promise<void> =>
  writeAtomically(join(directory, 'state.json'), state);

/** From the wall time `from` on, the calendar counts from `time`, `speed` times as fast. */
const calendarSegment = z.object({ from: z.number(), time: z.number(), speed: z.number() });
export type CalendarSegment = Readonly<z.infer<typeof calendarSegment>>;

/** Writes the file that the programs of an emulator read. @returns its path */
export const writeCalendarFile = async (directory: string, segments: readonly CalendarSegment[]): Promise<string> => {
  const path = join(directory, 'calendar.json');
  await writeAtomically(path, segments);
  return path;
};

/** Whether the calendar of the emulator that runs on the folder is paused. */
export const isCalendarPaused = async (directory: string): Promise<boolean> =>
  (await readParsed(join(directory, 'calendar.json'), z.array(calendarSegment)))?.at(-1)?.speed === 0;

export const writeEmulatorFile = (directory: string, content: Omit<EmulatorFile, 'version' | 'pid'>): Promise<void> =>
  writeAtomically(join(directory, 'emulator.json'), { version: 1, pid: process.pid, ...content });
export const removeEmulatorFile = (directory: string): Promise<void> =>
  rm(join(directory, 'emulator.json'), { force: true });

const readEmulatorFile = (directory: string): Promise<EmulatorFile | undefined> =>
  readParsed(join(directory, 'emulator.json'), emulatorFile);

/** The emulator that runs on a folder; undefined where none does. */
export const findRunningEmulator = async (directory: string): Promise<EmulatorFile | undefined> => {
  const found = await readEmulatorFile(directory);
  return found !== undefined && isLocked(lockOf(directory)) ? found : undefined;
};
