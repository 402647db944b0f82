// Describes a file as a person or a program writes it, and what must be sent of it.

import { type TestCell, type TestSheet, workbookFile } from '../support/files/workbook-file.ts';
import { simAt } from '../support/ingest/valid-rows.ts';

/** What the service must receive for one row. */
export interface Sent {
  /** E.164 digits. */
  readonly number: string;
  readonly date: string;
  readonly tariff: number;
  readonly boltOns: readonly number[];
  readonly services: Readonly<Record<string, string>>;
  readonly esim: boolean;
}

export interface FileCase {
  /** With the extension; also the name of the test. */
  readonly name: string;
  readonly content: string | Buffer;
  /** Options of `import`. */
  readonly words?: readonly string[];
  readonly sent: readonly Sent[];
  /** `3 MSISDN_SHAPE`: the errors, in the order of the file. */
  readonly errors?: readonly string[];
  /** Warnings and notices that the person must see. */
  readonly shows?: readonly string[];
}

export type Cells = Readonly<Record<string, string>>;

/** The values of one file: every row has its own number and SIM. */
export class Rows {
  /** A working day with a number above 12, `YYYY-MM-DD`. */
  readonly day: string;
  readonly #first: number;

  constructor(day: string, first: number) {
    this.day = day;
    this.#first = first;
  }

  /** As people write it: `07700900123`. */
  number = (row: number): string => `07700900${String(this.#first + row).padStart(3, '0')}`;
  sim = (row: number): string => simAt(9_000 + this.#first + row);

  /** `24/12/2026` */
  get dayFirst(): string {
    return this.day.split('-').reverse().join('/');
  }

  cells = (row: number, changed: Cells = {}): Cells => ({
    msisdn: this.number(row),
    serialNo: this.sim(row),
    pac: `ABC${100_000 + this.#first + row}`,
    portType: 'Port',
    targetNetwork: 'UK Mobile A',
    sourceNetwork: 'Source Mobile One',
    connectionDate: this.day,
    tariff: '2001',
    provisioningOrder: '5001',
    ...changed,
  });

  sent = (row: number, changed: Partial<Sent> = {}): Sent => ({
    number: `44${this.number(row).slice(1)}`,
    date: this.day,
    tariff: 2001,
    boltOns: [],
    services: {},
    esim: false,
    ...changed,
  });

  /** The rows from 0, each as it is. */
  sentAll = (count: number, changed: Partial<Sent> = {}): Sent[] =>
    Array.from({ length: count }, (_, row) => this.sent(row, changed));
}

export const plainHeader: readonly string[] = [
  'msisdn',
  'serialNo',
  'pac',
  'portType',
  'targetNetwork',
  'sourceNetwork',
  'connectionDate',
  'tariff',
  'provisioningOrder',
];

export interface CsvStyle {
  readonly separator?: string;
  readonly lineEnd?: string;
  readonly quoteAll?: boolean;
  /** The names of the columns in the file, by those of the operation. */
  readonly names?: Cells;
  /** Columns of the operation behind the usual ones, or others. */
  readonly more?: readonly string[];
}

const quoted = (text: string, separator: string, all: boolean): string =>
  all || text.includes(separator) || /["\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;

export function csv(rows: readonly Cells[], style: CsvStyle = {}): string {
  const { separator = ',', lineEnd = '\r\n', quoteAll = false, names = {}, more = [] } = style;
  const columns = [...plainHeader, ...more];
  const lines = [
    columns.map((name) => names[name] ?? name),
    ...rows.map((cells) => columns.map((name) => cells[name] ?? '')),
  ];
  return lines
    .map((cells) => cells.map((cell) => quoted(cell, separator, quoteAll)).join(separator) + lineEnd)
    .join('');
}

/** A sheet with the usual header; a cell may be any cell of a workbook. */
export const sheet = (
  name: string,
  rows: readonly Readonly<Record<string, TestCell>>[],
  more: readonly string[] = [],
  rest: Partial<TestSheet> = {},
): TestSheet => ({
  name,
  rows: [
    [...plainHeader, ...more],
    ...rows.map((cells) => [...plainHeader, ...more].map((column) => cells[column] ?? '')),
  ],
  ...rest,
});

export const workbook = (...sheets: readonly TestSheet[]): Buffer => workbookFile(sheets);
