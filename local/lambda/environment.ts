// One execution environment: a child process that serves one invocation at a time and is killed when it takes too long.
import { type ChildProcess, fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { wallClock } from '#shared/runtime/clock.ts';
import type { EnvironmentMessage, InvocationError } from './messages.ts';

export type Outcome =
  | { readonly ok: true; readonly payload: unknown }
  | { readonly ok: false; readonly reason: 'error' | 'timeout' | 'exit'; readonly error: InvocationError };

export interface EnvironmentOptions {
  readonly functionName: string;
  readonly functionArn: string;
  readonly bundle: string;
  /** The name of the function the bundle exports. */
  readonly exported: string;
  readonly memoryMb: number;
  readonly timeoutMs: number;
  readonly variables: Readonly<Record<string, string>>;
  readonly log: (line: string) => void;
}

export interface Environment {
  readonly pid: number | undefined;
  /** False once the process is over or told to end: it serves nothing more then. */
  readonly alive: boolean;
  /** The most memory the process has had, in MB, as of its last answer. */
  readonly peakRssMb: number;
  /** Runs one invocation; must not be called while another runs. */
  invoke(event: unknown): Promise<Outcome>;
  kill(signal: NodeJS.Signals): void;
  /** Resolves when the process is over. */
  readonly exited: Promise<void>;
}

const program = fileURLToPath(new URL('./environment-main.ts', import.meta.url));

/** Lambda counts the whole process: the heap may have what buffers and the runtime itself leave of it. */
const heapMb = (memoryMb: number): number => Math.max(64, Math.floor(memoryMb * 0.75));

const forwardLines = (child: ChildProcess, log: (line: string) => void): void => {
  for (const stream of [child.stdout, child.stderr]) if (stream) createInterface({ input: stream }).on('line', log);
};

const failure = (reason: 'error' | 'timeout' | 'exit', error: InvocationError): Outcome => ({
  ok: false,
  reason,
  error,
});

export const startEnvironment = (options: EnvironmentOptions): Environment => {
  const child = fork(program, [options.bundle, options.exported], {
    execPath: process.execPath,
    execArgv: [
      '--enable-source-maps',
      '--disable-warning=ExperimentalWarning',
      `--max-old-space-size=${heapMb(options.memoryMb)}`,
    ],
    env: { ...options.variables },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    // A session of its own: Ctrl-C in the terminal stops the engine, which lets running invocations end.
    detached: true,
  });
  forwardLines(child, options.log);

  let alive = true;
  let peakRssKb = 0;
  let answer: (outcome: Outcome) => void = () => undefined;
  const { promise: ready, resolve: started } = Promise.withResolvers<Outcome | undefined>();
  const { promise: exited, resolve: gone } = Promise.withResolvers<void>();

  child.on('message', (message: EnvironmentMessage) => {
    if (message.type === 'ready') return started(undefined);
    if (message.type === 'start-failed') return started(failure('error', message.error));
    peakRssKb = Math.max(peakRssKb, message.peakRssKb);
    answer(message.type === 'result' ? { ok: true, payload: message.payload } : failure('error', message.error));
  });
  const end = (how: string): void => {
    alive = false;
    const outcome = failure('exit', { name: 'Runtime.ExitError', message: `The execution environment ended: ${how}` });
    started(outcome);
    answer(outcome);
    gone();
  };
  child.on('exit', (code, signal) => end(signal ?? `exit code ${code}`));
  child.on('error', (error) => end(error.message));

  const invoke = async (event: unknown): Promise<Outcome> => {
    const failedStart = await ready;
    if (failedStart !== undefined) {
      child.kill('SIGKILL');
      return failedStart;
    }
    const { promise, resolve } = Promise.withResolvers<Outcome>();
    answer = resolve;
    const timer = setTimeout(() => {
      const seconds = (options.timeoutMs / 1_000).toFixed(2);
      resolve(failure('timeout', { name: 'Sandbox.Timedout', message: `Task timed out after ${seconds} seconds` }));
      alive = false;
      child.kill('SIGKILL');
    }, options.timeoutMs);
    const { functionName, functionArn, memoryMb } = options;
    const deadline = wallClock() + options.timeoutMs;
    const message = { requestId: randomUUID(), functionName, functionArn, memoryMb, event, deadline };
    // A process that has just ended refuses the message; its exit answers the invocation.
    child.send(message, () => undefined);
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
    }
  };

  return {
    pid: child.pid,
    get alive() {
      return alive;
    },
    get peakRssMb() {
      return Math.round(peakRssKb / 1_024);
    },
    invoke,
    kill: (signal) => {
      // From now on nobody may count on it, although the process takes a moment to end.
      alive = false;
      child.kill(signal);
    },
    exited,
  };
};
