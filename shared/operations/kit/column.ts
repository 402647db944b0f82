// How the columns of an operation are declared.
import type { Column } from '#shared/operations/operation.ts';

type ColumnText = Pick<Column, 'help' | 'example'>;

/** By default a column is optional, validated row by row and without aliases. */
export const column = (name: string, rest: ColumnText & Partial<Omit<Column, 'name'>>): Column => ({
  name,
  aliases: [],
  required: false,
  repeats: false,
  ...rest,
});

/** A column that is validated once for each distinct combination of texts, not row by row. */
export const repeatingColumn = (name: string, rest: Parameters<typeof column>[1]): Column =>
  column(name, { ...rest, repeats: true });

/** Names of a column with a number. */
export const msisdnAliases = [
  'mobile number',
  'mobile',
  'mobile no',
  'phone number',
  'phone',
  'phone no',
  'number',
  'telephone number',
  'telephone',
  'telephone no',
  'tel',
  'ctn',
  'msisdns',
  'cli',
];

/** Names of a column with the serial of a SIM. */
export const simAliases = [
  'iccid',
  'icc',
  'sim',
  'sim number',
  'sim no',
  'sim serial',
  'sim serial number',
  'sim serial no',
  'serial',
  'iccid number',
  'sim iccid',
  'sim card',
  'sim card number',
  'sim card no',
  'sim id',
  'new sim',
  'new sim number',
  'new sim serial',
  'ssn',
  'sim ssn',
];

/** A value of the user that every operation copies into the results. */
export const referenceColumn: Column = column('reference', {
  aliases: ['your reference', 'customer reference'],
  help: 'Your own reference. It is copied into the results.',
  example: 'Order 4711',
  isVerbatim: true,
});
