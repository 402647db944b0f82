// Turns the rows of a sheet into the bytes of a CSV file, so that one reader reads both kinds of files. Line numbers
// stay row numbers: an empty row becomes an empty line.
import type { SheetRow } from '#shared/files/workbook/sheet-rows.ts';

/** Rows that decide how many cells each record has. */
const rowsForWidth = 100;
const needsQuotes = /[",\r\n]|^ | $/;

interface CsvOfSheet {
  /** Columns of the sheet, as far as they are known once its first rows are read. */
  readonly width: () => number;
  /** A later row has texts beside all of them, which are left out. */
  readonly onSurplus: (row: number) => void;
}

export function sheetToCsv(batches: AsyncIterable<readonly SheetRow[]>, { width: stated, onSurplus }: CsvOfSheet) {
  /** Of each row whose cells contain line breaks: the line of its record, and all such breaks up to it. */
  const breaks: { line: number; total: number }[] = [];
  let nextRow = 1;
  let total = 0;

  const textOf = (rows: readonly SheetRow[], width: number): string => {
    let text = '';
    for (const { number, cells } of rows) {
      text += '\n'.repeat(number - nextRow);
      if (cells.length > width) onSurplus(number);
      const record = recordOf(cells.length > width ? cells.slice(0, width) : cells, width);
      const found = record.split('\n').length - 1;
      if (found > 0) {
        total += found;
        breaks.push({ line: number + total - found, total });
      }
      text += `${record}\n`;
      nextRow = number + 1;
    }
    return text;
  };

  async function* bytes(): AsyncGenerator<Buffer> {
    let waiting: SheetRow[] = [];
    let width: number | undefined;
    for await (const rows of batches) {
      if (width === undefined) {
        waiting.push(...rows);
        if (waiting.length < rowsForWidth) continue;
        width = widthOf(waiting.slice(0, rowsForWidth), stated());
        yield Buffer.from(textOf(waiting, width));
        waiting = [];
      } else yield Buffer.from(textOf(rows, width));
    }
    if (width === undefined) yield Buffer.from(textOf(waiting, widthOf(waiting, stated())));
  }

  const rowOfLine = (line: number): number => {
    const last = breaks.findLast((one) => one.line < line);
    return line - (last?.total ?? 0);
  };
  return { bytes: bytes(), rowOfLine };
}

const widthOf = (rows: readonly SheetRow[], stated: number): number =>
  rows.reduce((most, { cells }) => Math.max(most, cells.length), stated);

/** CR in a cell would count as another line end. */
function recordOf(cells: readonly string[], width: number): string {
  const texts = cells.map((cell) => {
    const text = cell.includes('\r') ? cell.replace(/\r\n?/g, '\n') : cell;
    return needsQuotes.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  });
  return texts.join(',') + ','.repeat(Math.max(0, width - cells.length));
}
