// What an exchange means for the caller: an answer, or one of the failures of errors.ts.
import * as z from 'zod/mini';
import { parseJson } from '#shared/text/stored-values.ts';
import {
  Ambiguous,
  type CallDetails,
  Conflict,
  ContractBroken,
  type DeclineDetails,
  type FieldError,
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

// Reads the body of a declined call. The spec shows no format, so the common ones are understood:
// `{message, errors: [{field, message}]}`, `{error}`, `{title, detail, errors: {field: [text]}}`, plain text.

/** `value` where the input does not match; `z.catch` would add 6 KB to the published client. */
const orElse = <Schema extends z.ZodMiniType, Value>(schema: Schema, value: Value) =>
  z.transform((input: unknown): z.output<Schema> | Value => {
    const parsed = schema.safeParse(input);
    return parsed.success ? parsed.data : value;
  });
const textIfAny = orElse(z.optional(z.string()), undefined);

const fieldErrors = z.union([
  z.array(z.looseObject({ field: orElse(z.string(), ''), message: z.string() })),
  z.pipe(
    z.record(z.string(), z.array(z.string())),
    z.transform((byField) =>
      Object.entries(byField).flatMap(([field, messages]) => messages.map((message) => ({ field, message }))),
    ),
  ),
]);

const problem = z.looseObject({
  message: textIfAny,
  detail: textIfAny,
  error: textIfAny,
  title: textIfAny,
  errors: orElse(fieldErrors, []),
});

const isWebPage = (text: string): boolean => /^\s*</.test(text);

/**
 * Whether an error can be the service's own answer: JSON with a message. Pages, plain text and empty bodies come from
 * gateways, after which the outcome is unknown.
 */
function isOwnErrorShape(text: string): boolean {
  const json = parseJson(text);
  return json !== undefined && readText(text).message.trim() !== '';
}

/** Field errors that are read in one answer; a request has at most a hundred rows. */
const mostFields = 1_000;

/**
 * Never fails: an unreadable body is "declined without a message". Everything in the result is redacted.
 * @param codes the porting codes of the call
 */
export function readDecline(text: string, codes: readonly string[] = []): DeclineDetails {
  const { message, fields } = readText(text);
  const all = [message, ...fields.map((error) => error.message)].join('\n');
  return {
    message: serviceText(message, codes).trim() || 'declined without a message',
    fieldErrors: fields.map((error) => ({
      field: serviceText(error.field, codes),
      message: serviceText(error.message, codes),
    })),
    msisdns: msisdnsIn(all),
    serialNumbers: serialNumbersIn(all),
  };
}

function readText(text: string): { message: string; fields: FieldError[] } {
  const json = parseJson(text);
  if (typeof json === 'string') return { message: json, fields: [] };
  const read = problem.safeParse(json);
  // A web page is not a message.
  if (!read.success) return { message: isWebPage(text) || json !== undefined ? '' : text, fields: [] };
  const { message, detail, error, title, errors } = read.data;
  const fields = errors.slice(0, mostFields).map((item) => ({ field: item.field, message: item.message }));
  return { message: message ?? detail ?? error ?? title ?? fields[0]?.message ?? '', fields };
}

/** A phone number has 10 to 15 digits; digits inside a SIM serial or a guid are no phone number. */
function msisdnsIn(text: string): string[] {
  return [...new Set(text.match(/(?<![\w+-])\+?\d{10,15}(?![\w-])/g) ?? [])];
}

/** A SIM serial has 19 or 20 digits and starts with 89. */
function serialNumbersIn(text: string): string[] {
  return [...new Set(text.match(/(?<![\w+-])89\d{17,18}(?![\w-])/g) ?? [])];
}
