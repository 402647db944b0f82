// Columns of a file that are one service or one bolt-on of the account, such as `Roaming` with Y and N, or a further
// list of them: each of their cells is one more entry of the column `services` or `boltOns`. A column that only looks
// like one is asked about, whatever rows the file begins with; an answer in the mapping reads it.

import { valuesOf, type WatchedColumn } from '#shared/files/column-values.ts';
import { columnLetters } from '#shared/files/csv/csv-row.ts';
import { comparedNames, createFindCells, normalizeName, withoutHint, wordsOf } from '#shared/files/header-words.ts';
import { columnIndexesOf, type HeaderMap, type HeaderOptions, mapHeader } from '#shared/files/map-header.ts';
import type { Catalogue } from '#shared/operations/catalogue.ts';
import type { Column } from '#shared/operations/operation.ts';
import { didYouMean } from '#shared/row/did-you-mean.ts';
import { errorAt, type Issue } from '#shared/row/issue.ts';
import {
  type BarSense,
  type CatalogueOption,
  isCross,
  isTick,
  listBoltOns,
  listServices,
  meaningOf,
  type NameOptions,
  nameOptions,
  type OptionColumn,
} from './option-cells.ts';

type ListName = CatalogueOption['column'];
const listNames: readonly ListName[] = ['services', 'boltOns'];

/** With the columns that are services or bolt-ons. */
export interface FileHeader extends HeaderMap {
  readonly options?: readonly OptionColumn[];
  /** What the mapping takes for columns that are, or may be, one service or bolt-on, by their index. */
  readonly choices?: ReadonlyMap<number, readonly string[]>;
}

/** `mapHeader` with those columns. Looks up lists only where a column may be one. */
export async function readHeader(
  cells: readonly string[],
  columns: readonly Column[],
  options: HeaderOptions,
  catalogue: Catalogue,
): Promise<FileHeader> {
  const read = await readWithLists(cells, columns, options, catalogue);
  const isDoubtful = read.issues.length > 0 || read.extras.some(({ isChosen }) => !isChosen);
  return isDoubtful && catalogue.renew() ? readWithLists(cells, columns, options, catalogue) : read;
}

async function readWithLists(
  cells: readonly string[],
  columns: readonly Column[],
  { line = 1, samples = [], mapping: given = {}, ...others }: HeaderOptions,
  catalogue: Catalogue,
): Promise<FileHeader> {
  const { mapping, answers } = takeAnswers(given, cells, columns);
  const header = mapHeader(cells, columns, { line, samples, mapping, ...others });
  const file = { header, cells, columns, samples, answers, catalogue };
  const answered = await readAnswered(file);
  const asked = await askAboutOthers(file);
  const readings = [...withMarks(answered, file), ...asked];
  const options = readings.flatMap(({ option }) => option ?? []);
  const isOption = new Set(options.map(({ index }) => index));
  const decided = readings.filter(({ option, problem }) => option !== undefined || problem !== undefined);
  const isDecided = new Set(decided.map(({ index }) => index));
  const areDecided = new Set<string | null>(decided.map(({ name }) => name));
  const set = new Set<string | null>(options.map(({ column }) => column));
  const isSettled = ({ code, column }: Issue) =>
    code === 'HEADER_NEAR_MISS' ? areDecided.has(column) : code === 'HEADER_MISSING_COLUMN' && set.has(column);
  return {
    ...header,
    options,
    extras: header.extras.filter(({ index }) => !isOption.has(index)),
    watched: [
      ...header.watched.filter(({ index }) => !isDecided.has(index)),
      ...readings.flatMap(({ watched }) => watched ?? []),
    ],
    choices: new Map(readings.flatMap(({ index, choices }) => (choices ? [[index, choices] as const] : []))),
    issues: [
      ...header.issues.filter((issue) => !isSettled(issue)),
      ...readings.flatMap(({ name, problem }) =>
        problem === undefined ? [] : { ...errorAt(line, problem.code, problem.message), column: name },
      ),
    ],
  };
}

