// Maps the header of a file to the columns of an operation: aliases, likely typos, and the user's own columns.

import { didYouMean, editDistance } from '#shared/row/did-you-mean.ts';
import { error, type Issue, type IssueCode } from '#shared/row/issue.ts';
import { describeValues, hasValuesOf, isValue, type ValueKind, valuesOf, type WatchedColumn } from './column-values.ts';
import {
  canonicalNames,
  comparedNames,
  createFindCells,
  distinctNamesForMap,
  nameOf,
  normalizeName,
  withoutHint,
  wordsOf,
} from './header-words.ts';

/** The members of an operation's column that this file uses. */
export interface ColumnNames {
  /** Canonical, as issues and plans name it: `boltOns`. */
  readonly name: string;
  readonly aliases?: readonly string[];
  readonly required?: boolean;
  /** What its values are, for suggestions. */
  readonly valueKind?: ValueKind;
  readonly isDate?: boolean;
  readonly isVerbatim?: boolean;
  readonly isLabel?: boolean;
  readonly mayBeNamed?: readonly string[];
  /** What else `mapping` takes for such a column. */
  readonly alsoMappedTo?: readonly string[];
  readonly looksLike?: RegExp;
  readonly isSecret?: boolean;
  readonly namesItems?: boolean;
}

export interface ExtraColumn {
  /** As in the file, trimmed; may be empty. */
  readonly name: string;
  readonly index: number;
  /** The person keeps it as an own column. */
  readonly isChosen?: true;
}

/** What people said that texts mean, by column: `{ targetNetwork: { 'EE Biz': 'UK Mobile A' } }` (decision 73). */
export type ValueMeanings = Readonly<Record<string, Readonly<Record<string, string>>>>;

export interface HeaderMap {
  /** Canonical name to the index of its cell; a column that the file does not have is absent. */
  readonly indexes: ReadonlyMap<string, number>;
  /** The user's own columns in file order: they are kept in rejected.csv and results.csv. */
  readonly extras: readonly ExtraColumn[];
  /** Values for whole columns, by canonical name; a column of the file takes precedence. */
  readonly defaults: ReadonlyMap<string, string>;
  /** What texts of a column mean, by canonical name. */
  readonly meanings: ValueMeanings;
  /** In file order. An error rejects the file. */
  readonly issues: readonly Issue[];
  /** Columns about which a later row may ask. */
  readonly watched: readonly WatchedColumn[];
}

export interface HeaderOptions {
  /** The line of the header. */
  readonly line?: number;
  /** Values for whole columns, by canonical name or alias. */
  readonly defaults?: Readonly<Record<string, string>>;
  /**
   * Names in the file to canonical names or aliases; '' keeps a column as the user's own. Of several columns with one
   * name, `2:Port date` is the second; `column K` has no name.
   */
  readonly mapping?: Readonly<Record<string, string>>;
  /** By canonical name or alias. */
  readonly meanings?: ValueMeanings | undefined;
  /** Some records of the file, for examples in messages. */
  readonly samples?: readonly (readonly string[])[];
  /** Indexes of simporter's own columns, which are no columns of the file. */
  readonly skipped?: readonly number[];
  /** The columns are those of several sheets. */
  readonly hasSheets?: boolean;
}

/** Maps the cells of a header to `columns`. Reports all issues, not only the first. */
export function mapHeader(
  cells: readonly string[],
  columns: readonly ColumnNames[],
  options: HeaderOptions = {},
): HeaderMap {
  const { line = 1, defaults: given = {}, mapping = {}, samples = [], skipped = [], hasSheets = false } = options;
  const canonical = canonicalNames(columns);
  const described = (index: number) => `"${cells[index]?.trim()}"${describeValues(samples, index)}`;
  const explicit = readMapping(mapping, cells, { canonical, columns, line });
  const { indexes, duplicates, ...mapped } = mapCells(cells, canonical, explicit.names, {
    line,
    described,
    advise: hasSheets ? () => inOneSheet : createKeepOne(cells),
  });
  const isSkipped = new Set(skipped);
  const extras = mapped.extras.filter(({ index }) => !isSkipped.has(index));
  const { defaults, unknown } = mapDefaults(given, canonical, columns);
  const { meanings, problems } = mapMeanings(options.meanings ?? {}, canonical, columns);
  const missing = columns.filter(({ name }) => !indexes.has(name));
  const open = extras.filter(({ isChosen }) => !isChosen);
  const present = columns.filter(({ name }) => indexes.has(name));
  const doubts = open.flatMap(
    (extra) =>
      findSimilar(extra, missing, { line, described, samples }) ??
      findRival(extra, present, { line, described, samples }) ??
      [],
  );
  const absent = missing.filter(({ name, required = false }) => required && !defaults.has(name));
  const alike = (column: ColumnNames) =>
    extras.filter(({ index }) => hasValuesOf(column, samples, index)).map(({ index }) => index);
  const issues = [
    ...explicit.issues,
    ...duplicates,
    ...doubts.filter((doubt) => 'code' in doubt),
    ...absent.map((column) => missingIssue(column, { line, alike: alike(column), cells, described })),
    ...unknown,
    ...problems,
  ];
  return { indexes, extras, defaults, meanings, issues, watched: doubts.filter((doubt) => 'asks' in doubt) };
}

