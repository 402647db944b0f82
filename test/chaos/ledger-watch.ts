// Observes every write to the results table and reports state that goes back (I5), and rows that are lost (I1).
import type { PortItem } from '#shared/port/port.ts';
import { unpackLines } from '#shared/request/packed-lines.ts';
import type { RequestItem, RequestState } from '#shared/request/request.ts';
import { allPortsOf } from '#shared/request/request-state.ts';
import type { Item } from '../support/in-memory/expression.ts';

const unsent = ['planned', 'in-flight', 'unknown'] as const;

/** The possible transitions. A late port id is always stored, so `created` can follow every state. */
const moves: Readonly<Record<RequestState, readonly RequestState[]>> = {
  planned: [...unsent, 'scheduled', 'created', 'accepted', 'declined', 'skipped', 'action-required'],
  scheduled: ['scheduled', 'planned', 'created', 'declined', 'skipped'],
  'in-flight': [...unsent, 'created', 'accepted', 'declined', 'action-required'],
  unknown: [...unsent, 'created', 'accepted', 'declined', 'action-required'],
  // Its plan had expired before its port was first read, so nobody can verify the port.
  created: ['created', 'action-required'],
  accepted: ['accepted', 'created'],
  declined: ['declined', 'created'],
  skipped: ['skipped', 'created'],
  'action-required': ['action-required', 'created'],
};

/** @param complain receives a description of each violation */
export const watchLedger =
  (complain: (violation: string) => void) =>
  (before: Item | undefined, after: Item | undefined): void => {
    if (before === undefined || after === undefined) return;
    if (String(before.sk).startsWith('request#')) watchRequest(before as never, after as never, complain);
    if (before.sk === 'port') watchPort(before as never, after as never, complain);
  };

function watchRequest(before: RequestItem, after: RequestItem, complain: (violation: string) => void): void {
  const which = `request ${after.request} of ${after.importId}`;
  const told = toldRows(after);
  if (told !== undefined && told !== after.rowCount) {
    complain(`I1 ${which} has ${after.rowCount} rows, and says of ${told} what became of them`);
  }
  if (isDiscarded(before, after) || isLeft(before, after)) return;
  if (!moves[before.state].includes(after.state) && !isResolveCommand(before, after)) {
    complain(`I5 ${which} went from ${before.state} to ${after.state}`);
  }
  if (after.revision !== (before.revision ?? 0) + 1) {
    complain(`I5 ${which} went from revision ${before.revision} to ${after.revision}`);
  }
  if (before.portId !== after.portId && before.portId !== undefined && after.resolution?.what !== 'keep') {
    complain(`I5 ${which} follows ${after.portId} instead of ${before.portId}`);
  }
  for (const portId of allPortsOf(before))
    if (!allPortsOf(after).includes(portId)) complain(`I5 ${which} lost port ${portId}`);
}

/** Of how many rows it says that they were sent, left out or divided; undefined before it is sent. */
function toldRows({ lines, excludedRows = [], parts = [] }: RequestItem): number | undefined {
  if (lines === undefined) return undefined;
  return new Set([...[lines, ...parts].flatMap(unpackLines), ...excludedRows.map(({ line }) => line)]).size;
}

/** The port that the service named is not of this request. */
const isDiscarded = (before: RequestItem, after: RequestItem): boolean =>
  before.state === 'created' && after.state === 'unknown' && after.search?.for === 'own-port';

/** A person gives up a port that the service does not have any more. The request keeps its id. */
const isLeft = (before: RequestItem, after: RequestItem): boolean =>
  before.state === 'created' &&
  after.portId === undefined &&
  isAnswered(before, after) &&
  allPortsOf(before).every((portId) => allPortsOf(after).includes(portId));

/** A request that requires action changes only through a resolution. */
const isResolveCommand = (before: RequestItem, after: RequestItem): boolean =>
  before.state === 'action-required' &&
  (['planned', 'declined'].includes(after.state) ||
    after.search?.for === 'resend' ||
    after.search?.for === 'abandon') &&
  isAnswered(before, after);

const isAnswered = (before: RequestItem, after: RequestItem): boolean =>
  after.resolution !== undefined && after.resolution.at !== before.resolution?.at;

function watchPort(before: PortItem, after: PortItem, complain: (violation: string) => void): void {
  if (after.readAt < before.readAt) complain(`I5 port ${after.portId} was overwritten by an older read`);
  if (['Complete', 'Cancelled'].includes(before.status) && after.status !== before.status) {
    complain(`I5 port ${after.portId} went from ${before.status} to ${after.status}`);
  }
}
