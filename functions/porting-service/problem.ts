// The one shape of every error answer the spec does not show: {"message", "errors": [{"field", "message"}]}.
import * as z from 'zod';

export const problemBody = z.object({
  message: z.string().meta({ description: 'What is wrong, in a sentence.' }),
  errors: z
    .array(z.object({ field: z.string(), message: z.string() }))
    .meta({ description: 'Each finding with the place in the request it is about, e.g. `rows[3].msisdn`.' }),
});

export interface FieldError {
  readonly field: string;
  readonly message: string;
  /** True where the request is well formed but the state of the service forbids it. */
  readonly conflict?: boolean;
}

/** Thrown by a route to end the request with an error answer. `message` never repeats a PAC or a secret. */
export class Problem extends Error {
  override readonly name = 'Problem';
  readonly status: number;
  readonly errors: readonly FieldError[];

  constructor(status: number, message: string, errors: readonly FieldError[] = []) {
    super(message);
    this.status = status;
    this.errors = errors;
  }
}

/** 409 where all that is wrong is a conflict, 422 otherwise. The first finding is the message, so that logs tell it. */
export function problemOf(errors: readonly FieldError[]): Problem {
  const first = errors[0]?.message ?? 'The request is not valid.';
  const message = errors.length > 1 ? `${first} (and ${errors.length - 1} more)` : first;
  return new Problem(errors.every(({ conflict }) => conflict === true) ? 409 : 422, message, errors);
}

const fieldOf = (path: readonly PropertyKey[]): string =>
  path.reduce<string>((text, key) => {
    if (typeof key === 'number') return `${text}[${key}]`;
    return text === '' ? String(key) : `${text}.${String(key)}`;
  }, '');

/** A request that does not have the documented form: 400 with every place that is wrong. */
export function malformed(error: z.core.$ZodError, where: string): Problem {
  const errors = error.issues.map(({ path, message }) => ({ field: fieldOf(path) || where, message }));
  const first = errors[0];
  return new Problem(400, first ? `${first.field}: ${first.message}` : `The ${where} is not valid.`, errors);
}

export const problemResponse = ({ status, message, errors }: Problem): Response =>
  Response.json(
    { message, errors: errors.map(({ field, message: text }) => ({ field, message: text })) },
    { status, headers: { 'content-type': 'application/json;charset=UTF-8' } },
  );
