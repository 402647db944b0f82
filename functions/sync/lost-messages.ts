// Whatever message was lost is sent again: to submit, report and ingest; the inbox is swept.

import type { ImportItem } from '#shared/import/import.ts';
import { isRescuable, nextNotification, rescueLimits, unreadableNotification } from '#shared/import/import-state.ts';
import { moveRequest } from '#shared/pipeline/move-request.ts';
import type { Pipeline } from '#shared/pipeline/pipeline.ts';
import { submitMessageOf, type UploadedVersion, uploadEvent } from '#shared/request/messages.ts';
import type { RequestItem } from '#shared/request/request.ts';
import { planAgain } from '#shared/request/request-state.ts';
import { UnreadableItem } from '#shared/row/issue.ts';
import { timeNeeded } from '#shared/runtime/clock.ts';
import { inParallel } from '#shared/service/in-parallel.ts';
import type { ListedVersion } from '#shared/store/files.ts';
import { parseUploadKey, simListId } from '#shared/store/object-keys.ts';
import { isoTime } from '#shared/text/wording.ts';
import { concurrency, importRescue, inboxSweep, runLimits } from './intervals.ts';
import { isDeadlineNear, notifyReport, type SyncPipeline, type SyncRun } from './run.ts';

// Sends requests to submit again.

const batchSize = 100;

/**
 * Writes the item before it sends the message: a crash in between costs one more wait, but never two messages in every
 * run.
 */
export async function resendMessages(
  items: readonly RequestItem[],
  pipeline: SyncPipeline,
  step: (item: RequestItem, now: number) => RequestItem,
): Promise<number> {
  const { queues, resources, clocks } = pipeline;
  let sent = 0;
  for (let start = 0; start < items.length && !isDeadlineNear(pipeline); start += batchSize) {
    const written: RequestItem[] = [];
    for (const item of items.slice(start, start + batchSize)) {
      const stored = await moveRequest(item, step(item, clocks.wall()), pipeline);
      if (stored !== undefined) written.push(stored);
    }
    await queues.send(resources.submitQueueUrl, written.map(submitMessageOf));
    sent += written.length;
  }
  return sent;
}

/** Sends the requests whose day has come, and returns their number. */
export async function sendScheduled(run: SyncRun): Promise<number> {
  const { requests, clocks, settings, failures } = run;
  const due = await requests.scheduled(
    settings.account,
    isoTime(clocks.calendar()),
    runLimits.scheduled,
    failures.noteUnreadable,
  );
  for (const { importId } of due) run.changed.add(importId);
  return resendMessages(due, run, planAgain);
}

// Finds uploads whose event was lost (fault 6): once an hour every version in the inbox is compared with the imports,
// and an upload without an import is announced to ingest again, even if it was overwritten since.
// An import without a message, because it is lost or hidden after a crash of ingest, is announced again, too: it would
// stay in `planning` for up to 90 minutes, or for ever.

/** A lease that is never released: it marks the last sweep, and notes the key at which that sweep stopped. */
const leaseName = 'inbox-sweep';

/**
 * Returns how many uploads were announced again. An upload whose first event is only late becomes the same import by
 * both events.
 */
export async function sweepInbox(run: SyncRun): Promise<number> {
  const { clocks, deadline, leases, runId } = run;
  if (!deadline.hasTimeFor(timeNeeded.upkeep)) return 0;
  const now = clocks.wall();
  const next = now + inboxSweep.everyMs;
  const lease = { name: leaseName, holder: runId, now, until: next };
  const last = await leases.takeUp(lease);
  if (last === undefined) return 0;
  const { recent, stoppedAt } = await recentUploads(now, last.note, run);
  const lost = await announceLost(recent, now, run);
  // Noted last: if an upload could not be announced, the next sweep finds it again.
  if (stoppedAt !== undefined) await leases.note(lease, stoppedAt);
  return lost;
}

async function announceLost(recent: readonly ListedVersion[], now: number, run: SyncRun): Promise<number> {
  if (recent.length === 0) return 0;
  const imported = await importedSince(now - inboxSweep.oldestMs, run);
  const lost = recent.filter((version) => !imported.has(idOf(version)));
  for (const version of lost) await announce(version, run);
  return lost.length;
}

