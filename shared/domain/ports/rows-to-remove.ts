// Policy ON_INVALID_PAC=remove: rows with invalid PACs that have blocked other rows for long enough are cancelled, so
// that the other rows of the port are submitted.

import { type CurrentPort, type PlannedChange, planChange } from '#shared/port/port-change.ts';
import { isPortStatus, rowStatus } from '#shared/port/port-status.ts';
import type { PortItem } from '../../items/port.ts';
import { blockedRows } from './blocked-rows.ts';

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
  return planChange({ action: 'cancel', whole: false, pacs }, port);
}
