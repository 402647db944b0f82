// After the trouble: nothing is done any more but what a person does, until every import is over.
import { setTimeout as pause } from 'node:timers/promises';
import type { ImportItem } from '#shared/domain/ledger.ts';
import { correct } from './corrections.ts';
import { importsAmong, requestsAmong } from './evidence.ts';
import type { Stage } from './stage.ts';
import type { StoredItem } from './view.ts';

/** In calm, a message that got lost is sent again after a quarter of an hour; the last port needs a week of the calendar. */
const patienceMs = 25 * 60_000;

/** Until every import is over: corrections are dropped, what was put aside is given back. Answers how much of the latter. */
export async function settle(stage: Stage): Promise<number> {
  let redriven = 0;
  for (const end = performance.now() + patienceMs; performance.now() < end; await pause(3_000)) {
    redriven += await stage.view.redrive();
    const corrected = await correct(stage);
    const items = await stage.view.items();
    const open = openImports(items).length;
    const all = importsAmong(items).length;
    stage.tell(`${open} of ${all} imports are not over; ${stage.dropped.length} files were dropped`);
    if (open === 0 && corrected === 0 && all === stage.dropped.length) break;
  }
  return redriven;
}

/** An import whose last requests wait for a person stays as it is. */
export function openImports(items: readonly StoredItem[]): ImportItem[] {
  const unended = requestsAmong(items).filter(({ endedAt, state }) => endedAt === undefined && state !== 'needs-human');
  const going = new Set(unended.map(({ importId }) => importId));
  return importsAmong(items).filter(({ importId, state, requests }) => {
    const waits = state === 'following' && (requests['needs-human'] ?? 0) > 0 && !going.has(importId);
    return !waits && !['completed', 'refused'].includes(state);
  });
}
