// All functions: each has its own execution environments, and together they do not exceed the capacity of the machine.
import { availableParallelism } from 'node:os';
import { createSemaphore, Environment, type FunctionDefinition, type Outcome } from './environment.ts';
import { traceOfInvocation } from './recursion-detection.ts';

interface EnvironmentsOptions {
  readonly functions: readonly FunctionDefinition[];
  /** The most invocations at one time over all functions; as many more of those for which a person waits. */
  readonly capacity: number;
  readonly log: (functionName: string, line: string) => void;
}

/** What an invocation gets that comes after the stop, such as that of a page that polls. */
const stoppedOutcome: Outcome = {
  ok: false,
  reason: 'exit',
  error: { name: 'EmulatorStopped', message: 'The emulator was stopped.' },
};

export const createEnvironments = ({ functions, capacity, log }: EnvironmentsOptions) => {
  const machine = createSemaphore(capacity);
  // They may invoke another function and wait for it.
  const interactive = createSemaphore(capacity);
  const pools = new Map(
    functions.map((definition) => [
      definition.name,
      new FunctionPool(definition, (line) => log(definition.name, line)),
    ]),
  );
  return {
    /** Waits for a free environment, then runs. A handler's error is an outcome, not a rejection. */
    invoke: async (
      name: string,
      event: unknown,
      traceHeaders: readonly (string | undefined)[] = [],
    ): Promise<Outcome> => {
      const pool = pools.get(name);
      if (pool === undefined) {
        throw new Error(`No function is named "${name}"; there are ${[...pools.keys()].join(', ')}`);
      }
      const releaseReserved = await pool.reserved.acquire();
      const releaseMachine = await (pool.isInteractive ? interactive : machine).acquire();
      try {
        return await pool.invoke(event, traceHeaders);
      } finally {
        releaseMachine();
        releaseReserved();
      }
    },
    status: (): Readonly<Record<string, FunctionStatus>> =>
      Object.fromEntries([...pools].map(([name, { status }]) => [name, status])),
    /** Kills every environment, idle or not. The next invocations start new ones. */
    kill: (signal: NodeJS.Signals): void => {
      for (const pool of pools.values()) pool.kill(signal);
    },
    /** Kills every environment, and starts none any more: a new one would keep the emulator's process alive. */
    stop: async (): Promise<void> => {
      await Promise.all([...pools.values()].map((pool) => pool.stop()));
    },
  };
};

export type Environments = ReturnType<typeof createEnvironments>;

export interface FunctionStatus {
  readonly invocations: number;
  readonly errors: number;
  readonly timeouts: number;
  readonly running: number;
  readonly environments: number;
  /** The most memory that an environment of this function has used. */
  readonly peakRssMb: number;
}

const idleMs = 120_000;
/** So many environments keep the machine busy with short calls: one more than it has processors. */
const busyEnvironments = availableParallelism() + 1;
/** A new environment answers its first call after about so long. */
const firstAnswerMs = 2_000;

/** The execution environments of one function: idle ones are used again, or ended after a while. */
class FunctionPool {
  /** Lets as many callers through as the function reserves. */
  readonly reserved;
  readonly isInteractive: boolean;
  readonly #definition: FunctionDefinition;
  readonly #log: (line: string) => void;
  readonly #idle: { readonly environment: Environment; readonly timer: NodeJS.Timeout }[] = [];
  readonly #living = new Set<Environment>();
  /** Invocations that wait for an environment. Each takes one, or none where it has to start its own. */
  readonly #waiting = new Set<(environment?: Environment) => void>();
  #isStopped = false;
  readonly #counts = { invocations: 0, errors: 0, timeouts: 0, running: 0, peakRssMb: 0 };

  constructor(definition: FunctionDefinition, log: (line: string) => void) {
    this.#definition = definition;
    this.#log = log;
    this.isInteractive = definition.isInteractive;
    this.reserved = createSemaphore(definition.concurrency);
  }

  get status(): FunctionStatus {
    return { ...this.#counts, environments: this.#living.size };
  }

  /** @param traceHeaders of the messages that led to the invocation */
  async invoke(event: unknown, traceHeaders: readonly (string | undefined)[]): Promise<Outcome> {
    const counts = this.#counts;
    counts.invocations += 1;
    counts.running += 1;
    const environment = await this.#takeOrStart();
    const trace = traceOfInvocation(traceHeaders, this.#definition.arn);
    const outcome = (await environment?.invoke(event, trace)) ?? stoppedOutcome;
    counts.running -= 1;
    if (environment === undefined) return outcome;
    counts.peakRssMb = Math.max(counts.peakRssMb, environment.peakRssMb);
    if (environment.alive) this.#keepIdle(environment);
    if (!outcome.ok) this.#countFailure(outcome);
    return outcome;
  }

  kill(signal: NodeJS.Signals): void {
    for (const environment of this.#living) environment.kill(signal);
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    for (const take of this.#waiting) take();
    this.kill('SIGKILL');
    await Promise.all([...this.#living].map(({ exited }) => exited));
  }

  /** undefined: the emulator is stopped. */
  async #takeOrStart(): Promise<Environment | undefined> {
    const isCrowded = this.isInteractive && this.#living.size >= busyEnvironments;
    const environment = this.#takeIdle() ?? (isCrowded ? await this.#nextIdle() : undefined);
    return this.#isStopped ? undefined : (environment ?? this.#start());
  }

  /**
   * A page makes ten short calls at once, which a few environments answer sooner than ten that start together. Where
   * all of them are busy for longer, the call gets a new one.
   */
  #nextIdle(): Promise<Environment | undefined> {
    return new Promise((resolve) => {
      const take = (environment?: Environment): void => {
        clearTimeout(timer);
        this.#waiting.delete(take);
        resolve(environment);
      };
      const timer = setTimeout(take, firstAnswerMs);
      this.#waiting.add(take);
    });
  }

  #takeIdle(): Environment | undefined {
    for (let idle = this.#idle.pop(); idle !== undefined; idle = this.#idle.pop()) {
      clearTimeout(idle.timer);
      if (idle.environment.alive) return idle.environment;
    }
    return undefined;
  }

  #keepIdle(environment: Environment): void {
    const [take] = this.#waiting;
    if (take !== undefined) {
      take(environment);
      return;
    }
    const timer = setTimeout(() => environment.kill('SIGTERM'), idleMs).unref();
    this.#idle.push({ environment, timer });
  }

  #start(): Environment {
    const environment = new Environment(this.#definition, this.#log);
    this.#living.add(environment);
    void environment.exited.then(() => this.#living.delete(environment));
    return environment;
  }

  #countFailure({ reason, error }: Outcome & { readonly ok: false }): void {
    this.#counts.errors += 1;
    if (reason === 'timeout') this.#counts.timeouts += 1;
    const { name, message, stack } = error;
    this.#log(JSON.stringify({ level: 'ERROR', message: 'Invocation failed', error: { name, message, stack } }));
  }
}
