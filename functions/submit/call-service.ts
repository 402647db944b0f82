// Makes the one call of an attempt, and translates its result for the ledger.
import type { RequestError } from '#shared/domain/requests/ledger.ts';
import type { Answer } from '#shared/domain/requests/request-state.ts';
import type { Submission } from '#shared/operations/kit/operation.ts';
import { type Decline, isDecline, isPortingFailure, type PortingFailure } from '#shared/porting/errors.ts';

const answerWith: Readonly<Record<Submission['makes'], (id: string) => Answer>> = {
  port: (portId) => ({ kind: 'created', portId }),
  ticket: (ticket) => ({ kind: 'accepted', ticket }),
  change: (portId) => ({ kind: 'changed', portId }),
};

/**
 * Makes the call and answers its result. Any error that is not known to be harmless is ambiguous: the service may have
 * done what was asked.
 * @param checkDecline what a decline of the service means for this attempt
 */
export async function callService(
  makes: Submission['makes'],
  call: () => Promise<string>,
  checkDecline: (decline: Decline) => Promise<Answer>,
): Promise<Answer | PortingFailure> {
  try {
    return answerWith[makes](await call());
  } catch (error) {
    if (isDecline(error)) return checkDecline(error);
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
