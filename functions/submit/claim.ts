// The rows that this request may send: what was planned, without what was refused before and what another request holds.
import type { RequestItem, WithdrawnRow } from '#shared/domain/ledger.ts';
import type { PlannedRequest } from '#shared/domain/plan.ts';
import { refusedRows, refusedUnsent, withdrawn } from '#shared/domain/request-state.ts';
import type { Submission } from '#shared/operations/operation.ts';
import { claimNumbers } from './claim-numbers.ts';
import { type Left, leave } from './leave.ts';
import type { SubmitParts } from './parts.ts';

export interface Claimed {
  /** Holds the rows whose numbers are ours. */
  readonly request: PlannedRequest;
  /** The rows that are not, and those that were refused before. */
  readonly out: WithdrawnRow[];
}

const planExpired = { kind: 'plan-expired', message: 'the plan of this import has expired: drop the file again' };

/** Reads the plan and claims its numbers: no call is made, so it needs no turn. */
export async function claim(item: RequestItem, submission: Submission, parts: SubmitParts): Promise<Claimed | Left> {
  const { clocks } = parts;
  const planned = await parts.plans.read(item);
  if (planned === undefined) return leave(item, refusedUnsent(item, planExpired, undefined, clocks.wall()), parts);
  const now = new Date(clocks.wall()).toISOString();
  const refused = refusedRows(item);
  const rest = { ...planned, rows: planned.rows.filter(({ line }) => !refused.some((row) => row.line === line)) };
  const claimed = submission.claims ? await claimNumbers(rest, now, parts) : { rows: rest.rows, withdrawn: [] };
  const out = [...refused, ...claimed.withdrawn];
  if (claimed.rows.length === 0) return leave(item, withdrawn(item, out, clocks.wall()), parts);
  return { request: { ...planned, rows: [...claimed.rows] }, out };
}
