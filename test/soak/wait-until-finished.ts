// After the faults: waits until every import has finished, and only does what users do.
import { setTimeout as pause } from 'node:timers/promises';
import type { ImportItem } from '#shared/items/import.ts';
import { importCorrections } from './corrections.ts';
import type { StoredItem } from './emulator-client.ts';
import { importsAmong, requestsAmong } from './evidence.ts';
import type { SoakContext } from './soak-context.ts';
import { resumeImports, undoSomeImport } from './stops.ts';

/** Sync resends a lost message after 15 minutes, and the last port needs a week of the calendar. */
const longestWaitMs = 25 * 60_000;

/**
 * Imports corrections and redrives messages until every import has finished. Returns the number of redriven messages.
 */
export async function waitUntilFinished(context: SoakContext): Promise<number> {
  let redriven = 0;
  for (const end = performance.now() + longestWaitMs; performance.now() < end; await pause(3_000)) {
    redriven += await context.client.redrive();
    await resumeImports(context);
    await undoSomeImport(context);
    const corrected = await importCorrections(context);
    const items = await context.client.readItems();
    const open = unfinishedImports(items).length;
    const all = importsAmong(items).length;
    context.log(`${open} of ${all} imports are not finished; ${context.uploads.length} files were uploaded`);
    if (open === 0 && corrected === 0 && all === context.uploads.length) break;
  }
  return redriven;
}

/** Imports that will still change; one whose remaining requests require action will not. */
export function unfinishedImports(items: readonly StoredItem[]): ImportItem[] {
  const unended = requestsAmong(items).filter(
    ({ endedAt, state }) => endedAt === undefined && state !== 'action-required',
  );
  const active = new Set(unended.map(({ importId }) => importId));
  return importsAmong(items).filter(({ importId, state, requests }) => {
    const waits = state === 'in-progress' && (requests['action-required'] ?? 0) > 0 && !active.has(importId);
    return !waits && !['finished', 'rejected'].includes(state);
  });
}
