// Pieces that many routes share: counts, ids, pages, actors.
import * as z from 'zod';

export const count = z.int().nonnegative();
/** Counted from 1: a line, a request. */
export const ordinal = z.int().positive();
export const instant = z.iso.datetime();

/** The id of an import: a short lower-case text. */
export const importIdText = z.string().regex(/^[a-z0-9]{16}$/, 'expected the id of an import');
export const importPath = z.object({ importId: importIdText });

/** A whole number in a path or a query. */
export const numberText = z
  .string()
  .regex(/^\d{1,9}$/, 'expected a whole number')
  .transform(Number);

export const maxPageSize = 500;
/** `limit` and `cursor` of every list. A cursor is opaque: pass on `nextCursor` of the page before. */
export const pageQuery = z.object({
  limit: numberText.refine((size) => size >= 1 && size <= maxPageSize, `expected 1 to ${maxPageSize}`).optional(),
  cursor: z.string().min(1).max(1_000).optional(),
});

/** Null on the last page. A page may be empty and still have a next one: that much was searched without a match. */
export const nextCursor = z.string().nullable();

/** Why a person does something; it is recorded and shown. */
export const because = z.string().max(200).optional();

/** Who did something. `isVerified`: proven by a token or by AWS, not only claimed. */
export const actor = z.object({ by: z.string(), isVerified: z.boolean() });
