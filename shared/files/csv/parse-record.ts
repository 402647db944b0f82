// Reads one record with csv-parse, which decides what its bytes mean when the scanner cannot.
import { type CsvError, type Options, parse } from 'csv-parse/sync';
import type { Delimiter } from './record-batch.ts';

/** The functions of this file, which is loaded only for a file with quotes. */
export interface RecordParser {
  readonly parseRecord: typeof parseRecord;
  readonly quoteProblem: typeof quoteProblem;
}

export interface ParsedRecord {
  readonly cells: readonly string[];
  /** Bytes of the record with its line end; all bytes when no line end was found. */
  readonly length: number;
}

const options = (delimiter: Delimiter): Options => ({
  delimiter,
  // Named, because csv-parse otherwise expects the first line end that it meets in the whole file.
  record_delimiter: ['\r\n', '\n', '\r'],
  relax_column_count: true,
});

/** Reads the record at the start of `bytes`; undefined when a quote in it is not closed. */
export function parseRecord(bytes: Buffer, delimiter: Delimiter): ParsedRecord | undefined {
  try {
    // With `relax_quotes` a misplaced quote does not swallow the records behind it; `quoteProblem` reports it.
    const [parsed] = parse(bytes, { ...options(delimiter), relax_quotes: true, to: 1, info: true }) as unknown as [
      { record: string[]; info: { bytes: number } },
    ];
    return { cells: parsed.record, length: parsed.info.bytes };
  } catch (error) {
    if ((error as CsvError).code === 'CSV_QUOTE_NOT_CLOSED') return undefined;
    throw error;
  }
}

/** `="0770"`: a program writes a text as a formula, so that a spreadsheet keeps its zeros. */
const textFormula = /(?<=^|[,;|\t])="([^",;|\t\r\n]*)"(?=[,;|\t\r\n]|$)/g;

/** What is wrong with the quotes of this record; undefined when they are valid. */
export function quoteProblem(record: Buffer, delimiter: Delimiter): string | undefined {
  try {
    parse(record.toString('latin1').replace(textFormula, '$1'), options(delimiter));
    return undefined;
  } catch (error) {
    return (error as CsvError).code === 'CSV_INVALID_CLOSING_QUOTE'
      ? 'a quoted cell goes on behind its closing quote: write quotes inside a cell twice ("")'
      : 'a quote is inside a cell that does not begin with one: put the cell in quotes and write the quote twice ("")';
  }
}
