// Only what people meant is sent: cells that a person and a program read differently.
import { describe, expect, test } from 'vitest';
import { textColumns } from '#shared/files/added-columns.ts';
import { csvRow } from '#shared/files/csv/csv-row.ts';
import { operations } from '#shared/operations/registry.ts';
import type { NumberItem } from '#shared/request/number-claim.ts';
import { double } from '../../support/double.ts';
import { dateStyle, type TestCell, workbookFile } from '../../support/files/workbook-file.ts';
import { validCells } from '../../support/ingest/catalogue.ts';
import { ingestBench } from '../../support/ingest/ingest.ts';
import { csvOf, numberAt, simAt } from '../../support/ingest/valid-rows.ts';

type Bench = ReturnType<typeof ingestBench>;
type Row = Record<string, string>;

const columnsOf = (rows: readonly Row[]) => [
  ...new Set([...Object.keys(validCells), 'boltOns', 'reference', ...rows.flatMap(Object.keys)]),
];
const upload = (bench: Bench, rows: readonly Row[], metadata: Row = {}, sequencer = '1') =>
  bench.upload(csvOf(rows, columnsOf(rows)), { metadata, sequencer });
const headsOf = (bench: Bench, item: Awaited<ReturnType<typeof upload>>) =>
  bench.plan(item).map(({ head }) => head as Record<string, unknown>);
const errorsOf = (bench: Bench, item: Awaited<ReturnType<typeof upload>>) =>
  bench.issues(item).flatMap(({ severity, line, code }) => (severity === 'error' ? [`${line} ${code}`] : []));

describe('texts are sent once', () => {
  const lines = [0, 1, 2].map((index) => `${simAt(index)},232,STATUS?\n`);
  const put = (bench: Bench, rows: readonly string[], name: string, metadata: Row = {}) =>
    bench.upload(`serialNumber,network,message\n${rows.join('')}`, { key: `send-sms/${name}.csv`, metadata });

  test.each<[string, readonly string[], Row]>([
    ['in another order', lines.toReversed(), {}],
    ['in other requests', lines, { 'max-rows-per-port': '2' }],
  ])('%s', async (_, rows, metadata) => {
    const bench = ingestBench();
    expect(await put(bench, lines, 'first')).toMatchObject({ state: 'submitting' });
    expect(await put(bench, rows, 'second', metadata)).toMatchObject({ state: 'planned' });
    expect(await put(bench, rows.slice(1), 'third')).toMatchObject({ state: 'submitting' });
  });
});

test('a number in a formula is compared with the numbers that were ported before', async () => {
  const ported: NumberItem = {
    number: '447700900000',
    importId: 'earlier',
    request: 1,
    line: 9,
    claimedAt: '2026-06-02T08:00:00.000Z',
    expiresAt: 1_850_000_000,
    latest: { portId: 'p', status: 'Complete', readAt: '2026-06-02T08:00:00.000Z', ended: true },
  };
  const getMany = async (numbers: readonly string[]) => numbers.flatMap((one) => (one === ported.number ? ported : []));
  const bench = ingestBench({ numbers: double({ getMany }) });
  for (const [index, msisdn] of [numberAt(0), `="${numberAt(0)}"`, `'${numberAt(0)}`].entries()) {
    const item = await upload(bench, [{ msisdn }], {}, String(index));
    expect(errorsOf(bench, item)).toContain('2 MSISDN_ALREADY_PORTED');
  }
});

test.each(Object.keys(validCells))('a failed formula in %s is one finding', async (name) => {
  const bench = ingestBench();
  const item = await upload(bench, [{ [name]: '#REF!' }]);
  const ofColumn = bench.issues(item).filter(({ line, column }) => line === 2 && column === name);
  expect(ofColumn.map(({ code }) => code)).toEqual(['CELL_NOT_ALLOWED']);
});

