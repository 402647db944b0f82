// What the end of a call says of the service's health.
import type { CallEnd } from '#shared/domain/pace.ts';
import { isPortingFailure, type PortingFailure } from './errors.ts';

/** A refusal is an answer of a service that is well; so is whatever cannot have come from it. */
export function endOfCall(failure: unknown): CallEnd {
  if (!isPortingFailure(failure)) return { kind: 'alive' };
  switch (failure.kind) {
    case 'rate-limited':
      return { kind: 'limited', askedMs: failure.retryAfterMs };
    case 'not-sent':
    case 'unavailable':
    case 'ambiguous':
    case 'credentials-refused':
      return sick(failure);
    case 'contract-broken':
      return isSentAway(failure) || isWebPage(failure) ? sick(failure) : { kind: 'alive' };
    default:
      return { kind: 'alive' };
  }
}

/** A probe asks for what every account has: any answer but a good one means that the service is still down. */
export async function endOfProbe(probe: () => Promise<unknown>): Promise<CallEnd> {
  try {
    await probe();
    return { kind: 'alive' };
  } catch (error) {
    if (!isPortingFailure(error)) throw error;
    return error.kind === 'rate-limited' ? endOfCall(error) : sick(error);
  }
}

/** The specification knows no redirect: it is that of a gateway, or of maintenance. */
const isSentAway = ({ status = 0 }: PortingFailure): boolean => status >= 300 && status < 400;

/** In the place of JSON: of the same origin. */
const isWebPage = ({ body = '' }: PortingFailure): boolean => /^\s*</.test(body);

const sick = (failure: PortingFailure): CallEnd => ({
  kind: 'sick',
  because: reasonOf(failure),
  credentials: failure.kind === 'credentials-refused',
});

/** Without the name of the call: an outage is not about one of them. */
const reasonOf = ({ message, call }: PortingFailure): string => message.replace(`${call}: `, '').slice(0, 200);
