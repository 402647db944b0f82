// Releases a plan that waited for approval: the second half of an upload below plan/, or with plan-only.
import { isoTime } from '#shared/domain/dates/iso-time.ts';
import { type ActorOptions, requestedByOf } from '#shared/domain/imports/actor.ts';
import type { AuditEntry } from '#shared/domain/imports/audit-entry.ts';
import { attemptUntil } from '#shared/domain/imports/ingest-attempt.ts';
import { type ApprovalPeople, findApprovalProblem, type Identity, uploaderOf } from '#shared/import/approval.ts';
import type { ImportItem } from '#shared/import/import.ts';
import type { ApprovalMessage } from '#shared/request/messages.ts';
import { errorAt, type Issue } from '#shared/row/issue.ts';
import type { Deadline } from '#shared/runtime/deadline.ts';
import { isObjectGone } from '#shared/store/files/object-gone.ts';
import { listIfSent } from '../archive.ts';
import type { IngestPipeline } from '../dependencies.ts';
import { holdAttempt } from '../hold-attempt.ts';
import { rejectImport } from '../plan/reject-import.ts';
import { PlanChanged, release } from '../release.ts';

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
  if (item?.state === 'submitting') return release(item, deadline, pipeline);
  if (item?.state !== 'planned') return item;
  const reason = item.approvedAt === undefined ? await reasonToDecline(item, asking, pipeline) : undefined;
  if (reason !== undefined) return declineApproval(item, reason, asking, pipeline);
  // Stored first: after a crash, a repeated event of the upload continues as well as a repeated approval.
  const { approvedAt = isoTime(clocks.wall()), requestedBy = requestedByOf(asking) } = item;
  const until = attemptUntil(clocks.wall());
  const changes = { approvedAt, requestedBy, attemptUntil: until };
  const approved = await listIfSent(await imports.update(importId, changes, ['planned']), pipeline);
  if (approved === undefined) return imports.get(importId);
  try {
    return await holdAttempt(importId, () => release(approved, deadline, pipeline), pipeline);
  } catch (error) {
    const problem = problemOf(error);
    if (problem === undefined) throw error;
    const { issues } = approved;
    return rejectImport(importId, 'planned', { issues: [problem, ...issues] }, pipeline);
  }
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
  { actorId, principal }: Pick<ApprovalMessage, 'actorId'> & ActorOptions,
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

/** Why a plan cannot be released; undefined where a repetition may succeed. */
function problemOf(error: unknown): Issue | undefined {
  // A plan contains porting codes, so it expires.
  if (isObjectGone(error)) {
    return errorAt(0, 'FILE_GONE', 'the plan expired before it was approved: import the file again');
  }
  if (!(error instanceof PlanChanged)) return undefined;
  return errorAt(0, 'PLAN_CHANGED', 'the plan changed after it was made: nothing was sent. Import the file again');
}
