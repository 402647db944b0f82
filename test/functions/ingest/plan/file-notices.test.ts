// What is said about a file as a whole: its columns, and numbers that a spreadsheet program damaged.
import { describe, expect, test } from 'vitest';
import { headerNotices } from '#functions/ingest/plan/file-notices.ts';
import { mapHeader } from '#shared/files/map-header.ts';
import { operations } from '#shared/operations/registry.ts';
import type { OperationName } from '#shared/text/identity.ts';
import { workbookFile } from '../../../support/files/workbook-file.ts';
import { ingestBench } from '../../../support/ingest/ingest.ts';
import { csvOf, goodRows, simAt } from '../../../support/ingest/valid-rows.ts';

// The notices about the columns of a file.
describe('the columns', () => {
  function noticesOf(name: OperationName, header: readonly string[], defaults: Record<string, string> = {}): string[] {
    const columns = operations.get(name)?.columns ?? [];
    return headerNotices(mapHeader(header, columns, { defaults }), columns, { line: 3, header, samples: [] }).map(
      ({ line, severity, code, message }) => `${line} ${severity} ${code}: ${message}`,
    );
  }

  test('columns that the operation does not have are one notice', () => {
    expect(noticesOf('bar-service-config', ['iccid', 'network', 'services', 'Depot', '', 'Cost centre'])).toEqual([
      '3 notice HEADER_COLUMNS_NOT_USED: 2 columns are not used, only copied into the results: "Depot", "Cost centre"',
    ]);
    expect(noticesOf('bar-service-config', ['iccid', 'network', 'services', 'Depot'])[0]).toContain(
      '1 column is not used',
    );
  });

  test('columns with values and without a name are named by their letter, such as those below merged cells', () => {
    const header = ['iccid', 'network', 'services', '', ' ', 'Depot'];
    const columns = operations.get('bar-service-config')?.columns ?? [];
    const samples = [
      ['89', '1', 'x', '', '', ''],
      ['89', '1', 'x', '', '2001', ''],
    ];
    const mapping = { 'column E': 'reference' };
    expect(
      headerNotices(mapHeader(header, columns, { samples, mapping }), columns, { line: 3, header, samples }),
    ).toEqual([
      expect.objectContaining({
        message: '1 column is not used, only copied into the results: "Depot"',
      }),
    ]);
    expect(headerNotices(mapHeader(header, columns, { samples }), columns, { line: 3, header, samples })).toMatchObject(
      [
        {
          code: 'HEADER_COLUMNS_NOT_USED',
          message:
            '2 columns are not used, only copied into the results: "Depot", column E (it has values and no name)',
        },
      ],
    );
  });

  test('many columns are not all named', () => {
    const header = Array.from({ length: 11 }, (_, index) => `Own ${index}`);
    expect(noticesOf('send-sms', header)[0]).toMatch(/: "Own 0", .+"Own 7", and 3 more$/);
  });

  test('columns that no lookup can check are one notice, also where a default fills them', () => {
    expect(noticesOf('configure-bundle-control', ['iccid', 'allowances'], { zone: 'EU' })).toEqual([
      '3 notice HEADER_COLUMNS_NOT_CHECKED: Not checked: zone, roamingBucketVolumes. ' +
        'The service decides whether the values are valid',
    ]);
    expect(noticesOf('bar', ['iccid', 'gprs', 'mms'])[0]).toContain('Not checked: gprs, mms. The service decides');
    expect(noticesOf('create-bundle', ['bundlePeriod'])[0]).toContain('Not checked: bundlePeriod.');
  });

  test('a file whose columns are all used and checked has none', () => {
    expect(noticesOf('create-port', ['msisdn', 'pac', 'reference'])).toEqual([]);
  });
});

// Numbers that a spreadsheet program damaged are not sent unasked: rounded ones, and texts that were numbers.
describe('damaged numbers', () => {
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

  /** With a correct check digit, one in ten. */
  const roundSim = '8944110681234110000';

  test.each(['bar', 'create-port'])(
    '%s: SIMs that end in zeros wait, as many as a spreadsheet leaves',
    async (operation) => {
      const bench = ingestBench();
      const sims = [simAt(1), roundSim];
      const body =
        operation === 'bar'
          ? `serialNumber,gprs\n${sims.map((sim) => `${sim},yes`).join('\n')}\n`
          : csvOf(sims.map((serialNo, index) => ({ ...goodRows(2)[index], serialNo })));
      const item = await bench.upload(body, { key: `${operation}/file.csv` });
      expect(item).toMatchObject({ state: 'planned', accepted: 2 });
      expect(bench.issues(item)).toContainEqual(expect.objectContaining({ line: 3, code: 'ICCID_ROUNDED' }));
    },
  );

  test('one such SIM among thousands is chance, unless another one was rounded for certain', async () => {
    const upload = (rows: readonly string[]) =>
      ingestBench().upload(`serialNumber,gprs\n${rows.map((sim) => `${sim},yes`).join('\n')}\n`, {
        key: 'bar/file.csv',
      });
    const many = Array.from({ length: 1000 }, (_, index) => simAt(index));
    expect(await upload([...many, roundSim])).toMatchObject({ state: 'submitting', accepted: 1001 });
    expect(await upload([...many, roundSim, '8.94E+18'])).toMatchObject({ state: 'submitting', accepted: 1001 });
    expect(await upload([...many, roundSim, '8944110681234120000'])).toMatchObject({
      state: 'planned',
      accepted: 1001,
    });
  });

  const provision = 'serialNumber,network,tariffNumber,purchaseOrderNumber';
  const sms = 'serialNumber,network,message,binary';

  test.each([
    ['a purchase order with an exponent', 'provision', provision, '101,2001,4.50001E+11', 'rejected'],
    ['one of several', 'provision', provision, '101,2001,PO 7;4.5E+11', 'rejected'],
    ['a text with an exponent', 'send-sms', sms, '232,1.2345678901234568E+18,', 'rejected'],
    ['zeros behind 15 digits', 'provision', provision, '101,2001,45000000012345600', 'planned'],
    ['hex of decimal digits', 'send-sms', sms, '232,480065,yes', 'planned'],
    ['hex with its zeros', 'send-sms', sms, '232,00480065,yes', 'submitting'],
    ['a name like an exponent', 'provision', provision, '101,2001,12E4', 'submitting'],
    ['a date of digits', 'provision', provision, '101,2001,20261201', 'submitting'],
  ])('%s in %s', async (_, operation, header, cells, state) => {
    const bench = ingestBench();
    const item = await bench.upload(`${header}\n${simAt(0)},${cells}\n`, { key: `${operation}/file.csv` });
    const codes = bench.issues(item).map(({ code }) => code);
    expect([item?.state, codes.includes('CELL_NUMBER_DAMAGED')]).toEqual([state, state !== 'submitting']);
  });

  test('a number of a workbook has the zeros that its format shows', async () => {
    const bench = ingestBench();
    const cells = [simAt(0), '101', '2001', { number: '4711', style: 2 }];
    const body = workbookFile([{ name: 'One', rows: [provision.split(','), cells] }]);
    const item = await bench.upload(body, { key: 'provision/file.xlsx' });
    expect(bench.plan(item)[0]?.head).toMatchObject({ purchaseOrderNumber: '00000004711' });
  });
});
