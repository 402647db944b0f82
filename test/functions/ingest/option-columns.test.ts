// Columns that are one service or one bolt-on decide what each row sends.
import { describe, expect, test } from 'vitest';
import { validCells } from '../../support/ingest/catalogue.ts';
import { ingestBench } from '../../support/ingest/ingest.ts';
import { csvOf } from '../../support/ingest/valid-rows.ts';

const fileWith = (rows: readonly Record<string, string>[]) =>
  csvOf(rows, [...Object.keys(validCells), ...Object.keys(rows[0] ?? {})]);

/** What a person answers when the column is asked about. */
const asService = { metadata: { map: 'Roaming=services%3ARoaming' } };

const services = ({ head }: { readonly head: unknown }) => (head as { services: unknown }).services;

test('rows that differ only in such a column are in different requests', async () => {
  const bench = ingestBench();
  const cells = ['Y', 'Y', 'N', 'Y', 'N', '', 'Y', 'N', ''];
  const item = await bench.upload(fileWith(cells.map((Roaming) => ({ Roaming }))), asService);
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
  const item = await bench.upload(fileWith(cells), asService);
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

describe('a column is asked about whatever rows the file begins with', () => {
  const late = (header: string, value: string, usual: string, count: number) =>
    fileWith(
      Array.from({ length: count }, (_, index) => ({
        [header]: index === count - 2 ? value : index % 9 === 0 ? '-' : usual,
      })),
    );

  test.each([
    ['Data bolt-on', '101', ''],
    ['Customer Roaming', 'Y', ''],
    ['Customer Roaming', 'Y', 'tbc'],
    ['Premium', 'Y', ''],
    ['SIM type', 'eSIM', 'Nano'],
    ['Restrictions', 'Roaming=off', 'Std'],
  ])('%s with %s behind "%s"', async (header, value, usual) => {
    const bench = ingestBench();
    for (const count of [5, 60, 1_000]) {
      const item = await bench.upload(late(header, value, usual, count), { sequencer: String(count) });
      expect([count, item?.state, ...bench.issues(item).map(({ code }) => code)]).toEqual([
        count,
        'rejected',
        'HEADER_NEAR_MISS',
      ]);
    }
  });

  test('and stays an own column where it is none', async () => {
    const bench = ingestBench();
    const own = await bench.upload(late('Cost centre', 'Y', '', 1_000));
    expect(own).toMatchObject({ accepted: 1_000, rejected: 0 });
  });
});
