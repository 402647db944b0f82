// Runs the real use cases over the twins, on virtual time, from one seed: files are dropped, environments die, messages
// come twice, calls break; then everything is calm, and what was promised must hold.
import { PutObjectCommand } from '@aws-sdk/client-s3';
import type { Port, PortStatus } from '#functions/porting-service/port.ts';
import { createDice, type Dice } from './dice.ts';
import { type FaultRates, type Faults, noFaults, randomFaults } from './faults.ts';
import { type Dropped, violationsOf } from './invariants.ts';
import { consumers } from './lambda.ts';
import { accountId, credentials } from './network.ts';
import { buckets, queueUrl, type Sabotage } from './pipeline.ts';
import { csvTextOf, randomScenario, type Scenario, type Upload } from './scenario.ts';
import { createWorld, type World } from './world.ts';

export interface SimulationOptions {
  readonly seed: number;
  /** @default one from the seed */
  readonly scenario?: Scenario;
  /** Until the end. @default ones from the seed, until the scenario is calm */
  readonly faults?: Faults;
  readonly sabotage?: Sabotage;
  /** Whether the service takes a number twice: then a second call is seen as a second port. @default from the seed */
  readonly takesTwice?: boolean;
}

export interface Simulated {
  readonly seed: number;
  /** Invariants that did not hold, in words; empty when all is well. */
  readonly violations: readonly string[];
  /** How often each fault hit, and how often each stage was invoked. */
  readonly counts: ReadonlyMap<string, number>;
  /** The same for the same seed. */
  readonly fingerprint: string;
  /** Commands to the table and the queues. */
  readonly effects: number;
  /** Ports that the service holds at the end. */
  readonly ports: number;
  /** Virtual time from the start to the end, milliseconds. */
  readonly lasted: number;
}

const minute = 60_000;
const day = 24 * 60 * minute;
const syncEveryMs = 5 * minute;
/** Redrives and runs of sync until everything must have settled. */
const mostRounds = 400;
const monday = Date.parse('2026-07-06T09:00:00Z');

export async function simulate(options: SimulationOptions): Promise<Simulated> {
  const { seed, sabotage } = options;
  const dice = createDice(seed);
  const scenario = options.scenario ?? randomScenario(dice);
  const counts = new Map<string, number>();
  const stormy = options.faults ?? randomFaults(createDice(seed ^ 0x5eed), ratesOf(dice.next()), counts);
  let faults = stormy;
  const start = monday + dice.between(0, 6 * 24) * 60 * minute;
  const world = createWorld({
    seed,
    dice,
    start,
    faults: () => faults,
    takesTwice: options.takesTwice ?? dice.chance(0.5),
    sabotage,
    count: (name) => void counts.set(name, (counts.get(name) ?? 0) + 1),
  });
  const { timeline, heard } = world;

  const uploads = arrange(scenario, start, dice, world);
  await stepTo(start + scenario.calmAt, world);
  if (options.faults === undefined) faults = noFaults;
  await follow(start + scenario.horizonMs, world);

  const servicePorts = await dumpPorts(world);
  const pacs = scenario.uploads.flatMap(({ rows }) => rows.map(({ pac }) => pac));
  const found = violationsOf({
    isWhole: scenario.isWhole,
    uploads,
    items: world.table.items(),
    servicePorts,
    text: world.bucket.text,
    places: world.bucket.places(),
    spoken: heard.spoken,
    secrets: [...pacs, ...heard.tokens, credentials.clientSecret],
  });
  return {
    seed,
    violations: [...heard.violations, ...found],
    counts,
    fingerprint: heard.fingerprint(),
    effects: heard.effects(),
    ports: servicePorts.length,
    lasted: timeline.now() - start,
  };
}

