// Sums up all requests of an import: counts, and the state of the import.

import type { Tally } from '../../items/fields.ts';
import type { ImportState } from '../../items/import.ts';
import type { RequestItem } from '../../items/request.ts';
import { isPortStatus } from '../ports/port-status.ts';
import { isUnsent } from '../requests/request-state.ts';
import { openRows } from '../requests/split-request.ts';

import { unpackLines } from './packed-lines.ts';

import { type ActiveStop, isStopped } from './stop.ts';

export interface RollUp {
  readonly state: ImportState;
  readonly requests: Tally;
  /** By status name, as the service writes it. */
  readonly ports: Tally;
  /** Rows that need action. */
  readonly actionRequired: number;
  readonly skippedRows: number;
  /** Ports that continue without the rows that were removed from them. */
  readonly freedPorts: number;
  /** Rows that were cancelled while their port continued. */
  readonly cancelledRows: number;
  /** Accepted rows whose SIMs were not seen with their new services yet. */
  readonly unconfirmedRows: number;
  /** Grows with every change of any request. */
  readonly ledgerRevision: number;
}

/** `requests` may be in any order; `expected` is their number in the plan. */
export async function rollUp(
  requests: AsyncIterable<RequestItem> | Iterable<RequestItem>,
  expected: number,
  stop?: ActiveStop,
): Promise<RollUp> {
  const byState = new Map<string, number>();
  const byStatus = new Map<string, number>();
  let [seen, unsent, ended, actionRequired, skippedRows] = [0, 0, 0, 0, 0];
  let held = 0;
  let [freedPorts, cancelledRows, unconfirmedRows, ledgerRevision] = [0, 0, 0, 0];
  for await (const item of requests) {
    seen += 1;
    count(byState, item.state);
    if (item.portStatus !== undefined) count(byStatus, item.portStatus);
    unsent += Number(isUnsent(item.state));
    held += Number(item.state === 'planned' && isStopped(item));
    ended += Number(item.endedAt !== undefined);
    actionRequired += item.state === 'action-required' ? openRows(item) : (item.actionRequired ?? 0);
    skippedRows += item.excludedRows?.length ?? 0;
    freedPorts += Number(isFreed(item));
    cancelledRows += cancelledRowsOf(item);
    unconfirmedRows += unconfirmedRowsOf(item);
    ledgerRevision += item.revision ?? 0;
  }
  const tallies = { requests: Object.fromEntries(byState), ports: Object.fromEntries(byStatus) };
  const isWaiting = unsent > 0 || seen < expected;
  const isHeld = stop !== undefined && held > 0 && held === unsent && seen === expected;
  const state = isHeld ? 'stopped' : stateOf(isWaiting, ended === seen);
  const rows = { actionRequired, skippedRows, cancelledRows, unconfirmedRows };
  return { state, ...tallies, ...rows, freedPorts, ledgerRevision };
}

const cancelledRowsOf = (item: RequestItem): number => item.cancelledRows ?? 0;

const unconfirmedRowsOf = ({ readBack }: RequestItem): number =>
  readBack === undefined ? 0 : unpackLines(readBack.waiting).length + unpackLines(readBack.unread).length;

/** The gate is open, so the removed rows are cancelled. */
const isFreed = ({ removedRows, portStatus = '' }: RequestItem): boolean =>
  removedRows !== undefined && !isPortStatus(portStatus, 'Pac Check Failed');

const count = (tally: Map<string, number>, name: string): void => {
  tally.set(name, (tally.get(name) ?? 0) + 1);
};

function stateOf(someUnsent: boolean, allEnded: boolean): ImportState {
  if (someUnsent) return 'submitting';
  return allEnded ? 'finished' : 'in-progress';
}
