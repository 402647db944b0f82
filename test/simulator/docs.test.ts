// docs/reference/simulator.md: its figures are those of the code.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import catalogue from '#simulator/catalogue/default.json' with { type: 'json' };

const page = readFileSync(new URL('../../docs/reference/simulator.md', import.meta.url), 'utf8');

test('the numbers of the catalogue, which cannot be ported in, are within the ranges of the page', () => {
  const [, ...ends] = /within 07700 (\d+) to (\d+) and 06 39 98 00 (\d+) to (\d+)/.exec(page) ?? [];
  const [ukFirst = '', ukLast = '', frenchFirst = '', frenchLast = ''] = ends;
  const isWithin = (number: string) =>
    (number >= `447700${ukFirst}` && number <= `447700${ukLast}`) ||
    (number >= `336399800${frenchFirst}` && number <= `336399800${frenchLast}`);
  const numbers = catalogue.stock.flatMap(({ msisdn }) => msisdn ?? []);
  expect(numbers.length).toBeGreaterThan(20);
  expect(numbers.filter((number) => !isWithin(number))).toEqual([]);
});
