// The file that the demo imports: several combinations on networks A and B, some invalid rows, and some PACs that the
// porting simulator finds invalid. A test compares it with examples/demo.csv.
import { generateRows } from './generate-rows.ts';

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
