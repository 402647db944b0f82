// Headers in the words of people: a column that changes what is sent is read or asked about, never left out.
import { csv, type FileCase, type Rows } from './written-file.ts';

type MakeCase = (rows: Rows) => FileCase;

const named =
  (name: string, names: Readonly<Record<string, string>>): MakeCase =>
  (rows) => ({ name, content: csv([rows.cells(0), rows.cells(1)], { names }), sent: rows.sentAll(2) });

/** One more column, which is read as this one. */
const read =
  (header: string, column: string, value: string, sent: Parameters<Rows['sent']>[1]): MakeCase =>
  (rows) => ({
    name: `header ${header.replace(/[^\w]+/g, ' ').trim()}.csv`,
    content: csv([rows.cells(0, { [column]: value }), rows.cells(1)], { more: [column], names: { [column]: header } }),
    sent: [rows.sent(0, sent), rows.sent(1)],
  });

/** One more column that is a service or bolt-on, as the person answered. */
const answered =
  (header: string, target: string, value: string, sent: Parameters<Rows['sent']>[1]): MakeCase =>
  (rows) => ({
    ...read(header, header, value, sent)(rows),
    name: `${header} answered.csv`,
    words: ['--map', `${header}=${target}`],
  });

/** Asked about because of a row that has other cells above and below. */
const askedInLateRow =
  (header: string, usual: string, value: string): MakeCase =>
  (rows) => ({
    name: `asks about ${header} in row 57.csv`,
    content: csv(
      Array.from({ length: 60 }, (_, row) => ({ ...rows.cells(0), [header]: row === 55 ? value : usual })),
      { more: [header] },
    ),
    sent: [],
    errors: ['1 HEADER_NEAR_MISS'],
  });

/** One more column that may be one that the file lacks: nothing is sent before the person answers. */
const asked =
  (header: string, value: string): MakeCase =>
  (rows) => ({
    name: `asks about ${header.replace(/[^\w]+/g, ' ').trim()}.csv`,
    content: csv([{ ...rows.cells(0), [header]: value }], { more: [header] }),
    sent: [],
    errors: ['1 HEADER_NEAR_MISS'],
  });

/** One more column that is none of the operation: it is named, and copied into the results. */
const own =
  (header: string, value: string): MakeCase =>
  (rows) => ({
    name: `own column ${header}.csv`,
    content: csv([{ ...rows.cells(0), [header]: value }], { more: [header] }),
    sent: rows.sentAll(1),
  });