/** The index of the cell of each column, by canonical name: nothing is asked about the others. */
export function columnIndexesOf(
  cells: readonly string[],
  columns: readonly ColumnNames[],
  mapping: Readonly<Record<string, string>> = {},
): ReadonlyMap<string, number> {
  const canonical = canonicalNames(columns);
  const explicit = readMapping(mapping, cells, { canonical, columns, line: 1 });
  return mapCells(cells, canonical, explicit.names, { line: 1, described: () => '', advise: () => '' }).indexes;
}

interface Names {
  readonly canonical: ReadonlyMap<string, string>;
  readonly columns: readonly ColumnNames[];
  readonly line: number;
}

/** Canonical names by the indexes of cells; undefined keeps the cell as the user's own column. */
function readMapping(mapping: Readonly<Record<string, string>>, cells: readonly string[], names: Names) {
  const found = new Map<number, string | undefined>();
  const issues: Issue[] = [];
  const find = createFindCells(cells);
  for (const [written, target] of Object.entries(mapping)) {
    const indexes = find(written);
    const column = target.trim() === '' ? '' : names.canonical.get(normalizeName(target));
    for (const index of indexes) found.set(index, column === '' ? undefined : column);
    const problem = problemOf({ written, target, column, indexes }, cells, names);
    if (problem !== undefined) {
      issues.push(issueAt(names.line, null, 'HEADER_UNKNOWN_MAPPING', `"${written}" cannot be mapped: ${problem}`));
    }
  }
  return { names: found, issues };
}

interface Mapped {
  readonly written: string;
  readonly target: string;
  readonly column: string | undefined;
  readonly indexes: readonly number[];
}

function problemOf({ written, target, column, indexes }: Mapped, cells: readonly string[], { columns, line }: Names) {
  if (indexes.length === 0) return `the file has no column "${written}"${didYouMean(written, cells)}`;
  if (column === undefined) return `there is no column "${target}"${suggestion(target, columns)}`;
  const hasValue = column !== '' && indexes.some((index) => isValue(cells[index] ?? ''));
  return hasValue ? `it is a value, and the row of line ${line} would be lost. ${addHeader}` : undefined;
}

const addHeader = 'Add a line with the names of the columns above the first row';

interface Described {
  readonly line: number;
  readonly described: (index: number) => string;
}

function mapCells(
  cells: readonly string[],
  canonical: ReadonlyMap<string, string>,
  explicit: ReadonlyMap<number, string | undefined>,
  { line, described, advise }: Described & { readonly advise: (index: number) => string },
) {
  const indexes = new Map<string, number>();
  const extras: ExtraColumn[] = [];
  const duplicates: Issue[] = [];
  const chosen = new Set(explicit.values());
  const named = namesOf(cells, canonical);
  for (const [index, cell] of cells.entries()) {
    const byAlias = named[index];
    // A mapped column replaces columns that happen to have the name.
    const name = explicit.has(index) ? explicit.get(index) : byAlias && chosen.has(byAlias) ? undefined : byAlias;
    const earlier = name === undefined ? undefined : indexes.get(name);
    if (name === undefined) {
      extras.push({ name: cell.trim(), index, ...(explicit.has(index) && { isChosen: true }) });
    } else if (earlier === undefined) {
      indexes.set(name, index);
    } else {
      const advice = advise(index);
      const message = `${described(earlier)} and ${described(index)} are both ${name}. ${advice}`;
      duplicates.push(issueAt(line, name, 'HEADER_DUPLICATE_COLUMN', message));
    }
  }
  return { indexes, extras, duplicates };
}

function createKeepOne(cells: readonly string[]): (index: number) => string {
  const names = distinctNamesForMap(cells);
  return (index) => `Remove one, or keep one as your own column: --map "${names[index]}="`;
}
/** As an own column, it would leave the rows of its sheet without a value. */
const inOneSheet = 'Give the column one name in all sheets, or import each sheet alone: --sheet NAME';

