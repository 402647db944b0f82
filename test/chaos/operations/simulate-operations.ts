// The other operations under the same faults: ports are created without faults, then text messages, bars, provisioning
// and port changes run with faults.
import { conservationIn } from '../conservation.ts';
import { createDice, type Dice } from '../dice.ts';
import { follow, type InboxObject, notify, outcomeOf, put, settle, stepTo } from '../drive.ts';
import { type Faults, noFaults, randomFaults, ratesOf } from '../faults.ts';
import type { Sabotage } from '../pipeline.ts';
import { createWorld, type World } from '../world.ts';
import { askedOf, isFor } from './asked.ts';
import { checkOperations } from './check-operations.ts';
import { idOf, randomCorrections, startCorrections } from './corrections.ts';
import { type Day, isOfSims, type Job, largeRequest, randomDay, randomUnusable, withRowsOf } from './jobs.ts';
import { approveAll, arrangePeople, changesOf, quietPeople, randomPeople, stopAfter, withApproval } from './people.ts';

export interface OperationsRun {
  readonly seed: number;
  /** Descriptions of violated invariants. */
  readonly violations: readonly string[];
  /** Requests by operation and the state in which they ended. */
  readonly counts: ReadonlyMap<string, number>;
}

const minute = 60_000;
const start = Date.parse('2026-07-06T09:00:00Z');
const stormAt = 30 * minute;

/** @param given faults from the first upload to the end. @default - from the seed, once the ports are created */
export async function simulateOperations(seed: number, sabotage?: Sabotage, given?: Faults): Promise<OperationsRun> {
  const dice = createDice(seed);
  const isQuiet = given !== undefined;
  const people = isQuiet ? quietPeople : randomPeople(createDice(seed ^ 0x30fe));
  const day = withApproval(randomDay(dice), people);
  const corrections = randomCorrections(createDice(seed ^ 0xc0de));
  const more = createDice(seed ^ 0x57ab);
  const { unusable, stops } = isQuiet ? nothingWrong : randomTrouble(day, more);
  const chance = randomFaults(createDice(seed ^ 0x5eed), ratesOf(dice.next()), new Map());
  const repeating = people.actsAtOnce ? withRepeatedProvision(chance, createDice(seed ^ 0x2b1d)) : chance;
  const storm = given ?? (stops.length === 0 ? repeating : withoutLateCalls(repeating));
  const calm = given ?? noFaults;
  let faults: Faults = calm;
  const world = createWorld({
    seed,
    dice,
    start,
    faults: () => faults,
    takesTwice: true,
    sabotage,
    onSubmit: (path, body) => watchSubmission(path, body, world, sent),
    declines: (body) => declineFor(unusable, body),
    namesFirst: people.namesFirst,
    actsAtOnce: people.actsAtOnce,
    cutsEnd: () => people.cutsEnds,
    movesPorts: true,
    rowsPerRequest: more.pick([3, largeRequest]),
    count: () => {},
  });
  const sent = new Set<string>();

  const ports = idOf(await drop(day.made, world));
  const passing = (ms: number) => stepTo(world.timeline.now() + ms, world);
  // Rows can only be named once the file is an import.
  if (people.namesPorts) await passing(minute);
  const named = <File extends Job>(file: File): File => (people.namesPorts ? withRowsOf(ports, file) : file);
  const release = await startCorrections({ ...corrections, first: named(corrections.first) }, world, passing);
  await syncUntil(stormAt, world);
  await settle(world);
  faults = storm;
  for (const job of day.jobs) {
    const at = start + stormAt + dice.between(0, 10 * minute);
    world.timeline.at(at, () => void drop(isOfSims(job) ? named(job) : job, world));
    if (stops.includes(job)) stopAfter(at, job, more, people.clockIsBehindMs, world);
  }
  arrangePeople(people, start + stormAt, world);
  // Within half a second: each of them takes longer to be read and released.
  const moment = start + stormAt + dice.between(0, 10 * minute);
  for (const file of corrections.files) world.timeline.at(moment + dice.between(0, 400), () => void release(file));
  await syncUntil(stormAt + dice.between(10 * minute, 40 * minute), world);
  faults = calm;
  await follow(start + 3 * 60 * minute, world);
  // A file whose event was lost is found later.
  for (let times = 0; times < 3 && approveAll(world); times += 1)
    await follow(world.timeline.now() + 60 * minute, world);

  const { servicePorts, forgottenPorts: hidden } = await outcomeOf(world, [], { isWhole: false });
  const counts = new Map<string, number>();
  for (const { item } of askedOf(world)) {
    const name = `${item.operation} ${item.state}`;
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return {
    seed,
    counts,
    violations: [
      ...world.heard.violations,
      ...(await checkOperations(
        { ...day, unusable, stops, isMoved: people.moves.length > 0 },
        corrections,
        servicePorts,
        world,
      )),
      ...(await conservationIn(world, { ports: servicePorts, hidden })),
    ],
  };
}

interface Trouble {
  readonly unusable: ReadonlySet<string>;
  readonly stops: readonly Job[];
}

/** The quiet day of a sweep has no declines, no stop, no moves, and nothing waits for approval. */
const nothingWrong: Trouble = { unusable: new Set(), stops: [] };

function randomTrouble(day: Day, dice: Dice): Trouble {
  const unusable = randomUnusable(dice);
  return { unusable, stops: dice.chance(0.6) ? [dice.pick(dice.chance(0.5) ? changesOf(day) : day.jobs)] : [] };
}

/** A text without digits: the service names no row. */
const declineFor = (unusable: ReadonlySet<string>, body: unknown): string | undefined =>
  [...unusable].some((sim) => JSON.stringify(body).includes(sim)) ? 'A SIM of the request cannot be used' : undefined;

/** What the service executes after a change was stopped is shown by its port, and not by its row. */
const withoutLateCalls = (faults: Faults): Faults => ({
  ...faults,
  call: (effect, what) => {
    const fate = faults.call(effect, what);
    return fate === 'hang' || fate === 'committed-late' ? 'reset' : fate;
  },
});

/** A gateway that delivers many calls of Provision twice: the service declines the SIMs that the first put on hire. */
const withRepeatedProvision = (faults: Faults, dice: Dice): Faults => ({
  ...faults,
  call: (effect, what) => {
    const fate = faults.call(effect, what);
    return fate === 'done' && effect.endsWith('/Provision') && dice.chance(0.3) ? 'delivered-twice' : fate;
  },
});

/** A submission that may have been processed is never sent again, and never before its write-ahead record. */
function watchSubmission(path: string, body: unknown, world: World, sent: Set<string>): void {
  const { violations } = world.heard;
  const text = `${path} ${JSON.stringify(body)}`;
  if (sent.has(text)) violations.add(`I3 ${path} was sent twice`);
  sent.add(text);
  const asked = askedOf(world).find((each) => isFor(each, path, body));
  if (asked?.item.state !== 'in-flight') violations.add(`I2 ${path} while its request was ${asked?.item.state}`);
}

async function drop({ key, text }: Job, world: World): Promise<InboxObject> {
  const object = await put(key, text, world);
  notify(object, 0, world);
  return object;
}

/** Runs until this time after the start, with a sync run every five minutes. */
async function syncUntil(after: number, world: World): Promise<void> {
  for (let at = world.timeline.now(); at < start + after; at += 5 * minute) {
    await stepTo(at, world);
    world.lambda.sync();
  }
  await stepTo(start + after, world);
}
