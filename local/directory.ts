// The engine's folder: who runs on it, what must stay the same between runs, and what the command line needs to find it.
import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';

/** What the command line reads to find a running engine. Credentials of the porting service are not in it. */
const engineFile = z.object({
  version: z.literal(1),
  pid: z.int(),
  processStart: z.string(),
  endpoints: z.object({
    s3: z.url(),
    sqs: z.url(),
    dynamodb: z.url(),
    secretsManager: z.url(),
    eventBridge: z.url(),
    lambda: z.url(),
    service: z.url().optional(),
  }),
  outputs: z.record(z.string(), z.string()),
  environment: z.record(z.string(), z.string()),
  speed: z.number(),
  calendarOrigin: z.number(),
  service: z.object({ baseUrl: z.string(), authUrl: z.string(), accountId: z.number() }).optional(),
});
export type EngineFile = z.infer<typeof engineFile>;

/** What the next run of the same folder takes over. */
const stateFile = z.object({
  /** Where the calendar counts from, and how fast it runs. */
  origin: z.number(),
  speed: z.number(),
  tcpPorts: z.record(z.string(), z.int()).default({}),
  /** Guards of the processes beside the engine. */
  guards: z.array(z.int()).default([]),
  /** Values made up for secrets that the template wants generated. */
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
    throw new Error(`${path} cannot be read; remove it if no engine runs on this folder`, { cause: error });
  }
};

/**
 * When a process started, as the system writes it; undefined where there is no such process, or only its remains. A
 * number alone may have been given to another process since.
 */
export const processStart = (pid: number): string | undefined => {
  try {
    if (!existsSync('/proc/self/stat')) {
      return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim() || undefined;
    }
    // After the name in parentheses: the state, then the other fields; the twentieth is the start.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
    return fields[0] === 'Z' ? undefined : fields[19];
  } catch {
    return undefined;
  }
};

const runs = (owner: { pid: number; processStart: string } | undefined): boolean =>
  owner !== undefined && processStart(owner.pid) === owner.processStart;

/** Whether an engine had claimed the folder and is gone without a word. */
export const isAbandoned = async (directory: string): Promise<boolean> => {
  const owner = await readParsed(join(directory, 'engine.lock'), lockFile).catch(() => undefined);
  return owner !== undefined && !runs(owner);
};

export class DirectoryInUseError extends Error {
  override readonly name = 'DirectoryInUseError';
}

const claimAttempts = 5;

/**
 * Makes this process the one engine of the folder. The claim of a process that is gone is taken over.
 *
 * @returns a function that gives the folder free again.
 * @throws DirectoryInUseError naming the process that runs there.
 */
export const claimDirectory = async (directory: string): Promise<() => Promise<void>> => {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const path = join(directory, 'engine.lock');
  const mine = JSON.stringify({ pid: process.pid, processStart: processStart(process.pid) ?? '' });
  for (let attempt = 0; attempt < claimAttempts; attempt += 1) {
    try {
      await writeFile(path, mine, { flag: 'wx', mode: 0o600 });
      return () => rm(path, { force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    const owner = await readParsed(path, lockFile).catch(() => undefined);
    if (owner !== undefined && runs(owner)) {
      throw new DirectoryInUseError(
        `An engine already runs on ${directory} (process ${owner.pid}). Stop it first, or give another folder.`,
      );
    }
    await rm(path, { force: true });
  }
  throw new DirectoryInUseError(`${directory} is being claimed by several engines at once; try again.`);
};

export const readState = (directory: string): Promise<DirectoryState | undefined> =>
  readParsed(join(directory, 'state.json'), stateFile);
export const writeState = (directory: string, state: DirectoryState): Promise<void> =>
  writeAtomically(join(directory, 'state.json'), state);

export const writeEngineFile = (
  directory: string,
  content: Omit<EngineFile, 'version' | 'pid' | 'processStart'>,
): Promise<void> =>
  writeAtomically(join(directory, 'engine.json'), {
    version: 1,
    pid: process.pid,
    processStart: processStart(process.pid) ?? '',
    ...content,
  });
export const removeEngineFile = (directory: string): Promise<void> =>
  rm(join(directory, 'engine.json'), { force: true });

/** The engine that runs on a folder, for the command line; undefined where none does (any more). */
export const findRunningEngine = async (directory: string): Promise<EngineFile | undefined> => {
  const found = await readParsed(join(directory, 'engine.json'), engineFile);
  return runs(found) ? found : undefined;
};
