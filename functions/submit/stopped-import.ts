// Does not send the requests of a stopped import.
import { packLines } from '#shared/domain/imports/packed-lines.ts';
import { type ActiveStop, isStopped, type Stoppable, stopOf, stoppedError } from '#shared/domain/imports/stop.ts';
import { endStopped, stopRequest } from '#shared/domain/requests/stopped-request.ts';
import type { RequestItem } from '#shared/items/request.ts';
import type { Submission } from '#shared/operations/kit/operation.ts';
import type { Clock } from '#shared/runtime/clock.ts';
import type { ReadStop, SubmitDependencies } from './dependencies.ts';
import { declineUnsent, type Finished, finishMessage, mayHaveBeenSent, planExpired } from './end-message.ts';

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
export async function leaveIfStopped(
  item: RequestItem,
  submission: Submission,
  dependencies: SubmitDependencies,
): Promise<Finished | undefined> {
  if (item.replaces !== undefined) return undefined;
  const stop = await dependencies.readStop(item.importId);
  if (stop === undefined) return undefined;
  if (stop === 'for-good') return endForGood(item, submission, dependencies);
  if (isStopped(item) && item.dueAt === undefined) return { finished: item.state };
  return finishMessage(item, stopRequest(item, dependencies.clocks.wall()), dependencies);
}

async function endForGood(
  item: RequestItem,
  submission: Submission,
  dependencies: SubmitDependencies,
): Promise<Finished> {
  const planned = await dependencies.plans.read(item);
  if (planned === undefined) return declineUnsent(item, item, planExpired, submission, dependencies);
  const lines = packLines(planned.rows.map(({ line }) => line));
  if (mayHaveBeenSent(item, submission)) return declineUnsent(item, item, stoppedError, submission, dependencies);
  return finishMessage(item, endStopped(item, lines, dependencies.clocks.wall()), dependencies);
}