/** The first of these columns whose values are secret: they are not kept beside the file, so each row has its own. */
export function findSecretDefault(
  given: Readonly<Record<string, string>>,
  columns: readonly ColumnNames[],
): string | undefined {
  const canonical = canonicalNames(columns.filter(({ isSecret }) => isSecret));
  return Object.keys(given).find((name) => canonical.has(normalizeName(name)));
}

export const secretDefault = (name: string): string =>
  `${name} is secret, so it takes no value for all rows: put the values into the file`;

function mapDefaults(
  given: Readonly<Record<string, string>>,
  canonical: ReadonlyMap<string, string>,
  columns: readonly ColumnNames[],
) {
  const defaults = new Map<string, string>();
  const unknown: Issue[] = [];
  for (const [name, value] of Object.entries(given)) {
    const column = canonical.get(normalizeName(name));
    if (findSecretDefault({ [name]: value }, columns) !== undefined) {
      unknown.push(issueAt(0, column ?? null, 'HEADER_UNKNOWN_DEFAULT', secretDefault(name)));
    } else if (column !== undefined && (defaults.get(column) ?? value) !== value) {
      const message = `"${name}" and another name set ${column} to different values. Set it once`;
      unknown.push(issueAt(0, column, 'HEADER_UNKNOWN_DEFAULT', message));
    } else if (column !== undefined) {
      defaults.set(column, value);
    } else {
      const message = `there is no column "${name}" to set${suggestion(name, columns)}`;
      unknown.push(issueAt(0, null, 'HEADER_UNKNOWN_DEFAULT', message));
    }
  }
  return { defaults, unknown };
}

/** Only a column that names items takes meanings: a code or a free text is always sent as it is written. */
function mapMeanings(given: ValueMeanings, canonical: ReadonlyMap<string, string>, columns: readonly ColumnNames[]) {
  const meanings: Record<string, Readonly<Record<string, string>>> = {};
  const problems: Issue[] = [];
  const takers = columns.filter(({ namesItems }) => namesItems);
  for (const [name, values] of Object.entries(given)) {
    const column = takers.find((one) => one.name === canonical.get(normalizeName(name)))?.name;
    if (column !== undefined) meanings[column] = { ...meanings[column], ...values };
    else {
      const use = takers.length === 0 ? 'no column does' : `use one of ${takers.map((one) => one.name).join(', ')}`;
      const message = `"${name}" takes no other words for its values: ${use}`;
      problems.push(issueAt(0, null, 'HEADER_UNKNOWN_MAPPING', message));
    }
  }
  return { meanings, problems };
}

/**
 * Asks about a column that may be a missing one. Which values it has decides, and never in which rows: it is watched
 * where none asks so far.
 */
function findSimilar(
  { name, index }: ExtraColumn,
  missing: readonly ColumnNames[],
  { line, described, samples }: Described & { readonly samples: HeaderOptions['samples'] & object },
): Issue | WatchedColumn | undefined {
  const values = valuesOf(samples, index);
  const possible = missing.filter(({ isVerbatim }) => isVerbatim !== true);
  const likely = columnsLike(name, possible);
  const alike = [...likely, ...containedColumns(name, possible)];
  const looksLike = ({ looksLike }: ColumnNames, value: string) => looksLike?.test(value) ?? true;
  const meant =
    alike.find((column) => values.some((value) => looksLike(column, value))) ??
    likely.find((column) => column.looksLike === undefined || samples.length === 0);
  if (meant === undefined) {
    return alike.length === 0
      ? undefined
      : { index, asks: (value) => alike.some((column) => looksLike(column, value)) };
  }
  const ways = [meant.name, ...(meant.alsoMappedTo ?? [])].map((way) => `--map "${name}=${way}"`);
  const fix =
    `To use it, rename the column to "${meant.name}" or add ${ways.join(' or ')}. ` +
    `To keep it as your own column, rename it or add --map "${name}="`;
  return issueAt(line, name, 'HEADER_NEAR_MISS', `${described(index)}: did you mean ${meant.name}? ${fix}`);
}

/** Words that make `New tariff` of the name of a column. */
const newOnes = new Set('new next future requested desired wanted neu neuer nouveau nouvelle'.split(' '));

