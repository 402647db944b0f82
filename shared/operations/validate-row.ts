// Validates one row, for ingest and for POST /validate: reads its cells, repairs what is certain, and adds what the
// operation finds.

import { writtenText } from '#shared/files/csv/csv-row.ts';
import type { ValueMeanings } from '#shared/files/map-header.ts';
import { isDayForm } from '#shared/row/calendar-date.ts';
import type { DateOrder } from '#shared/row/date-order.ts';
import { checkCharacters, nameKey } from '#shared/row/did-you-mean.ts';
import type { Finding, Issue } from '#shared/row/issue.ts';
import { type MsisdnContext, parseMsisdn } from '#shared/row/msisdn.ts';
import { isCertainlyPac, maybePac } from '#shared/row/pac.ts';
import { codeMask, maskQuotedCodes, redactText } from '#shared/row/redact.ts';
import {
  type CellReading,
  type RepairableColumn,
  readCell,
  repairCell,
  trimmedText,
  type Writer,
} from './columns/cell-reader.ts';
import { type OptionColumn, withOptions } from './columns/option-cells.ts';
import type { FileHeader } from './columns/option-columns.ts';
import {
  type Cells,
  type Column,
  type CombinationFinding,
  type ImportContext,
  type Meanings,
  type Operation,
  type Report,
  referenceColumn,
  type Shape,
  type ValidatedRow,
  type ValidatedShape,
} from './operation.ts';

const noIssues: readonly Issue[] = [];
const noFindings: readonly CombinationFinding[] = [];
/** Findings written for one row. A short list in a cell can have hundreds, in each of a million rows. */
const maxFindings = 50;

/** `accepted` is present exactly when no issue is an error. */
export interface Verdict {
  readonly issues: readonly Issue[];
  readonly accepted?: { readonly row: ValidatedRow; readonly shape: Shape };
}

/** Which cells a row has, and the values for its empty ones. */
export interface RowHeader extends Pick<FileHeader, 'indexes' | 'defaults' | 'options'> {
  /** @default - nothing */
  readonly meanings?: ValueMeanings;
  /** @default others */
  readonly writer?: Writer;
}

/** How the dates of the rows are read. */
export interface RowDates {
  /** By column. */
  readonly orders: Readonly<Record<string, DateOrder>>;
  /** A workbook counts the days of its dates from 1904 on. */
  readonly startsIn1904?: boolean | undefined;
  /** Whether a date of a later row may change the orders. @default - the orders are certain */
  readonly isContradictedBy?: (column: string, text: string) => boolean;
}

/** The cells of rows as they are in the file. */
export type CellAt = (row: number, index: number) => string;

/** A column, and its cell in the row: that is read once, because a row asks for it several times. */
interface KnownColumn extends RepairableColumn {
  readonly isDate: boolean;
  readonly repeats: boolean;
  readonly index: number | undefined;
  /** The default for its empty cells. */
  readonly given: string | undefined;
  readonly reading: CellReading;
  /** Columns of the file whose cells are entries of this one. */
  readonly options: readonly OptionColumn[];
  /** The number of the row whose cell was read. */
  readIn: number;
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
  readonly #writer: Writer;
  #cellAt: CellAt = () => '';
  #row = 0;
  #rowsRead = 0;
  #line = 0;
  #issues: Issue[] = [];

  constructor(operation: Operation, header: RowHeader, context: ImportContext, dates: RowDates = { orders: {} }) {
    this.#operation = operation;
    this.#context = { ...context, meanings: meaningsByKey(header.meanings) };
    this.#dates = dates;
    this.#writer = header.writer ?? 'others';
    const { zone } = context.settings;
    const known = operation.columns.map((column) => knownColumn(column, header, dates, zone));
    this.#columns = new Map(known.map((one) => [one.name, one]));
    const inFile = known.filter(({ index }) => index !== undefined);
    this.#repeatingColumns = inFile.filter(({ repeats }) => repeats);
    this.#rowColumns = inFile.filter(({ repeats, isVerbatim }) => !repeats && !isVerbatim);
    this.#listColumns = known.filter(({ options }) => options.length > 0);
    this.#takesPacs = operation.columns.some(({ name }) => name === 'pac');
    this.repeating = known
      .filter(({ repeats }) => repeats)
      .flatMap(({ index, options }) => [...(index === undefined ? [] : [index]), ...options.map((one) => one.index)]);
  }

