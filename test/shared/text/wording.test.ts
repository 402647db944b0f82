// Counts, cuts and names of columns, as people read them.
import { describe, expect, it, test } from 'vitest';
import { columnLabel, count, counted, oneLine, truncate } from '#shared/text/wording.ts';

describe('a count', () => {
  it('uses the singular for one, and separates thousands', () => {
    expect([counted(1, 'row'), counted(1234, 'row')]).toEqual(['1 row', '1,234 rows']);
  });

  test.each([
    [0, '0'],
    [999, '999'],
    [1000, '1,000'],
    [-999, '-999'],
    [-1000, '-1,000'],
    [-12345, '-12,345'],
    [1.23456, '1.235'],
  ])('%d is written as %s', (value, text) => {
    expect(count(value)).toBe(text);
  });
});

describe('a text that may be too long', () => {
  test.each([
    ['a text of the very length stays whole', 'abc', 3, 'abc'],
    ['a longer one ends at the limit', 'abcd', 3, 'abc'],
    ['a character is not cut in half', 'ab😀', 3, 'ab'],
    ['one that fits is kept', 'a😀b', 3, 'a😀'],
    ['one before the end does no harm', '😀abc', 4, '😀ab'],
    ['nothing fits into nothing', 'abc', 0, ''],
    ['nor into less', 'abc', -2, ''],
  ])('%s', (_rule, text, limit, clipped) => {
    expect(truncate(text, limit)).toBe(clipped);
  });

  test('a text of several lines becomes one line: breaks and invisible characters become single spaces', () => {
    expect(oneLine(' Field \r\n\t team\u0000\u200B 1 ')).toBe('Field team 1');
    expect(oneLine('a\u0007b')).toBe('a b');
  });
});

describe('the name of a column', () => {
  test.each([
    ['msisdn', 'Number'],
    ['serialNo', 'SIM serial'],
    ['pac', 'PAC'],
    ['pacExpiry', 'PAC expiry'],
    ['targetNetwork', 'Gaining network'],
    ['sourceNetwork', 'Losing network'],
    ['connectionDate', 'Port date'],
    ['boltOns', 'Bolt-ons'],
    ['esim', 'eSIM'],
    ['provisioningOrderName', 'New provisioning order'],
    ['provisioningOrder', 'Provisioning order'],
    ['ipV4Address', 'Ip v4 address'],
    ['tariff', 'Tariff'],
    ['services: Roaming', 'Services: Roaming'],
    ['boltOns: dataUK: 5', 'Bolt-ons: dataUK: 5'],
  ])('the column %s is shown as "%s"', (name, label) => {
    expect(columnLabel(name)).toBe(label);
  });
});
