// The properties of cells-of-the-page.slow.test.ts with more files; `npm run simulate:sweeps` makes 10,000.
import { test } from 'vitest';
import { checkAskingRow, checkSameMeaning } from '../../support/cell-meanings.ts';

const isFullSweep = process.env.SIMULATION_SWEEPS === 'full';

test('files with the same meaning have the same plan', () => checkSameMeaning(isFullSweep ? 10_000 : 400), 7_200_000);

test('a file asks whatever row has the cell that asks', () => checkAskingRow(isFullSweep ? 200 : 20), 3_600_000);
