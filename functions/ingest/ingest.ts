// Turns one uploaded object into an import: records, plans and releases it. A repeated event finds the import and
// continues where a crash left it, or does nothing.
import { readUploadSettings } from '#shared/files/upload-settings.ts';
import { isConsoleUpload, sendsAtOnce } from '#shared/import/approval.ts';
import type { ImportItem } from '#shared/import/import.ts';
import { attemptUntil, expiryOf, mayBeSent, nextAttemptUntil } from '#shared/import/import-state.ts';
import type { UploadedVersion } from '#shared/request/messages.ts';
import { changedRowsOf, readInput } from '#shared/results/changed-file.ts';
import { errorAt } from '#shared/row/issue.ts';
import type { Deadline } from '#shared/runtime/clock.ts';
import type { ObjectHead } from '#shared/store/files.ts';
import { isObjectGone, parseUploadKey, type ReadImport } from '#shared/store/object-keys.ts';
import type { IndexedRequest } from '#shared/store/plans.ts';
import { importId } from '#shared/text/identity.ts';
import { isoTime } from '#shared/text/wording.ts';
import type { IngestPipeline } from './ingest-pipeline.ts';
import { holdAttempt, newImport } from './new-import.ts';
import { planUpload } from './plan/plan-upload.ts';
import { maxPlanningAttempts, rejectImport } from './plan/reject-import.ts';
import { findUploadProblem, type Upload } from './plan/upload.ts';
import { isHeld, releaseOrReject } from './release.ts';

/** An object as its event describes it. */
export interface UploadedObject extends UploadedVersion {
  /** Distinguishes two uploads of the same bytes in a bucket without versions. */
  readonly sequencer?: string | undefined;
  /** Unknown where sync found the upload because its event was lost. */
  readonly uploadedBy?: ImportItem['uploadedBy'];
}

/**
 * Ingests one object version. undefined: there is nothing to import, because the object is not an upload or is gone.
 * @throws PlanningTimeout, ReleaseHalted, and what S3, the table, the queue or the catalogue throw: repeat the event
 */
export async function ingest(
  object: UploadedObject,
  deadline: Deadline,
  pipeline: IngestPipeline,
): Promise<ImportItem | undefined> {
  const { imports, clocks } = pipeline;
  const uploadKey = parseUploadKey(object.key);
  if (uploadKey === undefined) return undefined;
  const { bucket, key, etag, versionId } = object;
  const id = importId({ bucket, key, version: versionId ?? `${etag ?? ''}.${object.sequencer ?? ''}` });
  const { head, ...later } = await findUpload(object, pipeline);
  if (head === undefined) return rejectGone({ importId: id }, pipeline);

  const upload: Upload = { head, key: uploadKey, settings: readUploadSettings(head.metadata) };
  const until = attemptUntil(clocks.wall());
  const origin = {
    ...originOf(id, upload, pipeline),
    ...later,
    uploadedBy: object.uploadedBy && {
      ...object.uploadedBy,
      ...(isConsoleUpload(head.metadata) && { isOfConsole: true }),
    },
    attemptUntil: until,
    planningStarts: 1,
  };
  const begun = await imports.begin(newImport(origin, isoTime(clocks.wall())));
  if (isHeld(begun.item, pipeline)) return begun.item;
  const delivery = begun.isNew ? upload : { ...upload, attemptId: pipeline.newId() };
  const item = begun.isNew ? begun.item : await beginAgain(begun.item, until, pipeline);
  const attempt = () =>
    item.state === 'planning'
      ? planAndRelease(item, delivery, deadline, pipeline)
      : releaseIfApproved(item, deadline, pipeline);
  return holdAttempt(id, attempt, pipeline);
}

/** Another delivery has begun the import, and may still work on it. */
async function beginAgain(item: ImportItem, attemptUntil: string, { imports }: IngestPipeline): Promise<ImportItem> {
  const { importId, state, planningStarts = 0 } = item;
  const changes = { attemptUntil, ...(state === 'planning' && { planningStarts: planningStarts + 1 }) };
  return (await imports.update(importId, changes, ['planning', 'planned'])) ?? item;
}

/**
 * The object, and the import of a later version of it (fault 2). Both versions are imported, because both were
 * uploaded, and a number in both is in one request only. The older import names the newer one.
 */
async function findUpload(
  { bucket, key, versionId, etag }: UploadedObject,
  { files }: IngestPipeline,
): Promise<Pick<ImportItem, 'supersededBy'> & { readonly head: ObjectHead | undefined }> {
  if (versionId === undefined) return { head: await files.head({ bucket, key, etag }) };
  const latest = await files.head({ bucket, key });
  // Mostly it is the version of the event, which then needs no call of its own.
  if (latest?.versionId === versionId) return { head: latest };
  const head = await files.head({ bucket, key, versionId });
  if (latest?.versionId === undefined) return { head };
  return { head, supersededBy: importId({ bucket, key, version: latest.versionId }) };
}

