// How a cell names an item of the catalogue: by its number or its name. A near miss is suggested, not taken.

import type { CellReader } from '#shared/operations/columns/cell-reader.ts';
import { didYouMean } from '#shared/row/did-you-mean.ts';
import type { IssueCode } from '#shared/row/issue.ts';

/** An item that a cell can name. */
export interface Option {
  readonly number: number;
  readonly name: string;
}

/** What the items are, for the message about a text that names none of them. */
export interface OptionKind {
  readonly column: string;
  readonly code: IssueCode;
  /** `tariff` */
  readonly what: string;
  /** Where the items belong: `on UK Mobile A` */
  readonly among: string;
}

const mostListed = 8;

/**
 * What two texts have in common that name the same: case, kinds and numbers of spaces, and the form in which Unicode
 * writes an accent do not matter.
 */
export const nameKey = (name: string): string => name.normalize('NFC').trim().replace(/\s+/g, ' ').toLowerCase();

/** The one with exactly this name, otherwise the only one that it names in another case or with other spaces. */
export function findNamed<Item>(
  text: string,
  items: readonly Item[],
  namesOf: (item: Item) => readonly (string | null | undefined)[],
): Item | undefined {
  const exact = items.find((item) => namesOf(item).includes(text));
  if (exact !== undefined) return exact;
  const key = nameKey(text);
  const [found, ...others] = items.filter((item) => namesOf(item).some((name) => name && nameKey(name) === key));
  return others.length === 0 ? found : undefined;
}

/** The option with this number, otherwise the one with this name. */
export function findOption<Item extends Option>(text: string, options: readonly Item[]): Item | undefined {
  const byNumber = /^\d{1,9}$/.test(text) ? options.find((option) => option.number === Number(text)) : undefined;
  return byNumber ?? findNamed(text, options, ({ name }) => [name]);
}

/** `findOption`, with an error for a text that names none of the options. */
export function chooseOption<Item extends Option>(
  text: string,
  options: readonly Item[],
  kind: OptionKind,
  cells: CellReader,
): Item | undefined {
  return findOption(text, options) ?? reportUnknown(text, options, kind, cells);
}

/**
 * A cell with commas where its parts are separated by semicolons: ` Separate bolt-ons with semicolons: 101;102`.
 * @param what the parts
 */
export const semicolonHint = (text: string, what: string): string =>
  text.includes(',') ? `. Separate ${what} with semicolons: ${text.split(/\s*,\s*/).join(';')}` : '';

/** @param hint another sentence for the message */
export function reportUnknown(
  text: string,
  options: readonly Option[],
  { column, code, what, among }: OptionKind,
  cells: CellReader,
  hint = '',
): undefined {
  const names = options.map((option) => option.name);
  const suggestion = didYouMean(text, names) || (options.length === 0 ? '' : `. Use ${listOptions(options)}`);
  return cells.error(column, code, `There is no ${what} "${text}" ${among}${suggestion}${hint}`);
}

/** `one of Unlimited (2001), Voice (2002), and 3 more`. */
export function listOptions(options: readonly Option[]): string {
  const listed = options.slice(0, mostListed).map((option) => `${option.name} (${option.number})`);
  const more = options.length > mostListed ? `, and ${options.length - mostListed} more` : '';
  return `${listed.length === 1 ? '' : 'one of '}${listed.join(', ')}${more}`;
}
