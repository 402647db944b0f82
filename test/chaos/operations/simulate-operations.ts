// The other operations under the same faults: ports are created without faults, then text messages, bars, provisioning
// and port changes run with faults.
import { createDice } from '../dice.ts';
import { follow, notify, outcomeOf, put, settle, stepTo } from '../drive.ts';
import { type Faults, noFaults, randomFaults, ratesOf } from '../faults.ts';
import type { Sabotage } from '../pipeline.ts';
import { createWorld, type World } from '../world.ts';
import { askedOf, isFor } from './asked.ts';
import { checkOperations } from './check-operations.ts';
import { randomCorrections, startCorrections } from './corrections.ts';
import { type Job, randomDay } from './jobs.ts';

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

export async function simulateOperations(seed: number, sabotage?: Sabotage): Promise<OperationsRun> {
  const dice = createDice(seed);
  const day = randomDay(dice);
  const corrections = randomCorrections(createDice(seed ^ 0xc0de));
  const storm = randomFaults(createDice(seed ^ 0x5eed), ratesOf(dice.next()), new Map());
  let faults: Faults = noFaults;
  const world = createWorld({
    seed,
    dice,
    start,
    faults: () => faults,
    takesTwice: true,
    sabotage,
    onSubmit: (path, body) => watchSubmission(path, body, world, sent),
    count: () => {},
  });
  const sent = new Set<string>();

  await dropAt(0, day.made, world);
  const release = await startCorrections(corrections, world, (ms) => stepTo(world.timeline.now() + ms, world));
  await syncUntil(stormAt, world);
  await settle(world);
  faults = storm;
  for (const job of day.jobs)
    world.timeline.at(start + stormAt + dice.between(0, 10 * minute), () => void drop(job, world));
  // Within half a second: each of them takes longer to be read and released.
  const moment = start + stormAt + dice.between(0, 10 * minute);
  for (const file of corrections.files) world.timeline.at(moment + dice.between(0, 400), () => void release(file));
  await syncUntil(stormAt + dice.between(10 * minute, 40 * minute), world);
  faults = noFaults;
  await follow(start + 3 * 60 * minute, world);

  const { servicePorts } = await outcomeOf(world, [], { isWhole: false });
  const counts = new Map<string, number>();
  for (const { item } of askedOf(world)) {
    const name = `${item.operation} ${item.state}`;
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return {
    seed,
    counts,
    violations: [...world.heard.violations, ...(await checkOperations(day, corrections, servicePorts, world))],
  };
}

/** A submission that may have been processed is never sent again, and never before its write-ahead record. */
function watchSubmission(path: string, body: unknown, world: World, sent: Set<string>): void {
  const { violations } = world.heard;
  const text = `${path} ${JSON.stringify(body)}`;
  if (sent.has(text)) violations.add(`I3 ${path} was sent twice`);
  sent.add(text);
  const asked = askedOf(world).find((each) => isFor(each, path, body));
  if (asked?.item.state !== 'in-flight') violations.add(`I2 ${path} while its request was ${asked?.item.state}`);
}

async function drop({ key, text }: Job, world: World): Promise<void> {
  notify(await put(key, text, world), 0, world);
}

const dropAt = async (after: number, job: Job, world: World): Promise<void> => {
  await stepTo(start + after, world);
  await drop(job, world);
};

/** Runs until this time after the start, with a sync run every five minutes. */
async function syncUntil(after: number, world: World): Promise<void> {
  for (let at = world.timeline.now(); at < start + after; at += 5 * minute) {
    await stepTo(at, world);
    world.lambda.sync();
  }
  await stepTo(start + after, world);
}
