// Leaves a request unsent whose import a person has stopped.
import { packLines } from '#shared/domain/imports/packed-lines.ts';
import { isStopped, stopOf, stoppedError } from '#shared/domain/imports/stop.ts';
import { endStopped, stopRequest } from '#shared/domain/requests/stopped-request.ts';
import type { ImportStop } from '#shared/items/import-stop.ts';
import type { RequestItem } from '#shared/items/request.ts';
import type { Submission } from '#shared/operations/kit/operation.ts';
import type { Clock } from '#shared/runtime/clock.ts';
import type { ReadStop, SubmitDependencies } from './dependencies.ts';
import { declineUnsent, type Finished, finishMessage, mayHaveBeenSent, planExpired } from './end-message.ts';

/** So long after the command of a person no further call begins. */
const freshMs = 500;

/** Reads each import of a batch at most twice a second. */
export function createReadStop(
  readImport: (importId: string) => Promise<{ readonly stop?: ImportStop | undefined } | undefined>,
  wall: Clock,
): ReadStop {
  const readings = new Map<string, { readonly at: number; readonly stop: ReturnType<ReadStop> }>();
  const read: ReadStop = async (importId) => {
    const item = await readImport(importId);
    return item && stopOf(item);
  };
  return (importId) => {
    const known = readings.get(importId);
    if (known !== undefined && Math.abs(wall() - known.at) < freshMs) return known.stop;
    const reading = { at: wall(), stop: read(importId) };
    readings.set(importId, reading);
    return reading.stop;
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
  if (isStopped(item)) return { finished: item.state };
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
