// All execution environments: warm ones are used again, new ones are started up to what the function reserves and what
// the machine can bear, idle ones are let go.
import { type Environment, type Outcome, startEnvironment } from './environment.ts';
import { createGate, type Gate } from './gate.ts';

export interface FunctionDefinition {
  readonly name: string;
  readonly arn: string;
  readonly bundle: string;
  readonly exported: string;
  readonly timeoutMs: number;
  readonly memoryMb: number;
  readonly variables: Readonly<Record<string, string>>;
  /** ReservedConcurrentExecutions; Infinity where the template has none. */
  readonly concurrency: number;
}

export interface FunctionStatus {
  readonly invocations: number;
  readonly errors: number;
  readonly timeouts: number;
  readonly running: number;
  readonly environments: number;
  /** The most memory any environment of this function has had, living or not. */
  readonly peakRssMb: number;
}

export interface Environments {
  readonly names: readonly string[];
  /** Waits for a free environment, then runs. A handler's error is an outcome, not a rejection. */
  invoke(name: string, event: unknown): Promise<Outcome>;
  status(): Readonly<Record<string, FunctionStatus>>;
  /** Kills every environment, whatever it is doing; the next invocations start new ones. */
  kill(signal: NodeJS.Signals): void;
  stop(): Promise<void>;
}

export interface EnvironmentsOptions {
  readonly functions: readonly FunctionDefinition[];
  /** The most invocations at one time over all functions. */
  readonly capacity: number;
  readonly idleMs: number;
  readonly log: (functionName: string, line: string) => void;
}

interface Pool {
  readonly definition: FunctionDefinition;
  readonly reserved: Gate;
  readonly idle: { readonly environment: Environment; readonly timer: NodeJS.Timeout }[];
  readonly living: Set<Environment>;
  readonly counts: { invocations: number; errors: number; timeouts: number; running: number; peakRssMb: number };
}

export const createEnvironments = ({ functions, capacity, idleMs, log }: EnvironmentsOptions): Environments => {
  const machine = createGate(capacity);
  const pools = new Map<string, Pool>(
    functions.map((definition) => [
      definition.name,
      {
        definition,
        reserved: createGate(definition.concurrency),
        idle: [],
        living: new Set(),
        counts: { invocations: 0, errors: 0, timeouts: 0, running: 0, peakRssMb: 0 },
      },
    ]),
  );

  const start = (pool: Pool): Environment => {
    const { definition, living } = pool;
    const environment = startEnvironment({
      ...definition,
      functionName: definition.name,
      functionArn: definition.arn,
      log: (line) => log(definition.name, line),
    });
    living.add(environment);
    void environment.exited.then(() => living.delete(environment));
    return environment;
  };

  const take = (pool: Pool): Environment => {
    for (let rested = pool.idle.pop(); rested !== undefined; rested = pool.idle.pop()) {
      clearTimeout(rested.timer);
      if (rested.environment.alive) return rested.environment;
    }
    return start(pool);
  };

  const rest = (pool: Pool, environment: Environment): void => {
    if (!environment.alive) return;
    const timer = setTimeout(() => environment.kill('SIGTERM'), idleMs).unref();
    pool.idle.push({ environment, timer });
  };

  const run = async (pool: Pool, event: unknown): Promise<Outcome> => {
    const { counts } = pool;
    counts.invocations += 1;
    counts.running += 1;
    const environment = take(pool);
    const outcome = await environment.invoke(event);
    counts.running -= 1;
    counts.peakRssMb = Math.max(counts.peakRssMb, environment.peakRssMb);
    rest(pool, environment);
    if (!outcome.ok) {
      counts.errors += 1;
      if (outcome.reason === 'timeout') counts.timeouts += 1;
      const { name, message, stack } = outcome.error;
      log(
        pool.definition.name,
        JSON.stringify({ level: 'ERROR', message: 'Invocation failed', error: { name, message, stack } }),
      );
    }
    return outcome;
  };

  const all = (): Environment[] => [...pools.values()].flatMap(({ living }) => [...living]);

  return {
    names: [...pools.keys()],
    invoke: async (name, event) => {
      const pool = pools.get(name);
      if (pool === undefined) {
        throw new Error(`No function is named "${name}"; there are ${[...pools.keys()].join(', ')}`);
      }
      const leaveReserved = await pool.reserved.enter();
      const leaveMachine = await machine.enter();
      try {
        return await run(pool, event);
      } finally {
        leaveMachine();
        leaveReserved();
      }
    },
    status: () =>
      Object.fromEntries(
        [...pools].map(([name, { counts, living }]) => [name, { ...counts, environments: living.size }]),
      ),
    kill: (signal) => {
      for (const environment of all()) environment.kill(signal);
    },
    stop: async () => {
      const living = all();
      for (const environment of living) environment.kill('SIGKILL');
      await Promise.all(living.map(({ exited }) => exited));
    },
  };
};
