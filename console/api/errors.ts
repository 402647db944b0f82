// What a call can fail with.
import type { ProblemCode } from '#shared/api/problem.ts';
import { strings } from '../strings.ts';
import type { ProblemBody } from './types.ts';

/** The API answered with an error. */
export class Problem extends Error {
  readonly code: ProblemCode;
  readonly status: number;
  readonly title: string;
  readonly changed: Readonly<Record<string, unknown>>;

  constructor({ code, status, title, detail, changed = {} }: ProblemBody) {
    super(detail);
    this.name = 'Problem';
    this.code = code;
    this.status = status;
    this.title = title;
    this.changed = changed;
  }
}

/** The API did not answer, or something before it answered in its place. */
export class ApiUnavailable extends Error {
  readonly status: number | undefined;

  constructor({ status, cause }: { readonly status?: number; readonly cause?: unknown }) {
    super(strings.session.unavailable.title, { cause });
    this.name = 'ApiUnavailable';
    this.status = status;
  }
}

export const isProblem = (error: unknown, code: ProblemCode): error is Problem =>
  error instanceof Problem && error.code === code;

/** The same call may succeed a moment later. */
export const isTemporary = (error: unknown): boolean =>
  error instanceof ApiUnavailable || (error instanceof Problem && (error.status === 429 || error.status >= 500));
