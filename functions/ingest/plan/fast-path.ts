// The fast path of ingest (docs/contributing/ingest-fast-path.md): rows that differ from earlier valid rows only in
// their canonical cells are checked for duplicates and written as bytes, without creating strings or objects. The
// validator decides all others. `fast-path.slow.test.ts` compares the files that both ways write.
import { type CellSpans, flagBits, quotedFlag } from '#shared/files/csv/record-batch.ts';
import type { FileHeader } from '#shared/operations/columns/option-columns.ts';
import {
  type AccountSettings,
  type CombinationFinding,
  type Operation,
  referenceColumn,
  type Shape,
} from '#shared/operations/operation.ts';
import type { RowValidator } from '../validate/row-validator.ts';
import type { Grouping, OpenGroup } from './grouping.ts';
import {
  CanonicalCells,
  type CanonicalColumn,
  canonicalColumn,
  TemplateLayout,
  templateOf,
  tryTemplate,
} from './row-template.ts';
import { ByteHash, wordBytes } from './utf8-buffer.ts';

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

// Rows have the same pattern when all their cells outside the canonical columns have the same bytes, and the same
// canonical cells are filled. Patterns are found by a hash and then compared byte by byte, so two are never confused.

interface RowPattern<Known> {
  /** Which canonical cells are filled, one bit each. */
  readonly filled: number;
  /** Where its bytes begin among those of all patterns. */
  readonly start: number;
  /** Where each range of cells ends there. */
  readonly ends: readonly number[];
  /** undefined until something is known. */
  known: Known | undefined;
}

/** Patterns kept at a time, and their bytes: a cell may have 250,000. */
const maxPatterns = 25_000;
const maxPatternBytes = 32 * 1024 * 1024;

class RowPatterns<Known> {
  readonly #patterns = new Map<number, RowPattern<Known>>();
  // The bytes of all patterns, one behind the other: they are compared for each row, and must be in few cache lines.
  #stored = new Uint8Array(1024);
  #byteCount = 0;
  #storedView = new DataView(this.#stored.buffer);
  /** The hashes of patterns with one row so far. A file may have as many patterns as rows, so one row is not enough. */
  readonly #seenOnce = new Set<number>();
  // The first and the last cell of each range of adjacent cells.
  readonly #firsts: Int32Array;
  readonly #lasts: Int32Array;
  // Where each range begins and ends in the bytes of the current record.
  readonly #starts: Int32Array;
  readonly #ends: Int32Array;
  readonly #byteHash = new ByteHash();
  #spans: CellSpans | undefined;
  #view: DataView = new DataView(new ArrayBuffer(0));

  /** @param cells the indexes of the cells that make up the pattern */
  constructor(cells: readonly number[]) {
    const ranges = adjacentRanges(cells);
    this.#firsts = Int32Array.from(ranges, ([first]) => first);
    this.#lasts = Int32Array.from(ranges, ([, last]) => last);
    this.#starts = new Int32Array(ranges.length);
    this.#ends = new Int32Array(ranges.length);
  }

  /**
   * The pattern of the record whose bounds begin at `bound`; undefined for its first row.
   * @param filled which canonical cells are filled, one bit each
   */
  find(spans: CellSpans, bound: number, filled: number): RowPattern<Known> | undefined {
    if (spans !== this.#spans) {
      const { buffer, byteOffset, length } = spans.bytes;
      this.#spans = spans;
      this.#view = new DataView(buffer, byteOffset, length);
    }
    this.#findRanges(spans.bounds, bound);
    const hash = this.#hash(filled);
    const pattern = this.#patterns.get(hash);
    if (pattern !== undefined && this.#matches(pattern, filled)) return pattern;
    return this.#isSecondRow(hash) ? this.#add(hash, filled) : undefined;
  }

  /** Quotes are part of the range, so that its bytes can be read in one way only. */
  #findRanges(bounds: Int32Array, bound: number): void {
    for (let range = 0; range < this.#starts.length; range += 1) {
      const first = bound + 2 * (this.#firsts[range] as number);
      const lastEnd = bounds[bound + 2 * (this.#lasts[range] as number) + 1] as number;
      this.#starts[range] = (bounds[first] as number) - ((bounds[first + 1] as number) & quotedFlag);
      this.#ends[range] = (lastEnd >> flagBits) + (lastEnd & quotedFlag);
    }
  }

  #hash(filled: number): number {
    const hash = this.#byteHash;
    hash.begin(filled, 0);
    for (let range = 0; range < this.#starts.length; range += 1) {
      hash.add(this.#view, this.#starts[range] as number, this.#ends[range] as number);
    }
    return hash.low;
  }

  #matches({ filled: known, start: first, ends }: RowPattern<Known>, filled: number): boolean {
    if (known !== filled) return false;
    let from = first;
    for (let range = 0; range < this.#starts.length; range += 1) {
      const end = ends[range] as number;
      const start = this.#starts[range] as number;
      if (end - from !== (this.#ends[range] as number) - start) return false;
      if (!haveSameBytes(this.#storedView, from, end, this.#view, start)) return false;
      from = end;
    }
    return true;
  }

  #isSecondRow(hash: number): boolean {
    if (this.#seenOnce.delete(hash)) return true;
    if (this.#seenOnce.size >= maxPatterns) this.#seenOnce.clear();
    this.#seenOnce.add(hash);
    return false;
  }

  #add(hash: number, filled: number): RowPattern<Known> {
    const length = this.#starts.reduce((sum, start, range) => sum + (this.#ends[range] as number) - start, 0);
    if (this.#patterns.size >= maxPatterns || this.#byteCount + length > maxPatternBytes) this.#forget();
    this.#reserve(length);
    const { buffer, byteOffset } = this.#view;
    const start = this.#byteCount;
    const ends = Array.from(this.#starts, (from, range) => {
      const part = new Uint8Array(buffer, byteOffset + from, (this.#ends[range] as number) - from);
      this.#stored.set(part, this.#byteCount);
      this.#byteCount += part.length;
      return this.#byteCount;
    });
    const pattern = { filled, start, ends, known: undefined };
    this.#patterns.set(hash, pattern);
    return pattern;
  }

  #forget(): void {
    this.#patterns.clear();
    this.#byteCount = 0;
  }

  #reserve(more: number): void {
    const needed = this.#byteCount + more;
    if (needed <= this.#stored.length) return;
    const grown = new Uint8Array(2 * needed);
    grown.set(this.#stored.subarray(0, this.#byteCount));
    this.#stored = grown;
    this.#storedView = new DataView(grown.buffer);
  }
}

/** The first and the last of the indexes that are adjacent. */
function adjacentRanges(indexes: readonly number[]): [number, number][] {
  const ranges: [number, number][] = [];
  for (const index of [...indexes].sort((one, other) => one - other)) {
    const last = ranges.at(-1);
    if (last !== undefined && last[1] === index - 1) last[1] = index;
    else ranges.push([index, index]);
  }
  return ranges;
}

function haveSameBytes(one: DataView, from: number, to: number, other: DataView, start: number): boolean {
  let at = from;
  const shift = start - from;
  for (; at + wordBytes <= to; at += wordBytes) if (one.getInt32(at) !== other.getInt32(at + shift)) return false;
  for (; at < to; at += 1) if (one.getUint8(at) !== other.getUint8(at + shift)) return false;
  return true;
}
