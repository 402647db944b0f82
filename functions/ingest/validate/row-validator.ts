// Validates records one after the other. The columns that repeat are validated once for each distinct text of them.
import type { RecordBatch } from '#shared/files/csv/record-batch.ts';
import { todayOf } from '#shared/operations/columns/connection-date.ts';
import type {
  DailyCapacity,
  ImportContext,
  Operation,
  ValidatedShape,
  ValidationContext,
} from '#shared/operations/operation.ts';
import { copyOf, type RowDates, type RowHeader, RowReader, type Verdict } from '#shared/operations/validate-row.ts';
import { ImportUniqueness } from './duplicate-index.ts';

/** Distinct shapes kept at a time, and the characters of their cells and findings: a cell may have 250,000. */
const maxShapes = 25_000;
const maxShapeCharacters = 20_000_000;

/** What the rows of one file are validated with. */
interface FileContext extends ValidationContext {
  readonly predictNumber?: ImportContext['predictNumber'];
  readonly dailyCapacity?: DailyCapacity | undefined;
  /** The numbers and SIMs that were sent with other rows. @default - none was */
  readonly sent?: ImportUniqueness | undefined;
}

export class RowValidator {
  /** The numbers of the file so far. */
  readonly uniqueness: ImportUniqueness;
  readonly #dailyCapacity: DailyCapacity | undefined;
  readonly #catalogue: ValidationContext['catalogue'];
  readonly #rows: RowReader;
  /** The first and the last of adjacent columns that repeat. */
  readonly #repeating: readonly (readonly [first: number, last: number])[];
  readonly #shapes = new Map<string, ValidatedShape>();
  #shapeCharacters = 0;
  #shape: ValidatedShape | undefined;
  #line = 0;

  /** @param dates how the date columns are read */
  constructor(operation: Operation, header: RowHeader, context: FileContext, dates?: RowDates) {
    const uniqueness = new ImportUniqueness(() => this.#line, context.sent);
    this.uniqueness = uniqueness;
    this.#dailyCapacity = context.dailyCapacity;
    this.#catalogue = context.catalogue;
    this.#rows = new RowReader(operation, header, { ...context, today: todayOf(context), uniqueness }, dates);
    this.#repeating = adjacent(this.#rows.repeating);
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
  prepare(batch: RecordBatch, record: number): Promise<void> | undefined {
    this.#rows.startRow(batch.cellAt, record);
    const key = this.#repeatingText(batch, record);
    this.#shape = this.#shapes.get(key);
    return this.#shape === undefined ? this.#lookUpShape(key) : undefined;
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

  /** Whether the invalid record is to be prepared and validated again: the lists that rejected it were kept. */
  renew(): boolean {
    if (!this.#catalogue.renew()) return false;
    this.#shapes.clear();
    this.#shapeCharacters = 0;
    return true;
  }

  /**
   * As in the file, so the same cells with other quotes are looked up twice. No cell has a line feed without quotes.
   */
  #repeatingText(batch: RecordBatch, record: number): string {
    let text: string | undefined;
    for (const [first, last] of this.#repeating) {
      const cells = batch.textBetween(record, first, last);
      text = text === undefined ? cells : `${text}\n${cells}`;
    }
    return text ?? '';
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

  async #lookUpShape(key: string): Promise<void> {
    const shape = await this.#rows.validateShape();
    this.#remember(key, shape);
    this.#shape = shape;
  }
}

function adjacent(indexes: readonly number[]): [first: number, last: number][] {
  const found: [number, number][] = [];
  for (const index of [...indexes].sort((one, other) => one - other)) {
    const last = found.at(-1);
    if (last !== undefined && last[1] >= index - 1) last[1] = index;
    else found.push([index, index]);
  }
  return found;
}