export const headerFiles: readonly MakeCase[] = [
  named('words of an operator.csv', {
    msisdn: 'Mobile Number',
    serialNo: 'SIM Serial No',
    pac: 'PAC Code',
    portType: 'Porting type',
    targetNetwork: 'Gaining network',
    sourceNetwork: 'Losing network',
    connectionDate: 'Port date',
    tariff: 'Tariff name',
    provisioningOrder: 'Provisioning order number',
  }),
  named('capitals and underscores.csv', { msisdn: 'MSISDN', serialNo: 'SERIAL_NO', connectionDate: 'CONNECTION_DATE' }),
  named('words of another operator.csv', { msisdn: 'CTN', serialNo: 'ICCID', sourceNetwork: 'Donor network' }),
  named('hints in brackets.csv', { connectionDate: 'Port date (DD/MM/YYYY)', pac: 'PAC (required)' }),
  read('eSIM (Y/N)', 'esim', 'Y', { esim: true }),
  read('eSIM?', 'esim', 'yes', { esim: true }),
  read('Bolt Ons / Add Ons', 'boltOns', '101', { boltOns: [101] }),
  read('Bolt-ons (separate with ;)', 'boltOns', '101;104', { boltOns: [101, 104] }),
  read('Service settings', 'services', 'Voicemail=off', { services: { Voicemail: 'false' } }),
  asked('Data bolt-on', '101'),
  asked('botlOns', '101'),
  asked('PAC expires on', '2031-07-03'),
  answered('Voicemail', 'services:Voicemail', 'Y', { services: { Voicemail: 'true' } }),
  answered('Roaming World', 'boltOns:104', '\u2713', { boltOns: [104] }),
  answered('Data 5GB', 'boltOns:Data 5 GB', 'yes', { boltOns: [102] }),
  answered('SMS Premium bar', 'block:SMS Premium', 'N', { services: { 'SMS Premium': 'true' } }),
  answered('Content Control', 'services:Content Control', 'strict', { services: { 'Content Control': 'strict' } }),
  asked('Voicemail', 'Y'),
  asked('Roaming World', '\u2713'),
  asked('Data 5GB', 'yes'),
  asked('SMS Premium bar', 'N'),
  asked('Premium Rate Calls', 'Y'),
  asked('EU Roaming', 'Y'),
  asked('Customer Roaming', 'Y'),
  (rows) => ({
    name: 'a bar, answered.csv',
    content: csv([rows.cells(0, { 'Premium Rate Calls': 'Y' }), rows.cells(1, { 'Premium Rate Calls': 'N' })], {
      more: ['Premium Rate Calls'],
    }),
    words: ['--map', 'Premium Rate Calls=block:Premium Rate Calls'],
    sent: [
      rows.sent(0, { services: { 'Premium Rate Calls': 'false' } }),
      rows.sent(1, { services: { 'Premium Rate Calls': 'true' } }),
    ],
  }),
  (rows) => ({
    name: 'a column for each service and bolt-on.csv',
    content: csv(
      [
        rows.cells(0, { Roaming: 'on', MMS: 'off', '101': 'x' }),
        rows.cells(1, { Roaming: 'N', services: 'Voicemail=off', boltOns: '102', '101': 'x' }),
        rows.cells(2, { Roaming: 'Y', services: 'Roaming=on', boltOns: '101', '101': 'x' }),
        rows.cells(3, { Roaming: 'N', services: 'Roaming=on' }),
        rows.cells(4, { Roaming: 'maybe' }),
      ],
      { more: ['services', 'boltOns', 'Roaming', 'MMS', '101'] },
    ),
    words: '--tolerate 50 --map Roaming=services:Roaming --map MMS=services:MMS --map 101=boltOns:101'.split(' '),
    sent: [
      rows.sent(0, { services: { MMS: 'false', Roaming: 'true' }, boltOns: [101] }),
      rows.sent(1, { services: { Roaming: 'false', Voicemail: 'false' }, boltOns: [101, 102] }),
      rows.sent(2, { services: { Roaming: 'true' }, boltOns: [101] }),
    ],
    errors: ['5 SERVICE_CONTRADICTION', '6 SERVICE_OPTION_UNKNOWN'],
    shows: ['HEADER_OPTION_COLUMNS'],
  }),
  (rows) => ({
    name: 'a bolt-on excluded and listed.csv',
    content: csv(
      [
        rows.cells(0, { boltOns: '102', 'Data 5 GB': 'N' }),
        rows.cells(1, { boltOns: '101', 'Data 5 GB': 'N' }),
        rows.cells(2, { 'Data 5 GB': 'perhaps' }),
      ],
      { more: ['boltOns', 'Data 5 GB'] },
    ),
    words: ['--tolerate', '90', '--map', 'Data 5 GB=boltOns:Data 5 GB'],
    sent: [rows.sent(1, { boltOns: [101] })],
    errors: ['2 BOLT_ON_CONTRADICTION', '4 BOLT_ON_UNKNOWN'],
  }),
  (rows) => ({
    name: 'a service as an own column.csv',
    content: csv([{ ...rows.cells(0), Voicemail: 'Y' }], { more: ['Voicemail'] }),
    words: ['--map', 'Voicemail='],
    sent: rows.sentAll(1),
  }),
  (rows) => ({
    name: 'a column for each of two bolt-ons.csv',
    content: csv([rows.cells(0, { one: '101', two: 'Roaming World' }), rows.cells(1, { two: '102;103' })], {
      more: ['one', 'two'],
      names: { one: 'Bolt-on 1', two: 'Bolt-on 2' },
    }),
    sent: [rows.sent(0, { boltOns: [101, 104] }), rows.sent(1, { boltOns: [102, 103] })],
    shows: ['HEADER_OPTION_COLUMNS'],
  }),
  (rows) => ({
    name: 'bars by their names, answered.csv',
    content: csv([rows.cells(0, { Barring: 'International Calls; SMS Premium' })], { more: ['Barring'] }),
    words: ['--map', 'Barring=block'],
    sent: [rows.sent(0, { services: { 'International Calls': 'false', 'SMS Premium': 'false' } })],
  }),
  asked('Barring', 'International Calls'),
  asked('Extras', 'Data 5 GB'),
  asked('Romaing', 'Y'),
  asked('SIM type', 'eSIM'),
  askedInLateRow('SIM type', 'Nano', 'eSIM'),
  askedInLateRow('Restrictions', 'Std', 'Roaming=off'),
  (rows) => ({
    name: 'kind of SIM, answered.csv',
    content: csv([rows.cells(0, { kind: 'eSIM' }), rows.cells(1, { kind: 'Physical' })], {
      more: ['kind'],
      names: { kind: 'SIM type' },
    }),
    words: ['--map', 'SIM type=esim'],
    sent: [rows.sent(0, { esim: true }), rows.sent(1)],
  }),
  own('Devices', 'iPhone'),
  own('Reference no', '12'),
  own('Cost centre', 'Sales'),
  own('Notes', 'call first'),
  (rows) => ({
    name: 'missing column.csv',
    content: csv([rows.cells(0)]).replace('portType', 'what'),
    sent: [],
    errors: ['1 HEADER_MISSING_COLUMN'],
  }),
  (rows) => ({
    name: 'column named by an option.csv',
    content: csv([rows.cells(0)]).replace('portType', 'what'),
    words: ['--map', 'what=portType'],
    sent: rows.sentAll(1),
  }),
  (rows) => ({
    name: 'value for a missing column.csv',
    content: csv([rows.cells(0)])
      .replace('portType', 'what')
      .replace(',Port,', ',x,'),
    words: ['--set', 'portType=Port'],
    sent: rows.sentAll(1),
  }),
  (rows) => ({
    name: 'two columns of one name.csv',
    content: csv([{ ...rows.cells(0), two: '2020-01-01' }], { more: ['two'], names: { two: 'connectionDate' } }),
    sent: [],
    errors: ['1 HEADER_DUPLICATE_COLUMN'],
  }),
  (rows) => ({
    name: 'two columns of one name, answered.csv',
    content: csv([{ ...rows.cells(0), two: '2020-01-01' }], { more: ['two'], names: { two: 'connectionDate' } }),
    words: ['--map', '2:connectionDate='],
    sent: rows.sentAll(1),
  }),
];
