// The properties of cells-of-the-page.slow.test.ts with more files: many small ones, and large ones with 10,000 rows.
import { test } from 'vitest';
import { checkAskingRow, checkSameMeaning } from '../../support/ingest/cell-meanings.ts';

const isFullSweep = process.env.CHAOS_SWEEPS === 'full';

test('files with the same meaning have the same plan', () => checkSameMeaning(isFullSweep ? 10_000 : 150), 7_200_000);

test(
  '10,000 rows in large files with the same meaning have the same plan',
  () => checkSameMeaning(40, { minLength: 250, maxLength: 250 }),
  600_000,
);

test('a file asks whatever row has the cell that asks', () => checkAskingRow(isFullSweep ? 200 : 20), 3_600_000);
