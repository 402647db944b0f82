// Names of what the API answers.
import type * as z from 'zod';
import type { AnswerOf, EndpointName } from '#functions/api/contract.ts';
import type { problemBody } from '#shared/api/problem.ts';

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
