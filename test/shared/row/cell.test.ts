import { describe, expect, test } from 'vitest';
import {
  copyBytes,
  copyDigits,
  formReader,
  isUsual,
  readText,
  separatorsOf,
  unreadable,
  usual,
} from '#shared/row/cell.ts';

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
    expect(isUsual(text, formReader(form))).toBe(expected);
  });

  test('is that of the bytes between start and end only', () => {
    const to = { bytes: new Uint8Array(5), at: 2, length: 0 };
    expect(formReader('A9')(Buffer.from('7A77'), 1, 3, to)).toBe(usual);
    expect([to.length, ...to.bytes]).toEqual([2, 0, 0, 0x41, 0x37, 0]);
    expect(formReader('A9')(Buffer.from('7A77'), 0, 3, to)).toBe(unreadable);
  });
});

const isSeparator = separatorsOf(' (');
const digitsIn = (text: string): string | undefined => {
  const to = { bytes: new Uint8Array(20), at: 3, length: 0 };
  const bytes = Buffer.from(`5${text}5`);
  const found = copyDigits(bytes, 1, bytes.length - 1, isSeparator, to);
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

test('a text is read like the bytes of a cell', () => {
  const read = readText('aé1', (bytes, start, end, to) => {
    expect([start, end]).toEqual([0, 4]);
    to.length = copyBytes(bytes, 3, 4, to.bytes, 0);
    return unreadable;
  });
  expect(read).toEqual({ as: unreadable, value: '1' });
});

test('a long text is read to its end, also with long characters', () => {
  for (const text of ['7'.repeat(1000), '€'.repeat(2000), '7'.repeat(20_000)]) {
    const read = readText(text, (bytes, start, end, to) => {
      expect(Buffer.from(bytes.subarray(start, end)).toString()).toBe(text);
      to.length = copyBytes(bytes, start, end, to.bytes, 0);
      return usual;
    });
    expect(read.value).toHaveLength(Buffer.byteLength(text));
  }
});

test('bytes are copied from their place to another', () => {
  const to = new Uint8Array([1, 2, 3, 4]);
  expect(copyBytes(Buffer.from('12345'), 3, 5, to, 1)).toBe(3);
  expect([...to]).toEqual([1, 0x34, 0x35, 4]);
});
