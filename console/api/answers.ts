// What the API answers: the shapes, and what a failed call means.
import type * as z from 'zod';
import type { AnswerOf, EndpointName } from '#functions/api/contract.ts';
import type { ProblemCode, problemBody } from '#shared/api/problem.ts';

/** Names of what the API answers. */
export type Answer<Name extends EndpointName> = Exclude<AnswerOf<Name>, undefined>;

/** How files with a certain header are read. */
export type Saved = Answer<'listSavedSettings'>['saved'][number];
export type ImportDetails = Answer<'getImport'>;
export type ImportRow = Answer<'listRows'>['rows'][number];
export type Action = Answer<'listActions'>['actions'][number];
export type ImportSummary = Answer<'listImports'>['imports'][number];
export type ProblemBody = z.infer<typeof problemBody>;

type FileName = Answer<'listFiles'>['files'][number]['name'];
/** `results.csv` has the content `results` in the format `csv`. */
export type FileContent<Name = FileName> = Name extends `${infer Content}.${string}` ? Content : never;
export type FileFormat<Name = FileName> = Name extends `${string}.${infer Format}` ? Format : never;

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
    super('simporter does not answer', { cause });
    this.name = 'ApiUnavailable';
    this.status = status;
  }
}

export const isProblem = (error: unknown, code: ProblemCode): error is Problem =>
  error instanceof Problem && error.code === code;

/** The same call may succeed a moment later. */
export const isTemporary = (error: unknown): boolean =>
  error instanceof ApiUnavailable || (error instanceof Problem && (error.status === 429 || error.status >= 500));
