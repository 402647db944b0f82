// Files as people have them: other dates, texts for "nothing", totals, columns under other names.
import { describe, expect, test } from 'vitest';
import { validCells } from '../../support/ingest/catalogue.ts';
import { ingestBench } from '../../support/ingest/ingest.ts';
import { csvOf, goodRows, simAt } from '../../support/ingest/valid-rows.ts';

const codesOf = (issues: readonly { code: string }[] | undefined) => issues?.map(({ code }) => code);
const datesOf = (bench: ReturnType<typeof ingestBench>, item: Awaited<ReturnType<typeof bench.upload>>) =>
  bench.plan(item).map(({ head }) => (head as { connectionDate: string }).connectionDate);

describe('dates', () => {
  test('in one order are read, because one of them has only one meaning', async () => {
    const bench = ingestBench();
    const item = await bench.upload(csvOf([{ connectionDate: '08/07/2026' }, { connectionDate: '14/07/2026' }]));
    expect(item).toMatchObject({ state: 'submitting', rejected: 0, dateOrders: { connectionDate: 'dmy' } });
    expect(datesOf(bench, item)).toEqual(['2026-07-08', '2026-07-14']);
    expect(item?.issues).toMatchObject([
      { line: 1, column: 'connectionDate', severity: 'notice', code: 'DATE_ORDER_DETECTED' },
    ]);
    expect(item?.issues[0]?.message).toContain('14/07/2026 on line 3');
  });

  test('are decided by a date at the end of a large file', async () => {
    const bench = ingestBench();
    bench.files.chunkBytes = 4096;
    const rows = Array.from({ length: 1000 }, (_, index) => ({
      connectionDate: index === 999 ? '14/07/2026' : '08/07/2026',
    }));
    const item = await bench.upload(csvOf(rows));
    expect(item).toMatchObject({ rows: 1000, rejected: 0, dateOrders: { connectionDate: 'dmy' } });
  });

  const filler = (count: number, connectionDate: string) => Array.from({ length: count }, () => ({ connectionDate }));
  const uploadDates = (rows: { connectionDate: string }[]) => {
    const bench = ingestBench();
    bench.files.chunkBytes = 4096;
    return bench.upload(csvOf(rows));
  };

  test.each([
    [
      'a date of the other order',
      filler(1_000, '14/07/2026'),
      [{ connectionDate: '08/07/2026' }, { connectionDate: '07/15/2026' }],
    ],
    [
      'the other order from the middle on',
      filler(600, '14/07/2026'),
      [...filler(400, '08/07/2026'), ...filler(600, '07/14/2026')],
    ],
  ])('are not read in an order that %s contradicts, however far below', async (_what, first, rest) => {
    const item = await uploadDates([...first, ...rest]);
    expect(item).toMatchObject({ state: 'rejected', issues: [{ code: 'DATE_ORDER_AMBIGUOUS' }] });
  });

  test('are read in an order that only rows far below have, beside dates of the service', async () => {
    const item = await uploadDates([
      ...filler(1_000, '2026-07-08'),
      ...filler(900, '08/07/2026'),
      ...filler(1, '14/07/2026'),
    ]);
    expect(item).toMatchObject({ rows: 1_901, rejected: 0, dateOrders: { connectionDate: 'dmy' } });
    expect(codesOf(item?.issues)).toEqual(['DATE_ORDER_DETECTED']);
  });

  test('of two digits that may begin with the year are one question, also where another date proves an order', async () => {
    const bench = ingestBench();
    const body = csvOf([{ connectionDate: '14/07/2026' }, { connectionDate: '26-07-28' }]);
    const rejected = await bench.upload(body);
    expect(rejected).toMatchObject({ state: 'rejected', issues: [{ code: 'DATE_ORDER_AMBIGUOUS' }] });
    expect(rejected?.issues[0]?.message).toMatch(/26-07-28 on line 3, which .* --dates ymd/);
    const item = await bench.upload(body, { metadata: { dates: 'ymd' }, sequencer: '2' });
    expect(datesOf(bench, item)).toEqual(['2026-07-14', '2026-07-28']);
  });

  test('and other values that a program writes as formulas, so that a spreadsheet keeps them, are read', async () => {
    const bench = ingestBench();
    const [header, row = ''] = csvOf([{ connectionDate: '2026-07-08' }]).split(/\r?\n/);
    const item = await bench.upload(`${header}\n${row.replace(/[^,]+/g, '="$&"')}\n`);
    expect(item).toMatchObject({ state: 'submitting', accepted: 1, rejected: 0 });
    expect(datesOf(bench, item)).toEqual(['2026-07-08']);
  });

  test.each(['00:00:00', '00:00'])('with a midnight %s are days', async (time) => {
    const bench = ingestBench();
    const item = await bench.upload(csvOf([{ connectionDate: `2026-07-14 ${time}` }]));
    expect(datesOf(bench, item)).toEqual(['2026-07-14']);
  });

  test('with a month in another language are not read as an English one', async () => {
    const bench = ingestBench();
    const item = await bench.upload(
      csvOf([{ connectionDate: '14 marraskuu 2026' }, { connectionDate: '14 July 2026' }]),
    );
    expect(bench.issues(item)).toMatchObject([{ line: 2, code: 'DATE_SHAPE' }]);
  });

  test('with two meanings reject the file with one question, which --dates answers', async () => {
    const bench = ingestBench();
    const body = csvOf([{ connectionDate: '08/07/2026' }, { connectionDate: '09/07/2026' }]);
    const rejected = await bench.upload(body);
    expect(rejected).toMatchObject({ state: 'rejected', issues: [{ code: 'DATE_ORDER_AMBIGUOUS' }] });
    expect(rejected?.issues[0]?.message).toContain('--dates dmy (day first) or --dates mdy (month first)');
    const item = await bench.upload(body, { metadata: { dates: 'dmy' }, sequencer: '2' });
    expect(datesOf(bench, item)).toEqual(['2026-07-08', '2026-07-09']);
  });

  test('are read in the order that the header states, unless a date contradicts it', async () => {
    const bench = ingestBench();
    const fileOf = (header: string, ...dates: string[]) =>
      csvOf(dates.map((connectionDate) => ({ connectionDate }))).replace('connectionDate', header);
    const item = await bench.upload(fileOf('Port date (DD/MM/YYYY)', '08/07/2026', '2026-07-08'));
    expect(datesOf(bench, item)).toEqual(['2026-07-08']);
    expect(item?.issues[0]?.message).toContain('because of Port date (DD/MM/YYYY) on line 1');
    const american = await bench.upload(fileOf('Port date [mm-dd-yy]', '07/08/2026'), { sequencer: '2' });
    expect(datesOf(bench, american)).toEqual(['2026-07-08']);
    const both = await bench.upload(fileOf('Port date (DD/MM/YYYY)', '07/14/2026', '07/08/2026'), { sequencer: '3' });
    expect(codesOf(both?.issues)).toEqual(['DATE_ORDER_AMBIGUOUS']);
  });

  test('with two meanings beside dates of another notation are invalid alone, and the other rows are sent', async () => {
    const bench = ingestBench();
    const dates = ['2026-07-08', '09/07/2026', 'auto', '14 Jul 2026'];
    const item = await bench.upload(csvOf(dates.map((connectionDate) => ({ connectionDate }))));
    expect(item).toMatchObject({ state: 'submitting', rows: 4, accepted: 3, rejected: 1 });
    expect(bench.issues(item)).toMatchObject([
      {
        line: 3,
        column: 'connectionDate',
        code: 'DATE_SHAPE',
        message: expect.stringMatching(/2026-07-09 or 2026-09-07/),
      },
    ]);
    const fixed = await bench.upload(bench.rejected(item), {
      key: 'create-port/rejected.csv',
      metadata: { dates: 'dmy' },
    });
    expect(datesOf(bench, fixed)).toEqual(['2026-07-09']);
  });

  test('in the format YYYY-MM-DD decide nothing: another date of the column does', async () => {
    const bench = ingestBench();
    const dates = ['2026-07-08', '09/07/2026', '14/07/2026'];
    const item = await bench.upload(csvOf(dates.map((connectionDate) => ({ connectionDate }))));
    expect(datesOf(bench, item)).toEqual(['2026-07-08', '2026-07-09', '2026-07-14']);
    expect(codesOf(item?.issues)).toEqual(['DATE_ORDER_DETECTED']);
  });

  test('with two meanings beside 07/07/2026 or empty cells are the one question', async () => {
    const bench = ingestBench();
    const dates = ['07/07/2026', '09/07/2026'];
    const item = await bench.upload(csvOf(dates.map((connectionDate) => ({ connectionDate }))));
    expect(item).toMatchObject({ state: 'rejected', issues: [{ code: 'DATE_ORDER_AMBIGUOUS' }] });
    const cells = [{ pacExpiry: 'N/A' }, { pacExpiry: '09/08/2026' }];
    const body = csvOf(cells, [...Object.keys(validCells), 'pacExpiry']);
    const expiry = await bench.upload(body, { sequencer: '2' });
    expect(expiry).toMatchObject({ state: 'rejected' });
    expect(codesOf(expiry?.issues)).toContain('DATE_ORDER_AMBIGUOUS');
  });

  test('in two orders are rejected', async () => {
    const bench = ingestBench();
    const dates = ['14/07/2026', '07/14/2026', '08/07/2026'];
    const item = await bench.upload(csvOf(dates.map((connectionDate) => ({ connectionDate }))));
    expect(codesOf(item?.issues)).toEqual(['DATE_ORDER_AMBIGUOUS']);
  });

  test('of a spreadsheet are converted with a notice, and names of months are read', async () => {
    const bench = ingestBench();
    const item = await bench.upload(csvOf([{ connectionDate: '46211' }, { connectionDate: '14-Jul-26' }]));
    expect(datesOf(bench, item)).toEqual(['2026-07-08', '2026-07-14']);
    expect(codesOf(item?.issues)).toEqual(['DATE_SERIAL_CONVERTED']);
  });
});

