// Requests that replace a port: asks the service to cancel the port, and releases the request once the port is read
// back as Cancelled. Never before: a number must not be in two ports that are in progress.

import { type ActiveStop, stopOf } from '#shared/import/import-state.ts';
import { createReadDayCycle } from '#shared/import/part.ts';
import { createCatalogue, lookUpOnce } from '#shared/operations/catalogue.ts';
import type { BookingContext } from '#shared/operations/operation.ts';
import { moveRequest } from '#shared/pipeline/move-request.ts';
import { findKnownPort, readPort, recordObservation } from '#shared/pipeline/observe-port.ts';
import { isBeingCancelled, isCancellable } from '#shared/port/port-change.ts';
import { isPortStatus } from '#shared/port/port-status.ts';
import { submitMessageOf } from '#shared/request/messages.ts';
import type { ExcludedRow, ReplacedPort, RequestError, RequestItem } from '#shared/request/request.ts';
import {
  declineBeforeSending,
  recordCancelledPort,
  recordCancelRequest,
  stoppedError,
} from '#shared/request/request-state.ts';
import { deferUnreadable, stopRequest } from '#shared/request/waiting-request.ts';
import { dateInZone } from '#shared/row/calendar-date.ts';
import type { PortDetail } from '#shared/service/contract.ts';
import { isDecline, isPortingFailure } from '#shared/service/errors.ts';
import { isoTime } from '#shared/text/wording.ts';
import { deferIfUnreadable } from '../failure-classifier.ts';
import { cancellation } from '../intervals.ts';
import { isDeadlineNear, type SyncRun } from '../run.ts';

const cancelledByOthers = {
  kind: 'port-cancelled',
  message: 'it was cancelled before it could be moved, so this move ports none of its numbers',
};
const inSecondPort = {
  kind: 'port-not-cancelled',
  message: 'its numbers are in more than one port, so they cannot be moved before one of them is chosen',
};
const planExpired = { kind: 'plan-expired', message: 'the plan of this import has expired' };

/** Takes every held request one step further, and returns how many were released. */
export async function releaseRescheduled(run: SyncRun): Promise<number> {
  const { client, requests, imports, clocks, settings, failures } = run;
  const held = await requests.held(settings.account, isoTime(clocks.wall()), settings.limit, failures.noteUnreadable);
  const booking = { catalogue: createCatalogue(client), readDayCycle: createReadDayCycle(imports) };
  const readStop = lookUpOnce(async (importId: string) => {
    const owner = await imports.get(importId);
    return owner && stopOf(owner);
  });
  let released = 0;
  for (const item of held) {
    if (isDeadlineNear(run)) break;
    const { replaces } = item;
    if (replaces === undefined) continue;
    const step = () => advance(item, replaces, { booking, readStop }, run);
    const result = await run.deadline.measured(() => deferIfUnreadable(item, run, step));
    if (result === undefined || result === 'waits') continue;
    run.changed.add(item.importId);
    if (result === 'released') released += 1;
  }
  return released;
}

/** Each is made once in a run. */
interface Lookups {
  readonly booking: BookingContext;
  readonly readStop: (importId: string) => Promise<ActiveStop | undefined>;
}

async function advance(
  item: RequestItem,
  replaces: ReplacedPort,
  { booking, readStop }: Lookups,
  run: SyncRun,
): Promise<'waits' | 'requested' | 'declined' | 'released'> {
  const { clocks } = run;
  const stop = replaces.cancelRequestedAt === undefined ? await readStop(item.importId) : undefined;
  if (stop === 'for-good') return decline(item, stoppedError, replaces, run);
  if (stop !== undefined) {
    await moveRequest(item, stopRequest(item, clocks.wall()), run);
    return 'waits';
  }
  const end = await findEnd(replaces, run);
  if (end !== undefined) return endWith(end, item, replaces, run);
  const { cancelRequestedAt, cancelCheckedAt = cancelRequestedAt } = replaces;
  const isRecent =
    cancelCheckedAt !== undefined && clocks.calendar() - Date.parse(cancelCheckedAt) < cancellation.retryMs;
  if (isRecent) return 'waits';
  const port = await observe(replaces, run);
  if (!isCancellable(port.statusName)) return endWith(port.statusName, item, replaces, run);
  if (isBeingCancelled(port)) {
    // Our own cancellation is recorded before it is requested.
    if (cancelRequestedAt === undefined) return decline(item, cancelledByOthers, replaces, run);
    await moveRequest(item, recordCancelRequest(item, replaces, clocks.calendar()), run);
    return 'waits';
  }
  // A second port keeps the claims of its numbers: cancelled for the move, they would not be sent again.
  if (cancelRequestedAt === undefined && (await isInSecondPort(replaces, run)))
    return decline(item, inSecondPort, replaces, run);
  // A port is not cancelled for a request that could not be sent any more.
  const ready = await prepare(item, port, booking, run);
  if ('kind' in ready) return decline(item, ready, replaces, run);
  const requested = recordCancelRequest(ready, replaces, clocks.calendar());
  const stored = await moveRequest(item, requested, run);
  if (stored === undefined) return 'waits';
  await cancel(stored, replaces, run);
  return 'requested';
}

