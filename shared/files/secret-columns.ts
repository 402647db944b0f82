// Decides which columns of a file are secret: from its bytes and from every earlier reading of them, never from what
// the caller claims now (docs/decisions/0002).

import { codeFamily, isCertainlyPac } from '#shared/row/pac.ts';
import type { CsvContents, Delimiter } from './csv/record-batch.ts';
import { createHeaderTest } from './header-words.ts';

/** Names of a column of PACs. */
export const pacAliases = [
  'pac code',
  'pac no',
  'pac number',
  'pac ref',
  'porting authorisation code',
  'porting authorization code',
  'porting auth code',
  'authorisation code',
  'porting code',
  'switching code',
  'rio',
  'rio code',
  'code rio',
  // The columns of update-port.
  'new pac',
  'new rio',
];

/** A column of the user's own that is named after codes: `Old PAC`, `porting_code_2`. */
const namesCode = /(?<![a-z])(?:pac|stac|rio|nutac)(?![a-z])|porting.?(?:code|auth)/i;
const namesDate = /date|day|exp|valid|until|end/i;

export const isNamedForCodes = (title: string): boolean => namesCode.test(title);

/** The columns that one reading called secret, by their places among the file's own columns. */
export interface SecretReading {
  readonly columns: number[];
  readonly delimiter: Delimiter;
  /** The sheet, in a workbook. */
  readonly sheet?: string | undefined;
}

type Place = Pick<CsvContents, 'delimiter' | 'sheet'>;

export interface ReadColumns {
  /** The names of the file's own columns. */
  readonly header: readonly string[];
  /** Canonical column name to the index of its cell. */
  readonly columnIndexes: Readonly<Record<string, number>>;
  /** What earlier readings called secret. */
  readonly earlier?: readonly number[];
}

/** @param samples the first rows of the file */
export function findSecretColumns(
  { header, columnIndexes, earlier = [] }: ReadColumns,
  samples: readonly (readonly string[])[] = [],
): ReadonlySet<number> {
  const called = new Set([...namedPac(header), ...earlier]);
  if (columnIndexes.pac !== undefined) called.add(columnIndexes.pac);
  if (called.size > 0) return called;
  return new Set(header.keys().filter((index) => !namesReference(header[index] ?? '') && hasCodes(samples, index)));
}

const isPac = createHeaderTest([{ name: 'pac', aliases: pacAliases }]);
const namedPac = (header: readonly string[]) => header.keys().filter((index) => isPac([header[index] ?? '']));

/** The columns that no mapping may call anything else: their values would leave the file. */
export const findKeptColumns = ({ header, earlier = [] }: ReadColumns): ReadonlySet<number> =>
  new Set([
    ...namedPac(header),
    ...earlier,
    ...header.keys().filter((index) => isNamedForCodes(header[index] ?? '') && !namesDate.test(header[index] ?? '')),
  ]);

/** The places that earlier readings of this file called secret, where it is read like this. */
export function secretPlaces(readings: readonly SecretReading[], { delimiter, sheet }: Place, width: number): number[] {
  const ofSheet = readings.filter((reading) => reading.sheet === sheet);
  const alike = ofSheet.filter((reading) => reading.delimiter === delimiter);
  // Its columns are others with another separator: each of them may have the codes.
  if (alike.length === 0 && ofSheet.length > 0) return Array.from({ length: width }, (_, index) => index);
  return alike.flatMap(({ columns }) => columns);
}

/** The earlier readings with this one. */
export function addReading(
  readings: readonly SecretReading[],
  { delimiter, sheet }: Place,
  secret: Iterable<number>,
): SecretReading[] {
  const isSame = (one: SecretReading) => one.delimiter === delimiter && one.sheet === sheet;
  const before = readings.filter(isSame).flatMap(({ columns }) => columns);
  const columns = [...new Set([...before, ...secret])].sort((one, other) => one - other);
  const others = readings.filter((one) => !isSame(one));
  return columns.length === 0 ? others : [...others, { columns, delimiter, ...(sheet !== undefined && { sheet }) }];
}

const references =
  /(?<![a-z])(?:account|asset|batch|booking|case|client|contract|customer|id|invoice|job|order|po|project|purchase|ref|reference|site|ticket)(?![a-z])/i;

/** By its own name, whatever a mapping calls it. */
export const namesReference = (title: string): boolean => references.test(title.replace(/([a-z])([A-Z])/g, '$1 $2'));

/** Most values of the column have the form of a code. */
function hasCodes(rows: readonly (readonly string[])[], index: number): boolean {
  const values = rows.map((cells) => cells[index] ?? '').filter((cell) => cell.trim() !== '');
  return 2 * values.filter((value) => isCertainlyPac(value) && codeFamily(value) !== undefined).length > values.length;
}
