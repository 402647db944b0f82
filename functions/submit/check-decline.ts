// What a decline means. A gateway that repeats a call answers the second decline although the first call was executed,
// and an earlier attempt of unknown outcome may be executed late: then the service declines what it has done already.
import type { ExcludedRow, RequestError } from '#shared/domain/requests/ledger.ts';
import { type Answer, rowsDeclinedByService } from '#shared/domain/requests/request-state.ts';
import type { Submission } from '#shared/operations/kit/operation.ts';
import { Conflict, type Decline, isPortingFailure } from '#shared/porting/errors.ts';
import { errorOf } from './call-service.ts';
import { declinedRowsOf, lineFinder } from './declined-rows.ts';
import type { SubmitDependencies } from './dependencies.ts';
import type { Attempt } from './write-ahead-record.ts';

type CheckDependencies = Pick<SubmitDependencies, 'settings' | 'validation'>;

export async function checkDecline(
  decline: Decline,
  attempt: Attempt,
  submission: Submission,
  dependencies: CheckDependencies,
): Promise<Answer> {
  const { settings } = dependencies;
  const lineOf = lineFinder(attempt.send, settings.callingCode);
  const error = withLines(decline, lineOf);
  if (submission.makes === 'change') return checkChange(error, attempt, submission, dependencies);
  const rows = declinedRowsOf(decline.decline, attempt.send, lineOf);
  const mayRetry = submission.makes === 'port' && settings.retryWithoutDeclined;
  const named = mayRetry && isPartial(rows, attempt) ? rows : undefined;
  const hasUnknown = attempt.request.hasUnknownAttempt === true;
  if (submission.makes === 'ticket') {
    // A ticket cannot be searched for.
    const isDoubtful = hasUnknown || (submission.conflictsWithItself && decline instanceof Conflict);
    return isDoubtful ? { kind: 'ambiguous', error } : { kind: 'declined', error, named };
  }
  const isDoubtful = hasUnknown || decline instanceof Conflict || error.lines !== undefined;
  return { kind: 'declined', error, named, isDoubtful };
}

/** A change that was made already is declined when it is requested again: the port shows it. */
async function checkChange(
  error: RequestError,
  { planned, send }: Attempt,
  submission: Submission,
  { validation }: CheckDependencies,
): Promise<Answer> {
  const sent = new Set(send.rows.map(({ line }) => line));
  const request = { ...planned, rows: planned.rows.filter(({ line }) => sent.has(line)) };
  try {
    const portId = await submission.madeAlready?.(request, validation);
    return portId === undefined ? { kind: 'declined', error } : { kind: 'changed', portId };
  } catch (failure) {
    if (!isPortingFailure(failure)) throw failure;
    return { kind: 'ambiguous', error };
  }
}

/** With the lines of the numbers and SIMs that the service names, so that they differ from other rows (decision 25). */
function withLines(decline: Decline, lineOf: (subject: string) => number | undefined): RequestError {
  const { msisdns, serialNumbers = [] } = decline.decline;
  const lines = [...msisdns, ...serialNumbers].flatMap((subject) => lineOf(subject) ?? []);
  return lines.length === 0 ? errorOf(decline) : { ...errorOf(decline), lines };
}

/** Some rows are named and others are not, for the first time of this request. */
const isPartial = (named: readonly ExcludedRow[], { send, request }: Attempt): boolean =>
  named.length > 0 && named.length < send.rows.length && rowsDeclinedByService(request).length === 0;
