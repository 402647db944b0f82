// What submit knows of the imports: it does not send the requests of one that is stopped.
import type { ImportItem } from '#shared/import/import.ts';
import { isRefreshPlanned, stopOf } from '#shared/import/import-state.ts';
import { packLines } from '#shared/request/packed-lines.ts';
import type { RequestItem } from '#shared/request/request.ts';
import { isStopped } from '#shared/request/request-state.ts';
import type { Clock } from '#shared/runtime/clock.ts';
import { type End, planExpired, type ReadStop, type SubmitPipeline } from './attempt.ts';

/** What submit reads of an import. */
type SubmittedImport = Pick<ImportItem, 'stop' | 'refreshAt'>;

/** An import is read again after this time, and a reading is used for twice as long. */
const freshMs = 500;
/** Readings of more imports are forgotten. */
const mostReadings = 1_000;

interface Reading {
  readonly at: number;
  readonly item: Promise<SubmittedImport | undefined>;
}

export interface ImportReadings {
  readonly readStop: ReadStop;
  /** Whether report reads the import again without a further message, as far as is known. */
  readonly isRefreshPlanned: (importId: string) => boolean;
}

/**
 * Reads each import at most twice a second. Within a second of the command of a person no further call begins. While
 * calls follow each other, none waits for a reading: that would leave slots of the rate limiter unused.
 */
export function createImportReadings(
  readImport: (importId: string) => Promise<SubmittedImport | undefined>,
  wall: Clock,
): ImportReadings {
  const latest = new Map<string, Reading>();
  const answered = new Map<string, { readonly at: number; readonly item: SubmittedImport | undefined }>();
  const ageOf = ({ at }: { readonly at: number }): number => wall() - at;

  const begin = (importId: string): Reading => {
    for (const readings of [latest, answered]) if (readings.size >= mostReadings) readings.clear();
    const reading = { at: wall(), item: readImport(importId) };
    latest.set(importId, reading);
    reading.item.then(
      (item) => answered.set(importId, { at: reading.at, item }),
      // A failure is thrown where its reading is awaited, and the next call reads again.
      () => latest.get(importId) === reading && latest.delete(importId),
    );
    return reading;
  };

  return {
    readStop: async (importId) => {
      const known = latest.get(importId);
      const current = known === undefined || ageOf(known) >= freshMs ? begin(importId) : known;
      const earlier = answered.get(importId);
      const item = earlier !== undefined && ageOf(earlier) < 2 * freshMs ? earlier.item : await current.item;
      return item && stopOf(item);
    },
    isRefreshPlanned: (importId) => isRefreshPlanned(answered.get(importId)?.item?.refreshAt, wall()),
  };
}

/**
 * undefined: the request may be sent. A request that replaces a port is sent also when its import is stopped: that port
 * is cancelled by now, and its numbers would be in no port.
 */
export async function endIfStopped(item: RequestItem, { readStop, plans }: SubmitPipeline): Promise<End | undefined> {
  if (item.replaces !== undefined) return undefined;
  const stop = await readStop(item.importId);
  if (stop === undefined) return undefined;
  if (stop !== 'for-good') {
    return isStopped(item) && item.dueAt === undefined ? { how: 'left', outcome: item.state } : { how: 'stopped' };
  }
  const planned = await plans.read(item);
  return planned === undefined
    ? planExpired
    : { how: 'stopped', lines: packLines(planned.rows.map(({ line }) => line)) };
}
