// Policy `evict`: when bad lines have held good ones for long enough, they are taken out of their port, and the others go on.
import { hostages } from './hostages.ts';
import type { PortItem } from './ledger.ts';
import { normaliseStatus, rowStatus } from './lifecycle.ts';
import { type ChangeDecision, decideChange, type PortNow } from './port-change.ts';

/** Before the cut-off: what is freed later than this may miss its date. */
const lastCallMs = 2 * 3_600_000;

/**
 * Whether the wait is over at `now` (calendar time, epoch ms). It begins anew with every change of the port, because then
 * somebody is at work on it; but it never lasts beyond the last call before the cut-off.
 */
export function isEvictionDue(port: PortItem, afterMs: number, now: number): boolean {
  if (normaliseStatus(port.status) !== 'paccheckfailed' || port.goodLines === 0) return false;
  const patience = Date.parse(port.changedAt) + afterMs;
  const lastCall = port.cancelBy === undefined ? patience : Date.parse(port.cancelBy) - lastCallMs;
  return now >= Math.min(patience, lastCall);
}

/** The call that frees the held lines, for a port as it was just read; `nothing` where none is held by a bad PAC any more. */
export function decideEviction(port: PortNow): ChangeDecision {
  const rows = [...port.lines].map(([msisdn, { statusName }]) => ({ msisdn, statusName }));
  const bad = rows.filter(({ statusName }) => rowStatus(statusName).amendable);
  const isHolding = hostages(rows).held.length > 0;
  const lines = new Map(isHolding ? bad.map(({ msisdn }) => [msisdn, null] as const) : []);
  return decideChange({ action: 'cancel', whole: false, lines }, port);
}
