// Tells report of imports though nothing of theirs changed in this run: a run that died between the ledger and report, or
// messages that got lost, leave an import behind its requests.
import { nextReminder } from '#shared/domain/reminder.ts';
import { inParallel } from './in-parallel.ts';
import { type SyncParts, tellReport } from './parts.ts';

/** Reminders that one run takes on; the others are the first of the next. */
const mostReminders = 500;
/** Reads and writes under way at the same time. */
const width = 4;

/** Answers how many imports report was reminded of. A death on the way leaves them due: report is told once more. */
export async function remind(parts: SyncParts): Promise<number> {
  const { reminders, imports, clocks } = parts;
  const now = clocks.wall();
  const due = await reminders.due(now, mostReminders);
  await tellReport(due, parts);
  await inParallel(due, width, async (importId) => {
    const item = await imports.get(importId);
    const next = item && nextReminder(item, now);
    await (next === undefined ? reminders.strike(importId) : reminders.set(importId, next));
  });
  return due.length;
}
