// Where records are gathered until they are asked for, whoever read them: the header apart, blank ones dropped, those of
// the wrong length rejected.
import type { Issue, IssueCode } from '#shared/domain/issue.ts';
import type { RecordBatch, RejectedRecord } from './records.ts';

export class RecordCollector {
  header: readonly string[] | undefined;
  fault: Issue | null = null;
  #rows = 0;
  #lines: number[] = [];
  #cells: string[][] = [];
  #stretches: (string | undefined)[] = [];
  #rejected: RejectedRecord[] = [];

  /** One record that starts on `line`; `stretch` is the text of those cells of it that somebody wants in one piece. */
  add(record: string[], line: number, stretch?: string): void {
    // A spreadsheet writes rows that were emptied as delimiters only.
    if (record.length === this.header?.length && !isBlank(record)) {
      this.#rows++;
      this.#lines.push(line);
      this.#cells.push(record);
      this.#stretches.push(stretch);
    } else this.addOdd(record, line, undefined, line);
  }

  /** A record that may not be as it should: `misquoted` says what is wrong with its quotes. */
  addOdd(record: string[], line: number, misquoted: string | undefined, lastLine: number): void {
    if (this.header === undefined) {
      if (misquoted === undefined) this.header = record;
      else this.fail(line, 'RECORD_QUOTE_INVALID', `in the header, ${misquoted}`);
      return;
    }
    if (isBlank(record)) return;
    if (misquoted === undefined && record.length === this.header.length) {
      this.add(record, line);
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

  /** What was gathered since the last time. */
  take(): RecordBatch {
    const batch = {
      lines: this.#lines,
      cells: this.#cells,
      stretches: this.#stretches,
      rejected: this.#rejected,
      fault: this.fault,
    };
    this.#lines = [];
    this.#cells = [];
    this.#stretches = [];
    this.#rejected = [];
    return batch;
  }
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
