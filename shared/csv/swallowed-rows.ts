// Recognises a cell in quotes that contains rows of the file: its quotes were meant for something else.

/** In a file of fewer columns, many a comment has the shape of its rows. */
const fewestColumns = 3;
/** A line within a comment has fewer separators. */
const fewestOfWholeRow = 6;

/** Whether the text of one of the cells begins in a row of `width` cells, and contains or ends in another one. */
export function swallowsRows(cells: readonly string[], width: number, delimiter: string): boolean {
  if (width < fewestColumns || cells.length !== width) return false;
  return cells.some((cell, index) => {
    const lines = cell.split(/\r\n|\n|\r/);
    const [first = '', last = ''] = [lines[0], lines.at(-1)];
    const separatorsIn = (line: string): number => line.split(delimiter).length - 1;
    if (lines.length < 2 || separatorsIn(first) !== width - 1 - index) return false;
    const isRow = (line: string): boolean => width >= fewestOfWholeRow && separatorsIn(line) === width - 1;
    return separatorsIn(last) === index || lines.slice(1, -1).some(isRow);
  });
}
