// Gathers records into a batch: keeps the header apart, omits blank records, rejects records of the wrong length.

import { type CellSpans, escapedFlag, flagBits, type RecordBatch, wideFlag } from '#shared/csv/record-batch.ts';
import { errorAt, type Issue, type IssueCode } from '#shared/row/issue.ts';

/** The buffers of a batch; the next batch reuses them. */
export interface BatchBuffers extends Pick<CellSpans, 'bytes' | 'bounds'> {
  isCurrent: boolean;
}

const noSpan = -1;
const noBuffers: BatchBuffers = { bytes: Buffer.alloc(0), bounds: new Int32Array(0), isCurrent: true };

export class BatchBuilder {
  header: readonly string[] | undefined;
  fault: Issue | null = null;
  #isEmpty = true;
  /** Delimiters behind the last cell of each row, as many as the first row has. */
  #endDelimiters: number | undefined;
  #lines: number[] = [];
  #starts: number[] = [];
  /** The cells of the records without a span, by index. */
  #texts = new Map<number, readonly string[]>();
  #rejected = new Map<number, Issue>();

  /** Whether a record with this many cells can be added by its bounds. */
  takesSpan(count: number): boolean {
    return count === this.header?.length && !this.#endDelimiters;
  }

  /** Adds a record of the right length that is not blank; its bounds begin at `start`. */
  addSpan(start: number, line: number): void {
    this.#isEmpty = false;
    this.#endDelimiters ??= 0;
    this.#lines.push(line);
    this.#starts.push(start);
  }

  /** Adds a record that may be the header, blank or of the wrong length. */
  add(record: readonly string[], line: number): void {
    if (this.header === undefined) this.header = record;
    // A spreadsheet writes an emptied row as delimiters only.
    else if (!isBlank(record)) this.#addRow(record, line, this.header.length);
  }

  /** Some programs end each row but the header with delimiters. In one row alone, they may be out of place. */
  #addRow(record: readonly string[], line: number, width: number): void {
    const delimiters = isBlank(record.slice(width)) ? record.length - width : 0;
    this.#endDelimiters ??= delimiters;
    if (this.#endDelimiters === 0) this.#addText(record, line, checkLength(record, line, width));
    else if (delimiters === this.#endDelimiters) this.#addText(record.slice(0, width), line, undefined);
    else this.#addText(record, line, checkLength(record, line, width) ?? withoutDelimiter(line));
  }

  /** Adds a record whose quotes are wrong; `problem` describes how. */
  addMisquoted(record: readonly string[], line: number, problem: string): void {
    if (this.header === undefined) this.fail(line, 'RECORD_QUOTE_INVALID', `in the header, ${problem}`);
    else if (!isBlank(record)) this.#addText(record, line, errorAt(line, 'RECORD_QUOTE_INVALID', problem));
  }

  #addText(record: readonly string[], line: number, issue: Issue | undefined): void {
    const index = this.#lines.length;
    this.#texts.set(index, record);
    if (issue !== undefined) this.#rejected.set(index, issue);
    this.addSpan(noSpan, line);
  }

  /** Ends the reading; the first fault counts. */
  fail(line: number, code: IssueCode, message: string): void {
    this.fault ??= errorAt(line, code, message);
  }

  /** No more records follow. */
  end(): void {
    if (this.#isEmpty) this.fail(0, 'FILE_EMPTY', 'the file has a header and no rows');
  }

  /** Returns what was added since the last call. @param buffers those of the added spans */
  take(buffers: BatchBuffers = noBuffers): RecordBatch {
    const { bytes, bounds } = buffers;
    const width = this.header?.length ?? 0;
    const [lines, starts, texts, rejected] = [this.#lines, this.#starts, this.#texts, this.#rejected];
    this.#lines = [];
    this.#starts = [];
    this.#texts = new Map();
    this.#rejected = new Map();
    const cellsOf = (index: number): readonly string[] => {
      if (!buffers.isCurrent) throw new Error('the cells of a batch must be read before the next batch is');
      return texts.get(index) ?? decodeCells(bytes, bounds, starts[index] as number, width);
    };
    return { lines, rejected, cellsOf, spans: { bytes, bounds, starts }, fault: this.fault };
  }
}

const isBlank = (record: readonly string[]): boolean =>
  record[0]?.trim() === '' && record.every((cell) => cell.trim() === '');

const withoutDelimiter = (line: number): Issue =>
  errorAt(
    line,
    'RECORD_TOO_FEW_CELLS',
    'the rows above end with a separator, and this one does not: end all rows alike',
  );

function checkLength({ length }: readonly string[], line: number, expected: number): Issue | undefined {
  if (length === expected) return undefined;
  const message = `the row has ${length} ${length === 1 ? 'cell' : 'cells'}, the header has ${expected}`;
  return length > expected
    ? errorAt(
        line,
        'RECORD_TOO_MANY_CELLS',
        `${message}: remove the cells beyond it, or put a cell that contains the separator in quotes`,
      )
    : errorAt(line, 'RECORD_TOO_FEW_CELLS', `${message}: leave cells empty, but keep their separators`);
}

/** The texts of `count` adjacent cells; the bounds of the first are at index `bound`. */
export function decodeCells(bytes: Buffer, bounds: Int32Array, bound: number, count: number): string[] {
  const from = bounds[bound] as number;
  // One native call for the whole record, then slices of it, is faster than one call per cell.
  const all = bytes.toString('latin1', from, (bounds[bound + 2 * count - 1] as number) >> flagBits);
  const cells: string[] = [];
  for (let at = bound; at < bound + 2 * count; at += 2) {
    const start = bounds[at] as number;
    const flags = bounds[at + 1] as number;
    const end = flags >> flagBits;
    const text = (flags & wideFlag) === 0 ? all.slice(start - from, end - from) : bytes.toString('utf8', start, end);
    cells.push((flags & escapedFlag) === 0 ? text : text.replaceAll('""', '"'));
  }
  return cells;
}
