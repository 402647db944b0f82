import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  addedColumns,
  correctionColumnsBeside,
  distinctNames,
  findCorrectionMark,
  ownColumns,
} from '#shared/files/added-columns.ts';
import { createCellMask } from '#shared/results/mask-cells.ts';
import { resultsCsv } from '#shared/results/results-csv.ts';

const headerOf = (header: readonly string[]) =>
  resultsCsv({
    importId: 'import-a',
    operation: 'create-port',
    header,
    delimiter: ',',
    columnIndexes: {},
    secret: new Set<number>(),
    maskCells: createCellMask({ header, columnIndexes: {} }),
  }).header;

describe('the header of results.csv', () => {
  test('keeps the names of the file, and its own where the file does not have them', () => {
    expect(headerOf(['serialNumber', 'network', 'message'])).toEqual([
      'serialNumber',
      'network',
      'message',
      'importId',
      'line',
      'outcome',
      'portId',
      'status',
      'simporterMessage',
      'whatToDo',
      'bookedDate',
      'submittedAt',
      'completedAt',
    ]);
    expect(headerOf(['PortID', 'a']).slice(2)).toContain('simporterPortId');
  });

  test('numbers columns of the file that have one name', () => {
    expect(distinctNames(['note', 'Note ', 'note', '', ''])).toEqual(['note', 'Note (2)', 'note (3)', '', 'column 5']);
  });

  test('never has two columns of one name', () => {
    const name = fc.constantFrom('line', 'Line', 'message', 'simporterMessage', 'simporterLine', 'a', '', ' ', 'a (2)');
    fc.assert(
      fc.property(fc.array(name, { maxLength: 12 }), (header) => {
        const names = headerOf(header).map((each) => each.trim().toLowerCase());
        expect(new Set(names).size).toBe(names.length);
      }),
    );
  });
});

describe('the columns of a correction file', () => {
  test('have other names beside a column line of the user, and are recognised when it is imported again', () => {
    const own = ['msisdn', 'line'];
    const header = [...own, ...correctionColumnsBeside(own)];
    expect(header).toEqual(['msisdn', 'line', 'importId', 'simporterLine', 'errors']);
    expect(ownColumns(header)).toEqual([0, 1]);
    expect(findCorrectionMark(header)).toEqual({ importIndex: 2, lineIndex: 3 });
    expect(ownColumns(own)).toEqual([0, 1]);
    expect(addedColumns([], ['line'])).toEqual(['line']);
  });
});
