// All functions: each has its own execution environments, and together they do not exceed the capacity of the machine.
import type { FunctionDefinition, Outcome } from './environment.ts';
import { FunctionPool, type FunctionStatus } from './function-pool.ts';
import { createSemaphore } from './semaphore.ts';

export interface Environments {
  /**
   * Waits for a free environment, then runs. A handler's error is an outcome, not a rejection.
   * @param traceHeaders of the messages that led to the invocation @default - it begins a new trace
   */
  invoke(name: string, event: unknown, traceHeaders?: readonly (string | undefined)[]): Promise<Outcome>;
  status(): Readonly<Record<string, FunctionStatus>>;
  /** Kills every environment, idle or not. The next invocations start new ones. */
  kill(signal: NodeJS.Signals): void;
  stop(): Promise<void>;
}

export interface EnvironmentsOptions {
  readonly functions: readonly FunctionDefinition[];
  /** The most invocations at one time over all functions; as many more of those for which a person waits. */
  readonly capacity: number;
  readonly log: (functionName: string, line: string) => void;
}

export const createEnvironments = ({ functions, capacity, log }: EnvironmentsOptions): Environments => {
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
    invoke: async (name, event, traceHeaders = []) => {
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
    status: () => Object.fromEntries([...pools].map(([name, { status }]) => [name, status])),
    kill: (signal) => {
      for (const pool of pools.values()) pool.kill(signal);
    },
    stop: async () => {
      await Promise.all([...pools.values()].map((pool) => pool.stop()));
    },
  };
};
