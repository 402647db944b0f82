// The fast path of ingest (docs/contributing/ingest-fast-path.md): rows that differ from earlier valid rows only in
// their canonical cells are checked for duplicates and written as bytes, without creating strings or objects. The
// validator decides all others. `fast-path.slow.test.ts` compares the files that both ways write.
import { type CellSpans, flagBits } from '#shared/csv/record-batch.ts';
import type { FileHeader } from '#shared/operations/columns/option-columns.ts';
import { referenceColumn } from '#shared/operations/kit/column.ts';
import type { AccountSettings, CombinationFinding, Operation, Shape } from '#shared/operations/operation.ts';
import { CanonicalCells, type CanonicalColumn, canonicalColumn } from '../fast-path/canonical-cells.ts';
import { type RowPattern, RowPatterns } from '../fast-path/row-patterns.ts';
import type { RowValidator } from '../validate/row-validator.ts';
import type { Grouping, OpenGroup } from './grouping.ts';
import { TemplateLayout, templateOf, tryTemplate } from './row-template.ts';

export interface FastPathContext {
  readonly operation: Operation;
  readonly header: FileHeader;
  readonly settings: AccountSettings;
  readonly validator: RowValidator;
  readonly grouping: Grouping;
}

/** undefined: no column of the file can have canonical cells. */
export function openFastPath(context: FastPathContext): FastPath | undefined {
  const { operation, header, settings } = context;
  const columns = operation.columns.flatMap(
    (column) => canonicalColumn(column, header.indexes.get(column.name), settings) ?? [],
  );
  return columns.length === 0 ? undefined : new FastPath(context, columns);
}

/** What the rows of a template have in common. */
interface KnownTemplate {
  readonly layout: TemplateLayout;
  /** As the grouping knows it. */
  readonly layoutNumber: number;
  readonly uniques: readonly number[];
}

/** What the rows of one pattern have in common; null: each of them must be validated. */
type Known = {
  readonly shape: Shape;
  readonly warnings: readonly CombinationFinding[];
  readonly template: KnownTemplate;
  /** The earliest day with which such a row was valid, and in the same requests. */
  firstDay: number;
  group: OpenGroup | undefined;
} | null;

/** The first byte of the two bytes of \u00C0 to \u017F in UTF-8: letters with accents, × and ÷. */
const latinLetters = { first: 0xc3, last: 0xc5 };

const noSpans: CellSpans = { bytes: Buffer.alloc(0), bounds: new Int32Array(0), starts: [] };

export class FastPath {
  readonly #context: FastPathContext;
  readonly #columns: readonly CanonicalColumn[];
  readonly #cells: readonly CanonicalCells[];
  readonly #days: CanonicalCells | undefined;
  readonly #referenceIndex: number | undefined;
  readonly #patterns: RowPatterns<Known>;
  /** By the key of their trial: many patterns share a template. */
  readonly #templates = new Map<string, KnownTemplate>();
  #spans = noSpans;
  /** The pattern of the record that was tried last, if too little is known of it. */
  #unknown: RowPattern<Known> | undefined;
  /** The day of that record. */
  #day = 0;

