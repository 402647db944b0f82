// The simulation beside the model, with faults that the commands request one by one.
import type { ImportItem } from '#shared/import/import.ts';
import { findStopProblem } from '#shared/import/import-state.ts';
import { isoTime } from '#shared/text/wording.ts';
import { conservationIn } from '../conservation.ts';
import { createDice } from '../dice.ts';
import { follow, isBusy, outcomeOf, settle, stepTo } from '../drive.ts';
import { violationsNow, violationsOf } from '../invariants.ts';
import { checkListed } from '../listed.ts';
import { account } from '../network.ts';
import { type Dropped, importOf } from '../outcome.ts';
import { queueUrl } from '../pipeline.ts';
import { createStrikes, type Strikes } from '../strikes.ts';
import { type SurfaceName, violationsOfSurfaces } from '../surfaces.ts';
import { ledgerOf, type Service } from '../true-rows.ts';
import { createWorld, type World } from '../world.ts';
import { findReturned } from './forgetting.ts';
import { droppedFiles, type Model } from './model.ts';
import { checkPartsOfStopped, createStopWatch } from './stops.ts';

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
  /** Whether the first detail of each port that has ended lacks rows. */
  readonly cutsEnds: boolean;
  /** Whether ports are followed to their end, which takes days. */
  readonly isWhole: boolean;
  /** See `SurfaceCheck`. */
  readonly forgets?: SurfaceName | undefined;
}

export interface Rig {
  readonly world: World;
  readonly strikes: Strikes;
  /** Advances the time, with a sync run every five minutes. */
  pass(milliseconds: number): Promise<void>;
  /** The same where runs of sync in which nothing is due are left out: days pass. */
  passQuietly(milliseconds: number): Promise<void>;
  /** @throws Error with every violated invariant */
  check(model: Model): Promise<void>;
  /** A message was lost: what report writes may be old until sync notifies it again. */
  noteLoss(): void;
  /** Ends all faults and advances the time until everything has finished. @throws Error as `check` does */
  settle(model: Model): Promise<void>;
}

/** The parts of an import wait with it, also where nothing of itself is sent, as all its rows were rejected. */
function mayResume(first: ImportItem, imports: readonly ImportItem[]): boolean {
  const parts = imports.filter(({ partOf }) => partOf?.importId === first.importId);
  return first.partOf === undefined && findStopProblem(first, parts, 'none', account) === undefined;
}

/** In the end a person resumes what is stopped, and approves a file that waits because it repeats cancelled rows. */
function answerAll(model: Model, world: World): boolean {
  const { table, queue, timeline } = world;
  const { imports } = ledgerOf(world);
  const at = isoTime(timeline.now());
  const stopped = imports.filter((item) => mayResume(item, imports));
  const waiting = droppedFiles(model, table.items()).flatMap((dropped) => {
    const item = importOf(dropped, { items: table.items() });
    return item?.state === 'planned' && !dropped.isHeld ? [item] : [];
  });
  const answers = [
    ...stopped.map(({ importId }) => ({ resume: importId, at, by: 'Sam' })),
    ...waiting.map(({ importId, planHash }) => ({ approve: importId, plan: planHash })),
  ];
  for (const answer of answers) queue.add(queueUrl('command'), answer);
  return answers.length > 0;
}

/** A person approved the present plan, and nothing happened, although nobody had put it away. */
const findLostApprovals = (files: readonly Dropped[], { table }: World): string[] =>
  files.flatMap((file) => {
    const item = importOf(file, { items: table.items() });
    const isWaiting = item?.state === 'planned' && item.archived === undefined;
    const isLost = isWaiting && file.isHeld && file.approved?.has(item.planHash ?? '');
    return isLost ? [`I4 the approval of ${file.key} was lost`] : [];
  });

/** Longer than the indexes lag behind the table. */
const indexLagMs = 4_000;
/** After a fault, sync notifies report again of every import within an hour. */
const repairMs = 75 * minute;

