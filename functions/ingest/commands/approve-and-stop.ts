// Approve, stop, resume or put away an import.

import {
  type ActorOptions,
  type ApprovalPeople,
  type AuditEntry,
  findApprovalProblem,
  type Identity,
  requestedByOf,
  uploaderOf,
} from '#shared/import/approval.ts';
import type { ImportItem, ImportStop } from '#shared/import/import.ts';
import { attemptUntil, findStopProblem, isArchivable, isArchived, putAway } from '#shared/import/import-state.ts';
import { moveRequest } from '#shared/pipeline/move-request.ts';
import { type ApprovalMessage, type ArchiveMessage, submitMessageOf } from '#shared/request/messages.ts';
import type { RequestItem } from '#shared/request/request.ts';
import { isStopped } from '#shared/request/request-state.ts';
import { continueStopped } from '#shared/request/waiting-request.ts';
import { type Deadline, timeNeeded } from '#shared/runtime/clock.ts';
import { isoTime } from '#shared/text/wording.ts';
import { holdAttempt } from '../ingest.ts';
import type { IngestPipeline } from '../ingest-pipeline.ts';
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
  const approved = await listIfSent(await imports.update(importId, changes, ['planned']), pipeline);
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
  const problem = findApprovalProblem({ ...people, item, now: isoTime(pipeline.clocks.wall()), planHash });
  if (problem !== undefined) return problem.reason;
  if (item.rootImportId === undefined) return undefined;
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
  const entries = mode === 'two' ? await audit.deedsOf(item.importId) : [];
  const uploaded = entries.find(({ action }) => action === 'uploaded');
  const approver =
    actorId === undefined ? principalIdentity(principal) : findApprover(entries.filter(isRecorded), actorId);
  return { mode, uploader: uploaderOf(item, uploaded), approver, authors: item.settingsBy ?? [] };
}

const principalIdentity = (principal: string | undefined): Identity | undefined =>
  principal === undefined ? undefined : { provider: 'aws', id: principal };

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

// Stops an import, or resumes it. Submit reads the stop before each call, so only its requests that wait without a
// message need one here: then submit leaves, ends or sends each.

/** Longer than submit uses a reading of the import: each message then meets the new one. */
const delaySeconds = 2;

/**
 * Records the command, and sends a message for each request that was not sent when the import goes on or ends for good.
 * In a state that takes no such command nothing happens. undefined: there is no such import. May be repeated.
 * @throws ReleaseHalted when time is short, and what the table and the queue throw: repeat the message
 */
export async function stopImport(
  importId: string,
  stop: ImportStop,
  deadline: Deadline,
  pipeline: IngestPipeline,
): Promise<ImportItem | undefined> {
  const { imports, clocks } = pipeline;
  const { kind, at } = stop;
  const item = await imports.get(importId);
  if (item === undefined) return undefined;
  const isOutdated = item.stop !== undefined && item.stop.at > at;
  const isRepeated = item.stop?.kind === kind && item.stop.at === at;
  if (isOutdated || (!isRepeated && findStopProblem(item, kind) !== undefined)) return item;
  const isResumed = kind === 'none' && !isRepeated && item.state === 'stopped';
  const state = isResumed ? 'submitting' : item.state;
  // An import that moves to another state at the same time is stopped in that one: the message comes again.
  const changed = await imports.update(importId, { stop, changedAt: isoTime(clocks.wall()), state }, [item.state]);
  if (changed === undefined) throw new Error(`import ${importId} changed while it was stopped`);
  const isUnsent = ({ state }: RequestItem) =>
    state === 'scheduled' || (state === 'planned' && kind !== 'until-resumed');
  await sendUnsent(changed, isUnsent, deadline, pipeline);
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
async function listIfSent(item: ImportItem | undefined, { imports }: IngestPipeline): Promise<ImportItem | undefined> {
  if (item?.archived === undefined || !isArchived(item) || isArchivable(item)) return item;
  return imports.update(item.importId, { archived: { ...item.archived, isUndone: true } });
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
  const changes = putAway(item, what, {
    ...requestedByOf(message),
    at,
    rows,
    ...(isUndone && { isUndone }),
  });
  if (changes === undefined) return item;
  return listIfSent(await imports.update(importId, { ...changes, changedAt: isoTime(clocks.wall()) }), pipeline);
}
