// Columns of a file that are named like a service or a bolt-on of the account, such as `Roaming` with Y and N: each of
// their cells is one more entry of the column `services` or `boltOns`. What has two readings is asked about.
import { columnLetters } from '#shared/csv/column-letters.ts';
import { valuesOf } from '#shared/csv/column-values.ts';
import { withoutHint, wordsOf } from '#shared/csv/header-words.ts';
import { type HeaderMap, type HeaderOptions, indexesOf, mapHeader } from '#shared/csv/map-header.ts';
import { errorAt, type Issue } from '#shared/domain/imports/issue.ts';
import type { Catalogue } from './catalogue.ts';
import { type CatalogueOption, listBoltOns, listServices, optionsLike, optionsNamed } from './catalogue-options.ts';
import type { Column } from './operation.ts';
import { type BarSense, meaningOf, type OptionColumn } from './option-cells.ts';

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

/** Columns without a name are called by their letters. */
export const nameOf = (name: string, index: number): string => (name === '' ? `column ${columnLetters(index)}` : name);

/** undefined: it is no further column of entries. */
export function readListColumn(
  { name, index, values }: NamedColumn,
  {
    header,
    cells,
    columns,
    answer,
  }: {
    readonly header: HeaderMap;
    readonly cells: readonly string[];
    readonly columns: readonly Column[];
    readonly answer: OptionAnswer | undefined;
  },
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

/** With the columns that the catalogue decides. */
export interface FileHeader extends HeaderMap {
  readonly options?: readonly OptionColumn[];
}

/** `mapHeader` with those columns. Looks up lists only where a column may be one. */
export async function readHeader(
  cells: readonly string[],
  columns: readonly Column[],
  { line = 1, samples = [], mapping: given = {}, ...others }: HeaderOptions,
  catalogue: Catalogue,
): Promise<FileHeader> {
  const { mapping, answers } = takeAnswers(given, { cells, columns, samples });
  const header = mapHeader(cells, columns, { line, samples, mapping, ...others });
  const readings = await readColumns(header, { cells, columns, samples, answers, catalogue });
  const options = readings.flatMap(({ option }) => option ?? []);
  const read = new Set(readings.filter(isDecided).map(({ name }) => name));
  const set = new Set<string | null>(options.map(({ column }) => column));
  const isSettled = ({ code, column }: Issue) =>
    code === 'HEADER_NEAR_MISS' ? read.has(column ?? '') : code === 'HEADER_MISSING_COLUMN' && set.has(column);
  const unused = [...answers].filter(([index]) => !readings.some((one) => one.index === index));
  return {
    ...header,
    options,
    extras: header.extras.filter(({ index }) => !options.some((option) => option.index === index)),
    needValues: [...header.needValues, ...readings.flatMap(({ needsValue, index }) => (needsValue ? [index] : []))],
    issues: [
      ...header.issues.filter((issue) => !isSettled(issue)),
      ...readings.flatMap(({ name, question }) =>
        question === undefined ? [] : { ...errorAt(line, 'HEADER_NEAR_MISS', question), column: name },
      ),
      ...unused.map(([, { written, answer }]) => {
        const message = `"${written}" cannot be mapped to "${answer}": it is not a service or bolt-on of the account`;
        return errorAt(line, 'HEADER_UNKNOWN_MAPPING', message);
      }),
    ],
  };
}

interface Answer {
  readonly written: string;
  readonly answer: OptionAnswer;
}

interface FileColumns {
  readonly cells: readonly string[];
  readonly columns: readonly Column[];
  readonly samples: readonly (readonly string[])[];
}

/**
 * By the index of the column. A column of yes and no cannot be the column `services` or `boltOns` itself, and neither
 * can a second one with entries of it: those are added to the first one.
 */
function takeAnswers(given: HeaderOptions['mapping'] & object, { cells, columns, samples }: FileColumns) {
  const answers = new Map<number, Answer>();
  const mapping: Record<string, string> = {};
  const isOfList = (target: string): target is ListName => listNames.some((list) => list === target);
  const others = Object.fromEntries(Object.entries(given).filter(([, target]) => !isOfList(target.trim())));
  const taken = new Set(mapHeader(cells, columns, { mapping: others }).indexes.keys());
  for (const [written, target] of Object.entries(given)) {
    const [index = -1] = indexesOf(written, cells);
    const answer = target.trim();
    const isTaken = taken.has(answer);
    if (isOfList(answer) ? isTaken || hasOnlyMeanings(valuesOf(samples, index)) : isBarSense(answer))
      answers.set(index, { written, answer: answer as OptionAnswer });
    else mapping[written] = target;
    if (isOfList(answer) && mapping[written] !== undefined) taken.add(answer);
  }
  return { mapping, answers };
}

interface Reading extends ColumnReading {
  readonly name: string;
  readonly index: number;
  /** A value in the column may decide otherwise. */
  readonly needsValue?: boolean;
}

const isDecided = ({ option, question }: Reading): boolean => option !== undefined || question !== undefined;

interface FileContext extends FileColumns {
  readonly answers: ReadonlyMap<number, Answer>;
  readonly catalogue: Catalogue;
}

const hasOnlyMeanings = (values: readonly string[]): boolean =>
  values.length > 0 && values.every((value) => meaningOf(value) !== undefined);
/** A column may have a few other texts. */
const hasMostlyMeanings = (values: readonly string[]): boolean =>
  values.length > 0 && values.filter(meaningOf).length * 2 >= values.length;

/** The columns that are, or may be, a service or a bolt-on, or further columns of such entries. */
async function readColumns(header: HeaderMap, context: FileContext): Promise<Reading[]> {
  const { cells, columns, samples, answers, catalogue } = context;
  const takes = (name: string) => columns.some((column) => column.name === name);
  if (!takes('services') && !takes('boltOns')) return [];
  const all = header.extras
    .filter(({ isChosen }) => !isChosen)
    .map(({ name, index }) => ({ name, index, values: valuesOf(samples, index) }));
  const toReading = ({ name, index, values }: NamedColumn, reading: ColumnReading | undefined): Reading[] =>
    reading === undefined ? [] : [{ name: nameOf(name, index), index, needsValue: values.length === 0, ...reading }];
  const lists = all.flatMap((one) => {
    const isSingle = one.name !== '' && hasOnlyMeanings(one.values);
    const answer = answers.get(one.index)?.answer;
    return isSingle ? [] : toReading(one, readListColumn(one, { header, cells, columns, answer }));
  });
  const possible = all
    .filter(({ name, index }) => name !== '' && !lists.some((list) => list.index === index))
    .filter(({ values }) => new Set(values).size <= Math.max(mostValues, values.length / 2) || values.some(meaningOf));
  if (possible.length === 0) return lists;
  const mayBeBoltOns = possible.some(
    ({ name, values }) => values.length === 0 || values.some(meaningOf) || likeBoltOn.test(name),
  );
  const services = takes('services') ? await listServices(catalogue) : [];
  const boltOns = takes('boltOns') && mayBeBoltOns ? await listBoltOns(catalogue) : [];
  const options = [...services, ...boltOns];
  const single = possible.flatMap((one) => toReading(one, readColumn(one, options, answers.get(one.index)?.answer)));
  return [...lists, ...single];
}

/** Options of a service that are neither yes nor no: lists are looked up for no column with more different cells. */
const mostValues = 3;
/** Bolt-ons are looked up for each tariff, so not for every column. */
const likeBoltOn = /\d|data|roam|minute|call|text|sms|pass|pack|bolt|add/i;

/** undefined: it is none of the options. */
function readColumn(
  { name, index, values }: NamedColumn,
  options: readonly CatalogueOption[],
  answer: OptionAnswer | undefined,
): ColumnReading | undefined {
  const { all, isCertain } = optionsFor(name, values, options);
  const found = all.filter(({ column }) => answer === undefined || isBarSense(answer) || column === answer);
  const [option, ...others] = found;
  if (option === undefined) return readBars({ name, index, values }, options, answer);
  if (!isCertain && !hasMostlyMeanings(values)) return values.length === 0 ? {} : undefined;
  const ask = (what: string, ways: readonly string[] = []) => ({ question: question(name, what, ways) });
  if (others.length > 0) return ask(`may be ${found.map(describe).join(' or ')}`, listsOf(found));
  const yes = isBarSense(answer) ? answer : meaningOfYes(name, option);
  const senses = ['block', 'allow'];
  if (!isCertain && answer === undefined) return ask(`may be ${describe(option)}`, yes ? [option.column] : senses);
  const doubt = findDoubt(option, values);
  if (doubt !== undefined) return ask(`is ${describe(option)}, ${doubt}`);
  const unclear = yes === undefined && values.find((value) => /^(?:yes|no)$/.test(meaningOf(value) ?? ''));
  if (unclear) return ask(`is ${describe(option)}, and "${unclear}" may block or allow it`, senses);
  return { option: { index, header: name, column: option.column, option, yes } };
}

/** Those that the header names; a column of yes and no may be a typo of one. */
function optionsFor(name: string, values: readonly string[], options: readonly CatalogueOption[]) {
  const { found, isCertain } = optionsNamed(withoutHint(name), options);
  return { all: found.length === 0 && hasOnlyMeanings(values) ? optionsLike(name, options) : found, isCertain };
}

/** Those that answer which option is meant. */
function listsOf(found: readonly CatalogueOption[]): ListName[] {
  const lists = new Set(found.map(({ column }) => column));
  return lists.size === found.length ? [...lists] : [];
}

/** Why the cells cannot be read; only the file can answer it. */
function findDoubt(option: CatalogueOption, values: readonly string[]): string | undefined {
  if (option.isReadOnly) return 'which only the network sets';
  const isReadable = (value: string) => meaningOf(value) !== undefined || option.values.has(value.toLowerCase());
  if (values.length > 0 && !values.some(isReadable)) return 'but its cells are no yes or no';
  const isCross = (value: string) => value.toLowerCase() === 'x';
  const tick = values.find((value) => meaningOf(value) === 'yes' && !isCross(value));
  return tick !== undefined && values.some(isCross) ? `and has both "x" and "${tick}": write Y and N` : undefined;
}

/** Y in `Premium Rate Calls` may mean that the bar is on, or that such calls are possible; Y in `No roaming` is no. */
function meaningOfYes(header: string, { what }: CatalogueOption): OptionColumn['yes'] {
  const isBarred = /\b(?:bar|barr(?:ed|ing)|block(?:ed)?|no|not|without|disabled?|off|remove)s?\b/i.test(header);
  const isAllowed = /\b(?:allow(?:ed)?|enabled)\b/i.test(header);
  if (what === 'bar') return isBarred ? 'block' : isAllowed ? 'allow' : undefined;
  return isBarred ? undefined : 'on';
}

const describe = ({ what, name }: CatalogueOption): string => `the ${what} "${name}"`;
