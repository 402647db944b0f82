// The engine of a soak: a process of its own on one folder, killed the hard way and started again on the same folder.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { type EngineFile, findRunningEngine, processStart, writeState } from '#local/directory.ts';
import type { EngineOptions } from '#local/engine.ts';
import type { PortingServiceAccess } from '#local/porting-service.ts';
import { descendants, kill, until } from '../support/pipeline-process.ts';

const program = fileURLToPath(new URL('../support/local-engine-process.ts', import.meta.url));

export interface Worker {
  readonly pid: number;
  /** `ingest`, `submit`, `sync` or `report`. */
  readonly stage: string;
}

export interface SoakEngine {
  /** Of the engine that runs now. */
  readonly facts: EngineFile;
  /** The execution environments that live now. */
  workers(): Worker[];
  /** Stages that work on something at this moment. */
  busy(): Promise<string[]>;
  /** `kill -9` of the engine alone; answers once nothing is left that it had started. */
  kill(): Promise<void>;
  start(): Promise<void>;
}

export interface SoakEngineOptions {
  readonly directory: string;
  readonly service: PortingServiceAccess;
  readonly origin: number;
  readonly speed: number;
}

/** What a batch of a killed worker waits before it is delivered again; on AWS it is the visibility timeout. */
const redeliverAfterMs = 2_000;

export async function openSoakEngine({ directory, service, origin, speed }: SoakEngineOptions): Promise<SoakEngine> {
  // Its calendar is the service's own.
  await mkdir(directory, { recursive: true });
  await writeState(directory, { origin, speed, tcpPorts: {}, guards: [], secrets: {} });
  const options: EngineOptions = { directory, service, redeliverAfterMs };
  let child: ChildProcess | undefined;
  let facts: EngineFile | undefined;

  const start = async (): Promise<void> => {
    const started = spawn(process.execPath, [program, JSON.stringify(options)], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    child = started;
    facts = await until('the engine is up', async () => {
      if (started.exitCode !== null) throw new Error(`the engine ended at once: exit code ${started.exitCode}`);
      const found = await findRunningEngine(directory);
      return found?.pid === started.pid ? found : undefined;
    });
  };
  await start();

  return {
    get facts() {
      if (facts === undefined) throw new Error('the engine does not run');
      return facts;
    },
    workers: () => descendants(child?.pid ?? 0).flatMap((pid) => workerOf(pid) ?? []),
    busy: async () => {
      const response = await fetch(`${facts?.endpoints.lambda}/status`);
      const { functions } = (await response.json()) as { functions: Record<string, { running: number }> };
      return Object.keys(functions).filter((stage) => (functions[stage]?.running ?? 0) > 0);
    },
    kill: async () => {
      if (child === undefined) return;
      const below = descendants(child.pid ?? 0);
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
      facts = undefined;
      child = undefined;
      await until('its processes have ended', () => !below.some(lives) || undefined);
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

/** Its name in the environment is the function's: `…-SubmitFunction`. */
function workerOf(pid: number): Worker | undefined {
  if (!textOf(pid, 'cmdline').includes('environment-main.ts')) return undefined;
  const name = /AWS_LAMBDA_FUNCTION_NAME=[^\0]*?(Ingest|Submit|Sync|Report)/.exec(textOf(pid, 'environ'))?.[1];
  return name === undefined ? undefined : { pid, stage: name.toLowerCase() };
}

const lives = (pid: number): boolean => processStart(pid) !== undefined;

export const killWorker = ({ pid }: Worker): void => kill(pid);
