// What an exchange means for the caller: an answer, or one error of the closed family. Pure, and the only place that knows.
import { redactText } from '#shared/domain/redact.ts';
import {
  Ambiguous,
  type CallDetails,
  Conflict,
  ContractBroken,
  NotFound,
  NotSent,
  type PortingFailure,
  RateLimited,
  Rejected,
  Unavailable,
} from './errors.ts';
import type { Answered, HttpRequest, Outcome } from './exchange.ts';
import { readRefusal } from './refusal.ts';
import { retryAfterMs } from './retry.ts';

export interface CallName {
  readonly method: HttpRequest['method'];
  readonly path: string;
}

/** An answer of the 2xx kind, its text not yet parsed. */
export interface Reply {
  readonly name: CallName;
  readonly answer: Answered;
}

/**
 * The 2xx answer of `outcome`; every other outcome is thrown. `now` is in epoch milliseconds, for `Retry-After`.
 * A 401 is the sender's to handle and counts as a refusal here.
 */
export function judge(name: CallName, outcome: Outcome, now: number): Reply {
  if (outcome.kind !== 'answered') {
    const details = { call: nameOfCall(name), status: outcome.status, cause: outcome.cause };
    throw outcome.kind === 'not-sent' ? new NotSent(outcome.reason, details) : lost(name, outcome.reason, details);
  }
  if (outcome.status >= 200 && outcome.status < 300) return { name, answer: outcome };
  throw failureOf(name, outcome, now);
}

/** A 2xx whose text is not what the spec describes: for a change that means nobody knows what was done. */
export function unreadable({ name, answer }: Reply, reason: string, cause?: unknown): Ambiguous | ContractBroken {
  const details = { ...detailsOf(name, answer), cause };
  const message = `answered ${answer.status}, but ${reason}`;
  return name.method === 'GET' ? new ContractBroken(message, details) : new Ambiguous(message, details);
}

function failureOf(name: CallName, answer: Answered, now: number): PortingFailure {
  const { status, headers, text } = answer;
  const details = detailsOf(name, answer);
  const waitMs = retryAfterMs(headers.get('retry-after'), now);
  if (status >= 300 && status < 400) {
    const message = `answered ${status}: a redirect, which is not followed`;
    return name.method === 'GET' ? new ContractBroken(message, details) : new Ambiguous(message, details);
  }
  if (status === 429) return new RateLimited(waitMs, details);
  if (isUncertain(status)) return lost(name, `answered ${status}`, details, waitMs);
  const refusal = readRefusal(text);
  if (status === 404) return new NotFound(refusal, details);
  if (status === 409) return new Conflict(refusal, details);
  return new Rejected(refusal, details);
}

/** A gateway that gave up waiting says 408 or 499, and the service behind it may still have done the work. */
const isUncertain = (status: number): boolean => status < 200 || status >= 500 || status === 408 || status === 499;

function lost(name: CallName, reason: string, details: CallDetails, waitMs = 0): PortingFailure {
  return name.method === 'GET' ? new Unavailable(reason, details, waitMs) : new Ambiguous(reason, details);
}

const requestIdHeaders = ['x-request-id', 'x-correlation-id', 'request-id', 'x-amzn-requestid', 'apigw-requestid'];

/** What an error keeps of an answer: status, the service's id of it, and the redacted start of the body. */
export function detailsOf(name: CallName, { status, headers, text }: Answered): CallDetails {
  const requestId = requestIdHeaders.map((header) => headers.get(header)).find((id) => id !== null);
  return { call: nameOfCall(name), status, requestId: requestId?.slice(0, 100), body: redactText(text) };
}

/** `POST /api/porting/1001`: without the query. */
export const nameOfCall = ({ method, path }: CallName): string => `${method} ${path.replace(/\?.*$/s, '')}`;
