// Where records are gathered until they are asked for, whoever read them: the header apart, blank ones dropped, those of
// the wrong length rejected.
import type { Issue, IssueCode } from '#shared/domain/issue.ts';
import { createCellTexts } from './cell-texts.ts';
import type { CellSpans, RecordBatch, RejectedRecord } from './records.ts';

/** Where the spans of a batch stand, until the next one is read into the same buffers. */
export interface SpanPlace extends Pick<CellSpans, 'bytes' | 'bounds'> {
  isCurrent: boolean;
}

const nowhere = -1;
const noPlace: SpanPlace = { bytes: Buffer.alloc(0), bounds: new Int32Array(0), isCurrent: true };

export class RecordCollector {
  header: readonly string[] | undefined;
  fault: Issue | null = null;
  #rows = 0;
  #lines: number[] = [];
  #starts: number[] = [];
  /** Of the records whose bytes are not known, by their place among the others. */
  #texts = new Map<number, readonly string[]>();
  #rejected: RejectedRecord[] = [];

  /** A record that starts on `line`, as long as the header and not blank, whose bounds stand at `start`. */
  addSpan(start: number, line: number): void {
    this.#rows++;
    this.#lines.push(line);
    this.#starts.push(start);
  }

  /** A record that may not be as it should: `misquoted` says what is wrong with its quotes. */
  add(record: readonly string[], line: number, misquoted?: string, lastLine = line): void {
    if (this.header === undefined) {
      if (misquoted === undefined) this.header = record;
      else this.fail(line, 'RECORD_QUOTE_INVALID', `in the header, ${misquoted}`);
      return;
    }
    // A spreadsheet writes rows that were emptied as delimiters only.
    if (isBlank(record)) return;
    if (misquoted === undefined && record.length === this.header.length) {
      this.#texts.set(this.#lines.length, record);
      this.addSpan(nowhere, line);
      return;
    }
    this.#rows++;
    const problem =
      misquoted === undefined
        ? wrongLength(line, record.length, this.header.length)
        : misread(line, lastLine, misquoted);
    this.#rejected.push({ line, cells: record, issue: problem });
  }

  /** Ends the reading; the first fault counts. */
  fail(line: number, code: IssueCode, message: string): void {
    this.fault ??= issue(line, code, message);
  }

  tooLong(line: number, maxRecordBytes: number): void {
    this.fail(line, 'RECORD_TOO_LONG', `the record on line ${line} has more than ${maxRecordBytes} bytes`);
  }

  /** No more records follow. */
  end(): void {
    if (this.#rows === 0) this.fail(0, 'FILE_EMPTY', 'the file has a header and no rows');
  }

  /** What was gathered since the last time; `place` is where the spans that were added stand. */
  take(place: SpanPlace = noPlace): RecordBatch {
    const batch = batchOf(
      this.#lines,
      place,
      this.#starts,
      this.#texts,
      this.header?.length ?? 0,
      this.#rejected,
      this.fault,
    );
    this.#lines = [];
    this.#starts = [];
    this.#texts = new Map();
    this.#rejected = [];
    return batch;
  }
}

function batchOf(
  lines: readonly number[],
  place: SpanPlace,
  starts: readonly number[],
  texts: ReadonlyMap<number, readonly string[]>,
  width: number,
  rejected: readonly RejectedRecord[],
  fault: Issue | null,
): RecordBatch {
  const { bytes, bounds } = place;
  const textsAt = createCellTexts(bytes, bounds);
  const cellsOf = (index: number): readonly string[] => {
    if (!place.isCurrent) throw new Error('the texts of a batch must be asked for before the next batch is');
    return texts.get(index) ?? textsAt(starts[index] as number, width);
  };
  let all: (readonly string[])[] | undefined;
  return {
    lines,
    spans: { bytes, bounds, starts },
    rejected,
    fault,
    cellsOf,
    get cells() {
      all ??= lines.map((_, index) => cellsOf(index));
      return all;
    },
  };
}

const isBlank = (record: readonly string[]): boolean =>
  record[0]?.trim() === '' && record.every((cell) => cell.trim() === '');

function misread(line: number, lastLine: number, misquoted: string): Issue {
  const swallowed = lastLine > line ? ` (lines ${line} to ${lastLine} were read as one record)` : '';
  return issue(line, 'RECORD_QUOTE_INVALID', misquoted + swallowed);
}

function wrongLength(line: number, count: number, expected: number): Issue {
  const message = `this record has ${count} ${count === 1 ? 'cell' : 'cells'}, the header has ${expected}`;
  return count > expected
    ? issue(line, 'RECORD_TOO_MANY_CELLS', `${message}: put cells that contain the separator in quotes`)
    : issue(line, 'RECORD_TOO_FEW_CELLS', `${message}: leave cells empty, but keep their separators`);
}

const issue = (line: number, code: IssueCode, message: string): Issue => ({
  line,
  column: null,
  code,
  message,
  severity: 'error',
});