/** What the mapping answers about a column: `services:Roaming`, `block:Roaming`, or `boltOns` for one more list. */
interface Answer {
  readonly written: string;
  readonly target: string;
  readonly column: ListName;
  readonly sense: BarSense | undefined;
  /** undefined: each of its cells is a list. */
  readonly option: string | undefined;
}

const answerTargets: Readonly<Record<string, Pick<Answer, 'column' | 'sense'>>> = {
  services: { column: 'services', sense: undefined },
  boltons: { column: 'boltOns', sense: undefined },
  block: { column: 'services', sense: 'block' },
  allow: { column: 'services', sense: 'allow' },
};

/** undefined: the target is another column. */
function parseTarget(target: string): Pick<Answer, 'column' | 'sense' | 'option'> | undefined {
  const [, first = '', option] = /^([^:]*)(?::(.*))?$/s.exec(target) ?? [];
  const known = answerTargets[normalizeName(first)];
  return known && { ...known, option: option?.trim() || undefined };
}

/** Whether the mapping of an operation with these columns takes the target beside the names of its columns. */
export function isOptionTarget(target: string, columns: readonly Column[]): boolean {
  const parsed = parseTarget(target);
  return parsed !== undefined && columns.some(({ name }) => name === parsed.column);
}

/** The answers by the index of their column, and the mapping of the others. A second list is added to the first. */
function takeAnswers(given: HeaderOptions['mapping'] & object, cells: readonly string[], columns: readonly Column[]) {
  const answers = new Map<number, Answer>();
  const parsed = Object.entries(given).map(([written, target]) => {
    const answer = isOptionTarget(target, columns) ? parseTarget(target) : undefined;
    return { written, target, answer, isList: answer && !answer.option && !answer.sense };
  });
  const mapping = Object.fromEntries(
    parsed.flatMap(({ written, target, answer }) => (answer ? [] : [[written, target]])),
  );
  const taken = new Set(columnIndexesOf(cells, columns, mapping).keys());
  const find = createFindCells(cells);
  for (const { written, target, answer, isList } of parsed) {
    if (answer === undefined) continue;
    if (isList && !taken.has(answer.column)) {
      mapping[written] = answer.column;
      taken.add(answer.column);
      continue;
    }
    mapping[written] = '';
    for (const index of find(written)) answers.set(index, { written, target, ...answer });
  }
  return { mapping, answers };
}

interface Reading {
  /** As questions name it. */
  readonly name: string;
  readonly index: number;
  readonly option?: OptionColumn;
  readonly problem?: { readonly code: 'HEADER_NEAR_MISS' | 'HEADER_UNKNOWN_MAPPING'; readonly message: string };
  readonly choices?: readonly string[] | undefined;
  readonly watched?: readonly WatchedColumn[];
}

interface FileColumns {
  readonly header: HeaderMap;
  readonly cells: readonly string[];
  readonly columns: readonly Column[];
  readonly samples: readonly (readonly string[])[];
  readonly answers: ReadonlyMap<number, Answer>;
  readonly catalogue: Catalogue;
}

const nameOf = (cell: string, index: number): string => cell.trim() || `column ${columnLetters(index)}`;

async function readAnswered({ cells, answers, catalogue }: FileColumns): Promise<Reading[]> {
  if (answers.size === 0) return [];
  const single = [...answers.values()].filter(({ option }) => option !== undefined);
  const lists = {
    services: nameOptions(single.some(({ column }) => column === 'services') ? await listServices(catalogue) : []),
    boltOns: nameOptions(single.some(({ column }) => column === 'boltOns') ? await listBoltOns(catalogue) : []),
  };
  return [...answers].map(([index, answer]): Reading => {
    const common = { name: nameOf(cells[index] ?? '', index), index };
    const { column, sense, option: wanted } = answer;
    if (wanted === undefined) return { ...common, option: { index, header: common.name, column, yes: sense } };
    const [found] = lists[column].named(wanted);
    if (found === undefined || found.isReadOnly) return { ...common, problem: unknownOption(answer, lists[column]) };
    const yes = sense ?? (found.what === 'bar' ? undefined : 'on');
    const option: OptionColumn = { index, header: common.name, column, option: found, yes };
    return { ...common, option, choices: choicesOf(found) };
  });
}

