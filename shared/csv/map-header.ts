// Maps the header of a file to the columns of an operation: aliases, likely typos, and the user's own columns.
import { error, type Issue, type IssueCode } from '#shared/domain/imports/issue.ts';
import { editDistance } from '#shared/domain/text/did-you-mean.ts';

/** What this file needs of a column; an operation's columns have more. */
export interface ColumnNames {
  /** Canonical, as issues and plans name it: `boltOns`. */
  readonly name: string;
  readonly aliases?: readonly string[];
  readonly required?: boolean;
}

export interface ExtraColumn {
  /** As in the file, trimmed; may be empty. */
  readonly name: string;
  readonly index: number;
}

export interface HeaderMap {
  /** Canonical name to the index of its cell; a column that the file does not have is absent. */
  readonly indexes: ReadonlyMap<string, number>;
  /** The user's own columns in file order: they are kept in rejected.csv and results.csv. */
  readonly extras: readonly ExtraColumn[];
  /** Values for whole columns, by canonical name; a column of the file takes precedence. */
  readonly defaults: ReadonlyMap<string, string>;
  /** In file order. An error rejects the file. */
  readonly issues: readonly Issue[];
}

export interface HeaderOptions {
  /** The line of the header. */
  readonly line?: number;
  /** Values for whole columns, by canonical name or alias. */
  readonly defaults?: Readonly<Record<string, string>>;
}

/** Maps the cells of a header to `columns`. Reports all issues, not only the first. */
export function mapHeader(
  cells: readonly string[],
  columns: readonly ColumnNames[],
  { line = 1, defaults: given = {} }: HeaderOptions = {},
): HeaderMap {
  const canonical = canonicalNames(columns);
  const { indexes, extras, duplicates } = mapCells(cells, canonical, line);
  const { defaults, unknown } = mapDefaults(given, canonical, columns);
  const missing = columns.filter(({ name }) => !indexes.has(name));
  const typos = extras.flatMap(({ name }) => typoIssues(name, missing, line));
  const absent = missing.filter(({ name, required = false }) => required && !defaults.has(name));
  const issues = [...duplicates, ...typos, ...absent.map((column) => missingIssue(column, line)), ...unknown];
  return { indexes, extras, defaults, issues };
}

function mapCells(cells: readonly string[], canonical: ReadonlyMap<string, string>, line: number) {
  const indexes = new Map<string, number>();
  const extras: ExtraColumn[] = [];
  const duplicates: Issue[] = [];
  for (const [index, cell] of cells.entries()) {
    const name = canonical.get(normalize(cell));
    const earlier = name === undefined ? undefined : indexes.get(name);
    if (name === undefined) {
      extras.push({ name: cell.trim(), index });
    } else if (earlier === undefined) {
      indexes.set(name, index);
    } else {
      const message = `"${cells[earlier]?.trim()}" and "${cell.trim()}" are both ${name}: keep one`;
      duplicates.push(issueAt(line, name, 'HEADER_DUPLICATE_COLUMN', message));
    }
  }
  return { indexes, extras, duplicates };
}

function mapDefaults(
  given: Readonly<Record<string, string>>,
  canonical: ReadonlyMap<string, string>,
  columns: readonly ColumnNames[],
) {
  const defaults = new Map<string, string>();
  const unknown: Issue[] = [];
  for (const [name, value] of Object.entries(given)) {
    const column = canonical.get(normalize(name));
    if (column !== undefined) {
      defaults.set(column, value);
    } else {
      const message = `there is no column "${name}" to set${suggestion(name, columns)}`;
      unknown.push(issueAt(0, null, 'HEADER_UNKNOWN_DEFAULT', message));
    }
  }
  return { defaults, unknown };
}

function typoIssues(written: string, missing: readonly ColumnNames[], line: number): Issue[] {
  const meant = closestColumn(written, missing);
  if (meant === undefined) return [];
  const fix = `Rename the column to "${meant}" to use it, or to another name to keep it as your own column`;
  return [issueAt(line, written, 'HEADER_NEAR_MISS', `"${written}": did you mean ${meant}? ${fix}`)];
}

function missingIssue({ name, aliases = [] }: ColumnNames, line: number): Issue {
  const also = aliases.length === 0 ? '' : ` (other accepted names: ${aliases.join(', ')})`;
  return issueAt(line, name, 'HEADER_MISSING_COLUMN', `the column ${name} is missing${also}`);
}

/** Case, spaces, underscores, hyphens and the like do not distinguish names. */
const normalize = (name: string): string => name.toLowerCase().replace(/[\s_\-./#]+/g, '');

function canonicalNames(columns: readonly ColumnNames[]): ReadonlyMap<string, string> {
  return new Map(
    columns.flatMap(({ name, aliases = [] }) => [name, ...aliases].map((alias) => [normalize(alias), name])),
  );
}

/** The canonical name of the column of which `written` is likely a typo. */
function closestColumn(written: string, columns: readonly ColumnNames[]): string | undefined {
  const text = normalize(written);
  const near = columns
    .flatMap(({ name, aliases = [] }) =>
      [name, ...aliases].map((alias) => ({ name, distance: typoDistance(text, normalize(alias)) })),
    )
    .filter(({ distance }) => distance !== undefined)
    .sort((one, other) => (one.distance ?? 0) - (other.distance ?? 0));
  return near[0]?.name;
}

/** How many typos turn `name` into `written`; undefined: too many. In a short name only swapped letters count. */
function typoDistance(written: string, name: string): number | undefined {
  if (name.length <= 4 && !hasSameLetters(written, name)) return undefined;
  const limit = name.length <= 4 ? 1 : name.length <= 9 ? 2 : 3;
  const distance = editDistance(written, name, limit);
  return distance <= limit ? distance : undefined;
}

const hasSameLetters = (one: string, other: string): boolean => [...one].sort().join('') === [...other].sort().join('');

function suggestion(name: string, columns: readonly ColumnNames[]): string {
  const meant = closestColumn(name, columns);
  return meant === undefined
    ? `; the columns are ${columns.map((column) => column.name).join(', ')}`
    : `: did you mean ${meant}?`;
}

const issueAt = (line: number, column: string | null, code: IssueCode, message: string): Issue => ({
  line,
  column,
  ...error(code, message),
});
