import { describe, expect, test } from 'vitest';
import { DateOrderEvidence, dateOfDayNumber, normalizeDate } from '#shared/domain/dates/date-order.ts';

test.each<[string, 'dmy' | 'mdy' | 'ymd' | undefined, string | undefined]>([
  ['13/12/2026', undefined, '2026-12-13'],
  ['12/13/2026', undefined, '2026-12-13'],
  ['13/12/2026', 'mdy', '2026-12-13'],
  ['5/5/2026', undefined, '2026-05-05'],
  ['03/07/2026', undefined, undefined],
  ['03/07/2026', 'dmy', '2026-07-03'],
  ['03/07/2026', 'mdy', '2026-03-07'],
  ['3.7.26', 'dmy', '2026-07-03'],
  ['13.7.26', undefined, undefined],
  ['26/07/03', 'ymd', '2026-07-03'],
  ['2026/7/3', undefined, '2026-07-03'],
  ['08-Jul-26', undefined, '2026-07-08'],
  ['8 July 2026', undefined, '2026-07-08'],
  ['08/07/2026 00:00:00', 'dmy', '2026-07-08'],
  ['08/07/2026 09:30', 'dmy', undefined],
  ['31/02/2026', undefined, '2026-02-31'],
  ['auto', 'dmy', undefined],
  ['8 Foo 2026', 'dmy', undefined],
  ['1/2/3', 'dmy', undefined],
])('%s in the order %s is %s', (text, order, expected) => {
  expect(normalizeDate(text, order)).toBe(expected);
});

test.each([
  ['46211', '2026-07-08'],
  ['46211.0', '2026-07-08'],
  ['46211.5', undefined],
  ['12345', undefined],
  ['ABC', undefined],
])('the day number %s is %s', (text, expected) => {
  expect(dateOfDayNumber(text)).toBe(expected);
});

describe('the evidence of a column', () => {
  const of = (...texts: string[]) => {
    const evidence = new DateOrderEvidence();
    for (const [index, text] of texts.entries()) evidence.add(text, index + 2);
    return evidence;
  };

  test('is one date with one meaning', () => {
    expect(of('03/07/2026', 'auto', '13/07/2026')).toMatchObject({ order: 'dmy', isOpen: false });
    expect(of('07/03/2026', '07/13/2026').order).toBe('mdy');
  });

  test('is missing where every date has two meanings', () => {
    expect(of('2026-07-08', '03/07/2026', '13/07/26')).toMatchObject({ order: undefined, isOpen: true });
  });

  test('is not needed where each date has one meaning', () => {
    expect(of('2026-07-08', '5/5/2026', 'auto', '')).toMatchObject({ order: undefined, isOpen: false });
  });

  test('contradicts itself where two dates prove two orders', () => {
    expect(of('13/07/2026', '07/13/2026', '01/02/2026')).toMatchObject({ order: undefined, isOpen: false });
  });
});
