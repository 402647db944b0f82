import { expect, it } from 'vitest';
import { parseCount, parseDay, parsePercentage, parseSpeed } from '#cli/options/common-options.ts';

it('reads numbers in digits', () => {
  expect([parseCount('--first', '20'), parsePercentage('--tolerate', '0.5'), parseSpeed('1440')]).toEqual([
    20, 0.5, 1440,
  ]);
});

it.each(['', ' 20', '0x14', '2e1', '-1', '1_000', '٢٠', 'Infinity'])('declines %j as a number', (text) => {
  expect(() => parseCount('--first', text)).toThrow(`--first "${text}" is not a whole number from 1.`);
  expect(() => parsePercentage('--tolerate', text)).toThrow(`--tolerate "${text}" is not a percentage from 0 to 100.`);
  expect(() => parseSpeed(text)).toThrow(`--speed "${text}" is not a number above 0.`);
});

it('declines numbers out of range', () => {
  expect(() => parseCount('--first', '0')).toThrow('not a whole number');
  expect(() => parseCount('--first', '1.5')).toThrow('not a whole number');
  expect(() => parsePercentage('--tolerate', '101')).toThrow('not a percentage');
  expect(() => parseSpeed('0')).toThrow('not a number above 0');
});

it('reads a day as a file writes it, and names the option, the text and the reason where it is none', () => {
  expect(parseDay('--from', '2026-07-16')).toBe('2026-07-16');
  expect(() => parseDay('--from', '2026-02-30')).toThrow(/^--from "2026-02-30" is not a day: .+\.$/);
});
