// Validates records one after the other. The columns that repeat are validated once per distinct combination of their
// texts. In most files the row before has the same texts, so it is compared first.
import { unguardFormula, writtenText } from '#shared/csv/csv-row.ts';
import type { Issue } from '#shared/domain/imports/issue.ts';
import { isCertainlyPac } from '#shared/domain/numbers/pac.ts';
import { checkCharacters } from '#shared/domain/text/cell-text.ts';
import { maskQuotedCodes } from '#shared/domain/text/mask-codes.ts';
import { redactText } from '#shared/domain/text/redact.ts';
import { referenceColumn } from '#shared/operations/kit/column.ts';
import { todayOf } from '#shared/operations/kit/connection-date.ts';
import type {
  Cells,
  Column,
  CombinationFinding,
  ImportContext,
  Operation,
  Report,
  Shape,
  ValidatedRow,
  ValidatedShape,
  ValidationContext,
} from '#shared/operations/kit/operation.ts';
import { type OptionColumn, withOptions } from '#shared/operations/kit/option-cells.ts';
import type { FileHeader } from '#shared/operations/kit/option-columns.ts';
import { type CellReading, type RepairedCell, readCell, repairCell } from '#shared/operations/kit/repair-cell.ts';
import { ImportUniqueness } from './duplicate-index.ts';
import type { RecognisedDates } from './recognise-dates.ts';

/** Distinct shapes kept at a time, and the characters of their cells and findings: a cell may have 250,000. */
const maxShapes = 25_000;
const maxShapeCharacters = 20_000_000;
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

export interface TrialRow {
  readonly row: ValidatedRow;
  /** The columns and digits for which the operation asked whether an earlier line has them. */
  readonly uniques: readonly (readonly [column: string, digits: string])[];
}

interface KnownColumn {
  readonly column: Column;
  readonly index: number | undefined;
  /** The default for its empty cells. */
  readonly given: string | undefined;
  readonly reading: CellReading;
  /** Columns of the file whose cells are entries of this one. */
  readonly options: readonly OptionColumn[];
}

type RowDates = Omit<RecognisedDates, 'issues'>;

export class RowValidator {
  /** The numbers of the file so far. */
  readonly uniqueness: ImportUniqueness;
  readonly #operation: Operation;
  /** The columns whose default was used for at least one cell. */
  readonly usedDefaults = new Set<string>();
  readonly #columns: ReadonlyMap<string, KnownColumn>;
  readonly #repeatingColumns: readonly KnownColumn[];
  readonly #rowColumns: readonly KnownColumn[];
  readonly #context: ImportContext;
  readonly #takesPacs: boolean;
  /** The indexes of the cells that repeat. */
  readonly #repeating: readonly number[];
  readonly #shapes = new Map<string, ValidatedShape>();
  #shapeCharacters = 0;
  #record: readonly string[] = [];
  #shape: ValidatedShape | undefined;
  /** The record from which `#shape` was made. */
  #shapedRecord: readonly string[] | undefined;
  #issues: Issue[] = [];
  #line = 0;
  /** Collects during a trial. */
  #trialUniques: [string, string][] | undefined;

  /** A date contradicts those that decided in which order dates are read. */
  hasContradictingDate = false;
  readonly #dates: RowDates;

