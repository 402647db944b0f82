// The simulation beside the model, with faults that the commands request one by one.
import { stopOf } from '#shared/import/import-state.ts';
import { isoTime } from '#shared/text/wording.ts';
import { createDice } from '../dice.ts';
import { follow, outcomeOf, settle, stepTo } from '../drive.ts';
import { importOf, violationsNow, violationsOf } from '../invariants.ts';
import { queueUrl } from '../pipeline.ts';
import { createStrikes, type Strikes } from '../strikes.ts';
import { createWorld, type World } from '../world.ts';
import { droppedFiles, type Model } from './model.ts';

const minute = 60_000;
const hour = 60 * minute;
const start = Date.parse('2026-07-06T09:00:00Z');
const syncEveryMs = 5 * minute;

export interface RigOptions {
  readonly seed: number;
  /** Whether the service accepts a number twice, so that a second call creates a second port. */
  readonly takesTwice: boolean;
  /** Whether blocking rows are removed from their port. */
  readonly removesBlocking: boolean;
  /** Whether ports are followed to their end, which takes days. */
  readonly isWhole: boolean;
}

export interface Rig {
  readonly world: World;
  readonly strikes: Strikes;
  /** Advances the time, with a sync run every five minutes. */
  pass(milliseconds: number): Promise<void>;
  /** @throws Error with every violated invariant */
  check(model: Model): Promise<void>;
  /** Ends all faults and advances the time until everything has finished. @throws Error as `check` does */
  settle(model: Model): Promise<void>;
}

/** In the end a person resumes what is stopped, and approves a file that waits because it repeats cancelled rows. */
function answerAll(model: Model, { table, queue, timeline }: World): boolean {
  let isAnswered = false;
  const at = isoTime(timeline.now());
  for (const dropped of droppedFiles(model)) {
    const item = importOf(dropped, { items: table.items() });
    if (item === undefined) continue;
    const { importId, state, planHash } = item;
    const answers = [
      ...(state !== 'finished' && state !== 'rejected' && stopOf(item) === 'until-resumed'
        ? [{ resume: importId, at, by: 'Sam' }]
        : []),
      ...(state === 'planned' && !dropped.isHeld ? [{ approve: importId, plan: planHash }] : []),
    ];
    for (const answer of answers) queue.add(queueUrl('command'), answer);
    isAnswered ||= answers.length > 0;
  }
  return isAnswered;
}

export function createRig({ seed, takesTwice, removesBlocking, isWhole }: RigOptions): Rig {
  const strikes = createStrikes();
  const world = createWorld({
    seed,
    dice: createDice(seed),
    start,
    faults: () => strikes,
    takesTwice,
    sabotage: undefined,
    removeBlockingAfterMs: removesBlocking ? hour : undefined,
    count: () => {},
  });
  let nextSync = start + syncEveryMs;

  const pass = async (milliseconds: number): Promise<void> => {
    const until = world.timeline.now() + milliseconds;
    for (; nextSync <= until; nextSync += syncEveryMs) {
      await stepTo(nextSync, world);
      world.lambda.sync();
    }
    await stepTo(until, world);
  };

  const complain = (violations: readonly string[]): void => {
    const all = [...world.heard.violations, ...violations];
    if (all.length > 0) throw new Error(all.join('\n'));
  };

  return {
    world,
    strikes,
    pass,
    check: async (model) => complain(violationsNow(await outcomeOf(world, droppedFiles(model), { isWhole: false }))),
    settle: async (model) => {
      strikes.clear();
      await settle(world);
      const isFar = model.files.some(({ connectionDate }) => connectionDate !== undefined);
      const days = isFar ? { some: 3, whole: 40 } : { some: 0.25, whole: 10 };
      // What is sent a month later has missed its date.
      if (isFar) {
        await follow(world.timeline.now() + hour, world);
        answerAll(model, world);
      }
      const toTheEnd = () => follow(world.timeline.now() + days[isWhole ? 'whole' : 'some'] * 24 * hour, world);
      await toTheEnd();
      for (let answers = 0; answers < 2 && answerAll(model, world); answers += 1) await toTheEnd();
      complain(violationsOf(await outcomeOf(world, droppedFiles(model), { isWhole })));
    },
  };
}
