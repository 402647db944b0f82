// Tells report of imports though nothing of theirs changed in this run: a run that died between the ledger and report, or
// messages that got lost, leave an import behind its requests.
import { nextReminder, unreadableReminder } from '#shared/domain/reminder.ts';
import { UnreadableItem } from '#shared/domain/unreadable-item.ts';
import { inParallel } from './in-parallel.ts';
import { tellReport } from './parts.ts';
import type { RunParts } from './trouble.ts';

/** Reminders that one run takes on; the others are the first of the next. */
const mostReminders = 500;
/** Reads and writes under way at the same time. */
const width = 4;

/** Answers how many imports report was reminded of. A death on the way leaves them due: report is told once more. */
export async function remind(parts: RunParts): Promise<number> {
  const { reminders, clocks } = parts;
  const now = clocks.wall();
  const due = await reminders.due(now, mostReminders);
  const next = new Map<string, number | undefined>();
  const unreadable: string[] = [];
  await inParallel(due, width, async (importId) => {
    const item = await importOf(importId, parts);
    if (item instanceof UnreadableItem) unreadable.push(importId);
    else next.set(importId, item && nextReminder(item, now));
  });
  // Report could not read them either.
  const told = due.filter((importId) => next.has(importId));
  await tellReport(told, parts);
  for (const importId of unreadable) next.set(importId, unreadableReminder(now));
  await inParallel(next, width, ([importId, at]) =>
    at === undefined ? reminders.strike(importId) : reminders.set(importId, at),
  );
  return told.length;
}

/** An item that cannot be read keeps no other import from being reminded of. */
async function importOf(importId: string, { imports, trouble }: RunParts) {
  try {
    return await imports.get(importId);
  } catch (error) {
    if (!(error instanceof UnreadableItem)) throw error;
    trouble.noteUnreadable(error);
    return error;
  }
}
