// The emulator in a separate process, killed with SIGKILL and started again on the same folder.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { PipelineOptions, ServiceAccess } from '#cli/local-pipeline/local-pipeline.ts';
import { type EmulatorFile, findRunningEmulator, writeState } from '#local/data-folder.ts';
import { kill, until } from '../../support/emulator/start-process.ts';
import { descendants, isRunning } from '../../support/processes.ts';

const program = fileURLToPath(new URL('../../support/emulator/emulator-process.ts', import.meta.url));

export interface Worker {
  readonly pid: number;
  /** `ingest`, `submit`, `sync` or `report`. */
  readonly step: string;
}

export interface RestartableEmulator {
  /** Of the running emulator. */
  readonly state: EmulatorFile;
  /** The running execution environments. */
  workers(): Worker[];
  /** Steps that process something at this moment. */
  busy(): Promise<string[]>;
  /** Kills the emulator with SIGKILL, and waits until the processes that it started have ended. */
  kill(): Promise<void>;
  start(): Promise<void>;
}

export interface EmulatorOptions {
  readonly directory: string;
  readonly service: ServiceAccess;
  readonly origin: number;
  readonly speed: number;
}

/** The delay before the batch of a killed worker is delivered again; on AWS it is the visibility timeout. */
const redeliverAfterMs = 2_000;

export async function emulatorTarget({
  directory,
  service,
  origin,
  speed,
}: EmulatorOptions): Promise<RestartableEmulator> {
  // The calendar is that of the simulator.
  await mkdir(directory, { recursive: true });
  await writeState(directory, { origin, speed, tcpPorts: {}, secrets: {} });
  const options: PipelineOptions = { directory, service, redeliverAfterMs };
  let child: ChildProcess | undefined;
  let facts: EmulatorFile | undefined;

  const start = async (): Promise<void> => {
    const started = spawn(process.execPath, [program, JSON.stringify(options)], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    child = started;
    facts = await until('the emulator is running', async () => {
      if (started.exitCode !== null) throw new Error(`the emulator exited at once with code ${started.exitCode}`);
      const found = await findRunningEmulator(directory);
      return found?.pid === started.pid ? found : undefined;
    });
  };
  await start();

  return {
    get state() {
      if (facts === undefined) throw new Error('the emulator is not running');
      return facts;
    },
    workers: () => descendants(child?.pid ?? 0).flatMap((pid) => workerOf(pid) ?? []),
    busy: async () => {
      const headers = { authorization: `Bearer ${facts?.environment.AWS_SECRET_ACCESS_KEY}` };
      const response = await fetch(`${facts?.endpoints.emulator}/status`, { headers });
      const { functions } = (await response.json()) as { functions: Record<string, { running: number }> };
      return Object.keys(functions).filter((step) => (functions[step]?.running ?? 0) > 0);
    },
    kill: async () => {
      if (child === undefined) return;
      const children = descendants(child.pid ?? 0);
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
      facts = undefined;
      child = undefined;
      await until('its processes have ended', () => !children.some(isRunning) || undefined);
    },
    start,
  };
}

const textOf = (pid: number, file: string): string => {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
};

/** The environment has the name of the function: `…-SubmitFunction`. */
function workerOf(pid: number): Worker | undefined {
  if (!textOf(pid, 'cmdline').includes('environment-main.ts')) return undefined;
  const name = /AWS_LAMBDA_FUNCTION_NAME=[^\0]*?(Ingest|Submit|Sync|Report)/.exec(textOf(pid, 'environ'))?.[1];
  return name === undefined ? undefined : { pid, step: name.toLowerCase() };
}

export const killWorker = ({ pid }: Worker): void => kill(pid);
