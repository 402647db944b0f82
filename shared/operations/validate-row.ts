// THE row validator, of ingest and of POST /validate: the cells of a row, what was repaired in them, and what the
// operation finds.

import { unguardFormula, writtenText } from '#shared/files/csv/csv-row.ts';
import type { DateOrder } from '#shared/row/date-order.ts';
import { checkCharacters } from '#shared/row/did-you-mean.ts';
import type { Finding, Issue } from '#shared/row/issue.ts';
import { type MsisdnContext, parseMsisdn } from '#shared/row/msisdn.ts';
import { isCertainlyPac } from '#shared/row/pac.ts';
import { maskQuotedCodes, redactText } from '#shared/row/redact.ts';
import { type CellReading, readCell, repairCell } from './columns/cell-reader.ts';
import { type OptionColumn, withOptions } from './columns/option-cells.ts';
import type { FileHeader } from './columns/option-columns.ts';
import {
  type Cells,
  type Column,
  type CombinationFinding,
  type ImportContext,
  type Operation,
  type Report,
  referenceColumn,
  type Shape,
  type ValidatedRow,
  type ValidatedShape,
} from './operation.ts';

/** Findings written for one row. A short list in a cell can have hundreds, in each of a million rows. */
const maxFindings = 50;

/** `accepted` is present exactly when no issue is an error. */
export interface Verdict {
  readonly issues: readonly Issue[];
  readonly accepted?: {
    readonly row: ValidatedRow;
    readonly shape: Shape;
    /** What every row of the shape gets: warnings and notices. */
    readonly warnings: readonly CombinationFinding[];
  };
}

/** Which cells a row has, and the values for its empty ones. */
export type RowHeader = Pick<FileHeader, 'indexes' | 'defaults' | 'options'>;

/** How the dates of the rows are read. */
export interface RowDates {
  /** By column. */
  readonly orders: Readonly<Record<string, DateOrder>>;
  /** A workbook counts the days of its dates from 1904 on. */
  readonly startsIn1904?: boolean | undefined;
  /** Whether a date of a later row may change the orders. @default - the orders are certain */
  readonly isContradictedBy?: (column: string, text: string) => boolean;
}

interface KnownColumn {
  readonly column: Column;
  readonly index: number | undefined;
  /** The default for its empty cells. */
  readonly given: string | undefined;
  readonly reading: CellReading;
  /** Columns of the file whose cells are entries of this one. */
  readonly options: readonly OptionColumn[];
  /** Read once for each record, because a row asks for it several times. */
  readonly cell: ReadCell;
}

interface ReadCell {
  record: readonly string[] | undefined;
  isEmpty: boolean;
  /** After repairs. */
  text: string;
  finding: Finding | undefined;
}

/** The number in a cell; undefined where it is none. */
export function readNumber(cell: string, settings: MsisdnContext): string | undefined {
  const parsed = parseMsisdn(readCell(cell, { name: 'msisdn' }), settings);
  return parsed.ok ? parsed.value : undefined;
}

export class RowReader {
  /** The row that is read. */
  record: readonly string[] = [];
  /** The columns whose default was used for at least one cell. */
  readonly usedDefaults = new Set<string>();
  /** A date contradicts those that decided in which order dates are read. */
  hasContradictingDate = false;
  /** The indexes of the cells that repeat. */
  readonly repeating: readonly number[];
  readonly #operation: Operation;
  readonly #context: ImportContext;
  readonly #dates: RowDates;
  readonly #columns: ReadonlyMap<string, KnownColumn>;
  readonly #repeatingColumns: readonly KnownColumn[];
  readonly #rowColumns: readonly KnownColumn[];
  /** Those with columns of the file that are entries of them. */
  readonly #listColumns: readonly KnownColumn[];
  readonly #takesPacs: boolean;
  #issues: Issue[] = [];
  #line = 0;

  constructor(operation: Operation, header: RowHeader, context: ImportContext, dates: RowDates = { orders: {} }) {
    this.#operation = operation;
    this.#context = context;
    this.#dates = dates;
    const known = operation.columns.map((column): KnownColumn => {
      const { name } = column;
      const options = (header.options ?? []).filter(({ column: list }) => list === name);
      const reading = { order: dates.orders[name], startsIn1904: dates.startsIn1904, zone: context.settings.zone };
      const given = header.defaults.get(name)?.trim();
      const index = header.indexes.get(name);
      const cell = { record: undefined, isEmpty: true, text: '', finding: undefined };
      return { column, index, given: given && readCell(given, column, reading), reading, options, cell };
    });
    this.#columns = new Map(known.map((one) => [one.column.name, one]));
    const inFile = known.filter(({ index }) => index !== undefined);
    this.#repeatingColumns = inFile.filter(({ column }) => column.repeats);
    this.#rowColumns = inFile.filter(({ column }) => !column.repeats && !column.isVerbatim);
    this.#listColumns = known.filter(({ options }) => options.length > 0);
    this.#takesPacs = operation.columns.some(({ name }) => name === 'pac');
    this.repeating = known
      .filter(({ column }) => column.repeats)
      .flatMap(({ index, options }) => [...(index === undefined ? [] : [index]), ...options.map((one) => one.index)]);
  }

