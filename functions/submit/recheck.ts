// The rows as they are judged on the day of the call: a file may have waited past midnight.
import type { CalendarDate } from '#shared/domain/calendar-date.ts';
import type { RequestItem, WithdrawnRow } from '#shared/domain/ledger.ts';
import type { PlannedRequest } from '#shared/domain/plan.ts';
import { refusedUnsent, withdrawn as withdrawnWhole } from '#shared/domain/request-state.ts';
import { todayOf } from '#shared/operations/connection-date.ts';
import type { Submission } from '#shared/operations/operation.ts';
import { isPortingFailure } from '#shared/porting/errors.ts';
import { saysNothingWasDone } from './call.ts';
import type { Claimed } from './claim.ts';
import { type Left, leave } from './leave.ts';
import { linesOf } from './lines-of.ts';
import type { SubmitParts } from './parts.ts';
import { postpone } from './postpone.ts';

export interface Judged {
  readonly send: PlannedRequest;
  /** All rows that are not sent. */
  readonly withdrawn: readonly WithdrawnRow[];
  readonly note: string | undefined;
  /** Holidays of the network right before the port's date. */
  readonly holidays: readonly CalendarDate[] | undefined;
  /** The account's day on which the request was judged. */
  readonly day: CalendarDate;
}

/** Judges the claimed rows once more, against a fresh catalogue: look-ups only. */
export async function recheck(
  item: RequestItem,
  { request, out }: Claimed,
  submission: Submission,
  parts: SubmitParts,
): Promise<Judged | Left> {
  const { clocks } = parts;
  const day = todayOf(parts.judge);
  const judged = await judge(request, submission, parts);
  if (isPortingFailure(judged)) return postpone(item, judged, parts);
  if ('refuse' in judged) {
    const { code, message } = judged.refuse;
    const without = { ...item, withdrawn: out.length === 0 ? undefined : out };
    return leave(item, refusedUnsent(without, { kind: code, message }, linesOf(request), clocks.wall()), parts);
  }
  const { send, note, holidays } = judged;
  const withdrawn = [...out, ...(judged.withdrawn ?? [])];
  if (send.rows.length === 0) return leave(item, withdrawnWhole(item, withdrawn, clocks.wall()), parts);
  return { send, withdrawn, note, holidays, day };
}

async function judge(request: PlannedRequest, submission: Submission, parts: SubmitParts) {
  try {
    return await submission.recheck(request, parts.judge);
  } catch (error) {
    // An answer to a look-up that nobody understands did nothing either.
    if (isPortingFailure(error) && (saysNothingWasDone(error) || error.kind === 'contract-broken')) return error;
    throw error;
  }
}