  /** Must be called for each row before it is validated. */
  startRow(cellAt: CellAt, row: number): void {
    this.#cellAt = cellAt;
    this.#row = row;
    this.#rowsRead += 1;
  }

  readonly #cells: Cells = (name) => {
    const column = this.#columns.get(name);
    if (column === undefined) return '';
    const text = this.#textOf(column);
    return column.options.length === 0 ? text : withOptions(text, column.options, this.#optionAt).text;
  };

  /** Validates the columns that repeat. All rows with the same cells there have the same result. */
  async validateShape(): Promise<ValidatedShape> {
    const check = () => this.#operation.checkShape((column) => copyOf(this.#cells(column)), this.#context);
    const checked = await check();
    const isDoubtful = checked.findings.length > 0 && this.#context.catalogue.renew();
    const { checkRow, shape, findings } = isDoubtful ? await check() : checked;
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
    if (shape.findings.length > 0) this.#issues = shape.findings.map((finding) => ({ line, ...finding }));
    else if (this.#issues.length > 0) this.#issues = [];
    const repairs = this.#repairs(this.#rowColumns);
    for (const { column, ...finding } of repairs) this.#report(column, finding);
    const failed = columnsWithErrors(repairs);
    const row = shape.checkRow(this.#cells, this.#reportExcept(failed));
    // The reference is not submitted, but it is in every file that people open.
    const unreadable = checkCharacters(this.#cells(referenceColumn.name));
    if (unreadable !== undefined) this.#report(referenceColumn.name, unreadable);
    const issues = this.#issues.length === 0 ? noIssues : this.#withoutCodes(limited(this.#issues)).map(withoutHidden);
    if (row === undefined || shape.shape === undefined || failed !== undefined || unreadable !== undefined) {
      return { issues };
    }
    return { issues, accepted: { row, shape: row.shape ?? shape.shape } };
  }

  readonly #optionAt = ({ index }: OptionColumn): string => writtenText(this.#cellAt(this.#row, index));

  #read(column: KnownColumn): void {
    if (column.readIn === this.#rowsRead) return;
    const raw = column.index === undefined ? '' : this.#cellAt(this.#row, column.index);
    const text = trimmedText(raw, column, this.#writer);
    const isDay = column.isDate && isDayForm(text);
    const repaired = isDay ? undefined : repairCell(text, column, column.reading);
    column.readIn = this.#rowsRead;
    column.isEmpty = text === '';
    column.text = repaired?.text ?? text;
    column.finding = repaired?.finding;
    if (column.isDate && !isDay && this.#dates.isContradictedBy?.(column.name, text)) this.hasContradictingDate = true;
  }

  #textOf(column: KnownColumn): string {
    this.#read(column);
    // A text for "nothing" is no empty cell, which the value for all rows fills.
    if (!column.isEmpty || column.given === undefined) return column.text;
    this.usedDefaults.add(column.name);
    return column.given;
  }

  /** What is wrong with the cells of columns that are one service or bolt-on. */
  #optionFindings(): CombinationFinding[] {
    return this.#listColumns.flatMap(
      (column) => withOptions(this.#textOf(column), column.options, this.#optionAt).findings,
    );
  }

  /** What was repaired in these columns of the record. */
  #repairs(columns: readonly KnownColumn[]): readonly CombinationFinding[] {
    let found: CombinationFinding[] | undefined;
    for (const column of columns) {
      this.#read(column);
      if (column.finding === undefined) continue;
      found ??= [];
      found.push({ column: column.name, ...column.finding });
    }
    return found ?? noFindings;
  }

  /** Messages quote cells, and when columns are mixed up a cell may hold a porting code (spec gap 44). */
  readonly #report: Report = (column, finding) => {
    this.#issues.push({ line: this.#line, column, ...finding, message: redactText(finding.message) });
  };

  #reportExcept(failed: ReadonlySet<string | null> | undefined): Report {
    if (failed === undefined) return this.#report;
    return (column, finding) => {
      if (!failed.has(column)) this.#report(column, finding);
    };
  }

