// The rows that a request may send now: those of the plan, without rows that the service declined before, that another
// request has claimed, or that are not valid any more on the day of the call. A file may have waited past midnight.

import { todayOf } from '#shared/operations/columns/connection-date.ts';
import type { Revalidation } from '#shared/operations/operation.ts';
import type { NumberItem } from '#shared/request/number-claim.ts';
import { packLines } from '#shared/request/packed-lines.ts';
import { type ExcludedRow, firstLineOf } from '#shared/request/request.ts';
import { rowsLeftOut } from '#shared/request/request-state.ts';
import type { Finding } from '#shared/row/issue.ts';
import { isPortingFailure, type PortingFailure } from '#shared/service/errors.ts';
import { isSameRequest } from '#shared/text/identity.ts';
import { isoTime } from '#shared/text/wording.ts';
import type { Attempt, End, Step, SubmitPipeline } from './attempt.ts';
import type { HeldClaim } from './held-claims.ts';

/** Claims the numbers of the rows. Makes no call, so it does not wait for other messages. */
export async function claimRows(attempt: Attempt, pipeline: SubmitPipeline): Promise<Step> {
  const { planned } = attempt;
  const left = rowsNotSentAgain(attempt);
  const rows = planned.rows.filter((row) => !left.some(({ line }) => row.line === line));
  const claimed = await claimNumbers({ ...attempt, send: { ...planned, rows }, excludedRows: left }, pipeline);
  return endIfEmpty(claimed);
}

/**
 * A create of unknown outcome is repeated with the rows that it had: if it is executed after all, its port has exactly
 * the numbers of the request, and is known by them.
 */
const rowsNotSentAgain = ({ request, submission }: Attempt): readonly ExcludedRow[] =>
  submission.makes === 'port' && request.hasUnknownAttempt === true
    ? (request.excludedRows ?? [])
    : rowsLeftOut(request);

const endIfEmpty = (attempt: Attempt): Step =>
  attempt.send.rows.length > 0 ? attempt : { how: 'skipped', excludedRows: attempt.excludedRows };

/**
 * Claims the number of every row, if the operation claims numbers, and the row that it corrects. Excludes rows that
 * another request holds, or whose number was ported before: validation does not see what was ported since, or in the
 * rest of a large file.
 */
export async function claimNumbers(attempt: Attempt, pipeline: SubmitPipeline): Promise<Attempt> {
  const { submission, send } = attempt;
  const { importId, request, expiresAt } = attempt.request;
  const claimedAt = isoTime(pipeline.clocks.wall());
  const about = { importId, request, claimedAt, expiresAt };
  const claims = new Map<string, NumberItem>();
  for (const row of send.rows) {
    const { subject: number, correctedRow, line } = row;
    if (submission.claims && number) claims.set(number, { ...about, number, line, ...firstLineOf(row) });
    if (correctedRow) claims.set(correctedRow, { ...about, number: correctedRow, line });
  }
  const held: HeldClaim[] = [];
  for (const seen of await pipeline.numbers.claim([...claims.values()])) {
    const claim = claims.get(seen.number);
    if (claim !== undefined && !isSameRequest(seen, claim)) held.push({ seen, claim });
  }
  if (held.length === 0) return attempt;
  const { excludeHeld } = await import('./held-claims.ts');
  return excludeHeld(attempt, held, pipeline);
}

/** Validates the claimed rows against a fresh catalogue. Makes lookups only. */
export async function revalidateRows(attempt: Attempt, pipeline: SubmitPipeline): Promise<Step> {
  const { validation } = pipeline;
  const day = todayOf(validation);
  const result = await revalidate(attempt, pipeline);
  if (isPortingFailure(result)) return { how: 'requeued', failure: result };
  if ('rejection' in result) return rejectedEnd(attempt, result, validation.settings.zone);
  const { send, note, holidays, excludedRows = [] } = result;
  return endIfEmpty({
    ...attempt,
    send,
    excludedRows: [...attempt.excludedRows, ...excludedRows],
    note,
    holidays,
    day,
  });
}

/** A date that cannot be booked yet is waited for. */
function rejectedEnd({ send, excludedRows }: Attempt, { rejection, sendOn }: Rejection, zone: string): End {
  const lines = packLines(send.rows.map(({ line }) => line));
  if (sendOn !== undefined) return { how: 'scheduled', schedule: { sendOn, zone, lines, excludedRows } };
  const rows = { lines, excludedRows: excludedRows.length === 0 ? undefined : [...excludedRows] };
  return { how: 'declined', error: { kind: rejection.code, message: rejection.message }, rows };
}

type Rejection = Extract<Revalidation, { readonly rejection: Finding }>;

async function revalidate(
  { request, send, submission }: Attempt,
  { validation }: SubmitPipeline,
): Promise<Revalidation | PortingFailure> {
  try {
    return await submission.revalidate(send, { ...validation, mayBeMade: request.hasUnknownAttempt === true });
  } catch (error) {
    // Validation only makes lookups, so nothing was done, also where the service declines one.
    if (isPortingFailure(error)) return error;
    throw error;
  }
}
