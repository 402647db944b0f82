// Notifies report of imports again, though nothing of them changed in this run: after a crash between ledger and
// report, or after a lost message, an import is behind its requests.
import { nextNotification, unreadableNotification } from '#shared/domain/imports/report-notification.ts';
import { UnreadableItem } from '#shared/domain/requests/unreadable-item.ts';
import type { RunDependencies } from '../dependencies.ts';
import { inParallel } from '../in-parallel.ts';
import { concurrency, runLimits } from '../intervals.ts';
import { notifyReport } from '../notify-report.ts';

/**
 * Answers of how many imports report was notified. After a crash on the way they stay due, and are notified again.
 */
export async function renotifyReport(dependencies: RunDependencies): Promise<number> {
  const { notifications, clocks } = dependencies;
  const now = clocks.wall();
  const due = await notifications.due(now, runLimits.notifications);
  const next = new Map<string, number | undefined>();
  const unreadable: string[] = [];
  await inParallel(due, concurrency, async (importId) => {
    const item = await readImport(importId, dependencies);
    if (item instanceof UnreadableItem) unreadable.push(importId);
    else next.set(importId, item && nextNotification(item, now));
  });
  // Report could not read the others either.
  const readable = due.filter((importId) => next.has(importId));
  await notifyReport(readable, dependencies);
  for (const importId of unreadable) next.set(importId, unreadableNotification(now));
  await inParallel(next, concurrency, ([importId, at]) =>
    at === undefined ? notifications.remove(importId) : notifications.set(importId, at),
  );
  return readable.length;
}

async function readImport(importId: string, { imports, failures }: RunDependencies) {
  try {
    return await imports.get(importId);
  } catch (error) {
    if (!(error instanceof UnreadableItem)) throw error;
    failures.noteUnreadable(error);
    return error;
  }
}
