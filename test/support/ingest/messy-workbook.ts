// A workbook as people have it: a title above the header, other names of columns, a total below, a misspelt network,
// a number that Excel shortened, and texts that would be code if a page took them for it.

import { type TestCell, workbookFile } from '../files/workbook-file.ts';
import { numberAt, simAt } from './valid-rows.ts';

export const fileName = 'July <b>office & field.xlsx';
export const hostileText = '<img src=x onerror=alert(1)>';
export const rows = 40;
/** Their network is misspelt, in the same way. */
export const misspelt = 4;
/** Their PACs turn out to be invalid once the network checks them. */
export const invalidPacs = 2;
/** Its last digits are lost. */
export const shortened = 1;

/** Other names than those of the columns. */
export const messyHeader = [
  'MSISDN',
  'SIM serial number',
  'PAC',
  'Port type',
  'Target',
  'Source',
  'Port date',
  'Tariff',
  'Provisioning order',
  'Cost centre',
];

function record(index: number): TestCell[] {
  const isMisspelt = index < misspelt;
  const hasInvalidPac = index >= misspelt && index < misspelt + invalidPacs;
  const pac = `${hasInvalidPac ? 'INV' : 'ABC'}${103_500 + index}`;
  const number = index === rows - 1 ? '4.47701E+11' : numberAt(200 + index);
  const network = isMisspelt ? 'UK Mobil A' : 'UK Mobile A';
  const costCentre = index === 0 ? hostileText : ['Sales', 'Field', 'Office'][index % 3];
  return [
    number,
    simAt(700 + index),
    pac,
    'Port',
    network,
    'Source Mobile One',
    'auto',
    '2001',
    '5001',
    costCentre ?? '',
  ];
}

export const messyWorkbook = (): Buffer =>
  workbookFile([
    {
      name: 'Numbers',
      rows: [
        ['Numbers to port in July'],
        null,
        messyHeader,
        ...Array.from({ length: rows }, (_, index) => record(index)),
      ],
    },
  ]);
