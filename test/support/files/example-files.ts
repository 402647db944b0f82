// The generated files of examples/. Tests compare them.
import { generateRows } from '../ingest/generate-rows.ts';

/** The demo: several combinations on networks A and B, invalid rows, and PACs that the porting simulator rejects. */
export const demoFile = (): string =>
  [
    ...generateRows({
      rows: 320,
      seed: 10,
      combinations: 30,
      quoted: 0.05,
      broken: 0.03,
      duplicates: 0.01,
      badPacs: 0.015,
    }),
  ].join('');

const everyFifteenth = 15;

/**
 * The file of docs/guides/corrections.md: 300 valid rows, of which 20 have PACs that the porting simulator finds
 * invalid.
 */
export function correctionFile(): string {
  const [header = '', ...rows] = generateRows({ rows: 300, seed: 4, combinations: 3 });
  return [header, ...rows.map((row, index) => (index % everyFifteenth === 7 ? withInvalidPac(row) : row))].join('');
}

/** The simulator finds every PAC that starts with INV invalid. */
const withInvalidPac = (row: string): string => row.replace(/,[A-Z]{3}(\d{6}),/, ',INV$1,');