function originOf(id: string, { head, key: uploadKey, settings }: Upload, pipeline: IngestPipeline) {
  const { bucket, key, versionId, etag, bytes } = head;
  return {
    importId: id,
    account: pipeline.settings.account,
    operation: pipeline.operations.get(uploadKey.folder)?.name ?? null,
    bucket,
    key,
    ...(versionId === undefined ? {} : { versionId }),
    etag,
    bytes,
    planOnly:
      uploadKey.planOnly ||
      settings.planOnly === true ||
      settings.validation === true ||
      !sendsAtOnce(pipeline.settings.approval),
    ...(settings.validation && { validation: true }),
    expiresAt: expiryOf(pipeline.clocks.wall(), pipeline.settings.recordRetentionDays),
  };
}

async function planAndRelease(
  item: ImportItem,
  uploaded: Upload,
  deadline: Deadline,
  pipeline: IngestPipeline,
): Promise<ImportItem | undefined> {
  const { imports, clocks } = pipeline;
  const upload = await withChanges(item, uploaded, pipeline);
  if (upload === undefined) return rejectGone(item, pipeline);
  const problem = findUploadProblem(upload, pipeline);
  if (problem !== undefined) return rejectImport(item, 'planning', { issues: [problem] }, pipeline);
  const { planningStarts = 1 } = item;
  if (planningStarts > maxPlanningAttempts) return rejectUnfinished(item, pipeline);
  const planned = await planUpload(item, upload, deadline, pipeline).catch(async (error: unknown) => {
    // The attempt ended with a reason, which decides what happens next. Only one that was cut off counts.
    const next = { planningStarts: planningStarts - 1, attemptUntil: nextAttemptUntil(clocks.wall()) };
    await imports.updateReading(item, next, ['planning']);
    throw error;
  });
  // Another delivery has planned the import. It may have died before the release, and its message may be gone.
  if (planned === undefined) return releaseIfApproved(await imports.get(item.importId), deadline, pipeline);
  const { rejection, requestCount, requests, needsApproval, ...counts } = planned;
  if (rejection !== undefined) return rejectImport(item, 'planning', counts, pipeline);

  const waits = needsApproval && { planOnly: true };
  const changes = { ...counts, ...waits, issues: [...counts.issues], requestCount, changedAt: isoTime(clocks.wall()) };
  const updated = await imports.updateReading(item, { ...changes, state: 'planned' }, ['planning']);
  // No update: another delivery was first, or this update succeeded earlier and its answer was lost.
  return releaseIfApproved(updated ?? (await imports.get(item.importId)), deadline, pipeline, requests);
}

/** Each attempt was cut off without an error, as by a lack of memory: a further one would be as well. */
function rejectUnfinished(item: ImportItem, pipeline: IngestPipeline): Promise<ImportItem | undefined> {
  const message = `reading the file was cut off ${maxPlanningAttempts} times, perhaps for lack of memory: split the file`;
  return rejectImport(item, 'planning', { issues: [errorAt(0, 'FILE_TOO_LARGE', message), ...item.issues] }, pipeline);
}

async function releaseIfApproved(
  item: ImportItem | undefined,
  deadline: Deadline,
  pipeline: IngestPipeline,
  requests?: readonly IndexedRequest[],
): Promise<ImportItem | undefined> {
  return item !== undefined && mayRelease(item) ? releaseOrReject(item, deadline, pipeline, requests) : item;
}

const mayRelease = (item: ImportItem): boolean =>
  item.state === 'submitting' || (item.state === 'planned' && mayBeSent(item));

/** Without an import there is nowhere to report the error. */
async function rejectGone({ importId }: ReadImport, pipeline: IngestPipeline): Promise<ImportItem | undefined> {
  const item = await pipeline.imports.get(importId);
  if (item?.state !== 'planning') return item;
  const message = 'the file was deleted or overwritten before it was read: import it again';
  return rejectImport(item, 'planning', { issues: [errorAt(0, 'FILE_GONE', message)] }, pipeline);
}

/** The upload as its last reading has it. undefined: what people changed has expired. */
async function withChanges(item: ImportItem, upload: Upload, { files }: IngestPipeline): Promise<Upload | undefined> {
  try {
    const input = await readInput(item, files);
    if (input === undefined) return upload;
    const { settings } = input;
    const chosen = settings && { settings: readUploadSettings(settings), isChosen: true };
    return { ...upload, ...chosen, changes: changedRowsOf(input) };
  } catch (error) {
    if (isObjectGone(error)) return undefined;
    throw error;
  }
}
