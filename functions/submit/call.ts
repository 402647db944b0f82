// The one call of an attempt, and what its outcome means to the ledger.
import type { RequestError, WithdrawnRow } from '#shared/domain/ledger.ts';
import type { Answer } from '#shared/domain/request-state.ts';
import type { Submission } from '#shared/operations/operation.ts';
import {
  type Conflict,
  isPortingFailure,
  isRefusal,
  type NotFound,
  type PortingFailure,
  type Refusal,
  type Rejected,
} from '#shared/porting/errors.ts';

type Refusing = Rejected | NotFound | Conflict;

/** The answer that an id stands for. */
const made: Readonly<Record<Submission['makes'], (id: string) => Answer>> = {
  port: (portId) => ({ kind: 'created', portId }),
  ticket: (ticket) => ({ kind: 'accepted', ticket }),
  change: (portId) => ({ kind: 'changed', portId }),
};

/**
 * Makes the call and says what it was answered. Whatever is thrown that is not known to be harmless counts as ambiguous:
 * the service may have done it. `lineOf` finds the line of a number or a SIM as the service writes it;
 * `separable` the rows without which the others may be sent again.
 */
export async function callOnce(
  makes: Submission['makes'],
  call: () => Promise<string>,
  lineOf: (subject: string) => number | undefined,
  separable: (refusal: Refusal) => readonly WithdrawnRow[] | undefined = () => undefined,
): Promise<Answer | PortingFailure> {
  try {
    return made[makes](await call());
  } catch (error) {
    if (isPortingFailure(error) && saysNothingWasDone(error)) return error;
    if (isRefusal(error)) return { kind: 'refused', error: refusalOf(error, lineOf), named: separable(error.refusal) };
    return { kind: 'ambiguous', error: errorOf(error) };
  }
}

/** Failures after which the very same call may be made again (fault 40 to 42). */
export const saysNothingWasDone = (failure: PortingFailure): boolean =>
  ['not-sent', 'held-back', 'rate-limited', 'credentials-refused', 'unavailable'].includes(failure.kind);

/** How a failure stands in the ledger; messages of the client are redacted already. */
export function errorOf(error: unknown): RequestError {
  if (!isPortingFailure(error)) {
    return { kind: 'unexpected', message: error instanceof Error ? error.message : String(error) };
  }
  // What the service said is for the user; which call it was said to is not.
  const message = isRefusal(error) ? error.refusal.message : error.message;
  const stored: RequestError = { kind: error.kind, message };
  if (error.status !== undefined) stored.status = error.status;
  return stored;
}

/** A refusal names the numbers or SIMs it is about where it can: their lines are told from the others (decision 25). */
function refusalOf(error: Refusing, lineOf: (subject: string) => number | undefined): RequestError {
  const { msisdns, serialNumbers = [] } = error.refusal;
  const lines = [...msisdns, ...serialNumbers].flatMap((subject) => lineOf(subject) ?? []);
  return lines.length === 0 ? errorOf(error) : { ...errorOf(error), lines };
}
