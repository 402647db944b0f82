// Files in which every PAC is a unique mark: in valid rows, in rows that are rejected for any reason, in wrong columns,
// and in any usual form.
import { canonicalPac } from '#shared/row/pac.ts';

const columns =
  'msisdn,serialNo,pac,portType,targetNetwork,sourceNetwork,connectionDate,tariff,esim,provisioningOrder,reference';

interface MarkedRow {
  readonly pac: string;
  readonly tariff?: string;
  readonly source?: string;
  readonly msisdn?: string;
  readonly serialNo?: string;
  readonly esim?: string;
  readonly date?: string;
  readonly target?: string;
  readonly portType?: string;
  readonly order?: string;
}

const validRows: readonly MarkedRow[] = [
  { pac: 'QZA100001' },
  // The service finds it invalid; a new one is imported later.
  { pac: 'INV 100-002' },
  { pac: 'qzb 100 003', tariff: '2002' },
  { pac: 'QZB-100004', tariff: '2002' },
  { pac: 'QZC100005', tariff: '2004' },
  { pac: 'QZD100006', source: '2' },
];

/** A row of the second half without a PAC has its mark in another column: columns were shifted. */
const invalidRows: readonly MarkedRow[] = [
  { pac: 'QZE10000' },
  { pac: '100008QZF' },
  { pac: 'QZG 100009 0' },
  { pac: 'QZH100010', msisdn: '0770' },
  { pac: 'QZI100011', tariff: '9999' },
  { pac: '', msisdn: 'QZJ100012' },
  { pac: '', serialNo: 'QZK100013' },
  { pac: '', tariff: 'QZL100014' },
  { pac: '', esim: 'QZM100015' },
  { pac: '', date: 'QZN100016' },
  { pac: '', target: 'QZO100017' },
  { pac: '', source: 'QZP100018' },
  { pac: '', portType: 'QZR100019' },
  { pac: '', order: 'QZS100020' },
];

const number = (index: number): string => `07700900${String(300 + index).padStart(3, '0')}`;

const rows = [...validRows, ...invalidRows];
export const validRowCount = validRows.length;
export const badRows = invalidRows.length;
export const newPac = 'QZT100021';

const isMark = (cell: string): boolean => /\d{5}/.test(cell);

/** In the form in which they are sent. */
export const pacs = rows.map(({ pac }) => canonicalPac(pac)).filter(isMark);
/** Of the valid rows, without prefixes. */
export const numbers = validRows.map((_, index) => number(index).slice(1));
export const misplacedPacs = rows.filter(({ pac }) => pac === '').map((row) => Object.values(row).find(isMark) ?? '');

export const markedFile = (): string =>
  [columns, ...rows.map((row, index) => cellsOf(row, index).join(',')), ''].join('\r\n');

function cellsOf(row: MarkedRow, index: number): string[] {
  const { pac, tariff = '2001', source = '1', target = '11', date = 'auto', portType = 'Port', order = '5001' } = row;
  const { msisdn = number(index), serialNo = `894400101100190${String(3000 + index)}`, esim = 'false' } = row;
  return [msisdn, serialNo, pac, portType, target, source, date, tariff, esim, order, `Row ${index + 1}`];
}

/** The new PAC for the row with an invalid one. */
export const updateFile = (): string => ['msisdn,pac', `${number(1)},${newPac}`, ''].join('\r\n');
