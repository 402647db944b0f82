// What a row of a file shows when several parts of its import have sent it: the result that is nearest to its goal.
import type { Outcome } from './outcome.ts';

/**
 * A row that is at the service, or was done there, hides every other result. One that waits hides an end without
 * success, and that hides a row that was never sent.
 */
const ranks: Readonly<Record<Outcome, number>> = {
  complete: 4,
  accepted: 4,
  'in-progress': 4,
  'action-required': 4,
  unknown: 4,
  waiting: 3,
  scheduled: 3,
  declined: 2,
  cancelled: 2,
  duplicate: 1,
  skipped: 0,
  'not-sent': 0,
  rejected: 0,
};

interface WithOutcome {
  readonly outcome: Outcome;
}

/** The row was not sent, because its cells or its number are wrong. */
const isInvalid = ({ outcome }: WithOutcome): boolean => outcome === 'rejected' || outcome === 'duplicate';

/**
 * What a row shows of two results: that of the higher rank, of equal ranks the later one. A later file with an invalid
 * row has changed nothing: the reason that was known is still the reason, and the cells are those that it is about.
 */
export function foldResults<Row extends WithOutcome>(earlier: Row, later: Row): Row {
  if (isInvalid(later)) return earlier;
  return ranks[later.outcome] < ranks[earlier.outcome] ? earlier : later;
}

/** The row was sent, or waits to be. */
export const wasSent = ({ outcome }: WithOutcome): boolean => ranks[outcome] >= ranks.declined;
