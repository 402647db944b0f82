// Which rows the service names when it declines a request, and with which messages.
import { expect, test } from 'vitest';
import { declinedRowsOf, lineFinder } from '#functions/submit/declined-rows.ts';
import type { DeclineDetails } from '#shared/service/errors.ts';

const [first, second] = ['447700900001', '447700900002'] as const;
const sent = {
  importId: 'import-a',
  request: 1,
  operation: 'create-port' as const,
  token: 'token',
  label: 'Group',
  head: {},
  rows: [first, second].map((subject, index) => ({ line: index + 2, subject, wire: {} })),
};
const lines: Readonly<Record<string, number>> = { [first]: 2, '07700900001': 2, [second]: 3 };

const namedBy = (msisdns: readonly string[], ...texts: readonly string[]) => {
  const fieldErrors = texts.map((message) => ({ field: 'msisdns', message }));
  const refusal: DeclineDetails = { message: 'one is in use', fieldErrors, msisdns };
  return declinedRowsOf(refusal, sent, (subject) => lines[subject]);
};

test('a named row gets the message of the answer, where no field error has its number', () => {
  expect(namedBy([second], 'a network is missing')).toEqual([
    { line: 3, subject: second, code: 'ROW_REFUSED', message: 'one is in use' },
  ]);
});

test('a row gets the field errors with its number, and no others', () => {
  const ofFirst = [`${first} is a twin`, `${first} has no such PAC`];
  expect(namedBy([second, first], ofFirst[0] ?? '', `${second} left`, ofFirst[1] ?? '')).toMatchObject([
    { line: 2, message: ofFirst.join('; ') },
    { line: 3, message: `${second} left` },
  ]);
});

test('a row that is named twice is declined once, with the first message', () => {
  expect(namedBy([first, '07700900001'], '07700900001 is a twin')).toMatchObject([
    { line: 2, message: 'one is in use' },
  ]);
});

test('a number of another request names no row', () => {
  expect(namedBy(['447700900777'], '447700900777 is in use')).toEqual([]);
});

test('a row is named by the place in the field of an error, in every body', () => {
  const naming = (field: string, message = 'no') =>
    declinedRowsOf({ message: 'two are wrong', fieldErrors: [{ field, message }], msisdns: [] }, sent, () => undefined);
  for (const field of [
    'rows[1].pac',
    'Rows[1].Pac',
    'stock[1].msisdn',
    'serialNumbers[1]',
    'commands[0].serialNumbers[1]',
  ])
    expect(naming(field, 'not on hire')).toEqual([
      { line: 3, subject: second, code: 'ROW_REFUSED', message: 'not on hire' },
    ]);
  for (const field of ['rows[2].pac', 'services[1]', 'boltOns[0]', 'commands[1].commandOptions', 'name'])
    expect(naming(field)).toEqual([]);
});

test('a row is named by any place of a large request', () => {
  const rows = Array.from({ length: 12 }, (_, index) => ({ line: index + 2, subject: `${index}`, wire: {} }));
  const fieldErrors = [{ field: 'rows[10].pac', message: 'no' }];
  const details = { message: 'one is wrong', fieldErrors, msisdns: [] };
  expect(declinedRowsOf(details, { ...sent, rows }, () => undefined)).toMatchObject([{ line: 12 }]);
});

test('an answer that names neither numbers nor SIMs names no row', () => {
  const asked: string[] = [];
  declinedRowsOf({ message: 'no', fieldErrors: [], msisdns: [] }, sent, (subject) => void asked.push(subject));
  expect(asked).toEqual([]);
});

test('a number has its line however the service writes it, and a SIM has its line as it is', () => {
  const serial = '8944110000000000123';
  const lineOf = lineFinder({ ...sent, rows: [...sent.rows, { line: 9, subject: serial, wire: {} }] }, '44');
  expect(['07700900002', second, serial, '07700900777'].map(lineOf)).toEqual([3, 3, 9, undefined]);
});

test('a SIM in a message names its row', () => {
  const serial = '8944110000000000123';
  const sims = { ...sent, rows: [{ line: 2, subject: serial, wire: {} }] };
  const details = { message: `SIM ${serial} is not on hire`, fieldErrors: [], msisdns: [], serialNumbers: [serial] };
  expect(declinedRowsOf(details, sims, () => 2)).toMatchObject([{ line: 2, message: details.message }]);
});
