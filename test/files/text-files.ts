// Text files: what programs export, and what editors and mail make of it.
import { csv, type FileCase, type Rows } from './written-file.ts';

type MakeCase = (rows: Rows) => FileCase;

const utf16 = (text: string): Buffer => Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')]);
const three = (rows: Rows) => [rows.cells(0), rows.cells(1), rows.cells(2)];

/** The same three rows, written in another way: all are sent as they are. */
const alike =
  (name: string, write: (text: string) => string | Buffer, shows: readonly string[] = []): MakeCase =>
  (rows) => ({
    name,
    content: write(csv(three(rows))),
    sent: rows.sentAll(3),
    shows,
  });

const styled =
  (name: string, style: Parameters<typeof csv>[1]): MakeCase =>
  (rows) => ({
    name,
    content: csv(three(rows), style),
    sent: rows.sentAll(3),
  });

export const textFiles: readonly MakeCase[] = [
  alike('as it is.csv', (text) => text),
  alike('with a byte order mark.csv', (text) => `\uFEFF${text}`),
  alike('byte order mark saved as characters.csv', (text) => `\u00ef\u00bb\u00bf${text}`),
  alike('unix line ends.csv', (text) => text.replaceAll('\r\n', '\n')),
  alike('old line ends.csv', (text) => text.replaceAll('\r\n', '\r')),
  alike('mixed line ends.csv', (text) => text.replace('\r\n', '\n')),
  alike('no line end at the end.csv', (text) => text.trimEnd()),
  alike('blank lines.csv', (text) => `\r\n${text.replaceAll('\r\n', '\r\n\r\n')}`),
  alike('lines of separators.csv', (text) => `${text},,,,,,,,\r\n,,,,,,,,\r\n`),
  alike('separator at each end.csv', (text) => text.replaceAll('\r\n', ',\r\n')),
  alike('separator at the end of rows.csv', (text) => text.replaceAll('\r\n', ',\r\n').replace(',\r\n', '\r\n')),
  alike('three separators at the end of rows.csv', (text) => text.replaceAll('\r\n', ',,,\r\n').replace(',,,', '')),
  alike('spaces around cells.csv', (text) => text.replaceAll(',', ' , ')),
  alike('unicode text.txt', (text) => utf16(text.replaceAll(',', '\t'))),
  alike('utf-16.csv', utf16),
  alike('sep line of Excel.csv', (text) => `sep=,\r\n${text}`),
  alike('title above.csv', (text) => `Numbers to port\r\n\r\n${text}`, ['HEADER_BELOW_OTHER_ROWS']),
  alike('export with a report head.csv', (text) => `Report,Numbers\r\nBy,Anna\r\nOn,01.12.2026\r\n${text}`, [
    'HEADER_BELOW_OTHER_ROWS',
  ]),
  styled('semicolons.csv', { separator: ';' }),
  styled('tabs.tsv', { separator: '\t' }),
  styled('pipes.txt', { separator: '|' }),
  styled('everything in quotes.csv', { quoteAll: true }),
  styled('own column between.csv', { more: ['Cost centre'] }),
  (rows) => ({
    name: 'last columns empty from the second block of Excel on.csv',
    content:
      `Numbers to port,,,,,,,,,,\r\n`.repeat(14) +
      csv(three(rows), { more: ['reference', 'note'] }).replace(/(?:(07.*),,\r\n){2}$/, (end) =>
        end.replaceAll(',,\r', '\r'),
      ),
    sent: rows.sentAll(3),
    shows: ['HEADER_BELOW_OTHER_ROWS', 'RECORD_LAST_CELLS_EMPTY'],
  }),
  (rows) => ({
    name: 'row of totals.csv',
    content: `${csv(three(rows))}Total,3,,,,,,,\r\n`,
    sent: rows.sentAll(3),
    shows: ['RECORD_IS_TOTALS'],
  }),
  (rows) => ({
    name: 'comment of two lines.csv',
    content: csv([{ ...rows.cells(0), reference: 'first line\nsecond line' }, rows.cells(1)], { more: ['reference'] }),
    sent: rows.sentAll(2),
    shows: ['RECORD_OF_SEVERAL_LINES'],
  }),
  (rows) => ({
    name: 'stray quote.csv',
    content: csv([rows.cells(0), rows.cells(1), rows.cells(2)], { more: ['note'] })
      .replace(/,\r\n(?=07700900\d{3})/, ',"unclosed\r\n')
      .replace(/,\r\n$/, ',done"\r\n'),
    sent: [],
    errors: ['2 RECORD_QUOTE_INVALID', '3 RECORD_QUOTE_INVALID', '4 RECORD_QUOTE_INVALID', '0 FILE_THRESHOLD_EXCEEDED'],
  }),
  (rows) => ({
    name: 'PAC with spaces and hyphens.csv',
    content: csv([rows.cells(0, { pac: 'abc 123 456' }), rows.cells(1, { pac: 'ABC-123-457' })]),
    sent: rows.sentAll(2),
  }),
  (rows) => ({
    name: 'numbers in six notations.csv',
    content: csv(
      [
        rows.number(0),
        `+44 ${rows.number(1).slice(1)}`,
        `0044${rows.number(2).slice(1)}`,
        `44${rows.number(3).slice(1)}`,
        rows.number(4).slice(1),
      ].map((msisdn, row) => rows.cells(row, { msisdn })),
    ),
    sent: rows.sentAll(5),
    shows: ['MSISDN_LEADING_ZERO_RESTORED'],
  }),
  (rows) => ({
    name: 'brackets and apostrophes.csv',
    content: csv([
      rows.cells(0, { msisdn: `'${rows.number(0)}` }),
      rows.cells(1, { msisdn: `+44 (0)${rows.number(1).slice(1)}` }),
      rows.cells(2, { msisdn: `(07700) ${rows.number(2).slice(5)}` }),
    ]),
    sent: rows.sentAll(3),
  }),
  (rows) => ({
    name: 'SIM with spaces and padding.csv',
    content: csv([
      rows.cells(0, { serialNo: `${rows.sim(0)}F` }),
      rows.cells(1, {
        serialNo: rows
          .sim(1)
          .replace(/(.{4})/g, '$1 ')
          .trim(),
      }),
    ]),
    sent: rows.sentAll(2),
  }),
  (rows) => ({
    name: 'damage of Excel.csv',
    content: csv([rows.cells(0, { msisdn: '4.47701E+11' }), rows.cells(1, { serialNo: '8.94411E+18' }), rows.cells(2)]),
    sent: [rows.sent(2)],
    errors: ['2 MSISDN_EXCEL_SCIENTIFIC', '3 ICCID_EXCEL_SCIENTIFIC'],
  }),
  (rows) => ({
    name: 'rounded numbers.csv',
    content: csv([rows.cells(0, { msisdn: '447710000000' }), rows.cells(1, { msisdn: '447720000000' }), rows.cells(2)]),
    sent: [],
    shows: ['MSISDN_ROUNDED'],
  }),
  (rows) => ({
    name: 'the same number twice.csv',
    content: csv([rows.cells(0), rows.cells(1, { msisdn: rows.number(0) })]),
    sent: [rows.sent(0)],
    errors: ['3 MSISDN_DUPLICATE_IN_FILE'],
  }),
  (rows) => ({
    name: 'landline and pager.csv',
    content: csv([rows.cells(0, { msisdn: '02079460000' }), rows.cells(1, { msisdn: '07632345678' }), rows.cells(2)]),
    sent: [rows.sent(2)],
    errors: ['2 MSISDN_NOT_MOBILE', '3 MSISDN_NOT_MOBILE'],
  }),
  (rows) => ({
    name: 'placeholders.csv',
    content: csv(
      [{ ...rows.cells(0), boltOns: 'N/A', pacExpiry: '-' }, rows.cells(1), { ...rows.cells(2), boltOns: '#N/A' }],
      {
        more: ['boltOns', 'pacExpiry'],
      },
    ),
    sent: rows.sentAll(2),
    errors: ['4 CELL_NOT_ALLOWED'],
    shows: ['CELL_PLACEHOLDER'],
  }),
  (rows) => ({
    name: 'names in another case.csv',
    content: csv([
      rows.cells(0, { targetNetwork: 'uk mobile a', tariff: 'business unlimited', sourceNetwork: 'SOURCE MOBILE ONE' }),
      rows.cells(1, { portType: 'PORT' }),
    ]),
    sent: rows.sentAll(2),
  }),
  (rows) => ({
    name: 'misspelt network.csv',
    content: csv([rows.cells(0, { targetNetwork: 'UK Mobil A' }), rows.cells(1)]),
    sent: [rows.sent(1)],
    errors: ['2 TARGET_NETWORK_UNKNOWN'],
  }),
  (rows) => ({
    name: 'group name of a rejected row.csv',
    content: csv(
      [rows.cells(0, { groupName: 'Team', tariff: '2002', pac: '123456ABC' }), rows.cells(1, { groupName: 'Team' })],
      { more: ['groupName'] },
    ),
    sent: [rows.sent(1)],
    errors: ['2 PAC_IS_STAC'],
  }),
  (rows) => ({
    name: 'emoji of several parts.csv',
    content: csv([rows.cells(0, { reference: 'Team 👩‍👩‍👧 🏴󠁧󠁢󠁳󠁣󠁴󠁿' })], { more: ['reference'] }),
    sent: rows.sentAll(1),
  }),
  (rows) => ({
    name: 'windows-1252.csv',
    content: Buffer.from(csv([rows.cells(0, { reference: 'B\u00fcro' })], { more: ['reference'] }), 'latin1'),
    sent: rows.sentAll(1),
    shows: ['FILE_ENCODING_DETECTED'],
  }),
  (rows) => ({
    name: 'bolt-ons and services.csv',
    content: csv(
      [
        rows.cells(0, { boltOns: '104;101', services: 'Voicemail=off;Premium Rate Calls=block' }),
        rows.cells(1, { boltOns: 'Data 1 GB; Roaming World' }),
      ],
      { more: ['boltOns', 'services'] },
    ),
    sent: [
      rows.sent(0, { boltOns: [101, 104], services: { Voicemail: 'false', 'Premium Rate Calls': 'false' } }),
      rows.sent(1, { boltOns: [101, 104] }),
    ],
  }),
  (rows) => ({
    name: 'bolt-ons with commas.csv',
    content: csv([rows.cells(0, { boltOns: '101,104' }), rows.cells(1)], { more: ['boltOns'] }),
    sent: [rows.sent(1)],
    errors: ['2 BOLT_ON_UNKNOWN'],
  }),
];
