// Numbers whose last digits a spreadsheet program replaced by zeros need an approval.
import { expect, test } from 'vitest';
import { csvOf, goodRows, ingestBench, simAt } from '../../support/ingest/ingest.ts';

const withNumbers = (numbers: readonly string[], count = numbers.length) =>
  goodRows(count).map((row, index) => (numbers[index] === undefined ? row : { ...row, msisdn: numbers[index] }));

const upload = async (numbers: readonly string[], count?: number) => {
  const bench = ingestBench();
  const item = await bench.upload(csvOf(withNumbers(numbers, count)));
  return { item, rounded: bench.issues(item).filter(({ code }) => code === 'MSISDN_ROUNDED') };
};

test('wait where several numbers end in five zeros, in any notation', async () => {
  const { item, rounded } = await upload(['447700000000', '07710900000', '447720000000', '07730900001'], 10);
  expect(item).toMatchObject({ state: 'planned', planOnly: true, accepted: 10 });
  expect(rounded).toMatchObject([{ line: 2, column: 'msisdn', severity: 'warning' }]);
  expect(rounded[0]?.message).toMatch(/^3 numbers on lines 2, 3, 4 end in five zeros or more/);
});

test('wait where a round number is repeated', async () => {
  const { item, rounded } = await upload(['447700000000', '447700000000'], 10);
  expect(item).toMatchObject({ state: 'planned', accepted: 9, rejected: 1 });
  expect(rounded[0]?.message).toMatch(/^1 number on line 2 ends in/);
});

test('wait where most numbers end in three zeros, as a format with fewer digits makes them', async () => {
  const { item, rounded } = await upload(['447710014000', '447720023000', '447730032000', '07730900001'], 5);
  expect(item).toMatchObject({ state: 'planned', accepted: 5 });
  expect(rounded[0]?.message).toMatch(/^3 numbers on lines 2, 3, 4 end in three zeros or more/);
});

test('name ten lines and count the others', async () => {
  const { rounded } = await upload(Array.from({ length: 12 }, (_, index) => `4477${10 + index}000000`));
  expect(rounded[0]?.message).toContain('on lines 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 and 2 others end');
});

test('are sent where a whole row is repeated: its number and its SIM', async () => {
  const bench = ingestBench();
  const round = { msisdn: '447700000000', serialNo: simAt(0) };
  const item = await bench.upload(csvOf([round, ...goodRows(9), round]));
  expect(item).toMatchObject({ state: 'submitting', accepted: 10, rejected: 1 });
});

test.each([
  ['a single one is real', ['447700000000'], 10],
  ['two are as many as large blocks have', ['447700000000', '447710000000'], 201],
  ['fewer than half end in three zeros', ['447710014000', '447720023000', '447730032000'], 7],
  ['two end in three zeros', ['447710014000', '447720023000'], 2],
  ['other numbers are repeated', ['447700000000', '07700900101', '07700900101'], 10],
  ['a rejected row has them', ['447700000000', '4400000000'], 10],
])('are sent where %s', async (_why, numbers, count) => {
  const { item, rounded } = await upload(numbers, count);
  expect(item?.state).toBe('submitting');
  expect(rounded).toEqual([]);
});
