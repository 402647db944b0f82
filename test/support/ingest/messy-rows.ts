// 400 rows as people have them, as a workbook and as the Windows-1252 CSV that the same person saved: title rows, mixed
// notations, damage by Excel, dates as dd/mm/yyyy, duplicates and a row of totals.

import { dateStyle, type TestCell, workbookFile } from '../files/workbook-file.ts';
import { messyHeader } from './messy-workbook.ts';
import { numberAt, simAt } from './valid-rows.ts';

const rowCount = 400;
/** The last rows repeat the first ones. */
export const duplicates = 6;
const title = 'Numbers to port \u2013 B\u00fcro & field';

/** Cells that only a person can fix: what is there, and what should be, in the column of the header. */
interface WrongCell {
  readonly row: number;
  readonly column: number;
  readonly wrong: string;
  readonly right: string;
}

/** @param date the connection date of every row, YYYY-MM-DD */
export const wrongCells = (date: string): readonly WrongCell[] => [
  ...[50, 150, 250].map((row) => ({ row, column: 4, wrong: 'UK Mobil A', right: 'UK Mobile A' })),
  { row: 60, column: 0, wrong: '4.47701E+11', right: numberAt(60) },
  { row: 70, column: 2, wrong: 'ABC12345', right: pacOf(70) },
  // It also proves that the day comes first.
  { row: 80, column: 6, wrong: `31/12/${Number(date.slice(0, 4)) + 2}`, right: date },
];

const pacOf = (index: number): string => `ABC${103_000 + index}`;
const dayFirst = (date: string): string => date.split('-').reverse().join('/');
const dayNumber = (date: string): number => (Date.parse(date) - Date.UTC(1899, 11, 30)) / 86_400_000;

/** 0770, +44 7700, 44770, and without its zero because Excel took it for a number. */
function notationsOf(index: number): { text: string; cell: TestCell } {
  const national = numberAt(index);
  const rest = national.slice(1);
  const texts = [national, `+44 ${rest.slice(0, 4)} ${rest.slice(4)}`, `44${rest}`];
  const text = texts[index % 4] ?? rest;
  return { text, cell: index % 4 === 3 ? { number: rest } : text };
}

interface MessyRow {
  readonly csv: readonly string[];
  readonly workbook: readonly TestCell[];
}

function rowOf(place: number, date: string): MessyRow {
  const index = place >= rowCount - duplicates ? place - (rowCount - duplicates) : place;
  const number = notationsOf(index);
  const rest = [
    `${simAt(index)}${index % 10 === 3 ? 'F' : ''}`,
    pacOf(index),
    index % 2 === 0 ? 'Port' : 'PORT',
    'UK Mobile A',
    'Source Mobile One',
  ];
  const last = ['2001', '5001', place % 5 === 0 ? 'B\u00fcro' : 'Field'];
  const csv = [number.text, ...rest, dayFirst(date), ...last];
  const dateCell = index % 3 === 0 ? { number: String(dayNumber(date)), style: dateStyle } : dayFirst(date);
  const workbook: TestCell[] = [number.cell, ...rest, dateCell, ...last];
  for (const { row, column, wrong } of wrongCells(date)) {
    if (row !== place) continue;
    csv[column] = wrong;
    workbook[column] = wrong;
  }
  return { csv, workbook };
}

const totals = ['Total', '', '', '', '', '', '', '', '', String(rowCount)];

export function messyRows(date: string): { workbook: Buffer; csv: Buffer } {
  const rows = Array.from({ length: rowCount }, (_, place) => rowOf(place, date));
  const records = [[title], [], messyHeader, ...rows.map(({ csv }) => csv), totals];
  return {
    workbook: workbookFile([
      { name: 'Numbers', rows: [[title], null, messyHeader, ...rows.map(({ workbook }) => workbook), totals] },
    ]),
    // The en dash is 0x96 in Windows-1252 only; the other characters are those of Latin-1.
    csv: Buffer.from(
      records
        .map((cells) => `${cells.join(';')}\r\n`)
        .join('')
        .replaceAll('\u2013', '\u0096'),
      'latin1',
    ),
  };
}