describe('dates that contradict what was named', () => {
  const dates = (...texts: string[]) => texts.map((connectionDate) => ({ connectionDate }));

  test.each([5, 800])('are a question in row %i', async (count) => {
    const bench = ingestBench();
    bench.files.chunkBytes = 4096;
    const filler = dates(...Array.from({ length: count }, () => '08/07/2026'));
    const item = await upload(bench, [...filler, ...dates('07/15/2026')], { dates: 'dmy' });
    expect(errorsOf(bench, item)).toEqual(['1 DATE_ORDER_AMBIGUOUS']);
    const right = await upload(bench, filler, { dates: 'dmy' }, '2');
    expect(right).toMatchObject({ rejected: 0 });
  });

  test('are a question in a correction of a file with another order', async () => {
    const bench = ingestBench();
    const first = await upload(bench, [
      { connectionDate: '07/15/2026', tariff: '9999' },
      { connectionDate: '07/08/2026', tariff: '9999' },
      { connectionDate: '07/16/2026' },
    ]);
    expect(first).toMatchObject({ rejected: 2, dateOrders: { connectionDate: 'mdy' } });
    const fixed = bench.rejected(first).replaceAll('9999', '2001');
    const again = await bench.upload(fixed.replace('07/15/2026', '15/07/2026'), { key: 'create-port/again.csv' });
    expect(errorsOf(bench, again)).toEqual(['1 DATE_ORDER_AMBIGUOUS']);
    expect(await bench.upload(fixed, { key: 'create-port/fixed.csv' })).toMatchObject({ rejected: 0 });
  });

  const columns = Object.keys(validCells);
  const row = (index: number, date: TestCell) =>
    columns.map((name) => {
      const cells: Row = { ...validCells, msisdn: numberAt(index), serialNo: simAt(index) };
      return name === 'connectionDate' ? date : (cells[name] ?? '');
    });
  /** 9 July 2026, of which the day may be the month. */
  const real = { number: '46212', style: dateStyle };

  test('are a question where a spreadsheet program may have swapped the others', async () => {
    const bench = ingestBench();
    for (const rows of [
      [row(0, '07/15/2026'), row(1, real)],
      [row(0, real), row(1, '07/15/2026')],
    ]) {
      const file = workbookFile([{ name: 'One', rows: [columns, ...rows] }]);
      const item = await bench.upload(file, { key: 'create-port/a.xlsx', sequencer: JSON.stringify(rows) });
      expect(errorsOf(bench, item)).toEqual(['1 DATE_ORDER_AMBIGUOUS']);
      const answered = await bench.upload(file, {
        key: 'create-port/a.xlsx',
        sequencer: `${JSON.stringify(rows)}2`,
        metadata: { dates: 'mdy' },
      });
      expect(answered).toMatchObject({ rejected: 0 });
    }
  });

  test.each<[string, TestCell]>([
    ['the text', '2026-07-09'],
    ['the text of a formula', { formula: 'TEXT(B2,"yyyy-mm-dd")', cached: '2026-07-09' }],
    ['an inline text', { inline: '2026-07-09' }],
  ])('are no question beside %s of a date, which no program swaps', async (_, written) => {
    const bench = ingestBench();
    const file = workbookFile([{ name: 'One', rows: [columns, row(0, written), row(1, '07/15/2026')] }]);
    const item = await bench.upload(file, { key: 'create-port/a.xlsx' });
    expect(errorsOf(bench, item)).toEqual([]);
    expect(item).toMatchObject({ accepted: 2 });
  });

  test('are a question in a later row, beside a date of a later row, also in another sheet with other columns', async () => {
    const filler = Array.from({ length: 1_500 }, (_, index) => row(index, 'auto'));
    const late = [row(1_500, real), row(1_501, '07/15/2026')];
    const turned = [columns, ...late].map((cells) => [...cells].reverse());
    for (const [index, sheets] of [
      [{ name: 'One', rows: [columns, ...filler, ...late] }],
      [
        { name: 'One', rows: [columns, ...filler] },
        { name: 'Two', rows: turned },
      ],
    ].entries()) {
      const bench = ingestBench();
      const metadata: Row = index === 0 ? {} : { sheet: 'One', 'other-sheets': 'Two' };
      const item = await bench.upload(workbookFile(sheets), { key: 'create-port/a.xlsx', metadata });
      expect(errorsOf(bench, item)).toEqual(['1 DATE_ORDER_AMBIGUOUS']);
    }
  });

  test('in a header with two digits of the year need no answer', async () => {
    const bench = ingestBench();
    const file = csvOf([{ connectionDate: '08/07/26' }, { connectionDate: '26/07/28' }]);
    const item = await bench.upload(file.replace('connectionDate', 'Port date (DD/MM/YY)'));
    expect(errorsOf(bench, item)).not.toContain('1 DATE_ORDER_AMBIGUOUS');
    expect(headsOf(bench, item)[0]).toMatchObject({ connectionDate: '2026-07-08' });
  });

  test('in formulas are one question', async () => {
    const bench = ingestBench();
    const item = await upload(bench, dates('="03/07/2026"', '="08/07/2026"'));
    expect(errorsOf(bench, item)).toEqual(['1 DATE_ORDER_AMBIGUOUS']);
  });
});

