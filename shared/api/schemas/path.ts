// Parts of a path: the id of an import, whole numbers.
import * as z from 'zod';

/** The id of an import: a short lower-case text. */
export const importIdText = z.string().regex(/^[a-z0-9]{16}$/, 'expected the id of an import');
export const importPath = z.object({ importId: importIdText });

/** A whole number in a path or a query. */
export const numberText = z
  .string()
  .regex(/^\d{1,9}$/, 'expected a whole number')
  .transform(Number);
