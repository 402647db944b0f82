// What people do in a day of operations: they move the ports of the first file, approve cancellations that waited
// meanwhile, and stop and resume imports. What they meet: answers of the service that say less than others.
import type { ImportItem } from '#shared/import/import.ts';
import { timeOfCommand } from '#shared/import/import-state.ts';
import type { Dice } from '../dice.ts';
import { queueUrl } from '../pipeline.ts';
import type { World } from '../world.ts';
import type { Day, Job } from './jobs.ts';

const minute = 60_000;
/** Days to which people move the ports. */
const laterDays = ['2026-07-20', '2026-07-21'] as const;

/** What people do with the ports of the first file, in milliseconds after the faults begin, and what they meet. */
export interface People {
  readonly moves: readonly number[];
  /** When somebody approves all plans that wait. */
  readonly approvals: readonly number[];
  /** Whether cancellations wait for approval: by then their ports may have been moved. */
  readonly approvesCancels: boolean;
  /** Whether files of SIMs name rows of the first file: their imports are their own all the same. */
  readonly namesPorts: boolean;
  /** How far the clock of the computer is behind that resumes an import. */
  readonly clockIsBehindMs: number;
  /** See `NetworkOptions`. */
  readonly namesFirst: boolean;
  readonly actsAtOnce: boolean;
  readonly cutsEnds: boolean;
}

export const quietPeople: People = {
  moves: [],
  approvals: [],
  approvesCancels: false,
  namesPorts: false,
  clockIsBehindMs: 0,
  namesFirst: false,
  actsAtOnce: false,
  cutsEnds: false,
};

/** A port is moved and cancelled in any order. */
export const randomPeople = (dice: Dice): People => ({
  moves: Array.from({ length: dice.pick([0, 1, 1, 2]) }, () => dice.between(-5 * minute, 20 * minute)).sort(
    (one, other) => one - other,
  ),
  approvals: Array.from({ length: 2 }, () => dice.between(2 * minute, 30 * minute)),
  approvesCancels: dice.chance(0.5),
  clockIsBehindMs: dice.pick([0, 30 * minute]),
  namesFirst: dice.chance(0.5),
  cutsEnds: dice.chance(0.5),
  actsAtOnce: dice.chance(0.5),
  namesPorts: dice.chance(0.5),
});

export const withApproval = (day: Day, { approvesCancels }: People): Day => ({
  ...day,
  jobs: day.jobs.map((job) =>
    approvesCancels && job.key.startsWith('cancel-port/') ? { ...job, key: `plan/${job.key}` } : job,
  ),
});

/** Schedules what people do after `at`, when the faults begin. */
export function arrangePeople({ moves, approvals }: People, at: number, world: World): void {
  for (const [place, after] of moves.entries())
    world.timeline.at(at + after, () => moveAgain(laterDays[place] ?? laterDays[0], world));
  for (const after of approvals) world.timeline.at(at + after, () => void approveAll(world));
}

const importsIn = ({ table }: World): ImportItem[] =>
  table.items().filter(({ sk }) => sk === 'import') as unknown as ImportItem[];

/** Moves the ports of the first file, or of its last move. */
function moveAgain(date: string, world: World): void {
  const made = importsIn(world).filter(({ operation, state }) => operation === 'create-port' && state !== 'rejected');
  const last = made.findLast(({ partOf }) => partOf?.kind === 'move') ?? made[0];
  if (last !== undefined)
    world.queue.add(queueUrl('command'), { reschedule: last.importId, date, ask: `to ${date}`, by: 'Sam' });
}

/** A person approves the cancellations that wait. Returns whether there were any. */
export function approveAll(world: World): boolean {
  const waiting = importsIn(world).filter(
    ({ state, key }) => state === 'planned' && key.startsWith('plan/cancel-port/'),
  );
  for (const { importId, planHash } of waiting)
    world.queue.add(queueUrl('command'), { approve: importId, plan: planHash });
  return waiting.length > 0;
}

/** The files that change ports, where there are any. */
export function changesOf({ jobs }: Day): readonly Job[] {
  const changes = jobs.filter(({ key }) => /^(?:plan\/)?(?:update|cancel)-port/.test(key));
  return changes.length === 0 ? jobs : changes;
}

/**
 * A person stops an import, for good or until somebody resumes it at a computer whose clock may be behind. Nobody can
 * resume what is not shown as stopped yet.
 */
export function stopAfter(at: number, { key }: Job, dice: Dice, behindMs: number, world: World): void {
  const { timeline, queue } = world;
  const end = dice.chance(0.5);
  const send = (about: object, { stop }: ImportItem, now: number): void =>
    queue.add(queueUrl('command'), { ...about, at: timeOfCommand(now, stop) });
  const find = () => importsIn(world).find((each) => each.key === key);
  const stopped = at + dice.between(0, 10 * minute);
  timeline.at(stopped, () => {
    const item = find();
    if (item !== undefined) send({ stop: item.importId, end }, item, timeline.now());
  });
  const resume = (): void => {
    const item = find();
    const now = timeline.now();
    if (item?.stop?.kind === 'until-resumed') send({ resume: item.importId }, item, now - behindMs);
    else if (now < stopped + looksForMs) timeline.at(now + 5 * minute, resume);
  };
  if (!end) timeline.at(stopped + dice.between(0, 20 * minute), resume);
}

const looksForMs = 180 * minute;
