// How a cell names an item of a list of the service: by its number or its name. A near miss is suggested, not taken.
import { closest, didYouMean, nameKey } from '#shared/row/did-you-mean.ts';
import { error, type Finding, type IssueCode } from '#shared/row/issue.ts';
import { counted } from '#shared/text/wording.ts';
import type { CellReader } from './cell-reader.ts';

/** An item that a cell can name. */
export interface Option {
  readonly number: number;
  readonly name: string;
  /** Another name of it. */
  readonly also?: string | null | undefined;
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

/** By a list or an item of the service: a file asks about the same few for each combination. */
export function onceFor<Source extends object, Value>(make: (source: Source) => Value): (source: Source) => Value {
  const known = new WeakMap<Source, Value>();
  return (source) => {
    if (!known.has(source)) known.set(source, make(source));
    return known.get(source) as Value;
  };
}

const mostListed = 8;

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

const namesOf = ({ name, also }: Option) => [name, also];

/**
 * The option with this number, or the only one with this name. undefined also for a text that is the number of one
 * option and the name of another.
 */
export function findOption<Item extends Option>(text: string, options: readonly Item[]): Item | undefined {
  const byNumber = optionWithNumber(text, options);
  const named = findNamed(text, options, namesOf);
  const found = byNumber ?? named;
  const isShared = options.some(
    (option) =>
      option.number !== found?.number && (byNumber === undefined ? namesOf(option).includes(text) : option === named),
  );
  return isShared ? undefined : found;
}

const optionWithNumber = <Item extends Option>(text: string, options: readonly Item[]): Item | undefined =>
  /^\d{1,9}$/.test(text) ? options.find((option) => option.number === Number(text)) : undefined;

/** Options that a text may name, if they are several. */
export const sharedBy = <Item extends Option>(text: string, options: readonly Item[]): Item[] => {
  const number = optionWithNumber(text, options)?.number;
  const isNamed = (option: Item) => namesOf(option).some((name) => name && nameKey(name) === nameKey(text));
  const alike = options.filter((option) => option.number === number || isNamed(option));
  return new Set(alike.map((option) => option.number)).size > 1 ? alike : [];
};

/** `findOption`, with an error for a text that names none of the options. */
export function chooseOption<Item extends Option>(
  text: string,
  options: readonly Item[],
  kind: OptionKind,
  cells: CellReader,
): Item | undefined {
  const named = cells.asNamed(kind.column, text, (one) => findOption(one, options) !== undefined);
  return findOption(named, options) ?? reportUnknown(text, options, kind, cells);
}

/** Longer texts are no names: nobody is asked what they mean. */
const longestNamed = 200;

/** An error about a text that no list has. */
export function unknownValue(
  { column, code }: Pick<OptionKind, 'column' | 'code'>,
  text: string,
  message: string,
  cells: CellReader,
): Finding {
  const meaning = cells.meaningOf(column, text);
  const why = meaning === undefined ? '' : `. It was to be read as "${meaning}", which is not one of them`;
  const finding = error(code, `${message}${why}`);
  return text.length > longestNamed ? finding : { ...finding, unknownValue: text };
}

/**
 * A cell with commas where its parts are separated by semicolons: ` Separate bolt-ons with semicolons: 101;102`.
 * @param what the parts
 */
export const semicolonHint = (text: string, what: string): string =>
  text.includes(',')
    ? `. Separate ${what} with semicolons: ${text
        .split(',')
        .map((part) => part.trim())
        .join(';')}`
    : '';

/** @param hint another sentence for the message */
export function reportUnknown(
  text: string,
  options: readonly Option[],
  { column, code, what, among }: OptionKind,
  cells: CellReader,
  hint = '',
): undefined {
  const report = (message: string) => cells.report(column, unknownValue({ column, code }, text, message, cells));
  const alike = sharedBy(text, options);
  const numbered = optionWithNumber(text, alike);
  if (numbered !== undefined) {
    const others = listOptions(alike.filter((option) => option !== numbered));
    const message = `"${text}" is the number of ${numbered.name} and the name of ${others} ${among}`;
    return report(`${message}. Write the name of the one or the number of the other`);
  }
  if (alike.length > 1) {
    const message = `${counted(alike.length, what)} ${among} are named "${text}"`;
    return report(`${message}. Use ${listOptions(alike)}, by its number`);
  }
  const names = cells.mayNeedSuggestion(column, code) ? options.map((option) => option.name) : [];
  const suggestion = didYouMean(text, names) || (options.length === 0 ? '' : `. Use ${listOptions(options)}`);
  return report(`There is no ${what} "${text}" ${among}${suggestion}${hint}`);
}

/** `one of Unlimited (2001), Voice (2002), and 3 more`. */
export function listOptions(options: readonly Option[]): string {
  const listed = options.slice(0, mostListed).map((option) => `${option.name} (${option.number})`);
  const more = options.length > mostListed ? `, and ${options.length - mostListed} more` : '';
  return `${listed.length === 1 ? '' : 'one of '}${listed.join(', ')}${more}`;
}

// A cell that names nothing must not hide what is wrong with the cells that depend on it. They are checked against
// everything that it may mean, and what is wrong in every case is reported.

/** Further candidates are not looked up: the first ones show the same mistakes. */
const mostCandidates = 10;

/** What a text that names none of the options may mean: any of them, the similar ones first. */
export function candidatesOf<Item extends { readonly name: string }>(text: string, options: readonly Item[]): Item[] {
  const similar = closest(text, new Set(options.map(({ name }) => name)));
  const isSimilar = ({ name }: Item) => similar.includes(name);
  return [...options.filter(isSimilar), ...options.filter((item) => !isSimilar(item))].slice(0, mostCandidates);
}

/**
 * The check of the only candidate. Of several candidates, the findings of the first in the columns in which each of
 * them has an error; then there is no value.
 */
export async function checkCandidates<Candidate, Value>(
  candidates: readonly Candidate[],
  cells: CellReader,
  check: (candidate: Candidate, cells: CellReader) => Promise<Value>,
): Promise<Value | undefined> {
  if (candidates.length === 1) return check(candidates[0] as Candidate, cells);
  const trials: CellReader[] = [];
  for (const candidate of candidates) {
    const trial = cells.withoutFindings();
    await check(candidate, trial);
    trials.push(trial);
  }
  const [first] = trials;
  const isWrongInEach = (column: string | null) => trials.every((trial) => trial.hasErrorAt(column));
  for (const { column, ...finding } of first?.findings ?? []) {
    if (finding.severity === 'error' && isWrongInEach(column)) cells.report(column, finding);
  }
  return undefined;
}