describe('repairs', () => {
  test('are made where a cell has one meaning, with a notice', async () => {
    const bench = ingestBench();
    const item = await bench.upload(
      csvOf([{ portType: 'PORT', boltOns: 'N/A', serialNo: '8944110068123456787F' }, { boltOns: '-' }]),
    );
    expect(item).toMatchObject({ rejected: 0 });
    expect(bench.plan(item)).toHaveLength(1);
    expect(bench.plan(item)[0]).toMatchObject({ head: { portType: 'Port', boltOns: [] } });
    expect(codesOf(item?.issues)?.sort()).toEqual(['CELL_PLACEHOLDER', 'CELL_PLACEHOLDER', 'ICCID_PADDING_REMOVED']);
  });

  test('never change a reference', async () => {
    const bench = ingestBench();
    const item = await bench.upload(csvOf([{ reference: 'N/A' }]));
    expect(item?.issues).toEqual([]);
  });
});

describe('a row of totals', () => {
  test('is reported and not counted', async () => {
    const bench = ingestBench();
    const item = await bench.upload(`${csvOf(goodRows(3))}Total,,,,,,,,,,3\n\nGrand total: 3\n`);
    expect(item).toMatchObject({ rows: 3, accepted: 3, rejected: 0 });
    expect(item?.issues.map(({ line, code }) => [line, code])).toEqual([
      [5, 'RECORD_IS_TOTALS'],
      [7, 'RECORD_IS_TOTALS'],
    ]);
  });

  test('with a number is a row', async () => {
    const bench = ingestBench();
    const item = await bench.upload(csvOf([{}, { portType: 'Total' }]));
    expect(item).toMatchObject({ rows: 2, rejected: 1 });
  });

  test.each(['Total Energies,,ABC12345,ABD12345,,', 'Total,,07700 9OO123,,,', 'Sum,,ABC12345,,,'])(
    'has labels and figures only: "%s" is a row, and its PACs are nowhere',
    async (row) => {
      const header = 'reference,msisdn,pac,old pac,action,portId';
      const item = await ingestBench().upload(`${header}\n${row}\n`, { key: 'update-port/file.csv' });
      expect(item).toMatchObject({ rows: 1, rejected: 1 });
      expect(codesOf(item?.issues)).not.toContain('RECORD_IS_TOTALS');
      expect(JSON.stringify(item)).not.toMatch(/AB[CD]12345/);
    },
  );

  const customer = 'Total Energies';
  test.each([
    ['cancel-port', 'a port id', 'portId', '0f8fad5b-d9cb-469f-a165-7b867f728950'],
    ['cancel-port', 'a number with hyphens', 'msisdn', '07700-900-123'],
    ['cancel-port', 'a number with brackets', 'msisdn', '(07700) 900-12'],
    ['send-sms', 'a serial with hyphens', 'serialNumber', '894411-006812-345678'],
  ])('in %s with %s is a row', async (operation, _, column, cell) => {
    const header = operation === 'send-sms' ? `reference,${column},network,message` : `reference,${column}`;
    const rest = operation === 'send-sms' ? ',,' : '';
    const key = `${operation}/file.csv`;
    const item = await ingestBench().upload(`${header}\n${customer},${cell}${rest}\n`, { key });
    expect(item).toMatchObject({ rows: 1, rejected: 1 });
  });
});

