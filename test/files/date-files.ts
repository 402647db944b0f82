// Dates as spreadsheets, databases and people write them.
import { csv, type FileCase, type Rows } from './written-file.ts';

type MakeCase = (rows: Rows) => FileCase;

const months = 'January February March April May June July August September October November December'.split(' ');
const partsOf = (day: string) => {
  const [year = '', month = '', date = ''] = day.split('-');
  return { year, month, date, name: months[Number(month) - 1] ?? '' };
};

/** Two rows with the day in this notation: sent on it. */
const notation =
  (name: string, write: (parts: ReturnType<typeof partsOf>) => string): MakeCase =>
  (rows) => {
    const connectionDate = write(partsOf(rows.day));
    return {
      name,
      content: csv([rows.cells(0, { connectionDate }), rows.cells(1, { connectionDate })]),
      sent: rows.sentAll(2),
    };
  };

export const dateFiles: readonly MakeCase[] = [
  notation('date of SQL.csv', ({ year, month, date }) => `${year}-${month}-${date} 00:00:00`),
  notation('date with hours and minutes.csv', ({ year, month, date }) => `${year}-${month}-${date} 00:00`),
  notation('date of JSON.csv', ({ year, month, date }) => `${year}-${month}-${date}T00:00:00`),
  notation('day first.csv', ({ year, month, date }) => `${date}/${month}/${year}`),
  notation('day first with points.csv', ({ year, month, date }) => `${date}.${month}.${year}`),
  notation('day first with hyphens.csv', ({ year, month, date }) => `${date}-${month}-${year}`),
  notation('month first.csv', ({ year, month, date }) => `${month}/${date}/${year}`),
  notation('day first, time of midnight.csv', ({ year, month, date }) => `${date}/${month}/${year} 00:00`),
  notation('name of the month.csv', ({ year, name, date }) => `${date} ${name} ${year}`),
  notation('short name of the month.csv', ({ year, name, date }) => `${date}-${name.slice(0, 3)}-${year.slice(2)}`),
  notation('long date of a mail.csv', ({ year, name, date }) => `${Number(date)}th ${name} ${year}`),
  notation('midnight of an American program.csv', ({ year, month, date }) => `${month}/${date}/${year} 12:00:00 AM`),
  notation('year with slashes.csv', ({ year, month, date }) => `${year}/${month}/${date}`),
  notation('number of a spreadsheet.csv', ({ year, month, date }) =>
    String((Date.UTC(Number(year), Number(month) - 1, Number(date)) - Date.UTC(1899, 11, 30)) / 86_400_000),
  ),
  (rows) => ({
    name: 'no order.csv',
    content: csv([rows.cells(0, { connectionDate: '03/07/2031' })]),
    sent: [],
    errors: ['1 DATE_ORDER_AMBIGUOUS'],
  }),
  (rows) => ({
    name: 'order answered by an option.csv',
    content: csv([rows.cells(0, { connectionDate: rows.dayFirst }), rows.cells(1, { connectionDate: '03/07/2031' })]),
    words: ['--dates', 'dmy'],
    sent: [rows.sent(0)],
    errors: ['3 DATE_TOO_LATE'],
  }),
  (rows) => ({
    name: 'order in the header.csv',
    content: csv([rows.cells(0, { pacExpiry: '03/07/2032' })], {
      more: ['pacExpiry'],
      names: { pacExpiry: 'PAC expiry (DD/MM/YYYY)' },
    }),
    sent: rows.sentAll(1),
    shows: ['DATE_ORDER_DETECTED'],
  }),
  (rows) => ({
    name: 'both orders.csv',
    content: csv([
      rows.cells(0, { connectionDate: '13/12/2031' }),
      rows.cells(1, { connectionDate: '12/13/2031' }),
      rows.cells(2, { connectionDate: '03/07/2031' }),
    ]),
    sent: [],
    errors: ['1 DATE_ORDER_AMBIGUOUS'],
  }),
  (rows) => ({
    name: 'years of two digits.csv',
    content: csv([rows.cells(0, { connectionDate: '27-06-28' })]),
    sent: [],
    errors: ['1 DATE_ORDER_AMBIGUOUS'],
  }),
  (rows) => ({
    name: 'month in Finnish.csv',
    content: csv([rows.cells(0, { connectionDate: '14 marraskuu 2031' }), rows.cells(1)]),
    sent: [rows.sent(1)],
    errors: ['2 DATE_SHAPE'],
  }),
  (rows) => ({
    name: 'a day that does not exist.csv',
    content: csv([rows.cells(0, { connectionDate: '2027-02-30' }), rows.cells(1)]),
    sent: [rows.sent(1)],
    errors: ['2 DATE_SHAPE'],
  }),
  (rows) => ({
    name: 'expiry of the PAC.csv',
    content: csv([rows.cells(0, { pacExpiry: rows.day }), rows.cells(1, { pacExpiry: '2020-01-01' })], {
      more: ['pacExpiry'],
    }),
    sent: [rows.sent(0)],
    errors: ['3 PAC_EXPIRES_BEFORE_DATE'],
  }),
];