/** Asks about a column that may be meant instead of the one that was recognised: `New tariff` beside `Tariff`. */
function findRival(
  { name, index }: ExtraColumn,
  present: readonly ColumnNames[],
  { line, described, samples }: Described & { readonly samples: HeaderOptions['samples'] & object },
): Issue | WatchedColumn | undefined {
  const words = wordsOf(withoutHint(name)).split(' ');
  const rest = words.filter((word) => !newOnes.has(word)).join(' ');
  if (rest === '' || rest === words.join(' ')) return undefined;
  const rival = present.find((one) => !one.isVerbatim && comparedNames(one).some(({ words }) => words === rest));
  if (rival === undefined) return undefined;
  if (samples.length > 0 && valuesOf(samples, index).length === 0) return { index, asks: () => true };
  const message =
    `${described(index)} may be meant, and another column is read as ${rival.name}. To use it: ` +
    `--map "${name}=${rival.name}". To keep it as your own column: --map "${name}="`;
  return issueAt(line, name, 'HEADER_NEAR_MISS', message);
}

interface Missing extends Described {
  /** Columns of the user with values like those of the missing column. */
  readonly alike: readonly number[];
  readonly cells: readonly string[];
}

function missingIssue({ name, aliases = [] }: ColumnNames, missing: Missing): Issue {
  const also = aliases.length === 0 ? '' : ` (other accepted names: ${aliases.join(', ')})`;
  const message = `the column ${name} is missing${also}. ${adviseMissing(name, missing)}`;
  return issueAt(missing.line, name, 'HEADER_MISSING_COLUMN', message);
}

function adviseMissing(name: string, { line, alike, cells, described }: Missing): string {
  const value = cells.find(isValue)?.trim();
  if (value !== undefined) return `"${value}" in line ${line} is a value, not a name. ${addHeader}`;
  const [first] = alike;
  if (first === undefined) return `If the file has it under another name: --map "NAME=${name}"`;
  return `${alike.map(described).join(' and ')} may be it: --map "${cells[first]?.trim()}=${name}"`;
}

/** A name with a hint does not compete with the name itself. */
function namesOf(cells: readonly string[], canonical: ReadonlyMap<string, string>): (string | undefined)[] {
  const exact = cells.map((cell) => canonical.get(normalizeName(cell)));
  const taken = new Set(exact);
  return cells.map((cell, index) => {
    const variant = exact[index] ?? nameOf(cell, canonical);
    return exact[index] === undefined && taken.has(variant) ? undefined : variant;
  });
}

/** The columns of which the words of `written` contain a name, or are another one. */
function containedColumns(written: string, columns: readonly ColumnNames[]): ColumnNames[] {
  // Twice, so that `Expiry date of PAC` contains `PAC expiry date`.
  const words = ` ${[written, written.toLowerCase(), written.replace(/\bcode\b/i, '')].map(wordsOf).join(' ')} `;
  const bare = wordsOf(withoutHint(written));
  const isContained = (one: ReturnType<typeof comparedNames>[number]) => words.includes(` ${one.words} `);
  const isNamed = ({ mayBeNamed = [] }: ColumnNames) => mayBeNamed.some((one) => wordsOf(one) === bare);
  const others = columns.filter(
    (column) => !column.isLabel && !isNamed(column) && comparedNames(column).some(isContained),
  );
  return [...columns.filter(isNamed), ...others];
}

/** The columns of which `written` may be a typo, the likeliest first. */
function columnsLike<Column extends ColumnNames>(written: string, columns: readonly Column[]): Column[] {
  const text = normalizeName(written);
  return columns
    .flatMap((column) =>
      comparedNames(column).map(({ normalized }) => ({ column, distance: typoDistance(text, normalized) })),
    )
    .filter(({ distance }) => distance !== undefined)
    .sort((one, other) => (one.distance ?? 0) - (other.distance ?? 0))
    .map(({ column }) => column);
}

/** How many typos turn `name` into `written`; undefined: too many. In a short name only swapped letters count. */
function typoDistance(written: string, name: string): number | undefined {
  if (name.length <= 4 && !hasSameLetters(written, name)) return undefined;
  const limit = name.length <= 4 ? 1 : name.length <= 9 ? 2 : 3;
  if (Math.abs(written.length - name.length) > limit) return undefined;
  const distance = editDistance(written, name, limit);
  return distance <= limit ? distance : undefined;
}

const hasSameLetters = (one: string, other: string): boolean =>
  one.length === other.length && [...one].sort().join('') === [...other].sort().join('');

function suggestion(name: string, columns: readonly ColumnNames[]): string {
  const meant = columnsLike(name, columns)[0]?.name;
  return meant === undefined
    ? `; the columns are ${columns.map((column) => column.name).join(', ')}`
    : `: did you mean ${meant}?`;
}

const issueAt = (line: number, column: string | null, code: IssueCode, message: string): Issue => ({
  line,
  column,
  ...error(code, message),
});
