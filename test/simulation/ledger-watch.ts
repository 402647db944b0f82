// Sees every write to the results table, and says at once when one of them goes back on what was known (invariant I5).
import type { PortItem, RequestItem, RequestState } from '#shared/domain/ledger.ts';
import { portsOf } from '#shared/domain/request-state.ts';
import type { Item } from '../support/twin-expression.ts';

const unsent = ['planned', 'in-flight', 'unknown'] as const;

/** Where each state may lead; an id that comes late is always stored, so `created` can follow anything. */
const moves: Readonly<Record<RequestState, readonly RequestState[]>> = {
  planned: [...unsent, 'created', 'refused', 'withdrawn', 'needs-human'],
  'in-flight': [...unsent, 'created', 'accepted', 'refused', 'needs-human'],
  unknown: [...unsent, 'created', 'accepted', 'refused', 'needs-human'],
  created: ['created'],
  accepted: ['accepted', 'created'],
  refused: ['refused', 'created'],
  withdrawn: ['withdrawn', 'created'],
  'needs-human': ['needs-human', 'created'],
};

/** @param complain told in words what must not have happened */
export const watchLedger =
  (complain: (violation: string) => void) =>
  (before: Item | undefined, after: Item | undefined): void => {
    if (before === undefined || after === undefined) return;
    if (String(before.sk).startsWith('request#')) watchRequest(before as never, after as never, complain);
    if (before.sk === 'port') watchPort(before as never, after as never, complain);
  };

function watchRequest(before: RequestItem, after: RequestItem, complain: (violation: string) => void): void {
  const which = `request ${after.request} of ${after.importId}`;
  if (!moves[before.state].includes(after.state) && !isDecision(before, after)) {
    complain(`I5 ${which} went from ${before.state} to ${after.state}`);
  }
  if (after.revision !== (before.revision ?? 0) + 1) {
    complain(`I5 ${which} went from revision ${before.revision} to ${after.revision}`);
  }
  if (before.portId !== after.portId && before.portId !== undefined && after.decided?.what !== 'keep') {
    complain(`I5 ${which} follows ${after.portId} in the place of ${before.portId}`);
  }
  for (const portId of portsOf(before))
    if (!portsOf(after).includes(portId)) complain(`I5 ${which} forgot port ${portId}`);
}

/** What was left to people moves on as one of them says, and only then. */
const isDecision = (before: RequestItem, after: RequestItem): boolean =>
  before.state === 'needs-human' &&
  ['planned', 'refused'].includes(after.state) &&
  after.decided !== undefined &&
  after.decided.at !== before.decided?.at;

function watchPort(before: PortItem, after: PortItem, complain: (violation: string) => void): void {
  if (after.lookedAt < before.lookedAt) complain(`I5 port ${after.portId} was overwritten by an older look`);
  if (['Complete', 'Cancelled'].includes(before.status) && after.status !== before.status) {
    complain(`I5 port ${after.portId} went from ${before.status} to ${after.status}`);
  }
}