test.each([
  ['head office', '5001'],
  ['Head  Office', '5001'],
  ['Head\u00a0Office', '5001'],
  ['HEAD OFFICE ', '5001'],
])('the order "%s" is the one that exists', async (provisioningOrder, number) => {
  const bench = ingestBench();
  const [head] = headsOf(bench, await upload(bench, [{ provisioningOrder }]));
  expect(String(head?.provisioningOrder)).toBe(number);
});

test.each(['network  a', 'Network\u00a0A', 'NETWORK A'])('"%s" is the network', async (targetNetwork) => {
  const bench = ingestBench();
  expect(await upload(bench, [{ targetNetwork }])).toMatchObject({ rejected: 0 });
});

test('a text for "nothing" is nothing, also beside a value for all rows', async () => {
  const bench = ingestBench();
  const item = await upload(bench, [{ boltOns: 'N/A' }, { boltOns: '-' }, { boltOns: '' }], { 'set-boltons': '102' });
  expect(bench.plan(item).map(({ head, rows }) => [(head as { boltOns: number[] }).boltOns, rows.length])).toEqual(
    expect.arrayContaining([
      [[], 2],
      [[102], 1],
    ]),
  );
});

test.each([
  { boltOns: '#N/A' },
  { esim: '#REF!' },
  { pacExpiry: '#VALUE!' },
  { services: 'Premium=true' },
  { services: 'Premium=false' },
])('%j is an error', async (cells) => {
  const bench = ingestBench();
  expect(await upload(bench, [cells as unknown as Row])).toMatchObject({ rejected: 1 });
});

test.each([
  ['services', 'roaming=ON', 'Roaming=on'],
  ['services', 'PREMIUM=Block', 'Premium=block'],
  ['esim', 'wahr', 'true'],
  ['esim', 'VRAI', 'true'],
  ['esim', 'FAUX', 'false'],
  ['esim', 'falsch', 'false'],
  ['connectionDate', '2026-07-06T23:00:00.000Z', '2026-07-07'],
  ['connectionDate', '2026-07-07T23:59:59', '2026-07-07'],
])('in %s, "%s" is "%s"', async (column, cell, plain) => {
  const bench = ingestBench();
  const item = await upload(bench, [{ [column]: cell }]);
  const other = await upload(bench, [{ [column]: plain }], {}, '2');
  expect(item).toMatchObject({ rejected: 0 });
  expect(headsOf(bench, item)).toEqual(headsOf(bench, other));
  expect(bench.plan(item)[0]?.rows).toEqual(bench.plan(other)[0]?.rows);
});

