// Drives a simulation: uploads and their events, time, actions of people, and the final phase without faults.
import { PutObjectCommand } from '@aws-sdk/client-s3';
import type { SQSClient } from '@aws-sdk/client-sqs';
import { queueNames } from '#shared/api/agreed-names.ts';
import { createDeadLetters } from '#shared/store/dead-letters.ts';
import { notificationQueue } from '#shared/store/imports.ts';
import { parseUploadKey } from '#shared/store/object-keys.ts';
import { tokenOfPortName } from '#shared/text/identity.ts';
import type { Port, PortStatus, RowStatus } from '#simulator/ports/port.ts';
import { resolveAll } from './decisions.ts';
import { accountId, credentials } from './network.ts';
import type { Dropped, Outcome } from './outcome.ts';
import { buckets, deadLetterUrl, queueUrl } from './pipeline.ts';
import { csvTextOf, type Row } from './scenario.ts';
import type { World } from './world.ts';

const minute = 60_000;
const day = 24 * 60 * minute;
/** Redrives and sync runs until everything must have finished. */
const mostRounds = 400;
/** The longest time between two notifications of an import in progress. */
const reminderMs = 61 * minute;

/** One version of one object in the inbox. */
export interface InboxObject {
  readonly key: string;
  readonly version: string;
  readonly etag: string;
}

/** Writes a file to the inbox, without an event. */
export async function put(
  key: string,
  text: string | Buffer,
  { bucket }: World,
  metadata: Record<string, string> = {},
): Promise<InboxObject> {
  const command = new PutObjectCommand({ Bucket: buckets.inbox, Key: key, Body: text, Metadata: metadata });
  const { ETag, VersionId } = (await bucket.send(command)) as { ETag: string; VersionId: string };
  return { key, version: VersionId, etag: ETag.replaceAll('"', '') };
}

/** Sends the event to ingest, as S3 does. */
export function notify({ key, version, etag }: InboxObject, delayMs: number, { queue }: World): void {
  const object = { key, eTag: etag, versionId: version };
  queue.add(queueUrl('ingest'), { Records: [{ s3: { bucket: { name: buckets.inbox }, object } }] }, delayMs);
}

/** A person uploads a file of create-port, and S3 sends its event at once. */
export async function drop(key: string, rows: readonly Row[], world: World): Promise<void> {
  notify(await put(key, csvTextOf(rows), world), 0, world);
}

/** A person cancels a port in the portal: the one at this position, if there is one. */
export async function cancelByHand(place: number, { network }: World): Promise<void> {
  const ports = network.ports();
  const port = ports[place % Math.max(1, ports.length)];
  if (port !== undefined) await network.portal('DELETE', `/api/porting/${accountId}/port/${port.id}`);
}

/** A person cancels the first row of a port in the portal, if the service takes it. */
export async function leaveByHand(place: number, { network }: World): Promise<void> {
  const ports = network.ports();
  const port = ports[place % Math.max(1, ports.length)];
  const Msisdn = port?.rows[0]?.number;
  if (port === undefined || port.rows.length < 2) return;
  const Rows = [{ Msisdn, PortRowStatus: 'CancellationRequested' }];
  await network.portal('PATCH', `/api/porting/${accountId}/port/${port.id}`, { Rows });
}

/** A person moves the ports of an import, the first that has some, to that day. */
export function moveImport(date: string, { table, queue }: World): void {
  const item = table.items().find(({ sk, state }) => sk === 'import' && state === 'in-progress');
  if (item !== undefined)
    queue.add(queueUrl('command'), { reschedule: item.importId, date, ask: `to ${date}`, by: 'Sam' });
}

export async function stepTo(time: number, { timeline }: World): Promise<void> {
  while (await timeline.step(time));
  timeline.moveTo(time);
}

/** Runs sync, redrives messages and resolves requests until nothing is due any more. */
export async function follow(horizon: number, world: World): Promise<void> {
  const { timeline, lambda } = world;
  let deathsBefore: number | undefined;
  for (let round = 0; round < mostRounds; round += 1) {
    await settle(world);
    if ((await redriveAll(world)) || (await resolveAll(world, settle))) continue;
    const due = nextDue(world);
    const isPast = due === undefined || due > horizon;
    // One more run notifies report of changes that a crashed run left out.
    if (isPast && deathsBefore === lambda.deaths()) return;
    if (isPast) deathsBefore = lambda.deaths();
    await stepTo(isPast ? timeline.now() + reminderMs : Math.max(timeline.now() + minute, due), world);
    lambda.sync();
  }
  world.heard.violations.add('I8 there is always something due');
}

