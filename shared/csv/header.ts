// From what a header says to what a row means: aliases, slips of the pen, columns that only travel along.
import { editDistance } from '#shared/domain/did-you-mean.ts';
import type { Issue, IssueCode } from '#shared/domain/issue.ts';

/** The least this file needs to know of a column; an operation's columns have more. */
export interface ColumnNames {
  /** Canonical, as issues and plans name it: `boltOns`. */
  readonly name: string;
  readonly aliases?: readonly string[];
  readonly required?: boolean;
}

export interface ExtraColumn {
  /** As the file has it, trimmed; may be empty. */
  readonly name: string;
  readonly index: number;
}

export interface HeaderMap {
  /** Canonical name to the index of its cell; columns the file does not have are absent. */
  readonly indexes: ReadonlyMap<string, number>;
  /** Columns nobody knows, in file order: carried through to the reject and result files. */
  readonly extras: readonly ExtraColumn[];
  /** Values for whole columns, by canonical name; a column of the file goes before its default. */
  readonly defaults: ReadonlyMap<string, string>;
  /** In file order. The file is refused where one of them is an error. */
  readonly issues: readonly Issue[];
}

export interface HeaderOptions {
  /** The line of the file on which the header stands. */
  readonly line?: number;
  /** Values for whole columns, by canonical name or alias. */
  readonly defaults?: Readonly<Record<string, string>>;
}

/** Maps the header cells of a file to `columns`. All issues at once, never only the first. */
export function mapHeader(
  cells: readonly string[],
  columns: readonly ColumnNames[],
  { line = 1, defaults: given = {} }: HeaderOptions = {},
): HeaderMap {
  const canonical = canonicalNames(columns);
  const { indexes, extras, duplicates } = placeCells(cells, canonical, line);
  const { defaults, unknown } = placeDefaults(given, canonical, columns);
  const missing = columns.filter(({ name }) => !indexes.has(name));
  const slips = extras.flatMap(({ name }) => slipOf(name, missing, line));
  const absent = missing.filter(({ name, required = false }) => required && !defaults.has(name));
  const issues = [...duplicates, ...slips, ...absent.map((column) => absence(column, line)), ...unknown];
  return { indexes, extras, defaults, issues };
}

function placeCells(cells: readonly string[], canonical: ReadonlyMap<string, string>, line: number) {
  const indexes = new Map<string, number>();
  const extras: ExtraColumn[] = [];
  const duplicates: Issue[] = [];
  for (const [index, cell] of cells.entries()) {
    const name = canonical.get(plain(cell));
    const earlier = name === undefined ? undefined : indexes.get(name);
    if (name === undefined) {
      extras.push({ name: cell.trim(), index });
    } else if (earlier === undefined) {
      indexes.set(name, index);
    } else {
      const message = `"${cells[earlier]?.trim()}" and "${cell.trim()}" are both ${name}: keep one`;
      duplicates.push(issue(line, name, 'HEADER_DUPLICATE_COLUMN', message));
    }
  }
  return { indexes, extras, duplicates };
}

function placeDefaults(
  given: Readonly<Record<string, string>>,
  canonical: ReadonlyMap<string, string>,
  columns: readonly ColumnNames[],
) {
  const defaults = new Map<string, string>();
  const unknown: Issue[] = [];
  for (const [name, value] of Object.entries(given)) {
    const column = canonical.get(plain(name));
    if (column !== undefined) {
      defaults.set(column, value);
    } else {
      const message = `there is no column "${name}" to set${suggestion(name, columns)}`;
      unknown.push(issue(0, null, 'HEADER_UNKNOWN_DEFAULT', message));
    }
  }
  return { defaults, unknown };
}

function slipOf(written: string, missing: readonly ColumnNames[], line: number): Issue[] {
  const meant = nearMiss(written, missing);
  if (meant === undefined) return [];
  const message = `"${written}": did you mean ${meant}? Rename it so, or to something less alike to carry it along`;
  return [issue(line, written, 'HEADER_NEAR_MISS', message)];
}

function absence({ name, aliases = [] }: ColumnNames, line: number): Issue {
  const also = aliases.length === 0 ? '' : ` (also understood: ${aliases.join(', ')})`;
  return issue(line, name, 'HEADER_MISSING_COLUMN', `the column ${name} is missing${also}`);
}

/** Case, spaces, underscores, hyphens and the like make no difference between names. */
const plain = (name: string): string => name.toLowerCase().replace(/[\s_\-./#]+/g, '');

function canonicalNames(columns: readonly ColumnNames[]): ReadonlyMap<string, string> {
  return new Map(columns.flatMap(({ name, aliases = [] }) => [name, ...aliases].map((alias) => [plain(alias), name])));
}

/** The canonical name of the column that `written` is a slip of. A short name must have its letters swapped to count. */
function nearMiss(written: string, columns: readonly ColumnNames[]): string | undefined {
  const text = plain(written);
  const near = columns
    .flatMap(({ name, aliases = [] }) =>
      [name, ...aliases].map((alias) => ({ name, distance: slips(text, plain(alias)) })),
    )
    .filter(({ distance }) => distance !== undefined)
    .sort((one, other) => (one.distance ?? 0) - (other.distance ?? 0));
  return near[0]?.name;
}

/** How many slips make `written` out of `name`; undefined where they are too many to be slips. */
function slips(written: string, name: string): number | undefined {
  if (name.length <= 4 && !sameLetters(written, name)) return undefined;
  const limit = name.length <= 4 ? 1 : name.length <= 9 ? 2 : 3;
  const distance = editDistance(written, name, limit);
  return distance <= limit ? distance : undefined;
}

const sameLetters = (one: string, other: string): boolean => [...one].sort().join('') === [...other].sort().join('');

function suggestion(name: string, columns: readonly ColumnNames[]): string {
  const meant = nearMiss(name, columns);
  return meant === undefined
    ? `; the columns are ${columns.map((column) => column.name).join(', ')}`
    : `: did you mean ${meant}?`;
}

const issue = (line: number, column: string | null, code: IssueCode, message: string): Issue => ({
  line,
  column,
  code,
  message,
  severity: 'error',
});