test('a value for all rows is read like a cell', async () => {
  const bench = ingestBench();
  const rows = [{ connectionDate: '' }];
  for (const [value, dates] of [
    ['08/07/2026', 'dmy'],
    ['8 July 2026', undefined],
  ] as const) {
    const metadata = { 'set-connectiondate': encodeURIComponent(value), ...(dates && { dates }) };
    const item = await upload(bench, rows, metadata, value);
    expect(headsOf(bench, item)).toMatchObject([{ connectionDate: '2026-07-08' }]);
  }
});

test.each(['setBoltOns', 'setboltons', 'set-boltOns', 'set_bolt_ons'])('metadata %s is a value', async (name) => {
  const bench = ingestBench();
  const item = await upload(bench, [{}], { [name]: '102' });
  expect(headsOf(bench, item)).toMatchObject([{ boltOns: [102] }]);
});

test('no, in any language, creates no order', async () => {
  const bench = ingestBench();
  for (const [index, word] of ['N', '0', 'non', 'nein', 'FAUX', 'no', 'false'].entries()) {
    const body = `serialNumber,network,tariffNumber,createNewProvisioningOrder\n${simAt(1)},101,2001,${word}\n`;
    const changed = await bench.upload(body, { key: 'change-provision/a.csv', sequencer: String(index) });
    expect([word, errorsOf(bench, changed)[0]]).toEqual([word, '2 PROVISIONING_ORDER_REQUIRED']);
    const typeB = body.replace(',101,2001,', ',201,3001,');
    const provisioned = await bench.upload(typeB, { key: 'provision/a.csv', sequencer: String(index) });
    expect([word, provisioned?.rejected]).toEqual([word, 0]);
  }
});

describe('a correction', () => {
  test('of a row with an empty cell too many is sent', async () => {
    const bench = ingestBench();
    const [header, ...lines] = csvOf([{ tariff: '9999' }, { tariff: '9999' }, {}])
      .trim()
      .split('\n');
    const first = await bench.upload([header, lines[2], `${lines[0]},`, lines[1]].join('\n'));
    const fixed = bench.rejected(first).replaceAll('9999', '2001');
    expect(fixed.split('\r\n').filter((line) => line.endsWith(','))).toEqual([]);
    expect(await bench.upload(fixed, { key: 'create-port/fixed.csv' })).toMatchObject({ accepted: 2, rejected: 0 });
  });

  test('with a new row on top declines that row only', async () => {
    const bench = ingestBench();
    const first = await upload(bench, [{ tariff: '9999' }, {}]);
    const [header = '', ...lines] = bench.rejected(first).replace('9999', '2001').split('\r\n');
    const added = (lines[0] ?? '').replace(first?.importId ?? '', '').replace(numberAt(0), numberAt(7));
    const item = await bench.upload([header, added, ...lines].join('\r\n'), { key: 'create-port/fixed.csv' });
    expect(item).toMatchObject({ accepted: 1, rejected: 1 });
    expect(errorsOf(bench, item)).toEqual(['2 CORRECTION_ROW_UNKNOWN']);
  });
});

test.each([
  ['a PAC', { msisdn: 'TBC', pac: 'XYZ123456' }],
  ['a number', { msisdn: '07700 900123' }],
  ['a SIM', { serialNo: simAt(1) }],
])('a customer whose name begins like a row of totals is a row: it has %s', async (_what, cells) => {
  const bench = ingestBench();
  const empty = Object.fromEntries(Object.keys(validCells).map((name) => [name, '']));
  const rows: Row[] = [{}, { ...empty, ...cells, portType: 'Port', reference: 'Total Energies' }];
  const item = await bench.upload(csvOf(rows, ['reference', ...Object.keys(validCells)]));
  expect(item).toMatchObject({ rows: 2, rejected: 1 });
});

