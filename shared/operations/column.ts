// How the columns of an operation are written down: what is not said is the usual.
import type { Column } from './operation.ts';

type ColumnText = Pick<Column, 'help' | 'example'>;

/** A column: optional, judged row by row and without aliases unless told otherwise. */
export const column = (name: string, rest: ColumnText & Partial<Omit<Column, 'name'>>): Column => ({
  name,
  aliases: [],
  required: false,
  repeats: false,
  ...rest,
});

/** Anything of the user's own; every operation carries it through. */
export const referenceColumn: Column = column('reference', {
  aliases: ['your reference', 'customer reference'],
  help: 'Anything of yours; it is carried through to the results.',
  example: 'Order 4711',
});
