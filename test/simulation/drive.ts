// What moves a simulated world: files are dropped and told of, time passes, people act, and in the end everything is calm.
import { PutObjectCommand } from '@aws-sdk/client-s3';
import type { SQSClient } from '@aws-sdk/client-sqs';
import type { Port, PortStatus, RowStatus } from '#functions/porting-service/port.ts';
import { createDeadLetters } from '#shared/aws/dead-letters.ts';
import { reminderQueue } from '#shared/aws/keys.ts';
import { decideAll } from './decisions.ts';
import type { Dropped, Outcome } from './invariants.ts';
import { consumers } from './lambda.ts';
import { accountId, credentials } from './network.ts';
import { buckets, deadLetterUrl, queueUrl } from './pipeline.ts';
import type { World } from './world.ts';

const minute = 60_000;
const day = 24 * 60 * minute;
/** Redrives and runs of sync until everything must have settled. */
const mostRounds = 400;
/** An import that goes on is reminded of at least once in so long. */
const reminderMs = 61 * minute;

/** One version of one object in the inbox. */
export interface InboxObject {
  readonly key: string;
  readonly version: string;
  readonly etag: string;
}

/** Puts a file into the inbox; nobody is told. */
export async function put(key: string, text: string, { bucket }: World): Promise<InboxObject> {
  const command = new PutObjectCommand({ Bucket: buckets.inbox, Key: key, Body: text });
  const { ETag, VersionId } = (await bucket.send(command)) as { ETag: string; VersionId: string };
  return { key, version: VersionId, etag: ETag.replaceAll('"', '') };
}

/** Tells ingest of it, as S3 does. */
export function notify({ key, version, etag }: InboxObject, delayMs: number, { queue }: World): void {
  const object = { key, eTag: etag, versionId: version };
  queue.add(queueUrl('ingest'), { Records: [{ s3: { bucket: { name: buckets.inbox }, object } }] }, delayMs);
}

/** Somebody cancels a port by hand: the so manieth that the service holds, where there is any. */
export async function cancelByHand(place: number, { network }: World): Promise<void> {
  const ports = network.ports();
  const port = ports[place % Math.max(1, ports.length)];
  if (port !== undefined) await network.portal('DELETE', `/api/porting/${accountId}/port/${port.id}`);
}

export async function stepTo(time: number, { timeline }: World): Promise<void> {
  while (await timeline.step(time));
  timeline.moveTo(time);
}

/** Lets everything settle, as sync, a person at the dead-letter queues and one who decides would have it, until nothing is due any more. */
export async function follow(horizon: number, world: World): Promise<void> {
  const { timeline, lambda } = world;
  let deathsBefore: number | undefined;
  for (let round = 0; round < mostRounds; round += 1) {
    await settle(world);
    if ((await redriveAll(world)) || (await decideAll(world))) continue;
    const due = nextDue(world);
    const isPast = due === undefined || due > horizon;
    // One run more reminds report of what was left untold, unless something of that run dies.
    if (isPast && deathsBefore === lambda.deaths()) return;
    if (isPast) deathsBefore = lambda.deaths();
    await stepTo(isPast ? timeline.now() + reminderMs : Math.max(timeline.now() + minute, due), world);
    lambda.sync();
  }
  world.heard.violations.add('I8 there is always something due');
}

/** Somebody gives back all that was put aside, as `simporter redrive` does it; false where nothing was. */
export async function redriveAll({ queue }: World): Promise<boolean> {
  const deadLetters = createDeadLetters(queue as unknown as SQSClient);
  const full = consumers.filter((stage) => queue.bodies(deadLetterUrl(stage)).length > 0);
  for (const stage of full) await deadLetters.redrive(queueUrl(stage));
  return full.length > 0;
}

const isBusy = ({ lambda, queue }: World): boolean =>
  lambda.isRunning() || consumers.some((stage) => queue.bodies(queueUrl(stage)).length > 0);

/** Until nothing runs and no message waits. */
export async function settle(world: World): Promise<void> {
  const until = world.timeline.now() + day;
  while (isBusy(world) && (await world.timeline.step(until)));
  if (isBusy(world)) world.heard.violations.add('I8 messages are never dealt with');
}

/**
 * When sync next has something to do: what the table says is due, and the inbox to sweep. Reminders come along with these
 * runs, and with the last ones: every hour of ten days is too many.
 */
function nextDue({ table, bucket, timeline }: World): number | undefined {
  const items = table.items();
  const waiting = items.filter(({ dueQueue }) => dueQueue !== undefined && dueQueue !== reminderQueue);
  const dues = waiting.map(({ dueAt }) => Date.parse(String(dueAt)));
  const taken = new Set(items.flatMap(({ sk, key, versionId }) => (sk === 'import' ? `${key} ${versionId}` : [])));
  const untaken = bucket.written(buckets.inbox).filter(({ key, versionId }) => !taken.has(`${key} ${versionId}`));
  if (untaken.length > 0) dues.push(timeline.now() + 15 * minute);
  return dues.length === 0 ? undefined : Math.min(...dues);
}

/** All that there is to see of a world. */
export async function outcomeOf(
  world: World,
  uploads: readonly Dropped[],
  { isWhole }: Pick<Outcome, 'isWhole'>,
): Promise<Outcome> {
  const { table, bucket, heard } = world;
  const pacs = uploads.flatMap(({ rows }) => rows.map(({ pac }) => pac));
  return {
    isWhole,
    uploads,
    items: table.items(),
    servicePorts: await dumpPorts(world),
    text: bucket.text,
    places: bucket.places(),
    spoken: heard.spoken,
    secrets: [...pacs, ...heard.tokens, credentials.clientSecret],
  };
}

interface PortNow {
  readonly statusName: PortStatus;
  readonly rows: readonly { readonly statusName: RowStatus }[];
}

/** The ports as the service shows them now. */
async function dumpPorts({ network }: World): Promise<Port[]> {
  const ports: Port[] = [];
  for (const port of network.ports()) {
    const { body } = await network.portal('GET', `/api/porting/${accountId}/port/${port.id}`);
    const now = body as PortNow;
    const rows = port.rows.map((row, place) => ({ ...row, status: now.rows[place]?.statusName ?? row.status }));
    ports.push({ ...port, status: now.statusName, rows });
  }
  return ports;
}