  /**
   * Where the column of PACs does not certainly hold one, columns may be mixed up, and any cell that a message quotes
   * may be a code of a country whose codes have no typical form.
   */
  #withoutCodes(issues: readonly Issue[]): readonly Issue[] {
    if (!this.#takesPacs) return issues;
    const code = this.#cells('pac');
    // Another cell may have the code of the row as a part.
    const known = maybePac(code) && /\d/.test(code) ? withMessages(issues, codeMask([code])) : issues;
    if (isCertainlyPac(code)) return known;
    if (this.#context.isWithheld?.('pac')) return known;
    if (/^migrate/i.test(this.#cells('portType'))) return known;
    return known.map((issue) => ({ ...issue, message: maskQuotedCodes(issue.message, issue.column) }));
  }
}

/** Only an issue whose message changes is another object. */
const withMessages = (issues: readonly Issue[], change: (message: string) => string): readonly Issue[] =>
  issues.map((issue) => {
    const message = change(issue.message);
    return message === issue.message ? issue : { ...issue, message };
  });

/** undefined: there are none, as in most files. */
function meaningsByKey(given: ValueMeanings = {}): Meanings | undefined {
  const columns = Object.entries(given);
  if (columns.length === 0) return undefined;
  const byKey = (values: ValueMeanings[string]) =>
    Object.entries(values).map(([text, is]) => [nameKey(text), is] as const);
  return new Map(columns.map(([column, values]) => [column, new Map(byKey(values))]));
}

/** What a message does not quote, because it may be a code, is not kept beside it. */
function withoutHidden(issue: Issue): Issue {
  if (issue.unknownValue === undefined || issue.message.includes(`"${issue.unknownValue}"`)) return issue;
  const { unknownValue: _, ...others } = issue;
  return others;
}

/** Every column has all members: V8 reads objects of one form fastest. */
function knownColumn(column: Column, header: RowHeader, dates: RowDates, zone: string): KnownColumn {
  const { name, isDate = false, hasTime = false, isVerbatim = false, isText = false, repeats } = column;
  const reading = { order: dates.orders[name], startsIn1904: dates.startsIn1904, zone };
  const given = header.defaults.get(name)?.trim();
  return {
    name,
    isDate,
    hasTime,
    isVerbatim,
    isText,
    repeats,
    index: header.indexes.get(name),
    given: given && readCell(given, column, reading),
    reading,
    options: (header.options ?? []).filter(({ column: list }) => list === name),
    readIn: 0,
    isEmpty: true,
    text: '',
    finding: undefined,
  };
}

/** Their cells cannot be read, so nothing else is known of them: not that they are empty. undefined: there are none. */
function columnsWithErrors(repairs: readonly CombinationFinding[]): ReadonlySet<string | null> | undefined {
  if (repairs.length === 0) return undefined;
  const errors = repairs.filter(({ severity }) => severity === 'error');
  return errors.length === 0 ? undefined : new Set(errors.map(({ column }) => column));
}

/**
 * A cell is a slice of 64 KiB of text, and a slice that is kept keeps all of it in memory. V8 copies shorter ones, and
 * joined texts before it cuts them, which is faster than a buffer.
 */
export const copyOf = (text: string): string => (text.length < shortestSlice ? text : ` ${text}`.slice(1));
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