async function recentUploads(now: number, after: string, { files, resources, log }: SyncRun) {
  const recent: ListedVersion[] = [];
  let listed = 0;
  let last = '';
  for await (const version of files.versions(resources.inboxBucket, after)) {
    const age = now - version.lastModified.getTime();
    // The versions of a key are listed newest first, so after one that is too old all others are too old.
    if (listed >= inboxSweep.versions && (version.key !== last || age > inboxSweep.oldestMs)) {
      log.info('the inbox is too large for one sweep: the next one continues', { versions: listed });
      return { recent, stoppedAt: last };
    }
    listed += 1;
    last = version.key;
    if (age >= inboxSweep.youngestMs && age <= inboxSweep.oldestMs && isUpload(version)) recent.push(version);
  }
  return { recent };
}

/**
 * Not the marker of a folder or what people changed of a draft, and not the version `null`: its event names no version,
 * so this event would be another import.
 */
const isUpload = ({ key, versionId }: ListedVersion): boolean =>
  (parseUploadKey(key) !== undefined || simListId(key) !== undefined) && versionId !== 'null';

const idOf = ({ key, versionId }: { readonly key: string; readonly versionId?: string | undefined }): string =>
  `${versionId} ${key}`;

async function importedSince(oldest: number, { imports, failures }: SyncRun): Promise<Set<string>> {
  const { noteUnreadable: onUnreadable } = failures;
  const items = await imports.list({
    limit: inboxSweep.imports,
    since: isoTime(oldest),
    onUnreadable,
  });
  return new Set(items.map(idOf));
}

export async function announce(upload: UploadedVersion, { queues, resources, log }: Pipeline): Promise<void> {
  const { bucket, key, versionId } = upload;
  await queues.send(resources.ingestQueueUrl, [uploadEvent(upload)]);
  log.warn('an upload was announced again', { bucket, key, versionId });
}

export async function rescueImports(run: SyncRun): Promise<number> {
  const { imports, settings, clocks, failures } = run;
  const now = clocks.wall();
  const since = isoTime(now - rescueLimits.oldestMs);
  const options = { limit: importRescue.imports, since, onUnreadable: failures.noteUnreadable };
  const items = await imports.list(options);
  let rescued = 0;
  for (const item of items) {
    if (item.account === settings.account && isRescuable(item, now) && (await rescue(item, run))) rescued += 1;
  }
  return rescued;
}

async function rescue(item: ImportItem, run: SyncRun): Promise<boolean> {
  const { imports, clocks, log } = run;
  const { importId, state, rescues = { times: 0, at: item.receivedAt } } = item;
  const now = clocks.wall();
  const isRecent = rescues.times > 0 && now - Date.parse(rescues.at) < importRescue.everyMs;
  if (isRecent) return false;
  const next = { times: rescues.times + 1, at: isoTime(now) };
  if ((await imports.update(importId, { rescues: next }, [state])) === undefined) return false;
  await announce(item, run);
  log.warn('an import without a message was announced again', { importId, state });
  return true;
}

/**
 * Answers of how many imports report was notified. After a crash on the way they stay due, and are notified again.
 */
export async function renotifyReport(pipeline: SyncRun): Promise<number> {
  const { notifications, clocks } = pipeline;
  const now = clocks.wall();
  const due = await notifications.due(now, runLimits.notifications);
  const next = new Map<string, number | undefined>();
  const unreadable: string[] = [];
  await inParallel(due, concurrency, async (importId) => {
    const item = await readImport(importId, pipeline);
    if (item instanceof UnreadableItem) unreadable.push(importId);
    else next.set(importId, item && nextNotification(item, now));
  });
  // Report could not read the others either.
  const readable = due.filter((importId) => next.has(importId));
  await notifyReport(readable, pipeline);
  for (const importId of unreadable) next.set(importId, unreadableNotification(now));
  await inParallel(next, concurrency, ([importId, at]) =>
    at === undefined ? notifications.remove(importId) : notifications.set(importId, at),
  );
  return readable.length;
}

async function readImport(importId: string, { imports, failures }: SyncRun) {
  try {
    return await imports.get(importId);
  } catch (error) {
    if (!(error instanceof UnreadableItem)) throw error;
    failures.noteUnreadable(error);
    return error;
  }
}
