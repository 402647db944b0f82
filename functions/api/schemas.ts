// Schemas that several endpoints share: parts of paths, pages of lists, columns and findings of rows.
import * as z from 'zod';
import { wholeNumberText } from '#shared/api/endpoint.ts';
import { mayBePortId } from '#shared/port/port.ts';
import { issueAnswer } from '#shared/results/answers.ts';
import { count, isWellFormed, parseJson } from '#shared/text/stored-values.ts';
import { isoTime } from '#shared/text/wording.ts';
import { ApiProblem } from './http/endpoint.ts';
import { bytesInAnswer } from './http/lambda.ts';

/** Every text that a caller writes. */
export const text = (most: number, least = 0) => z.string().min(least).max(most).check(isWellFormed);

/** The id of an import: a short lower-case text. */
export const importIdText = z.string().regex(/^[a-z0-9]{16}$/, 'expected the id of an import');
export const importPath = z.object({ importId: importIdText });

export const requestPath = importPath.extend({
  request: z
    .string()
    .regex(/^[1-9]\d{0,14}$/, 'expected the number of a request')
    .transform(Number),
});

export const portPath = z.object({ portId: text(100, 1).refine(mayBePortId, 'expected the id of a port') });

/** The numbers of requests that are parts have eight digits and more. */
export const numberText = wholeNumberText(15);

/** A time as it is stored: times are compared as texts, in which `10:00:00.5Z` is before `10:00:00Z`. */
export const timeText = z.iso.datetime().transform((time) => isoTime(Date.parse(time)));

export const limitOf = (most: number) =>
  numberText.refine((size) => size >= 1 && size <= most, `expected 1 to ${most}`).optional();

const maxPageSize = 500;
/** `limit` and `cursor` of every list. A cursor is opaque: pass on `nextCursor` of the page before. */
export const pageQuery = z.object({
  limit: limitOf(maxPageSize),
  cursor: text(1_000, 1).optional(),
});

/** Null on the last page. A page may be empty and still have a next one: that much was searched without a match. */
export const nextCursor = z.string().nullable();

/** A third of what Lambda can send. */
export const maxPageBytes = 2 * 1024 * 1024;

/** The first rows, as many as an answer can hold and at least one: cells and messages may be long. */
export function fitPage<Row>(rows: readonly Row[]): Row[] {
  let bytes = 0;
  const end = rows.findIndex((row) => {
    bytes += bytesInAnswer(row);
    return bytes > maxPageBytes;
  });
  return rows.slice(0, end < 0 ? rows.length : Math.max(1, end));
}

export const tally = z.record(z.string(), count);

/** Why a person does something; it is recorded and shown. */
export const because = text(200).optional();

export const rowIssue = issueAnswer.omit({ line: true });

export const fileColumn = z.object({
  /** As the file has it. */
  header: z.string(),
  /** The column of the operation; null for the user's own columns. */
  name: z.string().nullable(),
  /** The service or bolt-on that the column is. */
  option: z.string().nullable(),
  secret: z.boolean(),
});

/** Cells by column name of the operation. */
export const cells = z.record(text(100, 1), text(2_000));

// Cursors: opaque texts for where the next page begins.

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
