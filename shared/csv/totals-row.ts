// Recognises the row of totals below a table: "Total", "Grand total: 400", "Sum,,,12".
const totalsWord = /^(?:grand |sub)?-?\s*(?:totals?|sum|count)\b/i;
/** A number of a SIM or a subscriber: such a row has data. */
const longNumber = /\d{9}/;

export function isTotalsRow(cells: readonly string[]): boolean {
  const first = cells.find((cell) => cell.trim() !== '');
  if (first === undefined || !totalsWord.test(first.trim())) return false;
  const filled = cells.filter((cell) => cell.trim() !== '');
  return (
    filled.length <= Math.max(2, cells.length / 2) && !filled.some((cell) => longNumber.test(cell.replace(/\s/g, '')))
  );
}
