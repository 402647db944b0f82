// Further columns of entries of `services` or `boltOns`, beside the column itself: `Bolt-on 2`, the second column below
// a merged header, or a column such as `Barring` that names bars.
import { columnLetters } from '#shared/csv/column-letters.ts';
import { withoutHint, wordsOf } from '#shared/csv/header-words.ts';
import type { HeaderMap } from '#shared/csv/map-header.ts';
import type { CatalogueOption } from './catalogue-options.ts';
import type { Column } from './operation.ts';
import type { BarSense, OptionColumn } from './option-cells.ts';

export type ListName = CatalogueOption['column'];
export const listNames: readonly ListName[] = ['services', 'boltOns'];
/** `block` or `allow` is what yes means, or what is done with bars; otherwise the column that it sets. */
export type OptionAnswer = BarSense | ListName;

export const isBarSense = (answer: string | undefined): answer is BarSense => answer === 'block' || answer === 'allow';

export interface NamedColumn {
  readonly name: string;
  readonly index: number;
  readonly values: readonly string[];
}

/** What is known of a column; without an option and a question, nothing before it has a value. */
export type ColumnReading = { readonly option?: OptionColumn; readonly question?: string };

interface ListContext {
  readonly header: HeaderMap;
  readonly cells: readonly string[];
  readonly columns: readonly Column[];
  readonly answer: OptionAnswer | undefined;
}

/** Columns without a name are called by their letters. */
export const nameOf = (name: string, index: number): string => (name === '' ? `column ${columnLetters(index)}` : name);

/** undefined: it is no further column of entries. */
export function readListColumn(
  { name, index, values }: NamedColumn,
  { header, cells, columns, answer }: ListContext,
): ColumnReading | undefined {
  const shown = nameOf(name, index);
  const numbered = numberedList(name, columns);
  const isAnswered = answer !== undefined && !isBarSense(answer);
  const column = isAnswered ? answer : numbered;
  if (column !== undefined) return { option: { index, header: shown, column, yes: undefined } };
  const before = name === '' ? cells.findLastIndex((cell, place) => place < index && cell.trim() !== '') : -1;
  const beside =
    listNames.find((list) => header.indexes.get(list) === before) ?? numberedList(cells[before] ?? '', columns);
  if (beside === undefined) return undefined;
  const what = `has values and no name, and is on the right of "${cells[before]?.trim()}"`;
  return values.length === 0 ? {} : { question: question(shown, what, [beside]) };
}

function numberedList(name: string, columns: readonly Column[]): ListName | undefined {
  const stem = wordsOf(/^(.*\p{L})[\s_#-]*\d{1,2}$/u.exec(withoutHint(name))?.[1] ?? '');
  const list = columns.find((column) => [column.name, ...column.aliases].some((one) => wordsOf(one) === stem))?.name;
  return listNames.find((one) => one === list);
}

/** A column such as `Barring` that lists bars by their names. */
export function readBars(
  { name, index, values }: NamedColumn,
  options: readonly CatalogueOption[],
  answer: OptionAnswer | undefined,
): ColumnReading | undefined {
  const bars = options.filter(({ what }) => what === 'bar').map((bar) => bar.name.toLowerCase());
  const cells = values.flatMap((value) => value.toLowerCase().split(';')).map((entry) => entry.trim());
  const entries = cells.filter((entry) => entry !== '');
  if (entries.length === 0 || !entries.every((entry) => bars.includes(entry))) return undefined;
  if (isBarSense(answer)) return { option: { index, header: name, column: 'services', yes: answer } };
  return { question: question(name, `lists bars, such as "${values[0]}"`, ['block', 'allow']) };
}

export function question(name: string, what: string, ways: readonly string[]): string {
  const use = ways.length === 0 ? '' : `. To send it: ${ways.map((way) => `--map "${name}=${way}"`).join(' or ')}`;
  return `"${name}" ${what}${use}. To keep it as your own column: --map "${name}="`;
}