describe('a second header', () => {
  const bar = (rows: readonly string[]) => ingestBench().upload(`${rows.join('\n')}\n`, { key: 'bar/file.csv' });
  const rowOf = (index: number, cells = 'yes,') => `${simAt(index)},${cells}`;

  test.each([
    ['with its columns in another order', ['serialNumber,voiceRoaming,gprs', rowOf(1)]],
    ['under other names', ['Title of the table,,', 'SIM card number,Roaming,Data', rowOf(1)]],
    ['with cells beyond the first one', ['serialNumber,voiceRoaming,gprs,premium', `${rowOf(1)},`]],
  ])('%s ends the reading with a question', async (_, others) => {
    const item = await bar(['serialNumber,gprs,voiceRoaming', rowOf(0), ...others]);
    expect(item).toMatchObject({ state: 'rejected', requestCount: 0 });
    const line = others.findIndex((text) => /^s/i.test(text)) + 3;
    expect(item?.issues).toContainEqual(expect.objectContaining({ line, code: 'HEADER_SECOND', severity: 'error' }));
  });

  test('is found by the names of the columns of the file, too', async () => {
    const item = await ingestBench().upload(
      'Mobile,Old mobile,Customer\n07700900124,07700900224,Acme\nOld mobile,Mobile,Customer\n07700900225,07700900125,B\n',
    );
    expect(item?.issues.map(({ code }) => code)).toContain('HEADER_MISSING_COLUMN');
    const update = await ingestBench().upload('msisdn,Mine,pac\n,x,\nMine,msisdn,\n', { key: 'update-port/file.csv' });
    expect(update?.issues.map(({ line, code }) => `${line} ${code}`)).toContain('3 HEADER_SECOND');
  });

  test('that is the first one again is left out and named, as is a title above it', async () => {
    const header = 'serialNumber,gprs,voiceRoaming';
    const item = await bar([header, rowOf(0), 'SerialNumber , GPRS,voiceRoaming,', header, rowOf(1)]);
    expect(item).toMatchObject({ rows: 2, accepted: 2, rejected: 0 });
    expect(item?.issues.filter(({ code }) => code === 'RECORD_IS_HEADER').map(({ line }) => line)).toEqual([3, 4]);
  });

  test('is no row that has a number or the word of a header in one cell', async () => {
    const item = await bar(['serialNumber,gprs,voiceRoaming,Customer', `${rowOf(0)},Roaming`, '89441,Data,,Admin']);
    expect(item).toMatchObject({ rows: 2, accepted: 1, rejected: 1 });
  });
});

