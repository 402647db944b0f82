// What can go wrong between us and the service: a closed family, one class per thing a caller must do differently.
// A message and a body are redacted before they get here, so an error may be logged and stored as it is (decision 44).

/** The call an error speaks of, for people: `POST /api/porting/1001`. Never holds a query, header or body. */
export interface CallDetails {
  readonly call: string;
  /** HTTP status, where an answer's head was read. */
  readonly status?: number | undefined;
  /** The service's own id of the exchange, where it gave one. */
  readonly requestId?: string | undefined;
  /** The first 500 characters of the answer, redacted. */
  readonly body?: string | undefined;
  readonly cause?: unknown;
}

/** One complaint of the service about one field, as it wrote it (redacted). */
export interface FieldError {
  readonly field: string;
  readonly message: string;
}

/** What the service said when it refused. */
export interface Refusal {
  readonly message: string;
  readonly fieldErrors: readonly FieldError[];
  /** Phone numbers that stand in the message or the field errors, as written there, each once (decision 25). */
  readonly msisdns: readonly string[];
  /** SIM serials that stand there, each once; absent where nobody looked for them. */
  readonly serialNumbers?: readonly string[];
}

export abstract class PortingError extends Error {
  abstract readonly kind: string;
  /** True: the very same call may be made again, at no risk of doing its work twice. */
  abstract readonly retryable: boolean;
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

/** The service read the call and said no: nothing was done, and saying it again changes nothing. */
abstract class Refused extends PortingError {
  readonly retryable = false;
  readonly refusal: Refusal;

  constructor(refusal: Refusal, details: CallDetails) {
    super(refusal.message, details);
    this.refusal = refusal;
  }
}

/** A definite 4xx other than those below; without a status, a body that breaks the contract and was not even sent. */
export class Rejected extends Refused {
  override readonly name = 'Rejected';
  readonly kind = 'rejected';
}

/** 404. */
export class NotFound extends Refused {
  override readonly name = 'NotFound';
  readonly kind = 'not-found';
}

/** 409. */
export class Conflict extends Refused {
  override readonly name = 'Conflict';
  readonly kind = 'conflict';
}

/** 429: nothing was done; `retryAfterMs` is how long the service asked us to wait (capped), 0 where it did not say. */
export class RateLimited extends PortingError {
  override readonly name = 'RateLimited';
  readonly kind = 'rate-limited';
  readonly retryable = true;
  readonly retryAfterMs: number;

  constructor(retryAfterMs: number, details: CallDetails) {
    super('the service asks for fewer calls', details);
    this.retryAfterMs = retryAfterMs;
  }
}

/** The credentials are not accepted, at the token address or by a 401 that a fresh token did not cure: every call will fail. */
export class CredentialsRefused extends PortingError {
  override readonly name = 'CredentialsRefused';
  readonly kind = 'credentials-refused';
  readonly retryable = false;
}

/** Nothing reached the service: no connection, no name, no trusted certificate, or no token to send. */
export class NotSent extends PortingError {
  override readonly name = 'NotSent';
  readonly kind = 'not-sent';
  readonly retryable = true;
}

/** A GET was not answered: a 5xx, a reset, a time-out, a body cut short. `retryAfterMs` is 0 where none was asked for. */
export class Unavailable extends PortingError {
  override readonly name = 'Unavailable';
  readonly kind = 'unavailable';
  readonly retryable = true;
  readonly retryAfterMs: number;

  constructor(message: string, details: CallDetails, retryAfterMs = 0) {
    super(message, details);
    this.retryAfterMs = retryAfterMs;
  }
}

/** A POST, PATCH or DELETE may or may not have been done. Only reading back tells; sending again may do it twice. */
export class Ambiguous extends PortingError {
  override readonly name = 'Ambiguous';
  readonly kind = 'ambiguous';
  readonly retryable = false;
}

/** A GET was answered with something the spec does not describe. */
export class ContractBroken extends PortingError {
  override readonly name = 'ContractBroken';
  readonly kind = 'contract-broken';
  readonly retryable = false;
}

/** The call was not made: the stage holds its calls back, because the service is down, asked for fewer, or the line is long. */
export class HeldBack extends PortingError {
  override readonly name = 'HeldBack';
  readonly kind = 'held-back';
  /** Not at once: after `retryAfterMs`. */
  readonly retryable = false;
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
  | CredentialsRefused
  | NotSent
  | HeldBack
  | Unavailable
  | Ambiguous
  | ContractBroken;

export const isPortingFailure = (error: unknown): error is PortingFailure => error instanceof PortingError;

/** True for an answer that says no for good: `rejected`, `not-found` and `conflict`. */
export const isRefusal = (error: unknown): error is Rejected | NotFound | Conflict => error instanceof Refused;
