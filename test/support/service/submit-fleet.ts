// All instances of submit, which send one batch of requests after another behind the real rate limiter, in virtual
// time: how much of the rate limit they use. Their one item of the table takes as many writes as DynamoDB lets it.
import { setImmediate as settled } from 'node:timers/promises';
import { readConfiguration } from '#infra/config.ts';
import { submitBatchSize, submitConcurrency } from '#infra/derived-settings.ts';
import { CallDeferred } from '#shared/service/errors.ts';
import { createRateLimiter, type RateLimiter } from '#shared/service/rate-limiter.ts';
import { createRateLimitStore } from '#shared/store/leases.ts';
import { createDice, type Dice } from '../../chaos/dice.ts';
import { createTimeline, type Timeline } from '../../chaos/timeline.ts';
import { createTableTwin } from '../in-memory/table.ts';
import { contextOf } from '../infra/template.ts';

export interface FleetRun {
  readonly callsPerSecond: number;
  /** Of a call, there and back. */
  readonly latencyMs: number;
  readonly seconds: number;
}

export interface FleetFigures {
  /** Of submit, each with a batch of requests: as many as the settings allow. */
  readonly instances: number;
  readonly requestsAtOnce: number;
  /** The rate limit by the calls of a second, in the second half of the run. */
  readonly ratioToLimit: number;
  /** Writes to the item of the rate limiter, also those that another instance made first. */
  readonly writesPerSecond: number;
}

/** A partition takes 1,000 write units per second; those beyond wait, as in the SDK. */
const msPerWrite = 1;

const doNothing = async (): Promise<void> => {};
const start = Date.parse('2026-07-06T12:00:00Z');

export async function sendInBatches({ callsPerSecond, latencyMs, seconds }: FleetRun): Promise<FleetFigures> {
  const timeline = createTimeline(start);
  const dice = createDice(7);
  const table = createLimitedTable(timeline, dice);
  const calls: number[] = [];
  const configuration = { ...readConfiguration('prod', contextOf('prod')), callsPerSecond };
  const instances = submitConcurrency(configuration);
  const batchSize = submitBatchSize(configuration);
  for (let index = 0; index < instances; index += 1) {
    const limiter = createRateLimiter({
      store: createRateLimitStore(table.client as never, 'results', '1001@service'),
      callsPerSecond,
      clock: timeline.now,
      random: dice.next,
      wait: timeline.wait,
      notify: () => {},
      onFailure: () => {},
    });
    const call = async (): Promise<void> => {
      await limiter.acquire('POST', doNothing);
      calls.push(timeline.now());
      await timeline.wait(latencyMs);
    };
    void sendForEver(limiter, { call, batchSize, wait: timeline.wait, dice });
  }
  await settled();
  while (await timeline.step(start + seconds * 1_000));
  const inHalf = calls.filter((at) => at >= start + seconds * 500).length;
  return {
    instances,
    requestsAtOnce: instances * batchSize,
    ratioToLimit: Math.round((callsPerSecond * seconds * 50) / inHalf) / 100,
    writesPerSecond: Math.round(table.writes() / seconds),
  };
}

function createLimitedTable({ now, wait }: Timeline, dice: Dice) {
  const twin = createTableTwin({ now });
  let [writes, freeAt] = [0, 0];
  const client = {
    send: async (command: { readonly input: unknown }) => {
      if (command.constructor.name === 'PutCommand') {
        writes += 1;
        freeAt = Math.max(now(), freeAt + msPerWrite);
        await wait(freeAt - now());
      }
      await wait(dice.between(2, 20));
      return twin.send(command);
    },
  };
  return { client, writes: () => writes };
}

interface Sending extends Pick<Timeline, 'wait'> {
  readonly call: () => Promise<void>;
  readonly batchSize: number;
  readonly dice: Dice;
}

/** As submit does it while requests wait in the queue. A deferred request is another message later. */
async function sendForEver(limiter: RateLimiter, { call, batchSize, wait, dice }: Sending): Promise<void> {
  const work = () => wait(dice.between(10, 100));
  const send = async (): Promise<void> => {
    await limiter.throwIfDeferred(doNothing);
    await work();
    await limiter.ready(doNothing);
    await work();
    await call();
    await work();
  };
  const unlessDeferred = (sending: Promise<void>): Promise<void> =>
    sending.catch(async (error: unknown) => {
      if (!(error instanceof CallDeferred)) throw error;
      await wait(error.retryAfterMs);
    });
  // The lists of the catalogue.
  await unlessDeferred(call());
  for (;;) {
    limiter.noteQueue();
    await Promise.all(Array.from({ length: batchSize }, () => unlessDeferred(send())));
    await work();
  }
}
