// One execution environment: a process that runs one invocation at a time and is killed when that takes too long.
import { type ChildProcess, fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';
import { limits } from '../limits.ts';

export type Outcome =
  | { readonly ok: true; readonly payload: unknown }
  | { readonly ok: false; readonly reason: 'error' | 'timeout' | 'exit'; readonly error: InvocationError };

export interface FunctionDefinition {
  readonly name: string;
  readonly arn: string;
  readonly bundle: string;
  /** The name of the function that the bundle exports. */
  readonly exported: string;
  readonly timeoutMs: number;
  readonly memoryMb: number;
  readonly variables: Readonly<Record<string, string>>;
  /** ReservedConcurrentExecutions; Infinity where the template has none. */
  readonly concurrency: number;
  /** Whether a person waits for its answers. */
  readonly isInteractive: boolean;
}

const program = createRequire(import.meta.url).resolve('#environment-main');

/** Lambda limits the whole process, so the heap gets what buffers and the runtime leave. */
const heapMb = (memoryMb: number): number => Math.max(64, Math.floor(memoryMb * 0.75));

const startProcess = ({ bundle, exported, memoryMb, variables }: FunctionDefinition): ChildProcess =>
  fork(program, [bundle, exported], {
    execPath: process.execPath,
    execArgv: [
      '--enable-source-maps',
      '--disable-warning=ExperimentalWarning',
      `--max-old-space-size=${heapMb(memoryMb)}`,
    ],
    env: { ...variables },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    // In its own session: Ctrl-C in the terminal stops the emulator, which lets running invocations end.
    detached: true,
  });

/** Lambda begins a start that takes longer again, and then gives it the time of an invocation: so long it may take. */
const firstStartMs = 10_000;

const failure = (reason: 'error' | 'timeout' | 'exit', error: InvocationError): Outcome => ({
  ok: false,
  reason,
  error,
});

/** Lambda sends no longer answer, and the function does not learn of it. */
const answered = (payload: unknown): Outcome => {
  const limit = limits.lambdaAnswerBytes.value;
  if (Buffer.byteLength(JSON.stringify(payload)) <= limit) return { ok: true, payload };
  const message = `Response payload size exceeded maximum allowed payload size (${limit} bytes).`;
  return failure('error', { name: 'Function.ResponseSizeTooLarge', message });
};

export class Environment {
  /** Resolves when the process has ended. */
  readonly exited: Promise<void>;
  readonly #definition: FunctionDefinition;
  readonly #child: ChildProcess;
  readonly #ready = Promise.withResolvers<Outcome | undefined>();
  #answer: (outcome: Outcome) => void = () => undefined;
  #alive = true;
  #peakRssKb = 0;

  constructor(definition: FunctionDefinition, log: (line: string) => void) {
    this.#definition = definition;
    const child = startProcess(definition);
    this.#child = child;
    for (const stream of [child.stdout, child.stderr]) if (stream) createInterface({ input: stream }).on('line', log);
    child.on('message', (message: EnvironmentMessage) => this.#receive(message));
    const { promise, resolve } = Promise.withResolvers<void>();
    this.exited = promise;
    const end = (how: string): void => {
      this.#alive = false;
      const message = `The execution environment ended: ${how}`;
      const outcome = failure('exit', { name: 'Runtime.ExitError', message });
      this.#ready.resolve(outcome);
      this.#answer(outcome);
      resolve();
    };
    child.on('exit', (code, signal) => end(signal ?? `exit code ${code}`));
    child.on('error', (error) => end(error.message));
  }

  /** False once the process has ended or is being ended. */
  get alive(): boolean {
    return this.#alive;
  }

  /** The most memory that the process has used, in MB, as of its last answer. */
  get peakRssMb(): number {
    return Math.round(this.#peakRssKb / 1_024);
  }

  kill(signal: NodeJS.Signals): void {
    this.#alive = false;
    this.#child.kill(signal);
  }

  /** Runs one invocation; must not be called while another runs. Never rejects. */
  async invoke(event: unknown, traceHeader: string): Promise<Outcome> {
    const failedStart = await this.#started();
    if (failedStart !== undefined) {
      this.kill('SIGKILL');
      return failedStart;
    }
    const { promise, resolve } = Promise.withResolvers<Outcome>();
    this.#answer = resolve;
    const { name, arn, memoryMb, timeoutMs } = this.#definition;
    const timer = setTimeout(() => {
      const seconds = (timeoutMs / 1_000).toFixed(2);
      resolve(failure('timeout', { name: 'Sandbox.Timedout', message: `Task timed out after ${seconds} seconds` }));
      this.kill('SIGKILL');
    }, timeoutMs);
    const call = { requestId: randomUUID(), functionName: name, functionArn: arn, memoryMb };
    const message: InvokeMessage = { ...call, event, remainingMs: timeoutMs, traceHeader };
    try {
      // Where the process has just ended, sending fails; its exit answers the invocation.
      this.#child.send(message, () => undefined);
      return await promise;
    } catch (error) {
      // An event that is nested too deeply cannot be sent.
      return failure('error', { name: 'InvalidRequestContentException', message: String(error) });
    } finally {
      clearTimeout(timer);
    }
  }

  /** Resolves with a failure where the function could not be loaded, or not in time. */
  async #started(): Promise<Outcome | undefined> {
    const limitMs = firstStartMs + this.#definition.timeoutMs;
    const message = `The function has not started within ${limitMs / 1_000} seconds`;
    const late = failure('timeout', { name: 'Sandbox.Timedout', message });
    const timer = setTimeout(() => this.#ready.resolve(late), limitMs);
    try {
      return await this.#ready.promise;
    } finally {
      clearTimeout(timer);
    }
  }

  #receive(message: EnvironmentMessage): void {
    if (message.type === 'ready' || message.type === 'start-failed') {
      this.#ready.resolve(message.type === 'ready' ? undefined : failure('error', message.error));
      return;
    }
    this.#peakRssKb = Math.max(this.#peakRssKb, message.peakRssKb);
    this.#answer(message.type === 'result' ? answered(message.payload) : failure('error', message.error));
  }
}

export interface InvokeMessage {
  readonly requestId: string;
  readonly functionName: string;
  readonly functionArn: string;
  readonly memoryMb: number;
  readonly event: unknown;
  /** How long the invocation may take before the environment is killed. */
  readonly remainingMs: number;
  /** What AWS clients of the function send as X-Amzn-Trace-Id. */
  readonly traceHeader: string;
}

export interface InvocationError {
  readonly name: string;
  readonly message: string;
  readonly stack?: string | undefined;
}

export type EnvironmentMessage =
  | { readonly type: 'ready' }
  | { readonly type: 'start-failed'; readonly error: InvocationError }
  | { readonly type: 'result'; readonly requestId: string; readonly payload: unknown; readonly peakRssKb: number }
  | { readonly type: 'error'; readonly requestId: string; readonly error: InvocationError; readonly peakRssKb: number };

// Lets a limited number of callers run at a time; the others wait in the order of their calls.

interface Semaphore {
  /** Waits until the caller may run. The caller must call the function that it gets when it has finished. */
  acquire(): Promise<() => void>;
}

export const createSemaphore = (limit: number): Semaphore => {
  let free = limit;
  const waiting: (() => void)[] = [];
  const release = (): void => {
    const next = waiting.shift();
    if (next === undefined) free += 1;
    else next();
  };
  const releaseOnce = (): (() => void) => {
    let released = false;
    return () => {
      if (!released) release();
      released = true;
    };
  };
  return {
    acquire: async () => {
      if (free > 0) free -= 1;
      else await new Promise<void>((resolve) => waiting.push(resolve));
      return releaseOnce();
    },
  };
};
