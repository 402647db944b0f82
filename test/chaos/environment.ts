// A Lambda execution environment: its clients reach the in-memory AWS doubles and the service through faults. After a
// crash none of its code continues, not even `finally`; effects that have started are completed.
import { type Backoff, createBackoff } from '#shared/store/backoff.ts';
import type { AwsClients } from '#shared/store/clients.ts';
import { requireGranted } from '../support/infra/granted-permissions.ts';
import { describeCommand } from './describe-effect.ts';
import type { Dice } from './dice.ts';
import type { AwsFate, CallFate, Faults } from './faults.ts';
import type { Network } from './network.ts';
import type { Timeline } from './timeline.ts';

export const stages = ['ingest', 'submit', 'report', 'sync'] as const;
export type Stage = (typeof stages)[number];
const roleOf: Readonly<Record<Stage, string>> = {
  ingest: 'IngestRole',
  submit: 'SubmitRole',
  report: 'ReportRole',
  sync: 'SyncRole',
};

export interface Twins {
  readonly table: Sending;
  readonly queues: Sending;
  readonly buckets: Sending;
}

interface Sending {
  send(command: { readonly input: unknown }, trace?: string): Promise<unknown>;
}

export interface Environment {
  readonly aws: AwsClients;
  readonly fetch: typeof fetch;
  readonly wait: (milliseconds: number) => Promise<void>;
  readonly backoff: Backoff;
  readonly random: () => number;
  /** Differs in every environment, without a throw of the dice. */
  readonly newId: () => string;
  /** Resolves when the environment crashes. */
  readonly death: Promise<'died'>;
  isDead(): boolean;
  kill(): void;
  /** An invocation starts: the SDK sends its trace header with each command. */
  trace(header: string): void;
}

export interface EnvironmentParts {
  /** Of the simulation: each environment has another one. */
  readonly number: number;
  readonly stage: Stage | 'beside';
  readonly timeline: Timeline;
  readonly dice: Dice;
  readonly twins: Twins;
  readonly network: Network;
  /** A call starts. Returns a function to call when it is answered or abandoned. */
  readonly onCall: () => () => void;
  readonly faults: () => Faults;
  /** Awaited before each effect with its name: controls the order of effects of several environments. */
  readonly turn: (effect: string) => Promise<void>;
}

const never = new Promise<never>(() => {});

export function createEnvironment(parts: EnvironmentParts): Environment {
  const { number, stage, timeline, dice, twins, network, onCall, faults, turn } = parts;
  let dead = false;
  let ids = 0;
  let trace: string | undefined;
  let tell: (died: 'died') => void = () => {};
  const death = new Promise<'died'>((resolve) => {
    tell = resolve;
  });
  const kill = (): void => {
    dead = true;
    tell('died');
  };

  /** One effect, between two points at which the environment may crash. */
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
          if (stage !== 'beside') requireGranted(roleOf[stage], command);
          const answer = await twin.send(command, trace);
          return fate === 'repeated' && isRepeatable(command) ? twin.send(command, trace) : answer;
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
    newId: () => {
      ids += 1;
      return `${number}-${ids}`;
    },
    death,
    isDead: () => dead,
    kill,
    trace: (header) => {
      trace = header;
    },
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

/** A transaction has a token, by which DynamoDB recognises a repetition. */
const isRepeatable = (command: object): boolean => command.constructor.name !== 'TransactWriteCommand';