  constructor(context: FastPathContext, columns: readonly CanonicalColumn[]) {
    const { header, validator } = context;
    this.#context = context;
    this.#columns = columns;
    this.#cells = columns.map((column) => new CanonicalCells(column, validator.uniqueness.duplicatesIn(column.name)));
    this.#days = this.#cells.find(({ column }) => column.isOrdered);
    this.#referenceIndex = header.indexes.get(referenceColumn.name);
    const apart = new Set([...columns.map(({ index }) => index), this.#referenceIndex]);
    const read = [...header.indexes.values(), ...(header.options ?? []).map(({ index }) => index)];
    this.#patterns = new RowPatterns(read.filter((index) => !apart.has(index)));
  }

  /** Must be called for each batch before its first record is tried. */
  startBatch(spans: CellSpans): void {
    this.#spans = spans;
    for (const column of this.#cells) column.read(spans);
  }

  /**
   * Plans the record with this index if possible, and returns its warnings. undefined: the record must be validated.
   */
  tryRecord(index: number, line: number): readonly CombinationFinding[] | undefined {
    this.#unknown = undefined;
    const bound = this.#spans.starts[index] as number;
    const filled = bound < 0 ? -1 : this.#filledCells(index);
    if (filled < 0) return undefined;
    const pattern = this.#patterns.find(this.#spans, bound, filled);
    const day = this.#dayOf(index);
    if (pattern?.known === undefined || (pattern.known !== null && day < pattern.known.firstDay)) {
      this.#day = day;
      this.#unknown = pattern;
      return undefined;
    }
    const { known } = pattern;
    if (known === null || !this.#isReferenceVisible(bound)) return undefined;
    const { layout, layoutNumber, uniques } = known.template;
    if (!this.#addNumbers(index, uniques, line)) return undefined;
    const { grouping } = this.#context;
    known.group = grouping.beginRow(known.shape, known.group);
    layout.pack(grouping.row, this.#cells, { line, index });
    grouping.endRow(known.group, layoutNumber);
    return known.warnings;
  }

  /**
   * Must be called when the record that was tried last turned out valid, without other issues than these warnings,
   * and is in the usual requests of its combination.
   */
  learn(shape: Shape, warnings: readonly CombinationFinding[], record: readonly string[]): void {
    if (this.#unknown === undefined) return;
    const { filled, known } = this.#unknown;
    if (known) {
      known.firstDay = this.#firstDay(record, shape);
      return;
    }
    const columns = this.#columns.map((column, place) => ((filled & (1 << place)) === 0 ? undefined : column));
    const template = this.#learnTemplate(record, columns);
    this.#unknown.known =
      template === undefined
        ? null
        : { shape, warnings, template, firstDay: this.#firstDay(record, shape), group: undefined };
  }

  #learnTemplate(record: readonly string[], columns: readonly (CanonicalColumn | undefined)[]) {
    const { validator, grouping } = this.#context;
    const trial = tryTemplate(validator, record, columns);
    if (trial === undefined) return undefined;
    const known = this.#templates.get(trial.key);
    if (known !== undefined) return known;
    const learned = templateOf(trial);
    if (learned === undefined) return undefined;
    const layout = new TemplateLayout(learned);
    const layoutNumber = grouping.addLayout(layout);
    if (layoutNumber === undefined) return undefined;
    const template = { layout, layoutNumber, uniques: learned.uniques };
    this.#templates.set(trial.key, template);
    return template;
  }

  /** Which canonical cells are filled, one bit each; -1 when one of them is written in another way. */
  #filledCells(index: number): number {
    let filled = 0;
    for (let place = 0; place < this.#cells.length; place += 1) {
      const length = (this.#cells[place] as CanonicalCells).lengths[index] as number;
      if (length < 0) return -1;
      if (length > 0) filled |= 1 << place;
    }
    return filled;
  }

  /** Tries the earliest day of the file so far, so that few rows of a pattern are validated because of their day. */
  #firstDay(record: readonly string[], shape: Shape): number {
    const days = this.#days;
    if (days === undefined || days.earliest.day >= this.#day) return this.#day;
    const { day, text } = days.earliest;
    const { validator, grouping } = this.#context;
    const trial = validator.tryRecord(record.with(days.column.index, text));
    const isAlike = trial !== undefined && grouping.shapeFor(shape, trial.row) === shape;
    return isAlike ? day : this.#day;
  }

  /** 0 without a day. */
  #dayOf(index: number): number {
    const days = this.#days;
    return days === undefined || days.lengths[index] === 0 ? 0 : (days.lows[index] as number);
  }

  /**
   * The only rule for a reference is that its characters are visible. Those beyond ASCII and the Latin letters are left
   * to the validator.
   */
  #isReferenceVisible(bound: number): boolean {
    if (this.#referenceIndex === undefined) return true;
    const { bytes, bounds } = this.#spans;
    const cell = bound + 2 * this.#referenceIndex;
    const end = (bounds[cell + 1] as number) >> flagBits;
    for (let at = bounds[cell] as number; at < end; at += 1) {
      const byte = bytes[at] as number;
      if (byte >= 0x20 && byte <= 0x7e) continue;
      if (byte < latinLetters.first || byte > latinLetters.last) return false;
      at += 1;
    }
    return true;
  }

  /** Adds the numbers of the row to the duplicate indexes; false when one is on an earlier line, then none is added. */
  #addNumbers(index: number, uniques: readonly number[], line: number): boolean {
    for (let added = 0; added < uniques.length; added += 1) {
      const { highs, lows, duplicates } = this.#cells[uniques[added] as number] as CanonicalCells;
      if (duplicates.addOrGet(highs[index] as number, lows[index] as number, line) === 0) continue;
      this.#removeNumbers(index, uniques.slice(0, added));
      return false;
    }
    return true;
  }

  #removeNumbers(index: number, uniques: readonly number[]): void {
    for (const place of uniques) {
      const { highs, lows, duplicates } = this.#cells[place] as CanonicalCells;
      duplicates.remove(highs[index] as number, lows[index] as number);
    }
  }
}
