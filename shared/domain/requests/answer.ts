// What the service answered to one attempt of a request.
import type { ExcludedRow, RequestError } from '#shared/request/request.ts';

/** The answer to one attempt. The first three did something; `ambiguous` may have. */
export type Answer =
  | { readonly kind: 'created'; readonly portId: string }
  | Accepted
  | { readonly kind: 'changed'; readonly portId: string }
  | Declined
  | { readonly kind: 'not-sent'; readonly error: RequestError }
  | { readonly kind: 'ambiguous'; readonly error: RequestError };

export interface Accepted {
  readonly kind: 'accepted';
  readonly ticket: string;
  /** The request ends once its SIMs were read back. @default - it ends with the ticket */
  readonly isReadBack?: boolean;
}

export interface Declined {
  readonly kind: 'declined';
  readonly error: RequestError;
  /** The declined rows with their reasons, if the other rows may be submitted without them. */
  readonly named?: readonly ExcludedRow[] | undefined;
  /** In how many parts the rows of the call are sent again, where that is bounded. */
  readonly parts?: 1 | 2;
  /** Of a request that is sent in parts: the rows of this part with their reasons. */
  readonly part?: readonly ExcludedRow[] | undefined;
  /** The service may still have executed this attempt or an earlier one. */
  readonly isDoubtful?: boolean;
}