  /** @param dates how the date columns are read */
  constructor(
    operation: Operation,
    header: FileHeader,
    context: ValidationContext & Partial<Pick<ImportContext, 'predictNumber' | 'dailyCapacity'>>,
    dates: RowDates = { orders: {}, isContradictedBy: () => false },
  ) {
    const uniqueness = new ImportUniqueness(() => this.#line);
    this.uniqueness = uniqueness;
    this.#dates = dates;
    this.#operation = operation;
    const known = operation.columns.map((column): KnownColumn => {
      const { name } = column;
      const options = (header.options ?? []).filter(({ column: list }) => list === name);
      const reading = {
        order: dates.orders[name],
        startsIn1904: dates.startsIn1904,
        zone: context.settings.zone,
      };
      const given = header.defaults.get(name)?.trim();
      return {
        column,
        index: header.indexes.get(name),
        given: given && readCell(given, column, reading),
        reading,
        options,
      };
    });
    this.#columns = new Map(known.map((one) => [one.column.name, one]));
    const inFile = known.filter(({ index }) => index !== undefined);
    this.#repeatingColumns = inFile.filter(({ column }) => column.repeats);
    this.#rowColumns = inFile.filter(({ column }) => !column.repeats && !column.isVerbatim);
    this.#takesPacs = operation.columns.some(({ name }) => name === 'pac');
    this.#repeating = known
      .filter(({ column }) => column.repeats)
      .flatMap(({ index, options }) => [...(index === undefined ? [] : [index]), ...options.map((one) => one.index)]);
    this.#context = {
      ...context,
      today: todayOf(context),
      uniqueness: {
        hasOneMeaning: (name, meaning) => uniqueness.hasOneMeaning(name, meaning),
        earlierLine: (column, value) => {
          if (this.#trialUniques === undefined) return uniqueness.earlierLine(column, value);
          this.#trialUniques.push([column, value]);
          return undefined;
        },
      },
    };
  }

  /** Must be called before `validate`. Returns a promise only when the shape of the record must be looked up. */
  prepare(record: readonly string[]): Promise<void> | undefined {
    this.#record = record;
    if (this.#shapedRecord !== undefined && haveSameCells(this.#shapedRecord, record, this.#repeating)) {
      return undefined;
    }
    const key = keyOf(record, this.#repeating);
    const known = this.#shapes.get(key);
    if (known === undefined) return this.#lookUpShape(key);
    this.#shape = known;
    this.#shapedRecord = record;
    return undefined;
  }

  /** Validates the prepared record. */
  validate(line: number): Verdict {
    const shape = this.#shape;
    if (shape === undefined) throw new Error('a record must be prepared before it is validated');
    this.#line = line;
    this.#issues = [];
    if (shape.findings.length > 0) this.#issues = shape.findings.map((finding) => ({ line, ...finding }));
    const repairs = this.#repairs(this.#rowColumns);
    for (const { column, ...finding } of repairs) this.#report(column, finding);
    const row = shape.checkRow(this.#cells, this.#report);
    // The reference is not submitted, but it is in every file that people open.
    const unreadable = checkCharacters(this.#cells(referenceColumn.name));
    if (unreadable !== undefined) this.#report(referenceColumn.name, unreadable);
    const issues = this.#withoutCodes(limited(this.#issues));
    const isReadable = unreadable === undefined && repairs.every(({ severity }) => severity !== 'error');
    const isValid = row !== undefined && isReadable && shape.shape !== undefined;
    this.uniqueness.endRow(isValid ? 'valid' : 'invalid');
    return isValid
      ? { issues, accepted: { row, shape: row.shape ?? shape.shape, warnings: shape.findings } }
      : { issues };
  }

  /** Validates another record of the prepared shape, and keeps nothing of it. undefined: it has an issue. */
  tryRecord(record: readonly string[]): TrialRow | undefined {
    const uniques: [string, string][] = [];
    this.#trialUniques = uniques;
    this.#record = record;
    this.#issues = [];
    const row = this.#shape?.checkRow(this.#cells, this.#report);
    this.#trialUniques = undefined;
    return row === undefined || this.#issues.length > 0 ? undefined : { row, uniques };
  }

  #remember(key: string, shape: ValidatedShape): void {
    const texts = [key, shape.shape?.head ?? '', ...shape.findings.map(({ message }) => message)];
    const characters = texts.reduce((sum, { length }) => sum + length, 0);
    if (this.#shapes.size >= maxShapes || this.#shapeCharacters + characters > maxShapeCharacters) {
      this.#shapes.clear();
      this.#shapeCharacters = 0;
    }
    this.#shapes.set(copyOf(key), shape);
    this.#shapeCharacters += characters;
  }

  readonly #cells: Cells = (name) => {
    const column = this.#columns.get(name);
    if (column === undefined) return '';
    const text = this.#textOf(column);
    return column.options.length === 0 ? text : withOptions(text, column.options, this.#cellAt).text;
  };

  readonly #cellAt = ({ index }: OptionColumn): string => writtenText(this.#record[index] ?? '');

  #written(index: number, { isVerbatim }: Column): string {
    const raw = this.#record[index] ?? '';
    return isVerbatim ? unguardFormula(raw.trim()) : writtenText(raw);
  }

  #textOf(column: KnownColumn): string {
    const text = column.index === undefined ? '' : this.#written(column.index, column.column);
    // A text for "nothing" is no empty cell, which the value for all rows fills.
    if (text !== '') return this.#repair(text, column)?.text ?? text;
    if (column.given === undefined) return '';
    this.usedDefaults.add(column.column.name);
    return column.given;
  }

  /** What is wrong with the cells of columns that are one service or bolt-on. */
  #optionFindings(): CombinationFinding[] {
    return [...this.#columns.values()].flatMap((column) =>
      column.options.length === 0 ? [] : withOptions(this.#textOf(column), column.options, this.#cellAt).findings,
    );
  }

  /** What was repaired in these columns of the record. */
  #repairs(columns: readonly KnownColumn[]): CombinationFinding[] {
    return columns.flatMap((known) => {
      const finding = this.#repair(this.#written(known.index ?? -1, known.column), known)?.finding;
      return finding === undefined ? [] : [{ column: known.column.name, ...finding }];
    });
  }