test('an invalid row takes no room of a day from the others', async () => {
  const bench = ingestBench();
  const rows = goodRows(2).map((row) => ({ ...row, connectionDate: 'auto' }));
  const unreadable = { ...goodRows(3)[2], connectionDate: 'auto', reference: 'a\u200bb' };
  const item = await bench.upload(csvOf([unreadable, ...rows]), { metadata: { 'per-day': '1' } });
  expect(item).toMatchObject({ accepted: 2, rejected: 1 });
  expect(datesOf(bench, item)).toEqual(['2026-07-01', '2026-07-02']);
  expect(item?.issues[0]?.message).toContain('are spread over 2 days');
});

describe('a default', () => {
  test('fills the empty cells of a column, in rows that are otherwise alike, too', async () => {
    const bench = ingestBench();
    const rows = Array.from({ length: 20 }, (_, index) => ({ boltOns: '101', tariff: index % 2 === 0 ? '' : '2002' }));
    const item = await bench.upload(csvOf(rows), { metadata: { 'set-tariff': '2001' } });
    expect(item).toMatchObject({ rejected: 0, issues: [] });
    const tariffs = bench
      .plan(item)
      .map(({ head, rows: { length } }) => [(head as { tariffId: number }).tariffId, length]);
    expect(tariffs).toEqual([
      [2001, 10],
      [2002, 10],
    ]);
  });

  test('that changes nothing is reported', async () => {
    const bench = ingestBench();
    const item = await bench.upload(csvOf(goodRows(2)), { metadata: { 'set-tariff': '2002' } });
    expect(item?.issues).toMatchObject([{ code: 'HEADER_DEFAULT_UNUSED', column: 'tariff', severity: 'notice' }]);
  });
});

test('a column under another name is found by its values, and mapped', async () => {
  const bench = ingestBench();
  const body = csvOf(goodRows(2)).replace('msisdn', 'Line').replace('connectionDate', 'Porting date');
  const rejected = await bench.upload(body);
  expect(rejected?.issues[0]?.message).toContain('"Line" (values like 99999999999) may be it: --map "Line=msisdn"');
  const item = await bench.upload(body, { metadata: { map: 'Line=msisdn' }, sequencer: '2' });
  expect(item).toMatchObject({ accepted: 2, columnIndexes: { msisdn: 0 } });
});
