// What the report of a period sums up.
import { expect, test } from 'vitest';
import type { ImportSummary } from '../../console/api/answers.ts';
import { groupsOf, operationOf, periodCsv, personOf } from '../../console/screens/report/period-figures.ts';

const summary = (changes: Partial<ImportSummary>): ImportSummary =>
  ({
    importId: 'a',
    file: 'july.csv',
    operation: 'create-port',
    state: 'finished',
    rows: 3,
    receivedAt: '2026-07-06T10:00:00.000Z',
    outcomes: { complete: 3 },
    uploadedBy: { by: 'Olga' },
    ...changes,
  }) as ImportSummary;

const imports = [
  summary({}),
  summary({ file: '=1+1.csv', operation: 'bar', rows: 5, outcomes: { accepted: 4, rejected: 1 }, uploadedBy: null }),
  summary({ rows: 4, outcomes: { complete: 1, 'in-progress': 3 } }),
];

test('numbers of each group are added up by outcome, the largest group first', () => {
  expect(groupsOf(imports, operationOf)).toEqual([
    { name: 'Port numbers', rows: 7, outcomes: { complete: 4, 'in-progress': 3 } },
    { name: 'Bar SIMs', rows: 5, outcomes: { accepted: 4, rejected: 1 } },
  ]);
  expect(groupsOf(imports, personOf).map(({ name }) => name)).toEqual(['Olga', '']);
});

test('the file has a row for each import, a column for each outcome, and no formula', () => {
  const [header = '', ...rows] = periodCsv(imports).split('\r\n');
  expect(header).toContain('File,Import,Operation,State,Received,Uploaded by,Numbers,');
  expect(rows).toHaveLength(4);
  expect(rows[1]).toContain("'=1+1.csv");
  expect(new Set(rows.slice(0, 3).map((row) => row.split(',').length))).toEqual(new Set([header.split(',').length]));
});
