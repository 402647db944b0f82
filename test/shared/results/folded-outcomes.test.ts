// Which cells of a correction are shown in the row of the first file.
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import type { ImportItem } from '#shared/import/import.ts';
import { expiredResult, plannedResult, stoppedResult, waitingResult } from '#shared/outcome/row-result.ts';
import type { FileOutcomes, RowOutcome } from '#shared/results/file-rows.ts';
import { createCellMask } from '#shared/results/mask-cells.ts';
import { foldRow, keepCellsFor, openFoldedOutcomes } from '#shared/results/parts.ts';
import type { ObjectRef } from '#shared/store/files.ts';
import { ObjectGone } from '#shared/store/object-keys.ts';
import { emptyAccount } from '../../support/cli/account.ts';
import { someImport } from '../../support/cli/imports.ts';

const fileOf = (header: readonly string[], columnIndexes: Readonly<Record<string, number>>): FileOutcomes => ({
  importId: 'import-a',
  operation: 'create-port',
  delimiter: ',',
  header,
  columnIndexes,
  secret: new Set<number>(),
  maskCells: createCellMask({ header, columnIndexes }),
  batches: (async function* () {})(),
});
const rowOf = (...cells: readonly string[]): RowOutcome => ({ line: 3, rootLine: 3, cells, result: expiredResult });
const keptCells = (text: string | undefined) => text && JSON.parse(text);

test('a cell is found by the column of the operation, or else by its name; a column that is missing is empty', () => {
  const root = fileOf(['Number', 'Code', 'Depot', 'Gone'], { msisdn: 0, pac: 1 });
  const correction = fileOf(['importId', 'line', 'Depot', 'pac', 'msisdn'], { msisdn: 4, pac: 3 });
  const cells = keepCellsFor(root)(correction)(rowOf('import-a', '3', 'north', 'ABC123456', '07700900123'));
  expect(keptCells(cells)).toEqual(['07700900123', 'ABC123456', 'north', '']);
});

test('a PAC is kept only in a column of PACs', () => {
  const keep = keepCellsFor(fileOf(['Number', 'Code'], { msisdn: 0 }));
  expect(keptCells(keep(fileOf(['Number', 'Code'], { msisdn: 0, pac: 1 }))(rowOf('1', 'ABC123456')))).toEqual([
    '1',
    '',
  ]);
});

test('the cells of 32 MB of rows are kept, and those of further rows are those of the first file', () => {
  const keep = keepCellsFor(fileOf(['a'], {}))(fileOf(['a'], {}));
  const brackets = '[""]'.length;
  expect(keep(rowOf('x'.repeat(32 * 1024 * 1024 - brackets)))).toHaveLength(32 * 1024 * 1024);
  expect(keptCells(keep(rowOf('y')))).toEqual(['y']);
  expect(keep(rowOf('z'))).toBeUndefined();
  const shown = foldRow(rowOf('first'), { importId: 'import-b', result: waitingResult, cells: undefined });
  expect(shown).toEqual({ ...rowOf('first'), result: waitingResult, ownOutcome: 'declined' });
});

test('the file of an import without parts is read once', async () => {
  const read: string[] = [];
  const { batches } = await openFoldedOutcomes(someImport({ key: 'july.csv', columnIndexes: { msisdn: 0 } }), [], {
    ...emptyAccount,
    files: {
      head: async () => undefined,
      read: async (ref) => {
        read.push(ref.key);
        if (ref.key !== 'july.csv') throw new ObjectGone(ref, undefined);
        return Readable.from([Buffer.from('msisdn,pac\n07700900123,ABC123456\n')]);
      },
    },
  });
  expect((await Array.fromAsync(batches)).flat()).toHaveLength(1);
  expect(read.filter((key) => key === 'july.csv')).toHaveLength(1);
});

test('a row that no request has yet waits for the reason of its import', async () => {
  const files = {
    head: async () => undefined,
    read: async (ref: ObjectRef) => {
      if (ref.key.endsWith('issues.ndjson')) throw new ObjectGone(ref, undefined);
      return Readable.from([Buffer.from('msisdn\n07700900123\n')]);
    },
  };
  const resultOf = async (changes: Partial<ImportItem>) => {
    const item = someImport({ state: 'planned', columnIndexes: { msisdn: 0 }, ...changes });
    const { batches } = await openFoldedOutcomes(item, [], { ...emptyAccount, files });
    return (await Array.fromAsync(batches)).flat()[0]?.result;
  };
  expect(await resultOf({ planOnly: true })).toEqual(plannedResult);
  expect(await resultOf({ planOnly: false })).toEqual(waitingResult);
  expect(await resultOf({ planOnly: true, approvedAt: '2026-07-06T09:00:00.000Z' })).toEqual(waitingResult);
  const stop = { kind: 'until-resumed', at: '2026-07-06T09:00:00.000Z', by: 'anna' } as const;
  expect(await resultOf({ state: 'submitting', stop })).toEqual(stoppedResult);
});

test.each([
  ['planning', []],
  ['rejected', [{ line: 0, outcome: 'rejected' }]],
] as const)('a file whose header was not read has as many rows in state %s as are known', async (state, rows) => {
  const { batches } = await openFoldedOutcomes(someImport({ state }), [], emptyAccount);
  const shown = (await Array.fromAsync(batches)).flat().map(({ line, result }) => ({ line, outcome: result.outcome }));
  expect(shown).toEqual(rows);
});
