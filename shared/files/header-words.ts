// Splits the name of a column into words, however it is written, recognises a header by them, and names columns in a
// mapping.
import { isValue } from './column-values.ts';
import { columnLetters, columnOf } from './csv/csv-row.ts';

/** Case, spaces, underscores, hyphens and the like do not distinguish names. */
export const normalizeName = (name: string): string =>
  name
    .normalize('NFC')
    .toLowerCase()
    .replace(/[\s_\-./#()[\]:*?]+/g, '');

/**
 * How to fill in a column: `(Y/N)`, `(DD/MM/YYYY)`, `(separate with ;)`. A header may be long, so no part of it is
 * searched twice: nothing optional comes first, and what repeats has an end.
 */
const hint =
  /[([](?:y\/?n|yes ?(?:\/|or) ?no|true ?(?:\/|or) ?false|[dmy/.\- ]{5,12}|separate[^()[\]]{0,80}|optional|required|mandatory)[)\]]/gi;

/** The name in a header, without how to fill the column in. */
export const withoutHint = (cell: string): string => cell.replace(hint, '').trim();

/** `boltOns` and `Bolt-Ons` have the same words; so has the singular. */
export const wordsOf = (text: string): string =>
  text
    .replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .map((word) => word.replace(/s$/, ''))
    .join(' ')
    .trim();

/** `2:Port date` */
export const byPlace = /^([1-9]\d*):(.+)$/;

/** `column K`, which has no name. */
const byLetters = /^column ([a-z]{1,3})$/i;

export type FindCells = (written: string) => readonly number[];

/** Finds the cells with a name, the one at a place among them, or the one without a name in a column. */
export function createFindCells(cells: readonly string[]): FindCells {
  const named = Map.groupBy(cells.keys(), (index) => normalizeName(cells[index] ?? ''));
  return (written) => {
    const all = named.get(normalizeName(written));
    if (all !== undefined) return all;
    const [, place, name = ''] = byPlace.exec(written) ?? [];
    const [, letters = ''] = byLetters.exec(written) ?? [];
    const lettered = columnOf(letters.toUpperCase()) - 1;
    if (cells[lettered]?.trim() === '') return [lettered];
    return (named.get(normalizeName(name)) ?? []).slice(Number(place) - 1, Number(place));
  };
}

/**
 * How `mapping` names each cell: `2:Port date` where an earlier one has its name, and by its letters without one.
 * @param places their indexes in the file. @default - the header has all of its columns
 */
export function distinctNamesForMap(cells: readonly string[], places?: readonly number[]): string[] {
  const counts = new Map<string, number>();
  return cells.map((cell, index) => {
    if (cell.trim() === '') return `column ${columnLetters(places?.[index] ?? index)}`;
    const place = (counts.get(normalizeName(cell)) ?? 0) + 1;
    counts.set(normalizeName(cell), place);
    return place === 1 ? cell.trim() : `${place}:${cell.trim()}`;
  });
}

interface NamedColumn {
  readonly name: string;
  readonly aliases?: readonly string[];
  readonly required?: boolean;
  readonly valueKind?: string;
}

interface ComparedName {
  readonly normalized: string;
  /** As `wordsOf` has them. */
  readonly words: string;
}

const compared = new WeakMap<NamedColumn, readonly ComparedName[]>();

/** The name of a column and its aliases. They never change, and every cell of a header is compared with all of them. */
export function comparedNames(column: NamedColumn): readonly ComparedName[] {
  const known = compared.get(column);
  if (known !== undefined) return known;
  const all = [column.name, ...(column.aliases ?? [])];
  const names = all.map((one) => ({ normalized: normalizeName(one), words: wordsOf(one) }));
  compared.set(column, names);
  return names;
}

export function canonicalNames(columns: readonly NamedColumn[]): ReadonlyMap<string, string> {
  return new Map(
    columns.flatMap((column) => comparedNames(column).map(({ normalized }) => [normalized, column.name] as const)),
  );
}

/** The column that a cell names, also with a hint, or with several names of one column: `Bolt Ons / Add Ons`. */
export function nameOf(cell: string, canonical: ReadonlyMap<string, string>): string | undefined {
  const bare = withoutHint(cell);
  const [first, ...others] = bare.split(/\/|\bor\b/i).map((part) => canonical.get(normalizeName(part)));
  return canonical.get(normalizeName(bare)) ?? (others.every((other) => other === first) ? first : undefined);
}

/**
 * Recognises a header: it names two columns, or the only required one. Title rows and rows with data name none.
 */
export function createHeaderTest(
  columns: readonly NamedColumn[],
  mapping: Readonly<Record<string, string>> = {},
): (cells: readonly string[]) => boolean {
  const canonical = canonicalNames(columns);
  const mapped = new Map(
    Object.entries(mapping).map(([name, column]) => [
      normalizeName(name.replace(byPlace, '$2')),
      normalizeName(column),
    ]),
  );
  const enough = Math.min(2, Math.max(1, columns.filter(({ required = false }) => required).length));
  return (cells) => {
    const known = cells.flatMap((cell) => {
      const target = mapped.get(normalizeName(cell));
      return (target === undefined ? nameOf(cell, canonical) : canonical.get(target)) ?? [];
    });
    return new Set(known).size >= enough;
  };
}

/** `same`: the header of the file again. `other`: one with other columns, or with its columns in another order. */
export type FindHeader = (cells: readonly string[]) => 'same' | 'other' | undefined;

/**
 * Recognises a further header among the invalid rows of a file: a row without a number, SIM, PAC or id of a port that
 * has names of columns. One name is enough if it is that of numbers, SIMs, PACs or ports and no cell has a digit.
 */
export function createSecondHeaderTest(
  header: readonly string[],
  columns: readonly NamedColumn[],
  mapping: Readonly<Record<string, string>> = {},
): FindHeader {
  const canonical = canonicalNames(columns);
  const isOwn = new Set([...header, ...Object.keys(mapping)].map(normalizeName).filter((name) => name !== ''));
  const subjects = new Set(columns.flatMap(({ name, valueKind }) => (valueKind === undefined ? [] : name)));
  const names = joinedNames(header);
  return (cells) => {
    const texts = cells.map((cell) => cell.trim()).filter((cell) => cell !== '');
    if (texts.length === 0 || texts.some(isValue)) return undefined;
    if (joinedNames(cells) === names) return 'same';
    const known = texts.filter((text) => isOwn.has(normalizeName(text)) || nameOf(text, canonical) !== undefined);
    const isSubject = known.some((text) => subjects.has(nameOf(text, canonical) ?? ''));
    const areNames = isSubject && texts.length > 1 && !texts.some((text) => /\d/.test(text));
    return areNames || (known.length > 1 && 2 * known.length >= texts.length) ? 'other' : undefined;
  };
}

const joinedNames = (cells: readonly string[]): string => cells.map(normalizeName).join('\n').trimEnd();