function unknownOption(
  { written, target, option: wanted = '', column }: Answer,
  { all }: NameOptions,
): Reading['problem'] {
  const isSet = all.find(({ name, isReadOnly }) => isReadOnly && normalizeName(name) === normalizeName(wanted));
  const what = column === 'services' ? 'service or bar' : 'bolt-on';
  const why = isSet
    ? `only the network sets "${isSet.name}"`
    : `the account has no ${what} "${wanted}"${didYouMean(
        wanted,
        all.map(({ name }) => name),
      )}`;
  return { code: 'HEADER_UNKNOWN_MAPPING', message: `"${written}" cannot be mapped to "${target}": ${why}` };
}

/**
 * A mark means one thing in all columns of yes and no: a cross beside ticks may mean no. Alone, it means yes.
 * @param answered those that are one service or bolt-on are such columns, too
 */
function withMarks(answered: readonly Reading[], { header, cells, columns, samples }: FileColumns): Reading[] {
  const ofOperation = columns.flatMap(({ name, isYesNo }): Reading[] => {
    const index = isYesNo ? header.indexes.get(name) : undefined;
    return index === undefined ? [] : [{ name: nameOf(cells[index] ?? '', index), index }];
  });
  const isMarked = ({ option }: Reading): boolean => option?.option !== undefined;
  const marked = [...answered.filter(isMarked), ...ofOperation];
  const tick = marked.flatMap(({ index }) => valuesOf(samples, index)).find(isTick);
  const read = (reading: Reading): Reading => ({ ...reading, ...findCrosses(reading, samples, tick) });
  return [...answered.map((reading) => (isMarked(reading) ? read(reading) : reading)), ...ofOperation.map(read)];
}

/** @param tick one of any column */
function findCrosses({ index, name }: Reading, samples: FileColumns['samples'], tick?: string): Partial<Reading> {
  const values = valuesOf(samples, index);
  const isYes = (value: string) => meaningOf(value) === 'yes' && !isCross(value);
  const yes = values.find(isYes) ?? tick;
  const hasCross = values.some(isCross);
  if (yes !== undefined && hasCross)
    return { problem: question(name, `has "x", and "${yes}" is in the file, too: write Y and N`, []) };
  const asks = (value: string) => isCross(value) || isTick(value);
  return { watched: [{ index, asks: hasCross ? isYes : tick === undefined ? asks : isCross }] };
}

const choicesOf = ({ what, column, name }: CatalogueOption): string[] => {
  if (what === 'bolt-on') return [`${column}:${name}`];
  return what === 'bar' ? [`block:${name}`, `allow:${name}`] : [`services:${name}`, `block:${name}`];
};

const question = (name: string, what: string, ways: readonly string[]): Reading['problem'] => {
  const use = ways.length === 0 ? '' : `. To send it: ${ways.map((way) => `--map "${name}=${way}"`).join(' or ')}`;
  return {
    code: 'HEADER_NEAR_MISS',
    message: `"${name}" ${what}${use}. To keep it as your own column: --map "${name}="`,
  };
};

/** Columns that the mapping does not have. */
async function askAboutOthers(file: FileColumns): Promise<Reading[]> {
  const { header, samples, columns, catalogue } = file;
  const takes = (list: ListName) => columns.some(({ name }) => name === list);
  if (!listNames.some(takes)) return [];
  const open = header.extras
    .filter(({ isChosen }) => !isChosen)
    .map(({ name, index }) => ({ name, index, values: valuesOf(samples, index) }));
  const { readings, others } = readFurtherLists(open, file);
  const mayBeBoltOn = ({ name, values }: OpenColumn) =>
    likeBoltOn.test(name) || values.length === 0 || values.some(meaningOf);
  const hasBoltOns = takes('boltOns') && others.some(mayBeBoltOn);
  const services = takes('services') && others.length > 0 ? await listServices(catalogue) : [];
  const options = nameOptions([...services, ...(hasBoltOns ? await listBoltOns(catalogue) : [])]);
  const isComplete = hasBoltOns || !takes('boltOns');
  return [...readings, ...others.map((column) => askAboutOption(column, options, isComplete))];
}

