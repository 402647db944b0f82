// Workbooks: cells with formats, merged cells, several sheets, hidden rows.
import { builtInDate, dateStyle, elevenDigits } from '../support/files/workbook-file.ts';
import { type FileCase, type Rows, sheet, workbook } from './written-file.ts';

type MakeCase = (rows: Rows) => FileCase;

const serialOf = (day: string): string => String((Date.parse(day) - Date.UTC(1899, 11, 30)) / 86_400_000);

export const workbookFiles: readonly MakeCase[] = [
  (rows) => ({
    name: 'as it is.xlsx',
    content: workbook(sheet('Numbers', [rows.cells(0), rows.cells(1)])),
    sent: rows.sentAll(2),
  }),
  (rows) => ({
    name: 'dates as numbers with a format.xlsx',
    content: workbook(
      sheet('Numbers', [
        { ...rows.cells(0), connectionDate: { number: serialOf(rows.day), style: dateStyle } },
        { ...rows.cells(1), connectionDate: { number: serialOf(rows.day), style: builtInDate } },
      ]),
    ),
    sent: rows.sentAll(2),
  }),
  (rows) => ({
    name: 'phone numbers as numbers.xlsx',
    content: workbook(
      sheet('Numbers', [
        { ...rows.cells(0), msisdn: { number: rows.number(0).slice(1) } },
        { ...rows.cells(1), msisdn: { number: rows.number(1).slice(1), style: elevenDigits } },
        { ...rows.cells(2), msisdn: { number: `44${rows.number(2).slice(1)}` } },
      ]),
    ),
    sent: rows.sentAll(3),
  }),
  (rows) => ({
    name: 'SIM serials as numbers.xlsx',
    content: workbook(
      sheet('Numbers', [{ ...rows.cells(0), serialNo: { number: '8.9441100000000009E+18' } }, rows.cells(1)]),
    ),
    sent: [rows.sent(1)],
    errors: ['2 ICCID_EXCEL_SCIENTIFIC'],
  }),
  (rows) => ({
    name: 'bolt-ons merged over rows.xlsx',
    content: workbook(
      sheet('Numbers', [{ ...rows.cells(0), boltOns: '101' }, rows.cells(1), rows.cells(2)], ['boltOns'], {
        merged: ['J2:J4'],
      }),
    ),
    sent: rows.sentAll(3, { boltOns: [101] }),
  }),
  (rows) => ({
    name: 'header merged over two columns.xlsx',
    content: workbook(
      sheet('Numbers', [{ ...rows.cells(0), boltOns: '101', '': '104' }, rows.cells(1)], ['boltOns', ''], {
        merged: ['J1:K1'],
      }),
    ),
    sent: [],
    errors: ['1 HEADER_NEAR_MISS'],
  }),
  (rows) => ({
    name: 'header merged over two columns, answered.xlsx',
    content: workbook(
      sheet('Numbers', [{ ...rows.cells(0), boltOns: '101', '': '104' }, rows.cells(1)], ['boltOns', ''], {
        merged: ['J1:K1'],
      }),
    ),
    words: ['--map', 'column K=boltOns'],
    sent: [rows.sent(0, { boltOns: [101, 104] }), rows.sent(1)],
  }),
  (rows) => ({
    name: 'title merged over columns.xlsx',
    content: workbook({
      ...sheet('Numbers', [rows.cells(0)]),
      rows: [['October', '', '', ''], null, ...sheet('Numbers', [rows.cells(0)]).rows],
      merged: ['A1:D1'],
    }),
    sent: rows.sentAll(1),
    shows: ['HEADER_BELOW_OTHER_ROWS'],
  }),
  (rows) => ({
    name: 'filtered rows.xlsx',
    content: workbook(sheet('Numbers', [rows.cells(0), rows.cells(1), rows.cells(2)], [], { hiddenRows: [3] })),
    sent: rows.sentAll(3),
    shows: ['FILE_ROWS_HIDDEN'],
  }),
  (rows) => ({
    name: 'filtered rows left out.xlsx',
    content: workbook(sheet('Numbers', [rows.cells(0), rows.cells(1), rows.cells(2)], [], { hiddenRows: [3] })),
    words: ['--visible-rows-only'],
    sent: [rows.sent(0), rows.sent(2)],
    shows: ['FILE_ROWS_HIDDEN'],
  }),
  (rows) => ({
    name: 'struck-out rows.xlsx',
    content: workbook(sheet('Numbers', [rows.cells(0), rows.cells(1), rows.cells(2)], [], { struckRows: [3] })),
    sent: rows.sentAll(3),
    shows: ['FILE_ROWS_HIDDEN'],
  }),
  (rows) => ({
    name: 'struck-out and filtered rows left out.xlsx',
    content: workbook(
      sheet('Numbers', [rows.cells(0), rows.cells(1), rows.cells(2), rows.cells(3)], [], {
        struckRows: [3],
        hiddenRows: [4],
      }),
    ),
    words: ['--visible-rows-only'],
    sent: [rows.sent(0), rows.sent(3)],
    shows: ['FILE_ROWS_HIDDEN'],
  }),
  (rows) => ({
    name: 'two months.xlsx',
    content: workbook(sheet('October (done)', [rows.cells(0)]), sheet('November', [rows.cells(1)])),
    sent: [],
    errors: ['0 FILE_SHEET_AMBIGUOUS'],
  }),
  (rows) => ({
    name: 'two months, one named.xlsx',
    content: workbook(sheet('October (done)', [rows.cells(0)]), sheet('November', [rows.cells(1)])),
    words: ['--sheet', 'November'],
    sent: [rows.sent(1)],
  }),
  (rows) => {
    const november = sheet('November', [rows.cells(1, { boltOns: '101' }), rows.cells(2, { pac: '1' })], ['boltOns']);
    const backwards = november.rows.map((cells) => cells?.toReversed() ?? null);
    return {
      name: 'two months as one file.xlsx',
      content: workbook(sheet('October', [rows.cells(0)]), { ...november, rows: [['Ports'], ...backwards] }),
      words: ['--sheet', 'October', '--sheet', 'November'],
      sent: [rows.sent(0), rows.sent(1, { boltOns: [101] })],
      errors: ['6 PAC_SHAPE'],
      shows: ['FILE_SHEET_CHOSEN'],
    };
  },
  (rows) => ({
    name: 'notes beside the numbers.xlsx',
    content: workbook({ name: 'Notes', rows: [['Read me'], ['Call Anna']] }, sheet('Numbers', [rows.cells(0)])),
    sent: rows.sentAll(1),
  }),
  (rows) => ({
    name: 'formulas with values.xlsx',
    content: workbook(
      sheet('Numbers', [{ ...rows.cells(0), msisdn: { formula: 'B2', cached: rows.number(0) } }, rows.cells(1)]),
    ),
    sent: rows.sentAll(2),
  }),
  (rows) => ({
    name: 'formulas without values.xlsx',
    content: workbook(sheet('Numbers', [{ ...rows.cells(0), pac: { uncalculated: 'B2' } }, rows.cells(1)])),
    sent: [],
    errors: ['2 FILE_WORKBOOK_INVALID'],
  }),
  (rows) => ({
    name: 'error cells.xlsx',
    content: workbook(sheet('Numbers', [{ ...rows.cells(0), tariff: { error: '#REF!' } }, rows.cells(1)])),
    sent: [rows.sent(1)],
    errors: ['2 CELL_NOT_ALLOWED'],
  }),
  (rows) => ({
    name: 'yes and no as booleans.xlsx',
    content: workbook(
      sheet(
        'Numbers',
        [
          { ...rows.cells(0), esim: { boolean: true } },
          { ...rows.cells(1), esim: { boolean: false } },
        ],
        ['esim'],
      ),
    ),
    sent: [rows.sent(0, { esim: true }), rows.sent(1)],
  }),
  (rows) => ({
    name: 'texts in the cells.xlsx',
    content: workbook(sheet('Numbers', [{ ...rows.cells(0), tariff: { inline: '2001' } }, rows.cells(1)])),
    sent: rows.sentAll(2),
  }),
  (rows) => ({
    name: 'empty rows between.xlsx',
    content: workbook({
      name: 'Numbers',
      rows: [...sheet('Numbers', [rows.cells(0)]).rows, null, null, ...sheet('Numbers', [rows.cells(1)]).rows.slice(1)],
    }),
    sent: rows.sentAll(2),
  }),
];
