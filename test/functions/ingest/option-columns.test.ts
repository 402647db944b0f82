// Columns that are one service or one bolt-on decide what each row sends, on the fast path, too.
import { describe, expect, test } from 'vitest';
import { validCells } from '../../support/rows-catalogue.ts';
import { csvOf, ingestBench } from '../../support/rows-ingest.ts';

const fileWith = (rows: readonly Record<string, string>[]) =>
  csvOf(rows, [...Object.keys(validCells), ...Object.keys(rows[0] ?? {})]);

const services = ({ head }: { readonly head: unknown }) => (head as { services: unknown }).services;

test('rows that differ only in such a column are in different requests', async () => {
  const bench = ingestBench();
  const cells = ['Y', 'Y', 'N', 'Y', 'N', '', 'Y', 'N', ''];
  const item = await bench.upload(fileWith(cells.map((Roaming) => ({ Roaming }))));
  const sent = bench.plan(item).map((request) => [services(request), request.rows.map(({ line }) => line)]);
  expect(item).toMatchObject({ accepted: cells.length, rejected: 0 });
  expect(sent).toEqual(
    expect.arrayContaining([
      [[{ name: 'Roaming', value: 'true' }], [2, 3, 5, 8]],
      [[{ name: 'Roaming', value: 'false' }], [4, 6, 9]],
      [null, [7, 10]],
    ]),
  );
  expect(bench.issues(item)).toMatchObject([{ code: 'HEADER_OPTION_COLUMNS', severity: 'notice' }]);
});

test('a cell that contradicts the list, or sets nothing that the service has, rejects its row', async () => {
  const bench = ingestBench();
  const cells = [
    { Roaming: 'N', services: 'Roaming=on' },
    { Roaming: 'perhaps', services: '' },
    { Roaming: 'Y', services: 'Premium=block' },
  ];
  const item = await bench.upload(fileWith(cells));
  const errors = bench.issues(item).filter(({ severity }) => severity === 'error');
  expect(errors).toMatchObject([
    { line: 2, code: 'SERVICE_CONTRADICTION' },
    { line: 3, code: 'SERVICE_OPTION_UNKNOWN' },
  ]);
  expect(bench.plan(item).map(services)).toEqual([
    [
      { name: 'Premium', value: 'false' },
      { name: 'Roaming', value: 'true' },
    ],
  ]);
});

describe('a column whose first value is in a late row', () => {
  const late = (header: string, value: string, count = 1_000) =>
    fileWith(
      Array.from({ length: count }, (_, index) => ({
        [header]: index === count - 2 ? value : index % 9 === 0 ? '-' : '',
      })),
    );

  test.each([
    ['Data bolt-on', '101'],
    ['Customer Roaming', 'Y'],
    ['Premium', 'Y'],
  ])('asks about %s', async (header, value) => {
    const bench = ingestBench();
    for (const count of [60, 1_000]) {
      const item = await bench.upload(late(header, value, count));
      expect([item?.state, ...bench.issues(item).map(({ code }) => code)]).toEqual(['rejected', 'HEADER_NEAR_MISS']);
    }
  });

  test('is read where it is certain, and stays an own column where it is none', async () => {
    const bench = ingestBench();
    const read = await bench.upload(late('Roaming', 'Y'));
    expect(bench.plan(read).filter((request) => services(request) !== null)).toHaveLength(1);
    const own = await bench.upload(late('Cost centre', 'Y'));
    expect(own).toMatchObject({ accepted: 1_000, rejected: 0 });
  });
});
