// Reads the body of a declined call. The spec shows no format, so the common ones are understood:
// `{message, errors: [{field, message}]}`, `{error}`, `{title, detail, errors: {field: [text]}}`, plain text.
import * as z from 'zod/mini';
import { parseJson } from '#shared/domain/text/parse-json.ts';
import type { DeclineDetails, FieldError } from '#shared/service/errors.ts';
import { serviceText } from '#shared/service/service-texts.ts';

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

export const isWebPage = (text: string): boolean => /^\s*</.test(text);

/**
 * Whether an error can be the service's own answer: JSON with a message. Pages, plain text and empty bodies come from
 * gateways, after which the outcome is unknown.
 */
export function isOwnErrorShape(text: string): boolean {
  const json = parseJson(text);
  return json !== undefined && readText(text).message.trim() !== '';
}

/** Of one answer; a request has at most a hundred rows. */
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
