// Removes rows with invalid PACs that have blocked the other rows of their port for too long, where the import or the
// environment (ON_INVALID_PAC) chooses it. The removed rows are kept with the request, and report writes them to a file
// to be fixed and imported again.
import { lookUpOnce } from '#shared/operations/catalogue.ts';
import { snapshotOf } from '#shared/outcome/port-snapshot.ts';
import { moveRequest } from '#shared/pipeline/move-request.ts';
import { findKnownPort, observePort, readPort, recordObservation } from '#shared/pipeline/observe-port.ts';
import type { PortItem } from '#shared/port/port.ts';
import { type CurrentPort, type PlannedChange, planChange } from '#shared/port/port-change.ts';
import { blockedRows, isPortStatus, rowStatus } from '#shared/port/port-status.ts';
import { packLines, unpackLines } from '#shared/request/packed-lines.ts';
import type { RequestItem } from '#shared/request/request.ts';
import { msisdnKey } from '#shared/row/msisdn.ts';
import type { PortDetail } from '#shared/service/contract.ts';
import { isoTime } from '#shared/text/wording.ts';
import { isDeadlineNear, type SyncRun } from '../run.ts';

/** The share of the time that is left to the other steps of the run. */
const reservedShare = 0.5;

/** Returns how many rows were removed. */
export async function removeBlockingRows(run: SyncRun): Promise<number> {
  const { ports, settings, clocks, deadline, log, failures } = run;
  if ((settings.removeBlockingAfterMs ?? settings.removeIfChosenAfterMs) === undefined) return 0;
  const dueAfter = createDueCheck(run);
  const ownDeadline = deadline.reserving(reservedShare);
  let removed = 0;
  for await (const port of ports.waiting(settings.account, isoTime(clocks.calendar()), failures.noteUnreadable)) {
    if (isDeadlineNear(run) || !ownDeadline.hasTimeFor(0)) break;
    const { portId, importId } = port;
    try {
      const afterMs = await dueAfter(port);
      const rows = afterMs && (await run.deadline.measured(() => removeFrom(portId, afterMs, run)));
      if (rows !== undefined) run.changed.add(importId);
      removed += rows ?? 0;
    } catch (error) {
      if (!(await failures.isIsolatedFailure(error))) throw error;
      log.error('the blocking rows of a port could not be removed', { portId, importId, error });
    }
  }
  return removed;
}

/** Returns how long the rows of a port have been allowed to block others, if that time is over. */
function createDueCheck({ imports, settings, clocks }: SyncRun) {
  const { removeBlockingAfterMs, removeIfChosenAfterMs = removeBlockingAfterMs } = settings;
  const chosen = { wait: undefined, remove: removeIfChosenAfterMs };
  const choiceOf = lookUpOnce(async (importId: string) => (await imports.get(importId))?.onInvalidPac);
  return async (port: PortItem): Promise<number | undefined> => {
    const choice = await choiceOf(port.importId);
    const afterMs = choice === undefined ? removeBlockingAfterMs : chosen[choice];
    return afterMs !== undefined && isRemovalDue(port, afterMs, clocks.calendar()) ? afterMs : undefined;
  };
}

/** Safe to repeat after a crash: it acts on the current state of the port. undefined: nothing was due. */
async function removeFrom(portId: string, afterMs: number, run: SyncRun): Promise<number | undefined> {
  const { client, clocks, settings, log } = run;
  const known = await findKnownPort(portId, run);
  // A duplicate port that a person decided against stays as it is.
  if (known?.request.portId !== portId || !isRemovalDue(known.port, afterMs, clocks.calendar())) return undefined;
  const observation = await readPort(portId, run);
  const { detail, context } = observation;
  const current = snapshotOf(known, detail, context)?.next;
  const choice = chooseRowsToRemove(currentPort(detail, settings.callingCode));
  // A change that no run has read yet restarts the wait, too.
  if (current === undefined || !isRemovalDue(current, afterMs, clocks.calendar()) || choice.call !== 'cancel-rows') {
    await recordObservation(known, observation, run);
    return 0;
  }
  const lines = known.rows.filter(({ msisdn }) => choice.numbers.has(msisdn)).map(({ line }) => line);
  // Written first, so that a later read of the cancelled rows shows who cancelled them (spec gap 29).
  const request = await moveRequest(known.request, withRemovedRows(known.request, lines), run);
  if (request === undefined) return undefined;
  const Rows = detail.rows
    .filter(({ msisdn }) => choice.numbers.has(msisdnKey(msisdn, settings.callingCode)))
    .map(({ msisdn }) => ({ Msisdn: msisdn, PortRowStatus: 'CancellationRequested' as const }));
  await client.updatePort(portId, { Rows });
  log.warn('blocking rows were removed from a port', { portId, importId: request.importId, lines });
  await observePort(portId, { ...known, request }, run);
  return Rows.length;
}

const currentPort = ({ statusName, rows }: PortDetail, callingCode: string) => ({
  statusName,
  rows: new Map(rows.map((row) => [msisdnKey(row.msisdn, callingCode), row] as const)),
});

function withRemovedRows(request: RequestItem, lines: readonly number[]): RequestItem {
  const all = new Set([...unpackLines(request.removedRows ?? ''), ...lines]);
  return { ...request, removedRows: packLines([...all].sort((one, other) => one - other)) };
}

// Policy ON_INVALID_PAC=remove: rows with invalid PACs that have blocked other rows for long enough are cancelled, so
// that the other rows of the port are submitted.

/** Rows that are freed later than this before the cancellation deadline may miss their port date. */
const latestRemovalMs = 2 * 3_600_000;

/**
 * Whether blocking rows are to be removed at `now` (calendar time, epoch ms). Each change of the port restarts the
 * wait, because a person is working on the port; the wait never lasts beyond the latest time before the cancellation
 * deadline.
 */
export function isRemovalDue(port: PortItem, afterMs: number, now: number): boolean {
  if (!isPortStatus(port.status, 'Pac Check Failed') || port.readyRows === 0) return false;
  const waitEnds = Date.parse(port.changedAt) + afterMs;
  const latest = port.cancelBy === undefined ? waitEnds : Date.parse(port.cancelBy) - latestRemovalMs;
  return now >= Math.min(waitEnds, latest);
}

/** The call that frees the blocked rows of a port as it was just read; `nothing` where no row is blocked any more. */
export function chooseRowsToRemove(port: CurrentPort): PlannedChange {
  const rows = [...port.rows].map(([msisdn, { statusName }]) => ({ msisdn, statusName }));
  const invalid = rows.filter(({ statusName }) => rowStatus(statusName).amend === 'allowed');
  const isBlocking = blockedRows(rows).blocked.length > 0;
  const pacs = new Map(isBlocking ? invalid.map(({ msisdn }) => [msisdn, null] as const) : []);
  return planChange({ action: 'cancel', whole: false, pacs, mayBeMade: true }, port);
}
