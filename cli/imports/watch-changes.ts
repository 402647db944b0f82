// Watches every import and reports its changes, for the log of `start`.
import type { ImportItem } from '#shared/items/import.ts';
import { readImportProgress } from '#shared/read-models/import-progress.ts';
import type { Session } from '../target/target.ts';
import { describeChange, type ImportReading } from '../views/import-change.ts';

const pollMs = 1_000;
const listedImports = 50;
/** Ports change one by one, so their counts are reported together. A new state or a required action is not delayed. */
const progressIntervalMs = 10_000;

interface ShownReading extends ImportReading {
  readonly shownAt: number;
}

export interface ImportChange {
  readonly item: ImportItem;
  readonly text: string;
}

/** Ends when the signal is aborted. Changes before the call are not reported. */
export async function* watchChanges({ target, clock, signal, wait }: Session): AsyncGenerator<ImportChange> {
  const shown = new Map<string, ShownReading>();
  const listImports = () => target.imports.list(target.resources.account, { limit: listedImports });
  const read = async (item: ImportItem): Promise<ShownReading> => ({
    item,
    progress: await readImportProgress(target, item),
    shownAt: clock(),
  });
  for (const item of await listImports()) shown.set(item.importId, await read(item));
  while (!signal.aborted) {
    for (const item of (await listImports()).reverse()) {
      const before = shown.get(item.importId);
      if (!isDue(before, item, clock())) continue;
      const now = await read(item);
      const text = describeChange(before, now);
      shown.set(item.importId, now);
      if (text !== undefined) yield { item, text };
    }
    await wait(pollMs).catch(() => undefined);
  }
}

function isDue(before: ShownReading | undefined, item: ImportItem, now: number): boolean {
  if (before === undefined) return true;
  if (before.item.changedAt === item.changedAt && before.item.state === item.state) return false;
  const isUrgent = before.item.state !== item.state || item.actionRequired > before.item.actionRequired;
  return isUrgent || now - before.shownAt >= progressIntervalMs;
}
