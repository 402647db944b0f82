// Claims the numbers of a request, so that no number is ever in two requests that are in progress (spec gap 22). In a
// correction also the rows of the first file, so that no row is sent by two corrections (docs/decisions/0039).
import { isoTime } from '#shared/domain/dates/iso-time.ts';
import type { PlannedRow } from '#shared/domain/imports/plan.ts';
import type { NumberItem } from '#shared/domain/requests/ledger.ts';
import { type ClaimDependencies, type ClaimedRows, type HeldClaim, isSameRequest, type RowsToClaim } from './claims.ts';

/**
 * Claims the number of every row at `now` (wall time, epoch ms). Excludes rows whose number another request holds, or
 * was ported before: validation does not see what was ported since, or in the rest of a large file.
 */
export const claimNumbers = (planned: RowsToClaim, now: number, dependencies: ClaimDependencies) =>
  claimNames(planned, ({ subject, correctedRow }) => [subject, correctedRow], now, dependencies);

/** The same for an operation that claims no numbers. */
export const claimCorrectedRows = (planned: RowsToClaim, now: number, dependencies: ClaimDependencies) =>
  claimNames(planned, ({ correctedRow }) => [correctedRow], now, dependencies);

async function claimNames(
  planned: RowsToClaim,
  namesOf: (row: PlannedRow) => readonly (string | undefined)[],
  now: number,
  dependencies: ClaimDependencies,
): Promise<ClaimedRows> {
  const { importId, request, rows, expiresAt } = planned;
  const about = { importId, request, claimedAt: isoTime(now), ...(expiresAt && { expiresAt }) };
  const claims = new Map<string, NumberItem>();
  for (const row of rows) {
    for (const number of namesOf(row)) if (number) claims.set(number, { ...about, number, line: row.line });
  }
  const held: HeldClaim[] = [];
  for (const seen of await dependencies.numbers.claim([...claims.values()])) {
    const claim = claims.get(seen.number);
    if (claim !== undefined && !isSameRequest(seen, claim)) held.push({ seen, claim });
  }
  if (held.length === 0) return { rows, excludedRows: [] };
  const { excludeHeld } = await import('./held-claims.ts');
  return excludeHeld(planned, held, dependencies);
}
