// Does not send the requests of a stopped import.
import { packLines } from '#shared/domain/imports/packed-lines.ts';
import { type ActiveStop, isStopped, type Stoppable, stopOf } from '#shared/domain/imports/stop.ts';
import type { RequestItem } from '#shared/request/request.ts';
import type { Clock } from '#shared/runtime/clock.ts';
import type { ReadStop, SubmitDependencies } from './dependencies.ts';
import { type End, planExpired } from './end-message.ts';

/** An import is read again after this time, and a reading is used for twice as long. */
const freshMs = 500;

interface Reading {
  readonly at: number;
  readonly stop: Promise<ActiveStop | undefined>;
}

/**
 * Reads each import of a batch at most twice a second. Within a second of the command of a person no further call
 * begins. While calls follow each other, none waits for a reading: that would leave slots of the rate limiter unused.
 */
export function createReadStop(
  readImport: (importId: string) => Promise<Stoppable | undefined>,
  wall: Clock,
): ReadStop {
  const latest = new Map<string, Reading>();
  const usable = new Map<string, Reading>();
  const ageOf = (reading: Reading | undefined): number =>
    reading === undefined ? Number.POSITIVE_INFINITY : wall() - reading.at;

  const begin = (importId: string): Reading => {
    const reading = { at: wall(), stop: readImport(importId).then((item) => item && stopOf(item)) };
    latest.set(importId, reading);
    // A failure is thrown where its reading is awaited.
    reading.stop.then(
      () => usable.set(importId, reading),
      () => undefined,
    );
    return reading;
  };

  return (importId) => {
    const known = latest.get(importId);
    const current = known === undefined || ageOf(known) >= freshMs ? begin(importId) : known;
    const earlier = usable.get(importId);
    return earlier !== undefined && ageOf(earlier) < 2 * freshMs ? earlier.stop : current.stop;
  };
}

/**
 * undefined: the request may be sent. A request that replaces a port is sent also when its import is stopped: that port
 * is cancelled by now, and its numbers would be in no port.
 */
export async function endIfStopped(
  item: RequestItem,
  { readStop, plans }: Pick<SubmitDependencies, 'readStop' | 'plans'>,
): Promise<End | undefined> {
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
