// Pages of a list, by cursor.
import * as z from 'zod';
import { numberText } from './path.ts';

export const maxPageSize = 500;
/** `limit` and `cursor` of every list. A cursor is opaque: pass on `nextCursor` of the page before. */
export const pageQuery = z.object({
  limit: numberText.refine((size) => size >= 1 && size <= maxPageSize, `expected 1 to ${maxPageSize}`).optional(),
  cursor: z.string().min(1).max(1_000).optional(),
});

/** Null on the last page. A page may be empty and still have a next one: that much was searched without a match. */
export const nextCursor = z.string().nullable();
