// docs/reference/cells.md, executed: its examples, and generated files.
import { describe, expect, test } from 'vitest';
import {
  checkAskingRow,
  checkSameMeaning,
  entries,
  isError,
  isPorted,
  meanings,
  names,
  planAs,
  planOf,
  rowAt,
  waysIn,
} from '../support/ingest/cell-meanings.ts';

describe('the page', () => {
  describe('each cell of the page', () => {
    test.each(meanings)('of $column that means "$meaning"', async ({ column, cells, meaning }) => {
      expect(cells.length).toBeGreaterThan(1);
      for (const way of waysIn) {
        const plain = await planOf([rowAt(1, { [column]: meaning })], 'csv');
        expect(plain.errors.filter((error) => error.startsWith('row'))).toEqual(
          isPorted(meaning) ? ['row 1: MSISDN_ALREADY_PORTED'] : [],
        );
        for (const cell of cells)
          expect([way, cell, await planOf([rowAt(1, { [column]: cell })], way)]).toEqual([
            way,
            cell,
            planAs(way, plain),
          ]);
      }
    });

    test.each(meanings.filter(({ column }) => !['msisdn', 'serialNo', 'pac'].includes(column)))(
      'of $column that means "$meaning", as the value for all rows',
      async ({ column, cells, meaning }) => {
        const metadata = (value: string) => ({ [`set-${column}`]: encodeURIComponent(value) });
        const row = rowAt(1, { [column]: '' });
        const plain = await planOf([row], 'csv', names, metadata(meaning));
        expect(plain.errors).toEqual([]);
        for (const cell of cells)
          expect([cell, await planOf([row], 'csv', names, metadata(cell))]).toEqual([cell, plain]);
      },
    );

    test.each(entries.filter(isError))('of $column that is $meaning', async ({ column, cells, meaning }) => {
      for (const way of waysIn)
        for (const cell of cells) {
          const { errors, sent } = await planOf([rowAt(1, { [column]: cell })], way);
          expect([way, cell, errors, sent]).toEqual([way, cell, expect.arrayContaining([`row 1: ${meaning}`]), []]);
        }
    });
  });

  describe('files with the same meaning have the same plan', () => {
    test('in every way in, in another order, and in two files', () => checkSameMeaning(20), 60_000);

    test('whatever row has the cell that asks', () => checkAskingRow(4), 60_000);
  });
});

// Many small files, and large ones with 10,000 rows.
describe('more files', () => {
  const isFullSweep = process.env.CHAOS_SWEEPS === 'full';

  test('files with the same meaning have the same plan', () => checkSameMeaning(isFullSweep ? 10_000 : 150), 7_200_000);

  test(
    '10,000 rows in large files with the same meaning have the same plan',
    () => checkSameMeaning(40, { minLength: 250, maxLength: 250 }),
    600_000,
  );

  test('a file asks whatever row has the cell that asks', () => checkAskingRow(isFullSweep ? 200 : 20), 3_600_000);
});
