// Approves, stops, resumes and puts away imports.

import {
  type ActorOptions,
  type ApprovalPeople,
  type AuditEntry,
  asAwsIdentity,
  authorsOf,
  findApprovalProblem,
  requestedByOf,
} from '#shared/import/approval.ts';
import type { Identity, ImportItem, ImportStop } from '#shared/import/import.ts';
import {
  attemptUntil,
  findStopProblem,
  isArchivable,
  listedAgain,
  putAway,
  takesStop,
} from '#shared/import/import-state.ts';
import { moveRequest } from '#shared/pipeline/move-request.ts';
import { type ApprovalMessage, type ArchiveMessage, submitMessageOf } from '#shared/request/messages.ts';
import type { RequestItem } from '#shared/request/request.ts';
import { isStopped } from '#shared/request/request-state.ts';
import { continueStopped } from '#shared/request/waiting-request.ts';
import { readFirst, readParts } from '#shared/results/parts.ts';
import { type Deadline, timeNeeded } from '#shared/runtime/clock.ts';
import { isoTime } from '#shared/text/wording.ts';
import type { IngestPipeline } from '../ingest-pipeline.ts';
import { holdAttempt } from '../new-import.ts';
import { inBatches, ReleaseHalted, releaseOrReject } from '../release.ts';

// Releases a plan that waited for approval: the second half of an upload below plan/, or with plan-only.

/**
 * Releases an import in state `planned`. In any other state it does nothing, so a repeated or late approval is
 * harmless. Submit checks dates that passed while the plan waited (spec gap 10). undefined: there is no such import.
 * @throws ReleaseHalted, and what the table, the bucket and the queue throw: repeat the message
 */
export async function approve(
  asking: ApprovalMessage & ActorOptions,
  deadline: Deadline,
  pipeline: IngestPipeline,
): Promise<ImportItem | undefined> {
  const { imports, clocks } = pipeline;
  const importId = asking.approve;
  const item = await imports.get(importId);
  if (item?.state === 'submitting') return releaseOrReject(item, deadline, pipeline);
  if (item?.state !== 'planned') return item;
  const reason = item.approvedAt === undefined ? await reasonToDecline(item, asking, pipeline) : undefined;
  if (reason !== undefined) return declineApproval(item, reason, asking, pipeline);
  // Stored first: after a crash, a repeated event of the upload continues as well as a repeated approval.
  const { approvedAt = isoTime(clocks.wall()), requestedBy = requestedByOf(asking) } = item;
  const until = attemptUntil(clocks.wall());
  const changes = { approvedAt, requestedBy, attemptUntil: until };
  // The plan that was checked: the file may be read again at this moment.
  const approved = await listIfSent(await imports.approve(item, changes), pipeline);
  if (approved === undefined) return imports.get(importId);
  return holdAttempt(importId, () => releaseOrReject(approved, deadline, pipeline), pipeline);
}

/** Why the approval has no effect; undefined where it has. */
async function reasonToDecline(
  item: ImportItem,
  asking: ApprovalMessage & ActorOptions,
  pipeline: IngestPipeline,
): Promise<string | undefined> {
  const { plan: planHash } = asking;
  const isRecorded = ({ action, details }: AuditEntry) => action === 'approved' && details.planHash === planHash;
  const people = await readPeople(item, asking, isRecorded, pipeline);
  const problem = findApprovalProblem({
    ...people,
    item,
    account: pipeline.settings.account,
    now: isoTime(pipeline.clocks.wall()),
    planHash,
  });
  if (problem !== undefined) return problem.reason;
  if (item.partOf === undefined) return undefined;
  return (await import('../correction.ts')).findSentMeanwhile(item, pipeline);
}

/** `isRecorded`: the entry of the audit trail that the API has written before it sent the command. */
async function readPeople(
  item: ImportItem,
  { actorId, principal }: ApprovalMessage & ActorOptions,
  isRecorded: (entry: AuditEntry) => boolean,
  { audit, settings }: IngestPipeline,
): Promise<ApprovalPeople> {
  const { approval: mode } = settings;
  const entries = mode === 'two' ? await audit.withoutDownloads(item.importId) : [];
  const uploaded = entries.find(({ action }) => action === 'uploaded');
  const approver =
    actorId === undefined ? principalIdentity(principal) : findApprover(entries.filter(isRecorded), actorId);
  return { mode, authors: authorsOf(item, uploaded), approver };
}

const principalIdentity = (principal: string | undefined): Identity | undefined =>
  principal === undefined ? undefined : asAwsIdentity(principal);

/** Anyone with access to the queue can name a person in a message, so the approval that the API recorded must exist. */
const findApprover = (entries: readonly AuditEntry[], actorId: string): Identity | undefined =>
  entries.some((entry) => entry.actorId === actorId) ? { provider: 'console', id: actorId } : undefined;

/** Recorded, so that the person who waits for the release learns the reason. */
async function declineApproval(
  { importId, state }: ImportItem,
  reason: string,
  asking: ActorOptions,
  { imports, log, clocks }: IngestPipeline,
): Promise<ImportItem | undefined> {
  log.warn('an approval was declined', { importId, reason });
  const declinedApproval = { ...requestedByOf(asking), at: isoTime(clocks.wall()), reason };
  return (await imports.update(importId, { declinedApproval }, [state])) ?? imports.get(importId);
}

