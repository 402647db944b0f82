// Invocations at once in environments of their own, on one world: fast-check's scheduler decides whose effect comes next.
// Nothing else moves meanwhile: the clock stands, and no message is delivered but those that a test hands over.
import { setImmediate as settled } from 'node:timers/promises';
import type { Pace } from '#shared/porting/pace.ts';
import { createDice } from '../dice.ts';
import { follow, type InboxObject, outcomeOf, put } from '../drive.ts';
import { type Dropped, importOf, violationsOf } from '../invariants.ts';
import type { Consumer } from '../lambda.ts';
import { accountId } from '../network.ts';
import { buckets, type Pipeline, queueUrl } from '../pipeline.ts';
import { csvTextOf, type Row } from '../scenario.ts';
import { createStrikes, type Strikes } from '../strikes.ts';
import { createWorld, type World } from '../world.ts';

/** What the race needs of fast-check's scheduler. */
export interface Turns {
  schedule<Value>(task: Promise<Value>, label?: string): Promise<Value>;
  waitFor<Value>(unscheduled: Promise<Value>): Promise<Value>;
}

/** For what has one order only. */
export const inTurn: Turns = { schedule: (task) => task, waitFor: (unscheduled) => unscheduled };

export type Invocation = (pipeline: Pipeline) => Promise<unknown>;

export interface Race {
  readonly world: World;
  readonly strikes: Strikes;
  /** Puts a file into the inbox, and answers the event that S3 sends of it. */
  drop(rows: readonly Row[], folder?: string): Promise<object>;
  /** A person lets the plan of the only file go: the message of it. */
  approval(): object;
  /** One invocation, alone; answers what it answered. */
  alone(invocation: Invocation): Promise<unknown>;
  /** All of them at once. */
  together(...invocations: readonly Invocation[]): Promise<void>;
  /** The first one, in the middle of which, before its so manieth effect, the second one runs from beginning to end. */
  interrupted(place: number, first: Invocation, second: Invocation): Promise<void>;
  /** Takes the messages that wait in a queue. */
  take(stage: Consumer): object[];
  /** How often the service was asked to create a port. */
  creates(): number;
  /** Resolves once the service has made a port, before anybody was told. */
  readonly made: Promise<void>;
  /** Lets everything settle; answers the invariants that did not hold. */
  end(): Promise<readonly string[]>;
}

export const createPort = `POST /api/porting/${accountId}`;
const start = Date.parse('2026-07-06T09:00:00Z');
const hour = 60 * 60_000;
const ample = () => 15 * 60_000;

/** The clock stands, so nobody may wait for a place in the line of calls. */
const noLine: Pace = {
  ready: async () => {},
  enter: async () => {},
  heard: async () => {},
  probeNow: async () => {},
};

/** One message to a stage. */
export const deliver =
  (stage: Consumer, body: object | undefined): Invocation =>
  (pipeline) => {
    const record = { messageId: 'raced', receiptHandle: 'raced', body: JSON.stringify(body) };
    return pipeline.consume(stage, [{ ...record, attributes: { ApproximateReceiveCount: '1' } }], ample);
  };

/** A run of sync; its name is what its lease goes by. */
export const runSync =
  (name: string): Invocation =>
  (pipeline) =>
    pipeline.sync(name, ample);

export function startRace(turns: Turns, seed: number): Race {
  const strikes = createStrikes();
  const uploads: (Dropped & InboxObject)[] = [];
  let isRacing = false;
  let isOver = false;
  let creates = 0;
  /** Effects until the one that has to wait; undefined when none has to. */
  let left: number | undefined;
  const { promise: go, resolve: goOn } = Promise.withResolvers<void>();
  const made = Promise.withResolvers<void>();
  const world: World = createWorld({
    seed,
    dice: createDice(seed),
    start,
    faults: () => strikes,
    takesTwice: true,
    latencyMs: () => 0,
    sabotage: { pace: () => noLine },
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
    const { version, etag } = await put(key, csvTextOf(rows), world);
    uploads.push({ at: 0, key, rows, notifications: 1, version, etag });
    const object = { key, eTag: etag, versionId: version };
    return { Records: [{ s3: { bucket: { name: buckets.inbox }, object } }] };
  };

  const take = (stage: Consumer): object[] => {
    const taken = world.queue.receive(queueUrl(stage), 100);
    for (const { receiptHandle } of taken) world.queue.remove(queueUrl(stage), receiptHandle);
    return taken.map(({ body }) => JSON.parse(body) as object);
  };

  return {
    world,
    strikes,
    drop,
    approval: () => {
      const [upload] = uploads;
      return { approve: upload && importOf(upload, { items: world.table.items() })?.importId };
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
