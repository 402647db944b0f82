// The one shape of every error answer: application/problem+json (RFC 9457) with a code for programs.
import * as z from 'zod';

export const problemType = 'application/problem+json';

/** Each code has one HTTP status and one title. docs/reference/api.md explains them. */
export const problems = {
  'invalid-request': { status: 400, title: 'The request does not have the documented form' },
  'invalid-cursor': { status: 400, title: 'The cursor is not one of this list' },
  'idempotency-key-required': { status: 400, title: 'A write needs an Idempotency-Key' },
  'not-signed-in': { status: 401, title: 'A valid token is required' },
  'role-required': { status: 403, title: 'Your role does not allow this' },
  'foreign-origin': { status: 403, title: 'The request comes from another origin' },
  'second-person-required': { status: 403, title: 'A second person must approve' },
  'not-found': { status: 404, title: 'There is no such thing here' },
  'method-not-allowed': { status: 405, title: 'The address does not take this method' },
  'plan-changed': { status: 409, title: 'The plan is not the one that you saw' },
  'state-changed': { status: 409, title: 'Its state does not allow this any more' },
  'line-not-unique': { status: 409, title: 'Several rows have this line' },
  'upload-incomplete': { status: 409, title: 'The file has not arrived completely' },
  'request-in-progress': { status: 409, title: 'The same request is in progress' },
  'file-expired': { status: 410, title: 'The file has expired' },
  'body-too-large': { status: 413, title: 'The body is too large' },
  'unsupported-content': { status: 415, title: 'The body must be application/json' },
  'idempotency-key-reused': { status: 422, title: 'The Idempotency-Key belongs to another request' },
  'file-too-large': { status: 422, title: 'The file is too large' },
  'answer-too-large': { status: 422, title: 'The answer is too large' },
  'unknown-column': { status: 422, title: 'The operation has no such column' },
  'too-many-requests': { status: 429, title: 'Too many requests' },
  'internal-error': { status: 500, title: 'simporter failed' },
  'not-ready': { status: 503, title: 'This is not available yet' },
  busy: { status: 409, title: 'Another command is in progress' },
} as const;
export type ProblemCode = keyof typeof problems;

export const problemCodes = Object.keys(problems) as [ProblemCode, ...ProblemCode[]];

export const problemBody = z.object({
  /** `urn:simporter:problem:CODE` */
  type: z.string(),
  title: z.string(),
  status: z.int(),
  /** What happened and what to do, in one or two sentences. */
  detail: z.string(),
  code: z.enum(problemCodes),
  /** Every finding with its place in the request, such as `rows[3].line`. */
  errors: z.array(z.object({ field: z.string(), message: z.string() })).optional(),
  /** What differs from what the caller saw: the present value of each member. */
  changed: z.record(z.string(), z.unknown()).optional(),
});
