// Reads what the service says when it refuses. The spec shows no format, so the usual ones are understood:
// `{message, errors: [{field, message}]}`, `{error}`, `{title, detail, errors: {field: [text]}}`, a bare text.
import * as z from 'zod/mini';
import { redactText } from '#shared/domain/redact.ts';
import type { FieldError, Refusal } from './errors.ts';

const fieldErrors = z.union([
  z.array(z.looseObject({ field: z.catch(z.string(), ''), message: z.string() })),
  z.pipe(
    z.record(z.string(), z.array(z.string())),
    z.transform((byField) =>
      Object.entries(byField).flatMap(([field, messages]) => messages.map((message) => ({ field, message }))),
    ),
  ),
]);

const problem = z.looseObject({
  message: z.catch(z.optional(z.string()), undefined),
  detail: z.catch(z.optional(z.string()), undefined),
  error: z.catch(z.optional(z.string()), undefined),
  title: z.catch(z.optional(z.string()), undefined),
  errors: z.catch(fieldErrors, []),
});

/** Never fails: an answer that cannot be read is refused "without a word". Everything in the result is redacted. */
export function readRefusal(text: string): Refusal {
  const { message, fields } = wordsOf(text);
  const words = [message, ...fields.map((error) => error.message)].join('\n');
  return {
    message: redactText(message).trim() || 'refused without a word',
    fieldErrors: fields.map((error) => ({ field: redactText(error.field), message: redactText(error.message) })),
    msisdns: msisdnsIn(words),
    serialNumbers: serialNumbersIn(words),
  };
}

function wordsOf(text: string): { message: string; fields: FieldError[] } {
  const json = jsonOf(text);
  if (typeof json === 'string') return { message: json, fields: [] };
  const read = problem.safeParse(json);
  // A page made for browsers is no message: its status has to speak.
  if (!read.success) return { message: /^\s*</.test(text) || json !== undefined ? '' : text, fields: [] };
  const { message, detail, error, title, errors } = read.data;
  const fields = errors.map((item) => ({ field: item.field, message: item.message }));
  return { message: message ?? detail ?? error ?? title ?? fields[0]?.message ?? '', fields };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** A phone number has 10 to 15 digits, standing alone: it must not be cut out of a SIM's serial or of a guid. */
function msisdnsIn(text: string): string[] {
  return [...new Set(text.match(/(?<![\w+-])\+?\d{10,15}(?![\w-])/g) ?? [])];
}

/** A SIM's serial has 19 or 20 digits from 89. */
function serialNumbersIn(text: string): string[] {
  return [...new Set(text.match(/(?<![\w+-])89\d{17,18}(?![\w-])/g) ?? [])];
}
