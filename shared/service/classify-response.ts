// What an exchange means for the caller: an answer, or one of the failures of errors.ts.
import { isOwnErrorShape, isWebPage, readDecline } from '#shared/porting/decline.ts';
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
import type { Answered, HttpRequest, Outcome } from './http-exchange.ts';
import { retryAfterMs, type StatusMeaning, statusRule } from './retry-policy.ts';
import { codesIn, serviceText } from './service-texts.ts';

export interface CallName {
  readonly method: HttpRequest['method'];
  readonly path: string;
  /** The porting codes that were sent: no failure repeats them. */
  readonly codes?: readonly string[] | undefined;
}

/** A 2xx answer, its text not parsed yet. */
export interface Reply {
  readonly name: CallName;
  readonly answer: Answered;
}

/**
 * The 2xx answer of `outcome`; throws a failure for every other outcome. `now` is in epoch milliseconds, for
 * `Retry-After`. The sender handles a 401 itself; here it counts as declined.
 */
export function classifyResponse(name: CallName, outcome: Outcome, now: number): Reply {
  if (outcome.kind !== 'answered') {
    const details = { call: nameOfCall(name), status: outcome.status, cause: outcome.cause };
    if (outcome.kind === 'not-sent') throw new NotSent(outcome.reason, details);
    throw isRead(name) ? new Unavailable(outcome.reason, details) : new Ambiguous(outcome.reason, details);
  }
  const meaning = statusRule(outcome.status)[isRead(name) ? 'read' : 'change'];
  if (meaning === 'ok') return { name, answer: outcome };
  if (meaning === 'declined') checkShape(name, outcome);
  throw failureOf(meaning, outcome, name, now);
}

/** A 2xx answer that is not what the spec describes: the outcome of a change is then unknown. */
export function unreadable({ name, answer }: Reply, reason: string, cause?: unknown): Ambiguous | ContractBroken {
  const details = { ...detailsOf(name, answer), cause };
  const message = `answered ${answer.status}, but ${reason}`;
  return isRead(name) ? new ContractBroken(message, details) : new Ambiguous(message, details);
}

/** A read changes nothing, so only web pages are treated as answers of a gateway. */
function checkShape(name: CallName, answer: Answered): void {
  const message = `answered ${answer.status} without an error of the service`;
  if (!isRead(name) && !isOwnErrorShape(answer.text)) throw new Ambiguous(message, detailsOf(name, answer));
  if (isRead(name) && isWebPage(answer.text)) throw new ContractBroken(message, detailsOf(name, answer));
}

const isRead = ({ method }: CallName): boolean => method === 'GET';

function failureOf(
  meaning: Exclude<StatusMeaning, 'ok'>,
  answer: Answered,
  name: CallName,
  now: number,
): PortingFailure {
  const { status, headers, text } = answer;
  const details = detailsOf(name, answer);
  const message =
    status >= 300 && status < 400 ? `answered ${status}: a redirect is not followed` : `answered ${status}`;
  const waitMs = retryAfterMs(headers.get('retry-after'), now);
  switch (meaning) {
    case 'rate-limited':
      return new RateLimited(waitMs, details);
    case 'unavailable':
      return new Unavailable(message, details, waitMs);
    case 'ambiguous':
      return new Ambiguous(message, details);
    case 'contract-broken':
      return new ContractBroken(message, details);
    case 'declined': {
      const Failure = status === 404 ? NotFound : status === 409 ? Conflict : Rejected;
      return new Failure(readDecline(text, name.codes), details);
    }
  }
}

const requestIdHeaders = ['x-request-id', 'x-correlation-id', 'request-id', 'x-amzn-requestid', 'apigw-requestid'];

/** What an error keeps of an answer: the status, the service's request id, and the redacted start of the body. */
export function detailsOf(name: CallName, { status, headers, text }: Answered): CallDetails {
  const codes = [...(name.codes ?? []), ...codesIn(text)];
  const requestId = requestIdHeaders.map((header) => headers.get(header)).find((id) => id !== null);
  return { call: nameOfCall(name), status, requestId: requestId?.slice(0, 100), body: serviceText(text, codes) };
}

/** `POST /api/porting/1001`: without the query. */
export const nameOfCall = ({ method, path }: CallName): string => `${method} ${path.replace(/\?.*$/s, '')}`;