/** Compares the surfaces where something has changed since the last comparison. */
function createSurfaceWatch(losses: () => number, forgets: SurfaceName | undefined) {
  let writtenAt = 0;
  let checkedAt = 0;
  let known = 0;
  let lostAt = Number.NEGATIVE_INFINITY;
  return {
    note: (now: number): void => {
      writtenAt = now;
    },
    check: async (world: World, service: Service): Promise<readonly string[]> => {
      const now = world.timeline.now();
      const isLost = losses() > known;
      if (isLost) lostAt = now;
      known = losses();
      if (writtenAt < checkedAt) return [];
      const isReported = !isBusy(world) && now > writtenAt + indexLagMs && now > lostAt + repairMs;
      // What report has written is compared later, in calm.
      checkedAt = isReported ? now : checkedAt;
      return violationsOfSurfaces(world, { isReported, service, forgets });
    },
  };
}

/** People move ports to days after the usual end of a run. */
async function latestPortDay(world: World): Promise<number> {
  const { servicePorts } = await outcomeOf(world, [], { isWhole: true });
  return Math.max(0, ...servicePorts.map(({ connectionDate }) => Date.parse(connectionDate)));
}

export function createRig({ seed, takesTwice, removesBlocking, cutsEnds, isWhole, forgets }: RigOptions): Rig {
  const strikes = createStrikes();
  let lost = 0;
  const surfaces = createSurfaceWatch(() => lost + strikes.hits() + world.lambda.deaths(), forgets);
  const world = createWorld({
    seed,
    dice: createDice(seed),
    start,
    faults: () => strikes,
    takesTwice,
    movesPorts: true,
    cutsEnd: () => cutsEnds,
    sabotage: undefined,
    removeBlockingAfterMs: removesBlocking ? hour : undefined,
    onWrite: () => surfaces.note(world.timeline.now()),
    count: () => {},
  });
  const checkStops = createStopWatch();
  let nextSync = start + syncEveryMs;

  const pass = async (milliseconds: number): Promise<void> => {
    const until = world.timeline.now() + milliseconds;
    for (; nextSync <= until; nextSync += syncEveryMs) {
      await stepTo(nextSync, world);
      world.lambda.sync();
    }
    await stepTo(until, world);
  };

  const passQuietly = async (milliseconds: number): Promise<void> => {
    const until = world.timeline.now() + milliseconds;
    await follow(until, world);
    await stepTo(until, world);
    nextSync = world.timeline.now() + syncEveryMs;
  };

  const complain = (violations: readonly string[]): void => {
    const all = [...world.heard.violations, ...findReturned(world), ...violations];
    if (all.length > 0) throw new Error(all.join('\n'));
  };

  return {
    world,
    strikes,
    pass,
    passQuietly,
    noteLoss: () => {
      lost += 1;
    },
    check: async (model) => {
      const outcome = await outcomeOf(world, droppedFiles(model, world.table.items()), { isWhole: false });
      const handled = isBusy(world) ? [] : [...checkListed(outcome), ...checkPartsOfStopped(world)];
      complain([
        ...violationsNow(outcome),
        ...handled,
        ...checkStops(world),
        ...(await surfaces.check(world, outcome)),
      ]);
    },
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
      const toTheEnd = async () => {
        await follow(world.timeline.now() + days[isWhole ? 'whole' : 'some'] * 24 * hour, world);
        if (isWhole) await follow((await latestPortDay(world)) + 3 * 24 * hour, world);
      };
      await toTheEnd();
      complain(checkStops(world));
      for (let answers = 0; answers < 2 && answerAll(model, world); answers += 1) await toTheEnd();
      await stepTo(world.timeline.now() + indexLagMs, world);
      const dropped = droppedFiles(model, world.table.items());
      const outcome = await outcomeOf(world, dropped, { isWhole });
      const { servicePorts: ports, forgottenPorts: hidden } = outcome;
      const unseen = await conservationIn(world, { ports, hidden });
      const differing = await violationsOfSurfaces(world, { isReported: true, service: outcome, forgets });
      complain([
        ...findLostApprovals(dropped, world),
        ...violationsOf(outcome),
        ...checkListed(outcome),
        ...unseen,
        ...differing,
      ]);
    },
  };
}
