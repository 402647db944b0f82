// One execution environment, as Lambda keeps it: its clients reach the twins and the service through faults, and when it
// dies nothing of it goes on, not even a `finally`; what it has begun stays as it is.

import { type Backoff, createBackoff } from '#shared/aws/backoff.ts';
import type { AwsClients } from '#shared/aws/clients.ts';
import { describeCommand } from './describe-effect.ts';
import type { Dice } from './dice.ts';
import type { AwsFate, CallFate, Faults } from './faults.ts';
import type { Network } from './network.ts';
import type { Stage } from './pipeline.ts';
import type { Timeline } from './timeline.ts';

export interface Twins {
  readonly table: Sending;
  readonly queues: Sending;
  readonly buckets: Sending;
}

interface Sending {
  send(command: { readonly input: unknown }): Promise<unknown>;
}

export interface Environment {
  readonly aws: AwsClients;
  readonly fetch: typeof fetch;
  readonly wait: (milliseconds: number) => Promise<void>;
  readonly backoff: Backoff;
  readonly random: () => number;
  /** Resolves when the environment dies. */
  readonly death: Promise<'died'>;
  isDead(): boolean;
  kill(): void;
}

export interface EnvironmentParts {
  readonly stage: Stage | 'beside';
  readonly timeline: Timeline;
  readonly dice: Dice;
  readonly twins: Twins;
  readonly network: Network;
  /** A call leaves; answers what to do when nobody waits for its answer any more. */
  readonly onCall: () => () => void;
  readonly faults: () => Faults;
  /** Waited for before each effect, by its name, and so the order in which environments take their turns. */
  readonly turn: (effect: string) => Promise<void>;
}

const never = new Promise<never>(() => {});

export function createEnvironment(parts: EnvironmentParts): Environment {
  const { stage, timeline, dice, twins, network, onCall, faults, turn } = parts;
  let dead = false;
  let tell: (died: 'died') => void = () => {};
  const death = new Promise<'died'>((resolve) => {
    tell = resolve;
  });
  const kill = (): void => {
    dead = true;
    tell('died');
  };

  /** One effect, between two moments at which the environment may die. */
  const effect = async <Fate extends AwsFate | CallFate, Answer>(
    name: string,
    fateOf: () => Fate,
    perform: (fate: Fate) => Promise<Answer>,
  ): Promise<Answer> => {
    if (!dead) await turn(name);
    if (dead) return never;
    const fate = fateOf();
    if (fate === 'killed-before') {
      kill();
      return never;
    }
    const outcome = await settle(perform(fate));
    if (fate === 'killed-after') kill();
    if (dead) return never;
    if ('error' in outcome) throw outcome.error;
    return outcome.answer;
  };

  const client = (twin: Sending) => ({
    send: (command: { readonly input: unknown }) =>
      effect(
        command.constructor.name,
        () => faults().aws(command.constructor.name, () => `${stage} ${describeCommand(command)}`),
        async (fate) => {
          if (fate === 'throttled') throw throttled();
          const answer = await twin.send(command);
          return fate === 'repeated' && isRepeatable(command) ? twin.send(command) : answer;
        },
      ),
  });

  const call = (url: URL | Request | string, init: RequestInit = {}): Promise<Response> => {
    const { pathname } = new URL(String(url));
    const method = init.method ?? 'GET';
    const headers = init.headers as Record<string, string>;
    const body = init.body instanceof URLSearchParams ? init.body.toString() : ((init.body ?? null) as string | null);
    const name = `${method} ${pathname}`;
    return effect(
      name,
      () => faults().call(name, () => `${stage} ${method} ${pathname.replace(/[0-9a-f-]{36}/, '{id}')}`),
      async (fate) => {
        const end = onCall();
        void death.then(end);
        try {
          return await network.call({ method, url: String(url), headers, body }, fate);
        } finally {
          end();
        }
      },
    );
  };

  const wait = async (milliseconds: number): Promise<void> => {
    await timeline.wait(milliseconds);
    if (dead) await never;
  };

  return {
    aws: { s3: client(twins.buckets), sqs: client(twins.queues), table: client(twins.table) } as unknown as AwsClients,
    fetch: call,
    wait,
    backoff: createBackoff(8, dice.next, wait),
    random: dice.next,
    death,
    isDead: () => dead,
    kill,
  };
}

type Settled<Answer> = { readonly answer: Answer } | { readonly error: unknown };

async function settle<Answer>(performed: Promise<Answer>): Promise<Settled<Answer>> {
  try {
    return { answer: await performed };
  } catch (error) {
    return { error };
  }
}

const throttled = () => Object.assign(new Error('slow down'), { name: 'ThrottlingException' });

/** A transaction carries a token by which DynamoDB knows the second one. */
const isRepeatable = (command: object): boolean => command.constructor.name !== 'TransactWriteCommand';
