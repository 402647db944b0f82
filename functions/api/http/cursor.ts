// Cursors: opaque texts for where the next page begins.
import type * as z from 'zod';
import { parseJson } from '#shared/domain/text/parse-json.ts';
import { ApiProblem } from './api-problem.ts';

export const encodeCursor = (position: unknown): string => Buffer.from(JSON.stringify(position)).toString('base64url');

/** undefined: the first page. @throws ApiProblem for a text that is not a cursor of this list */
export function decodeCursor<Schema extends z.ZodType>(
  schema: Schema,
  cursor: string | undefined,
): z.output<Schema> | undefined {
  if (cursor === undefined) return undefined;
  const parsed = schema.safeParse(parseJson(Buffer.from(cursor, 'base64url').toString('utf8')));
  if (parsed.success) return parsed.data;
  throw new ApiProblem('invalid-cursor', 'Pass on the nextCursor of the page before, or none for the first page.');
}