// Stops an import with all of its parts, or resumes it. Submit reads the stop before each call, so only requests that
// wait without a message need one here: then submit leaves, ends or sends each.

/** Longer than submit uses a reading of the import: each message then meets the new one. */
const delaySeconds = 2;

/**
 * Records the command at the first import and at each part, and sends a message for each request that was not sent when
 * the import goes on or ends for good. A part that is released later reads the stop of the first import
 * (`followFirst`). In a state that takes no such command nothing happens. undefined: there is no such import. May be
 * repeated.
 * @throws ReleaseHalted when time is short, and what the table and the queue throw: repeat the message
 */
export async function stopImport(
  importId: string,
  stop: ImportStop,
  deadline: Deadline,
  pipeline: IngestPipeline,
): Promise<ImportItem | undefined> {
  const { imports, settings } = pipeline;
  const { kind, at } = stop;
  const asked = await imports.get(importId);
  if (asked === undefined) return undefined;
  const first = await readFirst(imports, asked);
  const isOutdated = first.stop !== undefined && first.stop.at > at;
  const isRepeated = first.stop?.kind === kind && first.stop.at === at;
  const { account } = settings;
  const isDeclined =
    !isRepeated && findStopProblem(first, await readParts(first, imports), kind, account) !== undefined;
  if (isOutdated || isDeclined) return first;
  const stopped = [await recordStop(first, stop, pipeline)];
  // Read now: a part that was added before is in this list, and one that is added later finds the stop.
  for (const part of await readParts(first, imports)) {
    if (takesStop(part, kind)) stopped.push(await recordStop(part, stop, pipeline));
  }
  const isUnsent = ({ state }: RequestItem) =>
    state === 'scheduled' || (state === 'planned' && kind !== 'until-resumed');
  for (const item of stopped) await sendUnsent(item, isUnsent, deadline, pipeline);
  return stopped[0];
}

async function recordStop(item: ImportItem, stop: ImportStop, { imports, clocks }: IngestPipeline) {
  const { importId } = item;
  const isResumed = stop.kind === 'none' && item.state === 'stopped';
  const state = isResumed ? 'submitting' : item.state;
  // An import that moves to another state at the same time is stopped in that one: the message comes again.
  const changed = await imports.update(importId, { stop, changedAt: isoTime(clocks.wall()), state }, [item.state]);
  if (changed === undefined) throw new Error(`import ${importId} changed while it was stopped`);
  return changed;
}

async function sendUnsent(
  { importId }: ImportItem,
  isUnsent: (request: RequestItem) => boolean,
  deadline: Deadline,
  pipeline: IngestPipeline,
): Promise<void> {
  const { requests, queues, resources } = pipeline;
  for await (const batch of inBatches(requests.ofImport(importId))) {
    if (!deadline.hasTimeFor(timeNeeded.cleanUp))
      throw new ReleaseHalted(`not every request of ${importId} has a message`);
    const waiting = await Promise.all(batch.filter(isUnsent).map((request) => continueWaiting(request, pipeline)));
    await queues.send(resources.submitQueueUrl, waiting.map(submitMessageOf), { delaySeconds });
  }
}

async function continueWaiting(request: RequestItem, pipeline: IngestPipeline): Promise<RequestItem> {
  if (!isStopped(request) && request.state !== 'scheduled') return request;
  const continued = continueStopped(request, pipeline.clocks.wall());
  const stored = await moveRequest(request, continued, pipeline);
  if (stored !== undefined) return stored;
  // Submit or sync checked it at the same moment, and may have left it again.
  const now = await pipeline.requests.get(request.importId, request.request);
  return now?.state === 'planned' && isStopped(now) ? continueWaiting(now, pipeline) : request;
}

// Archives an import, dismisses its declined or rejected rows, and undoes each.

/**
 * An import that is being sent is listed: where it was approved at the same time, whichever is written last shows both.
 */
async function listIfSent(
  item: ImportItem | undefined,
  { imports }: IngestPipeline,
  parts: readonly ImportItem[] = [],
): Promise<ImportItem | undefined> {
  const changes = item && listedAgain(item);
  if (item === undefined || changes === undefined || [item, ...parts].every(isArchivable)) return item;
  return imports.update(item.importId, changes);
}

/** undefined: there is no such import. May be repeated. @throws what the table throws: repeat the message */
export async function archiveImport(
  message: ArchiveMessage & ActorOptions,
  pipeline: IngestPipeline,
): Promise<ImportItem | undefined> {
  const { imports, clocks } = pipeline;
  const { archive: importId, what, at, isUndone, rows } = message;
  const item = await imports.get(importId);
  if (item === undefined) return undefined;
  const mark = { ...requestedByOf(message), at, rows, ...(isUndone && { isUndone }) };
  const putOneAway = async (one: ImportItem, itsParts: readonly ImportItem[]): Promise<ImportItem | undefined> => {
    const changes = putAway(one, what, mark);
    if (changes === undefined) return one;
    const changedAt = isoTime(clocks.wall());
    return listIfSent(await imports.update(one.importId, { ...changes, changedAt }), pipeline, itsParts);
  };
  // Rows are dismissed where they are counted. A part may be put away alone, such as one that nobody will approve.
  const parts = what === 'import' ? await readParts(item, imports) : [];
  for (const part of parts) await putOneAway(part, []);
  return putOneAway(item, parts);
}
