// The file that the demo drops: several combinations on networks A and B, some broken rows, some porting codes that the
// porting service finds invalid. It is kept as examples/demo.csv; a test compares the two.
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
