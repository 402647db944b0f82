import { describe, expect, test } from 'vitest';
import { copyDigits, hasForm, readText, separatorsOf, textHasForm, usual } from '#shared/domain/text/cell-bytes.ts';

describe('the form of a text', () => {
  test.each([
    ['AZ-09', 'AA-99', true],
    ['[Z-09', 'AA-99', false],
    ['@Z-09', 'AA-99', false],
    ['AZ-0:', 'AA-99', false],
    ['AZ-0/', 'AA-99', false],
    ['AZ_09', 'AA-99', false],
    ['AZ-091', 'AA-99', false],
    ['AZ-0', 'AA-99', false],
    ['AŻ-09', 'AA-99', false],
    ['', '', true],
  ])('%j has the form %j: %j', (text, form, expected) => {
    expect(textHasForm(text, form)).toBe(expected);
  });

  test('is that of the bytes between start and end only', () => {
    const bytes = Buffer.from('7A77');
    expect(hasForm(bytes, 1, 3, 'A9')).toBe(true);
    expect(hasForm(bytes, 0, 3, 'A9')).toBe(false);
  });
});

const isSeparator = separatorsOf(' (');
const digitsIn = (text: string): string | undefined => {
  const to = { bytes: new Uint8Array(20).fill(9), at: 3, length: 0 };
  const bytes = Buffer.from(`5${text}5`);
  const found = copyDigits(bytes, 1, bytes.length - 1, isSeparator, to);
  if (found) expect(to.bytes[3 + to.length]).toBe(0);
  return found ? Buffer.from(to.bytes.subarray(3, 3 + to.length)).toString('latin1') : undefined;
};

test.each([
  ['0 12(34', '01234'],
  ['', ''],
  ['(', ''],
  ['1-2', undefined],
  ['1/2', undefined],
  ['1:2', undefined],
  ['44(0)77', undefined],
  ['44(0', '440'],
  ['44(07', '4407'],
  ['44(1', '441'],
  ['é', undefined],
])('the digits of %j are %j', (text, expected) => {
  expect(digitsIn(text)).toBe(expected);
});

test('only the characters of 0 in brackets are left to the caller', () => {
  const all = separatorsOf('()');
  const to = { bytes: new Uint8Array(20), at: 0, length: 0 };
  const isRead = (text: string) => copyDigits(Buffer.from(text), 0, text.length, all, to);
  expect(['(0)', '(1)', '0)', '(0(', ')0)'].map(isRead)).toEqual([false, true, true, true, true]);
});

test('a text is read like the bytes of a cell, and may get three more', () => {
  const read = readText('aé', (bytes, start, end, to) => {
    expect([start, end]).toEqual([0, 3]);
    to.bytes.set(bytes.subarray(0, 1));
    to.bytes.set(Buffer.from('12345'), 1);
    to.length = 6;
    return usual;
  });
  expect(read).toEqual({ as: usual, value: 'a12345' });
});
