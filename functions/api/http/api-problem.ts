// A problem as an error: a route throws it, and the app returns it as application/problem+json.
import { type ProblemCode, problems, problemType } from '#shared/api/problem.ts';

export interface FieldError {
  readonly field: string;
  readonly message: string;
}

interface ProblemOptions {
  readonly errors?: readonly FieldError[];
  readonly changed?: Readonly<Record<string, unknown>>;
  readonly retryAfterSeconds?: number;
}

/** `detail` explains what happened and what to do. It never contains a PAC or a secret. */
export class ApiProblem extends Error {
  override readonly name = 'ApiProblem';
  readonly code: ProblemCode;
  readonly options: ProblemOptions;

  constructor(code: ProblemCode, detail: string, options: ProblemOptions = {}) {
    super(detail);
    this.code = code;
    this.options = options;
  }
}

export function problemResponse({ code, message, options }: ApiProblem): Response {
  const { status, title } = problems[code];
  const { errors, changed, retryAfterSeconds } = options;
  const body = { type: `urn:simporter:problem:${code}`, title, status, detail: message, code, errors, changed };
  const headers = {
    'content-type': problemType,
    ...(retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) }),
  };
  return new Response(JSON.stringify(body), { status, headers });
}

export const notFound = (detail: string): ApiProblem => new ApiProblem('not-found', detail);
