// The emulator's folder: which process uses it, what must stay the same between runs, and what a command line needs to
// find the emulator.
import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';

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
  // Those of the sidecar.
  .catchall(z.string());
export type Endpoints = z.infer<typeof endpoints>;

/** What a command line reads to find a running emulator. It holds no secrets. */
const emulatorFile = z.object({
  version: z.literal(1),
  pid: z.int(),
  processStart: z.string(),
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
  /** The guards of the programs beside the emulator, by process id. */
  guards: z.array(z.int()).default([]),
  /** Generated values of secrets. */
  secrets: z.record(z.string(), z.string()).default({}),
});
export type DirectoryState = z.infer<typeof stateFile>;

const lockFile = z.object({ pid: z.int(), processStart: z.string() });

const writeAtomically = async (path: string, content: unknown): Promise<void> => {
  const draft = `${path}.${randomUUID()}`;
  await writeFile(draft, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
  await rename(draft, path);
};

const readParsed = async <Schema extends z.ZodType>(
  path: string,
  schema: Schema,
): Promise<z.output<Schema> | undefined> => {
  try {
    return schema.parse(JSON.parse(await readFile(path, 'utf8')));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new Error(`${path} is damaged: ${String(error)}. Remove it if no emulator runs on this folder.`, {
      cause: error,
    });
  }
};

/**
 * When a process started, as the system writes it; undefined where it does not run. A process id alone is not enough:
 * the system may have given it to another process since.
 */
export const processStart = (pid: number): string | undefined => {
  try {
    if (!existsSync('/proc/self/stat')) {
      return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim() || undefined;
    }
    // The name is in parentheses; after it come the state and then the other fields. The twentieth is the start.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
    return fields[0] === 'Z' ? undefined : fields[19];
  } catch {
    return undefined;
  }
};

const isRunning = (owner: { pid: number; processStart: string } | undefined): boolean =>
  owner !== undefined && processStart(owner.pid) === owner.processStart;

/** Whether an emulator claimed the folder and was killed. */
export const isAbandoned = async (directory: string): Promise<boolean> => {
  const owner = await readParsed(join(directory, 'emulator.lock'), lockFile).catch(() => undefined);
  return owner !== undefined && !isRunning(owner);
};

export class DirectoryInUseError extends Error {
  override readonly name = 'DirectoryInUseError';
}

const claimAttempts = 5;

/**
 * Makes this process the one emulator of the folder. It takes over the claim of a process that does not run any more.
 * @returns a function that releases the folder
 * @throws DirectoryInUseError that names the process
 */
export const claimDirectory = async (directory: string): Promise<() => Promise<void>> => {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const path = join(directory, 'emulator.lock');
  const mine = JSON.stringify({ pid: process.pid, processStart: processStart(process.pid) ?? '' });
  for (let attempt = 0; attempt < claimAttempts; attempt += 1) {
    try {
      await writeFile(path, mine, { flag: 'wx', mode: 0o600 });
      return () => rm(path, { force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    const owner = await readParsed(path, lockFile).catch(() => undefined);
    if (owner !== undefined && isRunning(owner)) {
      throw new DirectoryInUseError(
        `An emulator already runs on ${directory} (process ${owner.pid}). Stop it, or name another folder.`,
      );
    }
    await rm(path, { force: true });
  }
  throw new DirectoryInUseError(`Several emulators are being started on ${directory}. Try again.`);
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

export const writeEmulatorFile = (
  directory: string,
  content: Omit<EmulatorFile, 'version' | 'pid' | 'processStart'>,
): Promise<void> =>
  writeAtomically(join(directory, 'emulator.json'), {
    version: 1,
    pid: process.pid,
    processStart: processStart(process.pid) ?? '',
    ...content,
  });
export const removeEmulatorFile = (directory: string): Promise<void> =>
  rm(join(directory, 'emulator.json'), { force: true });

/** The emulator that runs on a folder; undefined where none does. */
export const findRunningEmulator = async (directory: string): Promise<EmulatorFile | undefined> => {
  const found = await readParsed(join(directory, 'emulator.json'), emulatorFile);
  return isRunning(found) ? found : undefined;
};
