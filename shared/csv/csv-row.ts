// Writes CSV for people: RFC 4180, CRLF, and no cell that a spreadsheet would run as a formula (decision 45).

const formulaStart = /^'*[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/;
const guarded = /^'+[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/;
/** `+447700900123`, `-12.5`: a number is not a formula, and an apostrophe would corrupt it. */
const numeric = /^[+-]?\d[\d ]*(?:[.,]\d+)?$/;
const needsQuotes = /[",;\t\r\n]|^ | $/;
/** Nearly every cell: neither a formula nor in need of quotes. */
const ordinary = /^[A-Za-z0-9](?:[^",;\t\r\n]*[^",;\t\r\n ])?$/;
const apostrophe = 39;

/** One record with its line end. `unguardFormula` of a cell that is read back returns the cell that was written. */
export function csvRow(cells: readonly string[]): string {
  if (cells.length === 1 && cells[0] === '') return '""\r\n';
  let row = '';
  for (let index = 0; index < cells.length; index++) {
    if (index > 0) row += ',';
    row += cellText(cells[index] ?? '');
  }
  return `${row}\r\n`;
}

/** Puts an apostrophe before a cell that a spreadsheet would take for a formula; numbers stay as they are. */
export const guardFormula = (cell: string): string =>
  formulaStart.test(cell) && !numeric.test(cell) ? `'${cell}` : cell;

/** Removes the apostrophe that guards a formula. */
export const unguardFormula = (cell: string): string =>
  cell.charCodeAt(0) === apostrophe && guarded.test(cell) ? cell.slice(1) : cell;

function cellText(cell: string): string {
  if (cell === '' || ordinary.test(cell)) return cell;
  const safe = guardFormula(cell);
  return needsQuotes.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