test('the second + of two numbers in a cell is named', async () => {
  const bench = ingestBench();
  const item = await upload(bench, [{ msisdn: '+447700900123 +447700900124' }]);
  expect(bench.issues(item)[0]?.message).toContain('Character 15 is "+"');
});

test('an encoding that the bytes contradict is declined', async () => {
  const bench = ingestBench();
  const body = csvOf([{ reference: 'Café' }]);
  const item = await bench.upload(body, { metadata: { encoding: 'windows-1252' } });
  expect(errorsOf(bench, item)).toContain('1 FILE_ENCODING');
  const western = Buffer.from(body, 'latin1');
  const right = await bench.upload(western, { metadata: { encoding: 'windows-1252' }, sequencer: '2' });
  expect(right).toMatchObject({ rejected: 0 });
});

describe('a workbook', () => {
  const columns = ['boltOns', ...Object.keys(validCells)];
  const row = (index: number, changed: Row = {}) => {
    const cells: Row = { ...validCells, msisdn: numberAt(index), serialNo: simAt(index), ...changed };
    return columns.map((name) => cells[name] ?? '');
  };
  const put = (bench: Bench, file: Buffer, metadata: Row = {}) =>
    bench.upload(file, { key: 'create-port/a.xlsx', metadata });

  test('with a struck-out part of a text shows a notice', async () => {
    const bench = ingestBench();
    const struck = (kept: string, out: string) => ({
      type: 'inlineStr',
      xml: `<is><r><t>${kept}</t></r><r><rPr><strike/></rPr><t>${out}</t></r></is>`,
    });
    const [, ...cells] = row(0);
    const wholly = row(1).map((text) => struck('', text));
    const file = workbookFile([{ name: 'One', rows: [columns, [struck('102;', '101'), ...cells], wholly, row(2)] }]);
    const item = await put(bench, file);
    const found = bench.issues(item).filter(({ code }) => code === 'FILE_ROWS_HIDDEN');
    expect(found.map(({ line }) => line).sort()).toEqual([2, 3]);
    const visible = await bench.upload(file, {
      key: 'create-port/a.xlsx',
      metadata: { 'visible-rows-only': 'true' },
      sequencer: '2',
    });
    expect(visible).toMatchObject({ rows: 2 });
  });

  test('whose days begin in 1904 has its dates', async () => {
    const bench = ingestBench();
    const cells = columns.map((name, index) =>
      name === 'connectionDate' ? { number: '44749' } : (row(0)[index] ?? ''),
    );
    const item = await put(bench, workbookFile([{ name: 'One', rows: [columns, cells] }], { date1904: true }));
    expect(headsOf(bench, item)).toMatchObject([{ connectionDate: '2026-07-08' }]);
  });

  test('whose days begin in 1904 has its dates in a correction, too', async () => {
    const bench = ingestBench();
    const cells = (index: number, tariff: string) =>
      columns.map((name, place) => {
        if (name === 'connectionDate') return { number: '44749' };
        return name === 'tariff' ? tariff : (row(index)[place] ?? '');
      });
    const rows = [columns, cells(0, '2001'), cells(1, '9999')];
    const item = await put(bench, workbookFile([{ name: 'One', rows }], { date1904: true }));
    const fixed = bench.rejected(item).replaceAll('9999', '2001');
    const correction = await bench.upload(fixed, { sequencer: '2' });
    expect(headsOf(bench, correction)).toMatchObject([{ connectionDate: '2026-07-08' }]);
  });

  test('of which the last rows of a sheet are left out shows where', async () => {
    const bench = ingestBench();
    const sheets = [
      { name: 'October', rows: [columns, row(0), row(1), row(2)], hiddenRows: [4] },
      { name: 'November', rows: [columns, row(3)] },
    ];
    const item = await put(bench, workbookFile(sheets), {
      sheet: 'October',
      'other-sheets': 'November',
      'visible-rows-only': 'true',
    });
    expect(item).toMatchObject({ rows: 3 });
    const found = bench.issues(item).find(({ code }) => code === 'FILE_ROWS_HIDDEN');
    expect(found?.message).toContain('row 4 of "October"');
  });

  test('with hidden columns states that they are read', async () => {
    const bench = ingestBench();
    const file = workbookFile([{ name: 'One', rows: [columns, row(0, { boltOns: '102' })], hiddenColumns: [1, 1] }]);
    const item = await put(bench, file);
    const found = bench.issues(item).find(({ code }) => code === 'FILE_ROWS_HIDDEN');
    expect(found?.message).toContain('1 column that the workbook hides is read like the others: "boltOns"');
  });

  test.each([50, 111])('with a remark beside row %i is read', async (at) => {
    const bench = ingestBench();
    const rows = Array.from({ length: 120 }, (_, index) => [
      ...row(index),
      ...(index + 2 === at ? ['call first'] : []),
    ]);
    const item = await put(bench, workbookFile([{ name: 'One', rows: [columns, ...rows] }]));
    expect(item).toMatchObject({ rows: 120, rejected: 0 });
  });
});

