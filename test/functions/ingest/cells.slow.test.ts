// The properties of cells-of-the-page.slow.test.ts with 10,000 files.
import { test } from 'vitest';
import { checkAskingRow, checkSameMeaning } from '../../support/cell-meanings.ts';

test('files with the same meaning have the same plan', () => checkSameMeaning(10_000), 3_600_000);

test('a file asks whatever row has the cell that asks', () => checkAskingRow(200), 3_600_000);
