// Makes the one call of an attempt, and translates its result for the ledger.
import type { ExcludedRow, RequestError } from '#shared/domain/requests/ledger.ts';
import type { Answer } from '#shared/domain/requests/request-state.ts';
import type { Submission } from '#shared/operations/kit/operation.ts';
import {
  type Conflict,
  type DeclineDetails,
  isDecline,
  isPortingFailure,
  type NotFound,
  type PortingFailure,
  type Rejected,
} from '#shared/porting/errors.ts';

const answerWith: Readonly<Record<Submission['makes'], (id: string) => Answer>> = {
  port: (portId) => ({ kind: 'created', portId }),
  ticket: (ticket) => ({ kind: 'accepted', ticket }),
  change: (portId) => ({ kind: 'changed', portId }),
};

/**
 * Makes the call and answers its result. Any error that is not known to be harmless is ambiguous: the service may have
 * done what was asked.
 * @param lineOf finds the line of a number or a SIM as the service writes it
 * @param rowsToExclude returns the rows without which the request may be sent again; undefined if it may not
 */
export async function callService(
  makes: Submission['makes'],
  call: () => Promise<string>,
  lineOf: (subject: string) => number | undefined,
  rowsToExclude: (details: DeclineDetails) => readonly ExcludedRow[] | undefined = () => undefined,
): Promise<Answer | PortingFailure> {
  try {
    return answerWith[makes](await call());
  } catch (error) {
    if (isDecline(error))
      return { kind: 'declined', error: declineOf(error, lineOf), named: rowsToExclude(error.decline) };
    if (isPortingFailure(error) && error.nothingWasDone) return error;
    return { kind: 'ambiguous', error: errorOf(error) };
  }
}

/** A failure as the ledger stores it. The client has redacted its messages. */
export function errorOf(error: unknown): RequestError {
  if (!isPortingFailure(error)) {
    return { kind: 'unexpected', message: error instanceof Error ? error.message : String(error) };
  }
  // The user needs the answer of the service, not the name of the call.
  const message = isDecline(error) ? error.decline.message : error.message;
  const stored: RequestError = { kind: error.kind, message };
  if (error.status !== undefined) stored.status = error.status;
  return stored;
}

/**
 * With the lines of the numbers and SIMs that the service names, so that they differ from the other rows (decision 25).
 */
function declineOf(
  error: Rejected | NotFound | Conflict,
  lineOf: (subject: string) => number | undefined,
): RequestError {
  const { msisdns, serialNumbers = [] } = error.decline;
  const lines = [...msisdns, ...serialNumbers].flatMap((subject) => lineOf(subject) ?? []);
  return lines.length === 0 ? errorOf(error) : { ...errorOf(error), lines };
}