// An apostrophe that a person wrote into a text is sent, whatever follows it. Only the guards of a file that simporter
// wrote are removed.
describe('an apostrophe in a text', () => {
  const texts = ["'=1+1 is two", "Reply to 07700900123, '+447700900123' or STOP", "'-' ends it", '=STOP', "''@home"];
  const header = ['serialNumber', 'network', 'message', 'reference'];
  /** The network of the second file is not there, so its rows are invalid. */
  const fileWith = (network: string): string =>
    [header, ...texts.map((text, index) => [simAt(index), network, text, text])]
      .map((cells) => cells.map((cell) => `"${cell}"`).join(','))
      .join('\r\n');

  const sentTexts = (plan: readonly { readonly head: unknown }[]): unknown[] =>
    plan.map(({ head }) => (head as { readonly message: string }).message);

  describe('a text with an apostrophe before = + - @', () => {
    test('is sent as it was written', async () => {
      const bench = ingestBench();
      const item = await bench.upload(fileWith('232'), { key: 'send-sms/texts.csv' });
      expect(sentTexts(bench.plan(item))).toEqual(texts);
    });

    test('is still the same where its row was invalid, and rejected.csv is imported again', async () => {
      const bench = ingestBench();
      const first = await bench.upload(fileWith('999'), {
        key: 'send-sms/texts.csv',
        metadata: { 'plan-only': 'true', 'tolerated-failure-percentage': '100' },
      });
      const rejected = bench.rejected(first);
      expect(rejected.replaceAll('999', '232')).not.toBe(rejected);
      const again = await bench.upload(rejected.replaceAll(',999,', ',232,'), { key: 'send-sms/again.csv' });
      expect(sentTexts(bench.plan(again))).toEqual(texts);
    });

    test('loses the guard of a file that simporter wrote, and nothing else', async () => {
      const bench = ingestBench();
      const first = await bench.upload(fileWith('999'), { key: 'send-sms/texts.csv' });
      const row = [simAt(1), '232', '=STOP', '', first?.importId ?? '', '3', ''];
      const file = csvRow([...header, 'importId', 'line', 'errors']) + csvRow(row);
      expect(file).toContain("'=STOP");
      const again = await bench.upload(file, { key: 'send-sms/again.csv' });
      expect(sentTexts(bench.plan(again))).toEqual(['=STOP']);
    });
  });

  test('the files for people keep it in the columns in which it is sent', () => {
    const columns = [...operations.values()].flatMap((operation) => operation.columns);
    const texts = new Set(columns.flatMap(({ name, isText }) => (isText ? [name] : [])));
    expect([...texts].sort()).toEqual([...textColumns].sort());
    expect(columns.filter(({ name, isText }) => texts.has(name) && !isText)).toEqual([]);
  });
});