interface OpenColumn {
  readonly name: string;
  readonly index: number;
  readonly values: readonly string[];
}

/** Bolt-ons are looked up for each tariff, so not for every column. */
const likeBoltOn = /\d|data|roam|minute|call|text|sms|pass|pack|bolt|add/i;

/** The columns that are, or may be, one more list, and the others that have a name. */
function readFurtherLists(open: readonly OpenColumn[], { header, cells, columns }: FileColumns) {
  const lists = new Map(listNames.map((list) => [header.indexes.get(list), list]));
  const before = lastNamed(cells);
  const readings: Reading[] = [];
  const others: OpenColumn[] = [];
  for (const column of open) {
    const left = before[column.index] ?? -1;
    const beside = lists.get(left) ?? numberedList(cells[left] ?? '', columns);
    const numbered = numberedList(column.name, columns);
    const list = column.name === '' ? beside : numbered;
    if (list !== undefined) readings.push(readFurtherList(column, list, cells[left] ?? ''));
    else if (column.name !== '') others.push(column);
  }
  return { readings, others };
}

/** `Bolt-on 2` is one more list. A column without a name on the right of one may be. */
function readFurtherList({ name, index, values }: OpenColumn, column: ListName, left: string): Reading {
  const shown = nameOf(name, index);
  if (name !== '') return { name: shown, index, option: { index, header: shown, column, yes: undefined } };
  if (values.length === 0) return { name: shown, index, watched: [{ index, asks: () => true }] };
  const what = `has values and no name, and is on the right of "${left.trim()}"`;
  return { name: shown, index, problem: question(shown, what, [column]) };
}

/** By column: the nearest one on its left with a name. */
function lastNamed(cells: readonly string[]): number[] {
  let last = -1;
  return cells.map((cell, index) => {
    const left = last;
    if (cell.trim() !== '') last = index;
    return left;
  });
}

function numberedList(name: string, columns: readonly Column[]): ListName | undefined {
  const stem = wordsOf(/^(.*\p{L})[\s_#-]{0,3}\d{1,2}$/u.exec(withoutHint(name))?.[1] ?? '');
  if (stem === '') return undefined;
  const list = columns.find((column) => comparedNames(column).some(({ words }) => words === stem))?.name;
  return listNames.find((one) => one === list);
}

/**
 * A column that has the name of an option asks with any value. One whose name contains it, or has a typo, asks with
 * yes or no.
 * @param isComplete the options have the bolt-ons, too
 */
function askAboutOption({ name, index, values }: OpenColumn, options: NameOptions, isComplete: boolean): Reading {
  const header = withoutHint(name);
  const named = options.named(header);
  const found = named.length > 0 ? named : options.resembling(header);
  const isNamed = named.some(({ column }) => column === 'services' || likeBoltOn.test(name));
  const asks = (value: string) => isNamed || meaningOf(value) !== undefined;
  const areAsked = values.some(asks);
  if (found.length === 0 || !areAsked) {
    const mayAsk = !areAsked && (found.length > 0 || !isComplete);
    return { name, index, watched: mayAsk ? [{ index, asks }] : [] };
  }
  const choices = found.filter(({ isReadOnly }) => !isReadOnly).flatMap(choicesOf);
  const setByNetwork = choices.length === 0 ? ', which only the network sets' : '';
  const what = `may be ${found.map(({ what, name: option }) => `the ${what} "${option}"`).join(' or ')}`;
  return { name, index, choices, problem: question(name, `${what}${setByNetwork}`, choices) };
}
