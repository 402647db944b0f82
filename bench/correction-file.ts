// The file of docs/correction.md: 300 valid rows, of which 20 have PACs that the porting simulator finds invalid. A
// test compares it with examples/correction.csv.
import { generateRows } from './generate-rows.ts';

const rowCount = 300;
const everyFifteenth = 15;

export function correctionFile(): string {
  const [header = '', ...rows] = generateRows({ rows: rowCount, seed: 4, combinations: 3 });
  return [header, ...rows.map((row, index) => (index % everyFifteenth === 7 ? withInvalidPac(row) : row))].join('');
}

/** The simulator finds every PAC that starts with INV invalid. */
const withInvalidPac = (row: string): string => row.replace(/,[A-Z]{3}(\d{6}),/, ',INV$1,');
