// Several invocations at once in separate environments of one simulation. fast-check's scheduler selects the next
// effect. The clock stops meanwhile, and only messages that a test passes are delivered.
import { setImmediate as settled } from 'node:timers/promises';
import type { RateLimiter } from '#shared/service/rate-limiter.ts';
import { lambdaContext } from '../../support/lambda-context.ts';
import { createDice } from '../dice.ts';
import { follow, type InboxObject, outcomeOf, put } from '../drive.ts';
import { violationsOf } from '../invariants.ts';
import type { Consumer } from '../lambda.ts';
import { accountId } from '../network.ts';
import { type Dropped, importOf } from '../outcome.ts';
import { buckets, type Pipeline, queueUrl } from '../pipeline.ts';
import { csvTextOf, type Row } from '../scenario.ts';
import { createStrikes, type Strikes } from '../strikes.ts';
import { createWorld, type World } from '../world.ts';

/** The part of fast-check's scheduler that a race uses. */
export interface Turns {
  schedule<Value>(task: Promise<Value>, label?: string): Promise<Value>;
  waitFor<Value>(unscheduled: Promise<Value>): Promise<Value>;
}

/** For steps with one order only. */
export const serialQueue: Turns = { schedule: (task) => task, waitFor: (unscheduled) => unscheduled };

export type Invocation = (pipeline: Pipeline) => Promise<unknown>;

export interface Race {
  readonly world: World;
  readonly strikes: Strikes;
  /** Writes a file to the inbox and returns the event that S3 sends. */
  upload(key: string, text: string): Promise<object>;
  /** The same with rows of Create Port, which are checked at the end. */
  drop(rows: readonly Row[], folder?: string): Promise<object>;
  /** Approves the plan of the only file and returns the message. */
  approval(): { readonly approve: string | undefined; readonly plan: string | undefined };
  /** Runs one invocation alone and returns its result. */
  alone(invocation: Invocation): Promise<unknown>;
  /** Runs all of them at once. */
  together(...invocations: readonly Invocation[]): Promise<void>;
  /** Runs the first one, and all of the second one before one of its effects. */
  interrupted(place: number, first: Invocation, second: Invocation): Promise<void>;
  /** Receives the waiting messages of a queue. */
  take(stage: Consumer): object[];
  /** The number of Create Port calls. */
  creates(): number;
  /** Resolves when the service has created a port, before the caller is answered. */
  readonly made: Promise<void>;
  /** Waits until everything has finished and returns the violated invariants. */
  end(): Promise<readonly string[]>;
}

export const createPort = `POST /api/porting/${accountId}`;
const start = Date.parse('2026-07-06T09:00:00Z');
const hour = 60 * 60_000;
const ample = lambdaContext(() => 15 * 60_000);

const eventOf = ({ key, etag, version }: InboxObject): object => ({
  Records: [{ s3: { bucket: { name: buckets.inbox }, object: { key, eTag: etag, versionId: version } } }],
});

/** The clock stops, so no invocation may wait for a slot of the rate limiter. */
const unlimited: RateLimiter = {
  throwIfDeferred: async () => {},
  ready: async () => {},
  acquire: async () => 0,
  recordOutcome: async () => {},
  isSaturated: () => false,
  noteQueue: () => {},
  probeNow: async () => {},
};

const arnOf = (stage: Consumer): string => `arn:aws:sqs:eu-west-2:1:${queueUrl(stage).split('/').at(-1)}`;

/** One message to a step. */
export const deliver =
  (stage: Consumer, body: object | undefined): Invocation =>
  (pipeline) => {
    const record = {
      messageId: 'raced',
      receiptHandle: 'raced',
      body: JSON.stringify(body),
      eventSourceARN: arnOf(stage),
    };
    return pipeline.consume(
      stage,
      [{ ...record, attributes: { ApproximateReceiveCount: '1', SentTimestamp: '0' } }],
      ample,
    );
  };

/** A run of sync; its name is the holder of its lease. */
export const runSync =
  (name: string): Invocation =>
  (pipeline) =>
    pipeline.sync({ ...ample, awsRequestId: name });

export function startRace(turns: Turns, seed: number): Race {
  const strikes = createStrikes();
  const uploads: (Dropped & InboxObject)[] = [];
  let isRacing = false;
  let isOver = false;
  let creates = 0;
  /** Effects until the one that has to wait, if any. */
  let left: number | undefined;
  const { promise: go, resolve: goOn } = Promise.withResolvers<void>();
  const made = Promise.withResolvers<void>();
  const world: World = createWorld({
    seed,
    dice: createDice(seed),
    start,
    faults: () => strikes,
    takesTwice: true,
    // So that one search proves that a port is absent.
    strangers: 1,
    latencyMs: () => 0,
    sabotage: { rateLimiter: () => unlimited },
    turn: async (effect) => {
      if (effect === createPort) creates += 1;
      if (world.network.ports().length > 0) made.resolve();
      if (left !== undefined) left -= 1;
      if (left === 0) {
        left = undefined;
        await go;
      }
      if (isRacing) await turns.schedule(Promise.resolve(), effect);
      if (isOver) await world.timeline.wait(1);
    },
    count: () => {},
  });

  const drop = async (rows: readonly Row[], folder = 'create-port'): Promise<object> => {
    const key = `${folder}/file-${uploads.length}.csv`;
    const object = await put(key, csvTextOf(rows), world);
    uploads.push({ at: 0, rows, notifications: 1, ...object });
    return eventOf(object);
  };

  const take = (stage: Consumer): object[] => {
    const taken = world.queue.receive(queueUrl(stage), 100);
    for (const { receiptHandle } of taken) world.queue.remove(queueUrl(stage), receiptHandle);
    return taken.map(({ body }) => JSON.parse(body) as object);
  };

  return {
    world,
    strikes,
    upload: async (key, text) => eventOf(await put(key, text, world)),
    drop,
    approval: () => {
      const upload = uploads.at(-1);
      const item = upload && importOf(upload, { items: world.table.items() });
      return { approve: item?.importId, plan: item?.planHash };
    },
    alone: (invocation) => invocation(world.open().pipeline),
    together: async (...invocations) => {
      isRacing = true;
      await turns.waitFor(Promise.all(invocations.map((invocation) => invocation(world.open().pipeline))));
      isRacing = false;
    },
    interrupted: async (place, first, second) => {
      left = place;
      const going = first(world.open().pipeline);
      await settled();
      left = undefined;
      await second(world.open().pipeline);
      goOn();
      await going;
    },
    take,
    creates: () => creates,
    made: made.promise,
    end: async () => {
      isOver = true;
      await follow(world.timeline.now() + hour, world);
      const outcome = await outcomeOf(world, uploads, { isWhole: false });
      return [...world.heard.violations, ...violationsOf(outcome)];
    },
  };
}
