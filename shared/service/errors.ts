// What can go wrong between the client and the service: one class for each thing a caller must do differently. To add a
// failure, add a class: its properties decide how every caller treats it.
// Messages and bodies are redacted before they get here, so an error may be logged and stored as it is (spec gap 44).
import type { CallOutcome } from '#shared/request/shared-rate-limit.ts';
import { truncate } from '#shared/text/wording.ts';

/** The failed call. */
export interface CallDetails {
  /** `POST /api/porting/1001`; never a query, a header or a body. */
  readonly call: string;
  /** HTTP status, where the head of an answer was read. */
  readonly status?: number | undefined;
  /** The service's own id of the exchange, if it gave one. */
  readonly requestId?: string | undefined;
  /** The first 500 characters of the answer, redacted. */
  readonly body?: string | undefined;
  readonly cause?: unknown;
}

/** An error message of the service about one field, redacted. */
export interface FieldError {
  readonly field: string;
  readonly message: string;
}

/** What the service answered when it declined a call. */
export interface DeclineDetails {
  readonly message: string;
  readonly fieldErrors: readonly FieldError[];
  /** Phone numbers in the message or the field errors, as written there, each once (spec gap 25). */
  readonly msisdns: readonly string[];
  /** SIM serials in them, each once; absent where they were not looked for. */
  readonly serialNumbers?: readonly string[];
}

export abstract class PortingError extends Error {
  abstract readonly kind: string;
  /** The same call may be made again at once without doing its work twice. */
  abstract readonly retryable: boolean;
  /** The service is known to have done nothing. */
  abstract readonly nothingWasDone: boolean;
  /** The failure may concern only the port or SIM of the call, while the service answers other calls. */
  abstract readonly mayBeIsolated: boolean;
  /** What the failure shows about the health of the service. */
  abstract readonly serviceHealth: 'up' | 'failing' | 'rate-limited';
  readonly call: string;
  readonly status: number | undefined;
  readonly requestId: string | undefined;
  readonly body: string | undefined;

  constructor(message: string, details: CallDetails) {
    super(`${details.call}: ${message}`, details.cause === undefined ? undefined : { cause: details.cause });
    this.call = details.call;
    this.status = details.status;
    this.requestId = details.requestId;
    this.body = details.body;
  }
}

/** The service read the call and declined it: repeating it would change nothing. */
abstract class Declined extends PortingError {
  readonly retryable = false;
  readonly nothingWasDone = true;
  readonly mayBeIsolated = false;
  readonly serviceHealth = 'up';
  readonly decline: DeclineDetails;

  constructor(decline: DeclineDetails, details: CallDetails) {
    super(decline.message, details);
    this.decline = decline;
  }
}

/** Any other 4xx; without a status, a body that breaks the contract and was not sent at all. */
export class Rejected extends Declined {
  override readonly name = 'Rejected';
  readonly kind = 'rejected';
}

/** 404. */
export class NotFound extends Declined {
  override readonly name = 'NotFound';
  readonly kind = 'not-found';
}

/** 409. */
export class Conflict extends Declined {
  override readonly name = 'Conflict';
  readonly kind = 'conflict';
}

/** 429. `retryAfterMs` is the wait that the service asked for (capped); 0 where it asked for none. */
export class RateLimited extends PortingError {
  override readonly name = 'RateLimited';
  readonly kind = 'rate-limited';
  readonly retryable = true;
  readonly nothingWasDone = true;
  readonly mayBeIsolated = false;
  readonly serviceHealth = 'rate-limited';
  readonly retryAfterMs: number;

  constructor(retryAfterMs: number, details: CallDetails) {
    super('the service asks for fewer calls', details);
    this.retryAfterMs = retryAfterMs;
  }
}

/** The token address or the API rejects the credentials, the API also with a fresh token: every call will fail. */
export class CredentialsRejected extends PortingError {
  override readonly name = 'CredentialsRejected';
  readonly kind = 'credentials-rejected';
  readonly retryable = false;
  readonly nothingWasDone = true;
  readonly mayBeIsolated = false;
  readonly serviceHealth = 'failing';
}

/** Nothing reached the service: no connection, no name, no trusted certificate, or no token to send. */
export class NotSent extends PortingError {
  override readonly name = 'NotSent';
  readonly kind = 'not-sent';
  readonly retryable = true;
  readonly nothingWasDone = true;
  readonly mayBeIsolated = false;
  readonly serviceHealth = 'failing';
}