/** Redrives all dead-letter queues, as `simporter redrive` does. Returns false if there was no message. */
export async function redriveAll({ queue }: World): Promise<boolean> {
  const deadLetters = createDeadLetters(queue as unknown as SQSClient);
  const full = queueNames.filter((name) => queue.bodies(deadLetterUrl(name)).length > 0);
  for (const name of full) await deadLetters.redrive(queueUrl(name), queueUrl(name === 'ingest' ? 'command' : name));
  return full.length > 0;
}

/** Whether an invocation runs or a message waits. */
export const isBusy = ({ lambda, queue }: World): boolean =>
  lambda.isRunning() || queueNames.some((name) => queue.bodies(queueUrl(name)).length > 0);

/** Waits until no invocation runs and no message waits. */
export async function settle(world: World): Promise<void> {
  const until = world.timeline.now() + day;
  while (isBusy(world) && (await world.timeline.step(until)));
  if (isBusy(world)) world.heard.violations.add('I8 messages are never dealt with');
}

/**
 * The time of the next sync run: the next due item, or the next inbox sweep. Notifications are sent by these runs too;
 * a run for each of them (hourly for ten days) would be too many.
 */
function nextDue({ table, bucket, network, timeline }: World): number | undefined {
  const items = table.items();
  const waiting = items.filter(({ dueQueue }) => dueQueue !== undefined && dueQueue !== notificationQueue);
  const dues = waiting.map(({ dueAt }) => Date.parse(String(dueAt)));
  const taken = new Set(items.flatMap(({ sk, key, versionId }) => (sk === 'import' ? `${key} ${versionId}` : [])));
  const uploads = bucket.written(buckets.inbox).filter(({ key }) => parseUploadKey(key) !== undefined);
  const untaken = uploads.filter(({ key, versionId }) => !taken.has(`${key} ${versionId}`));
  if (untaken.length > 0) dues.push(timeline.now() + 15 * minute);
  const stuck = items.some(({ sk, state }) => sk === 'import' && state === 'planning');
  if (stuck) dues.push(timeline.now() + 15 * minute);
  // A port that was created late is found within a day.
  if (timeline.now() < network.lastLate() + day) dues.push(timeline.now() + reminderMs);
  return dues.length === 0 ? undefined : Math.min(...dues);
}

/** Everything that can be observed of a simulation. */
export async function outcomeOf(
  world: World,
  uploads: readonly Dropped[],
  { isWhole }: Pick<Outcome, 'isWhole'>,
): Promise<Outcome> {
  const { table, bucket, network, heard } = world;
  const pacs = uploads.flatMap(({ rows }) => rows.map(({ pac }) => pac));
  const servicePorts = await dumpPorts(world);
  return {
    isWhole,
    uploads,
    items: table.items(),
    servicePorts,
    lateTokens: network.lateTokens,
    forgottenPorts: forgottenOf(servicePorts, network),
    cancelledByHand: network.cancelledByHand,
    shownAt: network.shownAt,
    offers: network.offers,
    text: bucket.text,
    places: bucket.places(),
    forgottenNumbers: new Set(heard.forgotten.keys()),
    correctedBefore: heard.corrected,
    uploadsLeft: bucket.written(buckets.inbox),
    spoken: heard.spoken,
    secrets: [...pacs, ...heard.tokens, credentials.clientSecret],
  };
}

/**
 * Ports that nobody can find. One that was created hours late, or that each search of a restless list has missed, is no
 * concern once it is cancelled by its own faults; one that a person cancelled may have left the list.
 */
function forgottenOf(ports: readonly Port[], { listHabits, cancelledByHand, lateTokens }: World['network']) {
  const isForgotten = ({ id, name, status }: Port): boolean =>
    (listHabits.forgetsCancelled && cancelledByHand.has(id)) ||
    (status === 'Cancelled' && (listHabits.isRestless || lateTokens.has(tokenOfPortName(name) ?? '')));
  return new Set(ports.filter(isForgotten).map(({ id }) => id));
}

interface PortNow {
  readonly statusName: PortStatus;
  readonly rows: readonly { readonly statusName: RowStatus }[];
}

/** The ports as the service shows them. */
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
