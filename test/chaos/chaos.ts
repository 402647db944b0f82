// Runs the real use cases over in-memory doubles, on virtual time, from one seed: uploads, crashes, repeated messages,
// failing calls; then a phase without faults, after which every invariant must hold.

import { queueNames } from '#shared/api/agreed-names.ts';
import { conservationIn } from './conservation.ts';
import { decideOn, leaveToPeople } from './decisions.ts';
import { createDice, type Dice } from './dice.ts';
import { cancelByHand, follow, leaveByHand, moveImport, notify, outcomeOf, put, stepTo } from './drive.ts';
import { type Faults, noFaults, randomFaults, ratesOf } from './faults.ts';
import { violationsOf } from './invariants.ts';
import type { Consumer } from './lambda.ts';
import type { Dropped } from './outcome.ts';
import { deadLetterUrl, type Sabotage } from './pipeline.ts';
import { csvTextOf, randomScenario, type Scenario, type Upload, withFormerNumber } from './scenario.ts';
import { createWorld, type World, type WorldOptions } from './world.ts';

export interface SimulationOptions {
  readonly seed: number;
  /** @default - from the seed */
  readonly scenario?: Scenario;
  /** Until the end. @default - from the seed, until `calmAt` of the scenario */
  readonly faults?: Faults;
  /** Whether given faults end as random ones do. @default false */
  readonly faultsPass?: boolean;
  readonly sabotage?: Sabotage;
  /**
   * Whether the service accepts a number twice, so that a second call creates a second port. @default - from the seed
   */
  readonly takesTwice?: boolean;
  /** Whether the template of a function has `RecursiveLoop: Allow`. @default - as in the template */
  readonly allowsRecursion?: (stage: Consumer) => boolean;
  /** Ports of other users in the list. @default - from the seed; none in a given scenario */
  readonly strangers?: number;
  /** See `WorldOptions`. */
  readonly list?: Pick<WorldOptions, 'listHabits' | 'listPauseMs' | 'syncCallsAtOnce'>;
}

export interface Simulated {
  readonly seed: number;
  /** Descriptions of violated invariants. */
  readonly violations: readonly string[];
  /** Messages that were dead-lettered before faults ended. */
  readonly deadLettered: number;
  /** The known statuses of ports at that time, of those that were ever read. */
  readonly known: readonly string[];
  /** How often each fault occurred, and how often each step was invoked. */
  readonly counts: ReadonlyMap<string, number>;
  /** The same for the same seed. */
  readonly fingerprint: string;
  /** Commands to the table and the queues. */
  readonly effects: number;
  /** Ports of the service at the end. */
  readonly ports: number;
  /** Virtual time from start to end, in milliseconds. */
  readonly lasted: number;
}

const minute = 60_000;
const usualSyncMs = 5 * minute;
const day = 24 * 60 * minute;
const monday = Date.parse('2026-07-06T09:00:00Z');

export async function simulate(options: SimulationOptions): Promise<Simulated> {
  const { seed, sabotage } = options;
  const dice = createDice(seed);
  const scenario = options.scenario ?? withFormerNumber(randomScenario(dice), createDice(seed ^ 0xf0e));
  const counts = new Map<string, number>();
  const stormy = options.faults ?? randomFaults(createDice(seed ^ 0x5eed), ratesOf(dice.next()), counts);
  let faults = stormy;
  const ends = createDice(seed ^ 0xe2d);
  const start = monday + dice.between(0, 6 * 24) * 60 * minute;
  const world = createWorld({
    seed,
    dice,
    start,
    faults: () => faults,
    takesTwice: options.takesTwice ?? dice.chance(0.5),
    lagsLong: [scenario.cancels, scenario.decisions, scenario.leaves, scenario.moves].every(isNever),
    movesPorts: !isNever(scenario.moves),
    strangers: options.strangers ?? (options.scenario === undefined ? dice.pick([0, 60, 120]) : 0),
    // Sometimes every import is a large one.
    restMs: options.scenario === undefined ? createDice(seed ^ 0x4e57).pick([0, 0, 20_000, 120_000]) : 0,
    cutsEnd: options.scenario === undefined ? () => ends.chance(0.3) : undefined,
    ...options.list,
    sabotage,
    allowsRecursion: options.allowsRecursion,
    count: (name) => void counts.set(name, (counts.get(name) ?? 0) + 1),
  });
  const { timeline, heard } = world;

  const uploads = arrange(scenario, start, dice, world);
  await stepTo(start + scenario.calmAt, world);
  if (options.faults === undefined || options.faultsPass) faults = noFaults;
  const deadLettered = queueNames.reduce((sum, name) => sum + world.queue.bodies(deadLetterUrl(name)).length, 0);
  const known = world.table.items().flatMap(({ sk, status }) => (sk === 'port' ? [String(status)] : []));
  await follow(start + scenario.horizonMs, world);

  const outcome = await outcomeOf(world, uploads, scenario);
  return {
    seed,
    violations: [
      ...heard.violations,
      ...violationsOf(outcome),
      ...(await conservationIn(world, { ports: outcome.servicePorts, hidden: outcome.forgottenPorts })),
    ],
    deadLettered,
    known,
    counts,
    fingerprint: heard.fingerprint(),
    effects: heard.effects(),
    ports: outcome.servicePorts.length,
    lasted: timeline.now() - start,
  };
}

const isNever = (times: readonly unknown[] | undefined): boolean => times === undefined || times.length === 0;

function workingDayAfter(time: number): string {
  const weekday = new Date(time).getUTCDay();
  const shift = weekday === 0 ? 1 : weekday === 6 ? 2 : 0;
  return new Date(time + shift * day).toISOString().slice(0, 10);
}

/** Schedules everything that users and the schedule of sync do. The result fills as files are uploaded. */
function arrange(scenario: Scenario, start: number, dice: Dice, world: World): readonly Dropped[] {
  const { timeline, lambda } = world;
  const dropped: Dropped[] = [];
  const schedule = (after: number, action: () => void) => timeline.at(start + after, action);
  for (const upload of scenario.uploads) {
    schedule(upload.at, () => void drop(upload, dice, world).then((version) => dropped.push({ ...upload, version })));
  }
  for (const at of scenario.cancels) schedule(at, () => void cancelByHand(0, world));
  for (const at of scenario.leaves ?? []) schedule(at, () => void leaveByHand(1, world));
  for (const at of scenario.moves ?? []) schedule(at, () => moveImport(workingDayAfter(start + 6 * day), world));
  for (const { at, kind } of scenario.decisions ?? []) {
    // Before sync finds it out.
    for (let early = 5 * minute; early >= 0; early -= 10_000) schedule(at - early, () => void leaveToPeople(world));
    schedule(at, () => decideOn(at, kind, world));
  }
  const { syncEveryMs = usualSyncMs } = scenario;
  for (let at = dice.between(0, syncEveryMs); at < scenario.calmAt; at += syncEveryMs) {
    schedule(at, lambda.sync);
    if (dice.chance(0.2)) schedule(at + dice.between(0, 50), lambda.sync);
  }
  return dropped;
}

/** Returns the version that was written. S3 delivers the event as often as the upload states. */
async function drop({ key, rows, notifications }: Upload, dice: Dice, world: World): Promise<string> {
  const object = await put(key, csvTextOf(rows), world);
  for (let time = 0; time < notifications; time += 1) notify(object, time * dice.between(0, 3_000), world);
  return object.version;
}
