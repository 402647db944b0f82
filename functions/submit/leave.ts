// A message that goes no further: in which state it leaves its request.
import type { RequestItem, RequestState } from '#shared/domain/ledger.ts';
import { countStep } from './count-step.ts';
import type { SubmitParts } from './parts.ts';

/** The state in which the request was left, or why nothing was done about it. */
export type SubmitOutcome = RequestState | 'not-mine';

/** Nothing more is done about the request by this message. */
export interface Left {
  readonly left: SubmitOutcome;
}

/** Writes the state in which the request is left, unless somebody else has moved it since it was `seen`. */
export async function leave(seen: RequestItem, next: RequestItem, parts: SubmitParts): Promise<Left> {
  if (!(await parts.requests.replace(seen, next))) return { left: 'not-mine' };
  countStep(seen, next, parts.metrics);
  return { left: next.state };
}