  readonly cells: Cells = (name) => {
    const column = this.#columns.get(name);
    if (column === undefined) return '';
    const text = this.#textOf(column);
    return column.options.length === 0 ? text : withOptions(text, column.options, this.#cellAt).text;
  };

  /** Validates the columns that repeat. All rows with the same cells there have the same result. */
  async validateShape(): Promise<ValidatedShape> {
    const { checkRow, shape, findings } = await this.#operation.checkShape(
      (column) => copyOf(this.cells(column)),
      this.#context,
    );
    const repairs = this.#repairs(this.#repeatingColumns);
    const failed = columnsWithErrors(repairs);
    const ofCells = [...repairs, ...this.#optionFindings()];
    const others = findings.filter(({ column }) => !failed?.has(column));
    const all = [...others, ...ofCells].map((finding) => ({ ...finding, message: redactText(finding.message) }));
    const isValid = ofCells.every(({ severity }) => severity !== 'error');
    return { checkRow, findings: all, ...(isValid && shape && { shape }) };
  }

  /** Validates the row. @param shape of its cells that repeat */
  validateRow(line: number, shape: ValidatedShape): Verdict {
    this.#line = line;
    this.#issues = [];
    if (shape.findings.length > 0) this.#issues = shape.findings.map((finding) => ({ line, ...finding }));
    const repairs = this.#repairs(this.#rowColumns);
    for (const { column, ...finding } of repairs) this.#report(column, finding);
    const failed = columnsWithErrors(repairs);
    const report: Report = (column, finding) => {
      if (!failed?.has(column)) this.#report(column, finding);
    };
    const row = shape.checkRow(this.cells, failed === undefined ? this.#report : report);
    // The reference is not submitted, but it is in every file that people open.
    const unreadable = checkCharacters(this.cells(referenceColumn.name));
    if (unreadable !== undefined) this.#report(referenceColumn.name, unreadable);
    const issues = this.#withoutCodes(limited(this.#issues));
    const isReadable = unreadable === undefined && repairs.every(({ severity }) => severity !== 'error');
    return row !== undefined && isReadable && shape.shape !== undefined
      ? { issues, accepted: { row, shape: row.shape ?? shape.shape, warnings: shape.findings } }
      : { issues };
  }

  readonly #cellAt = ({ index }: OptionColumn): string => writtenText(this.record[index] ?? '');

  #cellOf({ column, index = -1, reading, cell }: KnownColumn): ReadCell {
    if (cell.record === this.record) return cell;
    const raw = this.record[index] ?? '';
    const text = column.isVerbatim ? unguardFormula(raw.trim()) : writtenText(raw);
    const repaired = repairCell(text, column, reading);
    cell.record = this.record;
    cell.isEmpty = text === '';
    cell.text = repaired?.text ?? text;
    cell.finding = repaired?.finding;
    if (column.isDate && this.#dates.isContradictedBy?.(column.name, text)) this.hasContradictingDate = true;
    return cell;
  }

  #textOf(column: KnownColumn): string {
    const { isEmpty, text } = this.#cellOf(column);
    // A text for "nothing" is no empty cell, which the value for all rows fills.
    if (!isEmpty || column.given === undefined) return text;
    this.usedDefaults.add(column.column.name);
    return column.given;
  }

  /** What is wrong with the cells of columns that are one service or bolt-on. */
  #optionFindings(): CombinationFinding[] {
    return this.#listColumns.flatMap(
      (column) => withOptions(this.#textOf(column), column.options, this.#cellAt).findings,
    );
  }

  /** What was repaired in these columns of the record. */
  #repairs(columns: readonly KnownColumn[]): CombinationFinding[] {
    const found: CombinationFinding[] = [];
    for (const known of columns) {
      const { finding } = this.#cellOf(known);
      if (finding !== undefined) found.push({ column: known.column.name, ...finding });
    }
    return found;
  }

  /** Messages quote cells, and when columns are mixed up a cell may hold a porting code (spec gap 44). */
  readonly #report: Report = (column, finding) => {
    this.#issues.push({ line: this.#line, column, ...finding, message: redactText(finding.message) });
  };

  /**
   * Where the column of PACs does not certainly hold one, columns may be mixed up, and any cell that a message quotes
   * may be a code of a country whose codes have no typical form.
   */
  #withoutCodes(issues: readonly Issue[]): readonly Issue[] {
    if (issues.length === 0 || !this.#takesPacs || isCertainlyPac(this.cells('pac'))) return issues;
    if (this.#context.isWithheld?.('pac')) return issues;
    if (/^migrate/i.test(this.cells('portType'))) return issues;
    return issues.map((issue) => ({ ...issue, message: maskQuotedCodes(issue.message, issue.column) }));
  }
}

/** Their cells cannot be read, so nothing else is known of them: not that they are empty. undefined: there are none. */
function columnsWithErrors(repairs: readonly CombinationFinding[]): ReadonlySet<string | null> | undefined {
  if (repairs.length === 0) return undefined;
  const errors = repairs.filter(({ severity }) => severity === 'error');
  return errors.length === 0 ? undefined : new Set(errors.map(({ column }) => column));
}

/** A cell is a slice of 64 KiB of text, and a slice that is kept keeps all of it in memory. V8 copies shorter ones. */
export const copyOf = (text: string): string =>
  text.length < shortestSlice ? text : Buffer.from(text, 'utf8').toString('utf8');
const shortestSlice = 13;

/** The first findings, errors before others: a row with an error stays rejected. */
function limited(issues: readonly Issue[]): readonly Issue[] {
  if (issues.length <= maxFindings) return issues;
  const errors = issues.filter(({ severity }) => severity === 'error');
  const others = issues.filter(({ severity }) => severity !== 'error');
  const kept = [...errors, ...others].slice(0, maxFindings);
  const last = kept.at(-1) as Issue;
  const more = `${last.message} (and ${issues.length - maxFindings} more findings about this row)`;
  return [...kept.slice(0, -1), { ...last, message: more }];
}
