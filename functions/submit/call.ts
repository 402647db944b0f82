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

/** The waits double from here … */
const firstWaitMs = 5_000;
/** … up to what SQS can delay a message. */
const longestWaitMs = 15 * 60_000;
/** Credentials are mended by a person: asking every few seconds helps nobody. */
const credentialsWaitMs = 5 * 60_000;

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

/** Exponential with jitter in the upper half, never before the service allows; `attempt` counts from 1. */
export function waitAfter(failure: PortingFailure, attempt: number, random: number): number {
  if (failure.kind === 'credentials-refused') return credentialsWaitMs;
  const asked = 'retryAfterMs' in failure ? failure.retryAfterMs : 0;
  const backoff = Math.min(longestWaitMs, firstWaitMs * 2 ** Math.min(attempt - 1, 10)) * (0.5 + random / 2);
  return Math.min(longestWaitMs, Math.max(asked * (1 + random / 10), backoff));
}
