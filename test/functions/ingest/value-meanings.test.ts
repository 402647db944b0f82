// What a person said that a value means: it applies to the columns that name items of the service, and to nothing else.
import { describe, expect, test } from 'vitest';
import type { ValueMeanings } from '#shared/files/map-header.ts';
import { defaultSettings, toUploadMetadata } from '#shared/files/upload-settings.ts';
import { createCatalogue } from '#shared/operations/catalogue.ts';
import type { Column, Operation } from '#shared/operations/operation.ts';
import { operations } from '#shared/operations/registry.ts';
import { RowReader } from '#shared/operations/validate-row.ts';
import type { OperationName } from '#shared/text/identity.ts';
import { countedLookups, validCells } from '../../support/ingest/catalogue.ts';
import { ingestBench } from '../../support/ingest/ingest.ts';
import { rules, validTicketRows } from '../../support/ingest/operation-cells.ts';
import type { Cells } from '../../support/ingest/operation-rows.ts';
import { csvOf } from '../../support/ingest/valid-rows.ts';

const metadata = (meanings: ValueMeanings) => toUploadMetadata({ ...defaultSettings, meanings });
const meanings = { targetNetwork: { 'EE Biz': 'Network A' }, tariff: { Gold: '2001' } };

describe('a file whose values mean others', () => {
  const rows: Record<string, string>[] = [
    { targetNetwork: 'EE Biz' },
    { targetNetwork: ' ee  BIZ ', tariff: 'Gold' },
    { tariff: 'Silver' },
  ];

  test('is planned as if it had them, and names each', async () => {
    const bench = ingestBench();
    const item = await bench.upload(csvOf(rows), { metadata: metadata(meanings) });
    expect(item).toMatchObject({ accepted: 2, rejected: 1, meanings });
    const plain = ingestBench();
    await plain.upload(csvOf([{}, {}, { tariff: 'Silver' }]));
    const headOf = ({ head }: { readonly head: unknown }) => head;
    expect(bench.plan(item).map(headOf)).toEqual(plain.plan(await plain.upload(csvOf([{}, {}]))).map(headOf));
    expect(bench.issues(item)).toMatchObject([
      { line: 2, column: 'targetNetwork', code: 'CELL_READ_AS', severity: 'notice' },
      { line: 3, column: 'targetNetwork', code: 'CELL_READ_AS' },
      { line: 3, column: 'tariff', code: 'CELL_READ_AS', message: 'tariff is "Gold", which a person said means 2001' },
      { line: 4, column: 'tariff', code: 'TARIFF_UNKNOWN', unknownValue: 'Silver' },
    ]);
  });

  test('uses the own name of the service for a value that it knows, whatever a person said', async () => {
    const bench = ingestBench();
    const said = { targetNetwork: { 'Network A': 'Network B' }, tariff: { '2001': '2003', unlimited: '2003' } };
    const item = await bench.upload(csvOf([{}, { tariff: 'Unlimited' }]), { metadata: metadata(said) });
    expect(item).toMatchObject({ accepted: 2 });
    expect(bench.issues(item)).toEqual([]);
  });

  test('says so where what a person said is not there either', async () => {
    const bench = ingestBench();
    const item = await bench.upload(csvOf([{}, { tariff: 'Gold' }]), { metadata: metadata({ tariff: { Gold: '9' } }) });
    expect(item).toMatchObject({ accepted: 1, rejected: 1 });
    const [issue] = bench.issues(item);
    expect(issue).toMatchObject({ code: 'TARIFF_UNKNOWN', unknownValue: 'Gold' });
    expect(issue?.message).toContain('It was to be read as "9", which is not one of them');
  });

  test('reads the value for all rows in the same way, and each entry of a list', async () => {
    const bench = ingestBench();
    const said = { tariff: { Gold: '2001' }, boltOns: { 'Big, data': '101' }, services: { Roam: 'Roaming' } };
    const cells = { tariff: '', boltOns: 'Minutes;Big, data', services: 'roam=on' };
    const body = csvOf([cells], [...Object.keys(validCells), 'boltOns', 'services']);
    const item = await bench.upload(body, { metadata: { ...metadata(said), 'set-tariff': 'Gold' } });
    expect(item).toMatchObject({ accepted: 1 });
    expect(bench.plan(item)[0]?.head).toMatchObject({
      boltOns: [101, 102],
      services: [{ name: 'Roaming', value: 'true' }],
    });
  });

  test.each(['pac', 'msisdn', 'groupName', 'provisioningOrderName', 'nothing'])(
    'is rejected where they are of %s',
    async (column) => {
      const bench = ingestBench();
      const item = await bench.upload(csvOf([{}]), { metadata: metadata({ [column]: { one: 'other' } }) });
      expect(item).toMatchObject({ state: 'rejected', accepted: 0 });
      expect(bench.issues(item)).toMatchObject([{ code: 'HEADER_UNKNOWN_MAPPING', severity: 'error' }]);
    },
  );

  test('keeps nothing that may be a code: not what a person said, and not what no list has', async () => {
    const bench = ingestBench();
    const said = { sourceNetwork: { ABC123456: 'Source One', Donor: 'Source Two' } };
    const item = await bench.upload(csvOf([{ tariff: 'KLM493817' }, { sourceNetwork: 'Donor' }]), {
      metadata: metadata(said),
    });
    expect(item?.meanings).toEqual({ sourceNetwork: { Donor: 'Source Two' } });
    expect(JSON.stringify(bench.issues(item))).not.toMatch(/KLM493817/);
  });
});

/** Each operation with a valid row, and its columns. */
const validRows: readonly (readonly [OperationName, readonly Cells[]])[] = [
  ['create-port', [validCells]],
  ...validTicketRows,
];
const cases = validRows.flatMap(([operation, rows]) =>
  (operations.get(operation)?.columns ?? []).map((column) => [operation, column.name, column, rows[0] ?? {}] as const),
);

/** What the reader finds for a row in which the column has a text that nothing is named. */
async function findingsOf(operation: OperationName, column: Column, cells: Cells, said: ValueMeanings = {}) {
  const names = operations.get(operation)?.columns.map(({ name }) => name) ?? [];
  const row: Record<string, string> = {
    ...cells,
    [column.name]: column.name === 'services' ? 'Nothing=on' : 'Nothing',
  };
  const header = { indexes: new Map(names.map((name, index) => [name, index])), defaults: new Map(), meanings: said };
  const context = { ...rules(), catalogue: createCatalogue(countedLookups()) };
  const reader = new RowReader(operations.get(operation) as Operation, header, context);
  reader.startRow((_, index) => row[names[index] ?? ''] ?? '', 0);
  return reader.validateRow(2, await reader.validateShape()).issues;
}

test.each(cases)('%s: %s can be said to mean another value exactly where it names items', async (...one) => {
  const [operation, , column, cells] = one;
  const unknown = (await findingsOf(operation, column, cells)).filter((issue) => issue.unknownValue !== undefined);
  expect(unknown.map((issue) => issue.column)).toEqual(column.namesItems ? [column.name] : []);
});

test.each(cases.filter(([, , column, cells]) => column.namesItems && cells[column.name]))(
  '%s: %s is read as what a person said that its value means',
  async (...one) => {
    const [operation, name, column, cells] = one;
    const means = name === 'services' ? 'Roaming' : (cells[name] ?? '');
    const issues = await findingsOf(operation, column, cells, { [name]: { nothing: means } });
    const ofColumn = issues.filter((issue) => issue.column === name && issue.severity !== 'warning');
    expect(ofColumn.map(({ code }) => code)).toEqual(['CELL_READ_AS']);
  },
);
