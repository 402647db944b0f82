// Validates records one after the other. The columns that repeat are validated once per distinct combination of their
// texts. In most files the row before has the same texts, so it is compared first.
import { todayOf } from '#shared/operations/columns/connection-date.ts';
import type {
  DailyCapacity,
  ImportContext,
  Operation,
  ValidatedRow,
  ValidatedShape,
  ValidationContext,
} from '#shared/operations/operation.ts';
import { copyOf, type RowDates, type RowHeader, RowReader, type Verdict } from '#shared/operations/validate-row.ts';
import { ImportUniqueness } from './duplicate-index.ts';

/** Distinct shapes kept at a time, and the characters of their cells and findings: a cell may have 250,000. */
const maxShapes = 25_000;
const maxShapeCharacters = 20_000_000;

export interface TrialRow {
  readonly row: ValidatedRow;
  /** The columns and digits for which the operation asked whether an earlier line has them. */
  readonly uniques: readonly (readonly [column: string, digits: string])[];
}

export class RowValidator {
  /** The numbers of the file so far. */
  readonly uniqueness: ImportUniqueness;
  readonly #dailyCapacity: DailyCapacity | undefined;
  readonly #rows: RowReader;
  readonly #shapes = new Map<string, ValidatedShape>();
  #shapeCharacters = 0;
  #shape: ValidatedShape | undefined;
  /** The record from which `#shape` was made. */
  #shapedRecord: readonly string[] | undefined;
  #line = 0;
  /** Collects during a trial. */
  #trialUniques: [string, string][] | undefined;

  /** @param dates how the date columns are read */
  constructor(
    operation: Operation,
    header: RowHeader,
    context: ValidationContext & Partial<Pick<ImportContext, 'predictNumber' | 'dailyCapacity'>>,
    dates?: RowDates,
  ) {
    const uniqueness = new ImportUniqueness(() => this.#line);
    this.uniqueness = uniqueness;
    this.#dailyCapacity = context.dailyCapacity;
    const checks: ImportContext['uniqueness'] = {
      hasOneMeaning: (name, meaning) => uniqueness.hasOneMeaning(name, meaning),
      earlierLine: (column, value) => {
        if (this.#trialUniques === undefined) return uniqueness.earlierLine(column, value);
        this.#trialUniques.push([column, value]);
        return undefined;
      },
    };
    this.#rows = new RowReader(operation, header, { ...context, today: todayOf(context), uniqueness: checks }, dates);
  }

  /** The columns whose default was used for at least one cell. */
  get usedDefaults(): ReadonlySet<string> {
    return this.#rows.usedDefaults;
  }

  /** A date contradicts those that decided in which order dates are read. */
  get hasContradictingDate(): boolean {
    return this.#rows.hasContradictingDate;
  }

  /** Must be called before `validate`. Returns a promise only when the shape of the record must be looked up. */
  prepare(record: readonly string[]): Promise<void> | undefined {
    this.#rows.record = record;
    const { repeating } = this.#rows;
    if (this.#shapedRecord !== undefined && haveSameCells(this.#shapedRecord, record, repeating)) return undefined;
    const key = keyOf(record, repeating);
    const known = this.#shapes.get(key);
    if (known === undefined) return this.#lookUpShape(key, record);
    this.#shape = known;
    this.#shapedRecord = record;
    return undefined;
  }

  /** Validates the prepared record. */
  validate(line: number): Verdict {
    if (this.#shape === undefined) throw new Error('a record must be prepared before it is validated');
    this.#line = line;
    const verdict = this.#rows.validateRow(line, this.#shape);
    const end = verdict.accepted === undefined ? 'invalid' : 'valid';
    this.uniqueness.endRow(end);
    this.#dailyCapacity?.endRow(end);
    return verdict;
  }

  /** Validates another record of the prepared shape, and keeps nothing of it. undefined: it has an issue. */
  tryRecord(record: readonly string[]): TrialRow | undefined {
    const uniques: [string, string][] = [];
    let issues = 0;
    this.#trialUniques = uniques;
    this.#rows.record = record;
    const row = this.#shape?.checkRow(this.#rows.cells, () => {
      issues += 1;
    });
    this.#trialUniques = undefined;
    return row === undefined || issues > 0 ? undefined : { row, uniques };
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

  async #lookUpShape(key: string, record: readonly string[]): Promise<void> {
    this.#shape = undefined;
    this.#shapedRecord = undefined;
    const shape = await this.#rows.validateShape();
    this.#remember(key, shape);
    this.#shape = shape;
    this.#shapedRecord = record;
  }
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
