// The one shape of every error response that the spec does not show: {"message", "errors": [{"field", "message"}]}.
import * as z from 'zod';
import { type Finding, fieldErrors } from '#shared/api/endpoint.ts';
import type { Choices } from '../choices.ts';

export const problemBody = z.object({
  message: z.string().meta({ description: 'What is wrong, in one sentence.' }),
  errors: z
    .array(z.object({ field: z.string(), message: z.string() }))
    .optional()
    .meta({ description: 'Every finding with its place in the request, for example `rows[3].msisdn`.' }),
});

export interface FieldError {
  readonly field: string;
  readonly message: string;
  /** True if the request is well formed but the state of the service forbids it. */
  readonly conflict?: boolean;
}

interface ProblemOptions {
  readonly errors?: readonly FieldError[];
  readonly retryAfterSeconds?: number;
}

/** Thrown by a route to end the request with an error response. `message` never repeats a PAC or a secret. */
export class Problem extends Error {
  override readonly name = 'Problem';
  readonly status: number;
  readonly errors: readonly FieldError[];
  readonly retryAfterSeconds: number | undefined;

  constructor(status: number, message: string, { errors = [], retryAfterSeconds }: ProblemOptions = {}) {
    super(message);
    this.status = status;
    this.errors = errors;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** 409 if every finding is a conflict, 422 otherwise. The message is the first finding, so that logs show it. */
export function problemOf(errors: readonly FieldError[]): Problem {
  const first = errors[0]?.message ?? 'The request is not valid.';
  const message = errors.length > 1 ? `${first} (and ${errors.length - 1} more)` : first;
  return new Problem(errors.every(({ conflict }) => conflict === true) ? 409 : 422, message, { errors });
}

/** More than the longest request has; a hostile body has a million places. */
const mostErrors = 10_000;

/** 400 that names every place where the request does not have the documented form. */
export function malformedRequest(findings: readonly Finding[], part: string): Problem {
  const errors = fieldErrors(findings.slice(0, mostErrors), part);
  const [first] = errors;
  return new Problem(400, first ? `${first.field}: ${first.message}` : `The ${part} is not valid.`, { errors });
}

/** Another process changes the same thing. The request had no effect and may be repeated. */
export const tryAgain = (message: string): Problem => new Problem(503, message, { retryAfterSeconds: 1 });

type ErrorChoices = Pick<Choices, 'rule-status' | 'error-details'>;

export function problemResponse(problem: Problem, choices: ErrorChoices): Response {
  const { message, retryAfterSeconds } = problem;
  const errors = problem.errors.map(({ field, message: text }) => ({ field, message: text }));
  const status = problem.status === 422 ? Number(choices['rule-status']) : problem.status;
  const headers = {
    'content-type': 'application/json;charset=UTF-8',
    ...(retryAfterSeconds !== undefined && { 'retry-after': String(retryAfterSeconds) }),
  };
  return Response.json({ message, ...(choices['error-details'] === 'fields' && { errors }) }, { status, headers });
}