  #repair(text: string, { column, reading }: KnownColumn): RepairedCell | undefined {
    const repaired = repairCell(text, column, reading);
    // A date in the service's own notation needs no repair, whatever the order.
    if (column.isDate && text !== repaired?.text && this.#dates.isContradictedBy(column.name, text)) {
      this.hasContradictingDate = true;
    }
    return repaired;
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
    if (issues.length === 0 || !this.#takesPacs || isCertainlyPac(this.#cells('pac'))) return issues;
    if (/^migrate/i.test(this.#cells('portType'))) return issues;
    return issues.map((issue) => ({ ...issue, message: maskQuotedCodes(issue.message, issue.column) }));
  }

  async #lookUpShape(key: string): Promise<void> {
    const record = this.#record;
    this.#shape = undefined;
    this.#shapedRecord = undefined;
    const checked = await this.#operation.checkShape((column) => copyOf(this.#cells(column)), this.#context);
    const ofCells = [...this.#repairs(this.#repeatingColumns), ...this.#optionFindings()];
    const findings = [...checked.findings, ...ofCells].map((finding) => ({
      ...finding,
      message: redactText(finding.message),
    }));
    const isValid = ofCells.every(({ severity }) => severity !== 'error');
    const { checkRow } = checked;
    const shape = isValid ? { ...checked, findings } : { checkRow, findings };
    this.#remember(key, shape);
    this.#shape = shape;
    this.#shapedRecord = record;
  }
}

/** A cell is a slice of 64 KiB of text, and a slice that is kept keeps all of it in memory. V8 copies shorter ones. */
const copyOf = (text: string): string =>
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

function haveSameCells(one: readonly string[], other: readonly string[], indexes: readonly number[]): boolean {
  for (const index of indexes) if (one[index] !== other[index]) return false;
  return true;
}

/** The lengths make the key unambiguous, whatever the cells contain. */
function keyOf(record: readonly string[], indexes: readonly number[]): string {
  let key = '';
  for (const index of indexes) {
    const text = record[index] ?? '';
    key += `${text.length}:${text}`;
  }
  return key;
}
