// What a fault of the table is, and what brings one about.
import type { PortingClient } from '#shared/service/client.ts';
import { Rejected } from '#shared/service/errors.ts';
import type { CallFate } from '../faults.ts';
import { accountId } from '../network.ts';
import { queueUrl, type Sabotage } from '../pipeline.ts';
import { rowsFrom, validRows } from '../scenario.ts';
import type { WatchedWorld } from './watched-world.ts';

/** `stops`: it crashes or fails. `full`: its concurrency is used up, or messages fill it. */
export type Kind = 'stops' | 'slow' | 'full' | 'off' | 'wrong';

export interface Fault {
  readonly kind: Kind;
  /** Logical id of the resource, or `service`. */
  readonly part: string;
  readonly what: string;
  /** What changes when it begins. */
  readonly begin: (watched: WatchedWorld) => unknown;
  /** What it needs from the start. It is switched on by `begin`. */
  readonly sabotage?: (isOn: () => boolean) => Sabotage;
  readonly syncCallsAtOnce?: number;
  readonly hours: number;
  /** By the alarms that fire: within how many minutes at most. */
  readonly tells: Readonly<Record<string, number>>;
}

export const createPort = `POST /api/porting/${accountId}`;

/** A client of submit with these changes while the fault is on. */
export const submitClient =
  (change: (client: PortingClient) => Partial<PortingClient>) =>
  (isOn: () => boolean): Sabotage => ({
    submit: (requests, client) => {
      const changed = change(client);
      const either = Object.entries(client).map(([name, method]) => [
        name,
        (...given: never[]) => (isOn() && name in changed ? Reflect.get(changed, name) : method)(...given),
      ]);
      return { requests, client: Object.fromEntries(either) as PortingClient };
    },
  });

export const decline = (): Promise<never> =>
  Promise.reject(
    new Rejected(
      { message: 'this account may not port', fieldErrors: [], msisdns: [] },
      { call: createPort, status: 400 },
    ),
  );

/** Calls to create a port have these fates, one after another; all other calls succeed. */
export const creating = (...fates: readonly CallFate[]) => {
  let calls = 0;
  return (effect: string): CallFate => {
    if (effect !== createPort) return 'done';
    calls += 1;
    return fates[(calls - 1) % fates.length] ?? 'done';
  };
};

/** Numbers that no other file of the simulation has. */
export const many = (count: number, pac?: string) =>
  pac === undefined
    ? validRows(5_000, count)
    : rowsFrom(
        5_000,
        Array.from({ length: count }, (_, index) => `${pac}${100_000 + index}`),
      );

export const unreadable = (watched: WatchedWorld, queue: 'ingest' | 'command' | 'submit' | 'report') =>
  watched.world.queue.add(queueUrl(queue), 'not a message');
