// The file of docs/correction.md: 300 good lines, but for 20 porting codes that the porting service finds invalid. It is kept
// as examples/correction.csv; a test compares the two.
import { generateRows } from './generate-rows.ts';

const rows = 300;
const everyFifteenth = 15;

export function correctionFile(): string {
  const [header = '', ...lines] = generateRows({ rows, seed: 4, combinations: 3 });
  return [header, ...lines.map((line, index) => (index % everyFifteenth === 7 ? withBadPac(line) : line))].join('');
}

/** INV are the magic letters of a PAC that does not belong to its number. */
const withBadPac = (line: string): string => line.replace(/,[A-Z]{3}(\d{6}),/, ',INV$1,');