/** The status in which the port ended, once its request has ended in the ledger: the numbers are free from then on. */
async function findEnd({ importId, request }: ReplacedPort, { requests }: SyncRun): Promise<string | undefined> {
  const replaced = await requests.get(importId, request);
  return replaced?.endedAt === undefined ? undefined : (replaced.portStatus ?? '');
}

const isInSecondPort = async ({ importId, request }: ReplacedPort, { requests }: SyncRun): Promise<boolean> =>
  (await requests.get(importId, request))?.duplicatePortIds !== undefined;

async function endWith(
  status: string,
  item: RequestItem,
  replaces: ReplacedPort,
  run: SyncRun,
): Promise<'waits' | 'declined' | 'released'> {
  const { queues, resources, clocks, log } = run;
  if (isPortStatus(status, 'Cancelled') && replaces.cancelRequestedAt === undefined)
    return decline(item, cancelledByOthers, replaces, run);
  if (!isPortStatus(status, 'Cancelled')) {
    const why = { kind: 'port-not-cancelled', message: `it is ${status} and can no longer be cancelled` };
    return decline(item, why, replaces, run);
  }
  // The request of the port has not ended in the ledger yet, so its numbers are not free.
  if ((await findEnd(replaces, run)) === undefined) return 'waits';
  const released = recordCancelledPort(item, replaces, clocks.wall());
  if ((await moveRequest(item, released, run)) === undefined) return 'waits';
  await queues.send(resources.submitQueueUrl, [submitMessageOf(item)]);
  const { importId, request } = item;
  log.info('a port is cancelled, and the request that replaces it is released', {
    importId,
    request,
    portId: replaces.portId,
  });
  return 'released';
}

/** Ends the request. Its port stays as it is. */
async function decline(
  item: RequestItem,
  why: RequestError,
  { portId }: ReplacedPort,
  run: SyncRun,
): Promise<'waits' | 'declined'> {
  const error = { ...why, message: `port ${portId} stays as it is: ${why.message}` };
  const declined = declineBeforeSending(item, error, run.clocks.wall());
  return (await moveRequest(item, declined, run)) === undefined ? 'waits' : 'declined';
}

async function observe({ portId }: ReplacedPort, run: SyncRun): Promise<PortDetail> {
  const observation = await readPort(portId, run);
  const known = await findKnownPort(portId, run);
  if (known !== undefined) await recordObservation(known, observation, run);
  return observation.detail;
}

/**
 * If the service declines, the next read of the port shows why. Where nothing was done, the record of the cancellation
 * is taken back: a later cancellation is by a person.
 * @param item with the record
 * @param replaces without it
 */
async function cancel(item: RequestItem, replaces: ReplacedPort, run: SyncRun): Promise<void> {
  const { client, ports, clocks, settings, log } = run;
  const { portId, importId, request } = replaces;
  try {
    await client.cancelPort(portId);
    log.info('the service was asked to cancel a port', { portId, importId, request });
  } catch (error) {
    if (!isPortingFailure(error) || !error.nothingWasDone) throw error;
    const times = { now: clocks.wall(), quietMs: settings.quietMs };
    const earlier = { ...item, replaces };
    await moveRequest(item, isDecline(error) ? deferUnreadable(earlier, times) : earlier, run);
    if (!isDecline(error)) throw error;
    log.warn('the service declined to cancel a port', { portId, importId, request, error });
  }
  const port = await ports.get(portId);
  const soon = isoTime(clocks.calendar() + cancellation.firstReadMs);
  if (port?.dueAt !== undefined && port.dueAt > soon) await ports.touch(port, { ...port, dueAt: soon });
}

/**
 * Checks, before a port is cancelled, that the request which is to replace it could still be sent, and plans it as the
 * port is now: without rows that were cancelled since, and with amended PACs.
 * @returns the request, or why it cannot be sent any more
 * @throws what the bucket and the service throw
 */
async function prepare(
  item: RequestItem,
  port: PortDetail,
  booking: BookingContext,
  { plans, operationNamed, clocks, settings }: SyncRun,
): Promise<RequestItem | RequestError> {
  const submission = operationNamed(item.operation)?.submission;
  const planned = await plans.read(item);
  if (planned === undefined) return planExpired;
  const today = dateInZone(clocks.calendar(), settings.zone);
  const rows = submission?.rowsLeft?.(planned, port, settings.callingCode) ?? planned.rows;
  if (rows.length === 0) return { kind: 'port-cancelled', message: 'its rows were cancelled before it could be moved' };
  const finding = await submission?.precheck?.({ ...planned, rows }, today, booking);
  if (finding !== undefined) return { kind: finding.code, message: finding.message };
  if (JSON.stringify(rows) === JSON.stringify(planned.rows)) return item;
  const excludedRows = planned.rows.flatMap(({ line, subject }): ExcludedRow[] =>
    rows.some((row) => row.line === line) ? [] : [{ line, subject, code: 'LINE_NOT_CHANGEABLE', message: leftBehind }],
  );
  return {
    ...item,
    plan: await plans.replace({ ...planned, rows }),
    ...(excludedRows.length > 0 && { excludedRows }),
  };
}

const leftBehind = 'The row was cancelled before its port was moved, so it is not ported again';