/** Puts everything that people and the schedule do on the timeline. The answer fills as files are dropped. */
function arrange(scenario: Scenario, start: number, dice: Dice, world: World): readonly Dropped[] {
  const { timeline, lambda } = world;
  const dropped: Dropped[] = [];
  const schedule = (after: number, action: () => void) => timeline.at(start + after, action);
  for (const upload of scenario.uploads) {
    schedule(upload.at, () => void drop(upload, dice, world).then((version) => dropped.push({ ...upload, version })));
  }
  for (const at of scenario.cancels) schedule(at, () => cancelOne(world));
  for (let at = dice.between(0, syncEveryMs); at < scenario.calmAt; at += syncEveryMs) {
    schedule(at, lambda.sync);
    if (dice.chance(0.2)) schedule(at + dice.between(0, 50), lambda.sync);
  }
  return dropped;
}

/** Answers the version that was written; S3 tells of it as often as the upload says. */
async function drop({ key, rows, notifications }: Upload, dice: Dice, { bucket, queue }: World): Promise<string> {
  const put = new PutObjectCommand({ Bucket: buckets.inbox, Key: key, Body: csvTextOf(rows) });
  const { ETag, VersionId } = (await bucket.send(put)) as { ETag: string; VersionId: string };
  const object = { key, eTag: ETag.replaceAll('"', ''), versionId: VersionId };
  for (let time = 0; time < notifications; time += 1) {
    const delayMs = time * dice.between(0, 3_000);
    queue.add(queueUrl('ingest'), { Records: [{ s3: { bucket: { name: buckets.inbox }, object } }] }, delayMs);
  }
  return VersionId;
}

/** Somebody cancels a port by hand, where there is one. */
function cancelOne({ network }: World): void {
  const [port] = network.ports();
  if (port !== undefined) void network.portal('DELETE', `/api/porting/${accountId}/port/${port.id}`);
}

async function stepTo(time: number, { timeline }: World): Promise<void> {
  while (await timeline.step(time));
  timeline.moveTo(time);
}

/** Lets everything settle, as sync and a person at the dead-letter queues would have it, until nothing is due any more. */
async function follow(horizon: number, world: World): Promise<void> {
  const { timeline, queue, lambda } = world;
  for (let round = 0; round < mostRounds; round += 1) {
    await settle(world);
    const redriven = consumers.filter((stage) => queue.redrive(queueUrl(stage)) > 0);
    if (redriven.length > 0) continue;
    const due = nextDue(world);
    if (due === undefined || due > horizon) return;
    await stepTo(Math.max(timeline.now() + minute, due), world);
    lambda.sync();
  }
  world.heard.violations.add('I8 there is always something due');
}

const isBusy = ({ lambda, queue }: World): boolean =>
  lambda.isRunning() || consumers.some((stage) => queue.bodies(queueUrl(stage)).length > 0);

/** Until nothing runs and no message waits. */
async function settle(world: World): Promise<void> {
  const until = world.timeline.now() + day;
  while (isBusy(world) && (await world.timeline.step(until)));
  if (isBusy(world)) world.heard.violations.add('I8 messages are never dealt with');
}

/** When sync next has something to do: what the table says is due, and the inbox to sweep. */
function nextDue({ table, bucket, timeline }: World): number | undefined {
  const items = table.items();
  const dues = items.flatMap(({ dueQueue, dueAt }) => (dueQueue === undefined ? [] : Date.parse(String(dueAt))));
  const uploads = bucket.places().filter((place) => place.startsWith(`${buckets.inbox}/`)).length;
  const imports = items.filter(({ sk }) => sk === 'import').length;
  if (imports < uploads) dues.push(timeline.now() + 15 * minute);
  return dues.length === 0 ? undefined : Math.min(...dues);
}

/** The ports as the service shows them now. */
async function dumpPorts({ network }: World): Promise<Port[]> {
  const ports: Port[] = [];
  for (const port of network.ports()) {
    const { body } = await network.portal('GET', `/api/porting/${accountId}/port/${port.id}`);
    ports.push({ ...port, status: (body as { statusName: PortStatus }).statusName });
  }
  return ports;
}

/** From a quiet day to a very bad one. */
function ratesOf(badness: number): FaultRates {
  return {
    kill: 0.03 * badness ** 2,
    throttle: 0.06 * badness,
    repeat: 0.03 * badness,
    call: 0.35 * badness,
    forget: 0.3 * badness,
    undeleted: 0.3 * badness,
  };
}