/** A GET without an answer: 5xx, reset, time-out, a body cut short. `retryAfterMs` is 0 where no wait was asked for. */
export class Unavailable extends PortingError {
  override readonly name = 'Unavailable';
  readonly kind = 'unavailable';
  readonly retryable = true;
  readonly nothingWasDone = true;
  readonly mayBeIsolated = true;
  readonly serviceHealth = 'failing';
  readonly retryAfterMs: number;

  constructor(message: string, details: CallDetails, retryAfterMs = 0) {
    super(message, details);
    this.retryAfterMs = retryAfterMs;
  }
}

/** A POST, PATCH or DELETE whose outcome is unknown: only reading back shows it, and sending again may do it twice. */
export class Ambiguous extends PortingError {
  override readonly name = 'Ambiguous';
  readonly kind = 'ambiguous';
  readonly retryable = false;
  readonly nothingWasDone = false;
  readonly mayBeIsolated = true;
  readonly serviceHealth = 'failing';
}

/** A GET was answered with something that the spec does not describe. */
export class ContractBroken extends PortingError {
  override readonly name = 'ContractBroken';
  readonly kind = 'contract-broken';
  readonly retryable = false;
  readonly nothingWasDone = false;
  readonly mayBeIsolated = true;

  /** Redirects and web pages come from a gateway or a maintenance page, other answers from the service itself. */
  get serviceHealth(): 'up' | 'failing' {
    const isRedirect = this.status !== undefined && this.status >= 300 && this.status < 400;
    return isRedirect || /^\s*</.test(this.body ?? '') ? 'failing' : 'up';
  }
}

/** The call was not made: the circuit breaker is open, the calls are paused, or too many calls are waiting. */
export class CallDeferred extends PortingError {
  override readonly name = 'CallDeferred';
  readonly kind = 'deferred';
  /** Only after `retryAfterMs`. */
  readonly retryable = false;
  readonly nothingWasDone = true;
  readonly mayBeIsolated = false;
  readonly serviceHealth = 'up';
  readonly retryAfterMs: number;

  constructor(reason: string, retryAfterMs: number, details: CallDetails) {
    super(`not sent: ${reason}`, details);
    this.retryAfterMs = retryAfterMs;
  }
}

/** Every error a `PortingClient` method rejects with. */
export type PortingFailure =
  | Rejected
  | NotFound
  | Conflict
  | RateLimited
  | CredentialsRejected
  | NotSent
  | CallDeferred
  | Unavailable
  | Ambiguous
  | ContractBroken;

export const isPortingFailure = (error: unknown): error is PortingFailure => error instanceof PortingError;

/** `rejected`, `not-found` or `conflict`: the service declined the call, and would decline it again. */
export type Decline = Rejected | NotFound | Conflict;
export const isDecline = (error: unknown): error is Decline => error instanceof Declined;

// What the end of a call means for the rate limiter and its circuit breaker.

/** An error that is no porting failure cannot have come from the service. */
export function outcomeOfCall(failure: unknown, begunAt?: number): CallOutcome {
  if (!isPortingFailure(failure) || failure.serviceHealth === 'up') return { kind: 'ok', begunAt };
  if (failure.kind === 'rate-limited') return { kind: 'rate-limited', askedMs: failure.retryAfterMs, begunAt };
  return failed(failure);
}

/** A probe reads what every account has, so any answer but a good one means that the service is still down. */
export async function outcomeOfProbe(probe: () => Promise<unknown>): Promise<CallOutcome> {
  try {
    await probe();
    return { kind: 'ok' };
  } catch (error) {
    if (!isPortingFailure(error)) throw error;
    return error.kind === 'rate-limited' ? outcomeOfCall(error) : failed(error);
  }
}

/** Without the name of the call: an outage is not about a single call. */
const failed = ({ kind, message, call }: PortingFailure): CallOutcome => ({
  kind: 'failed',
  because: truncate(message.replace(`${call}: `, ''), 200),
  credentials: kind === 'credentials-rejected',
});

// A read of something that may not exist.

/** undefined: the service answered 404. */
export const unlessNotFound = <Result>(reading: Promise<Result>): Promise<Result | undefined> =>
  unless(reading, (error) => error instanceof NotFound);

/** undefined: the service declined the read. The specification names no status for what it does not have. */
export const unlessDeclined = <Result>(reading: Promise<Result>): Promise<Result | undefined> =>
  unless(reading, isDecline);

async function unless<Result>(
  reading: Promise<Result>,
  isExpected: (error: unknown) => boolean,
): Promise<Result | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (isExpected(error)) return undefined;
    throw error;
  }
}
