// The gate of the service lets no line of a port pass while one line is bad. Who holds whom (decision 30)?
import { normaliseStatus, rowStatus } from './lifecycle.ts';

export interface GateRow {
  readonly msisdn: string;
  readonly statusName: string;
}

export interface Hostages {
  /** Lines with a valid PAC that wait, each held by every line of `holders`. */
  readonly held: readonly string[];
  readonly holders: readonly string[];
  /** Of the holders, those the service is checking again: nothing to do but wait. */
  readonly rechecking: readonly string[];
  /** "3 good lines held by 1 bad one", empty where nothing is held. */
  readonly summary: string;
}

/** Who holds whom among the rows of one port. A port past the gate has no `PacValid` rows left, so nothing is held. */
export function hostages(rows: readonly GateRow[]): Hostages {
  const msisdnsOf = (chosen: readonly GateRow[]) => chosen.map(({ msisdn }) => msisdn);
  const blocking = rows.filter(({ statusName }) => rowStatus(statusName).blocksGate);
  const waiting = blocking.length === 0 ? [] : rows.filter(({ statusName }) => isValid(statusName));
  return {
    held: msisdnsOf(waiting),
    holders: waiting.length === 0 ? [] : msisdnsOf(blocking),
    rechecking: msisdnsOf(blocking.filter(({ statusName }) => rowStatus(statusName).rechecking)),
    summary: waiting.length === 0 ? '' : sentence(waiting.length, blocking.length),
  };
}

const isValid = (statusName: string): boolean => normaliseStatus(statusName) === 'pacvalid';

const sentence = (held: number, holders: number): string =>
  `${held} good ${held === 1 ? 'line' : 'lines'} held by ${holders} bad ${holders === 1 ? 'one' : 'ones'}`;
