// CSV for people: RFC 4180, CRLF, and no cell that a spreadsheet would run as a formula (decision 45).

const formulaStart = /^'*[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/;
const guarded = /^'+[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/;
/** `+447700900123`, `-12.5`: numbers are no formulas, and a guard would corrupt them. */
const numeric = /^[+-]?\d[\d ]*(?:[.,]\d+)?$/;
const needsQuotes = /[",;\t\r\n]|^ | $/;
/** What nearly every cell is: neither a formula nor anything that needs quotes. */
const ordinary = /^[A-Za-z0-9](?:[^",;\t\r\n]*[^",;\t\r\n ])?$/;
const apostrophe = 39;

/** One record with its line end. `unguard` of a cell read back gives the cell that was written. */
export function csvRow(cells: readonly string[]): string {
  if (cells.length === 1 && cells[0] === '') return '""\r\n';
  let row = '';
  for (let index = 0; index < cells.length; index++) {
    if (index > 0) row += ',';
    row += cellText(cells[index] ?? '');
  }
  return `${row}\r\n`;
}

/** A cell that a spreadsheet would take for a formula gets an apostrophe in front; numbers are left alone. */
export const guard = (cell: string): string => (formulaStart.test(cell) && !numeric.test(cell) ? `'${cell}` : cell);

/** The way back in: removes one apostrophe where it guards what would be a formula. */
export const unguard = (cell: string): string =>
  cell.charCodeAt(0) === apostrophe && guarded.test(cell) ? cell.slice(1) : cell;

function cellText(cell: string): string {
  if (cell === '' || ordinary.test(cell)) return cell;
  const safe = guard(cell);
  return needsQuotes.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
