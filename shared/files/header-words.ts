// The words of a column name, however it is written, and how a mapping names a column.
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
