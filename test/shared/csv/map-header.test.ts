import { describe, expect, test } from 'vitest';
import { mapHeader } from '#shared/csv/map-header.ts';

const columns = [
  { name: 'msisdn', aliases: ['Mobile Number'], required: true },
  { name: 'serialNo', aliases: ['ICCID', 'SIM'] },
  { name: 'pac', aliases: ['PAC code'] },
  { name: 'tariff', aliases: ['tariffId'], required: true },
  { name: 'boltOns' },
];

const codes = (cells: string[], options = {}) => mapHeader(cells, columns, options).issues.map(({ code }) => code);

describe('mapping a header', () => {
  test.each(['mobile number', 'Mobile_Number', 'MOBILE-NUMBER', ' mobileNumber ', 'MSISDN'])(
    'understands %j as msisdn',
    (written) => {
      expect(mapHeader([written, 'tariff'], columns)).toMatchObject({
        indexes: new Map([
          ['msisdn', 0],
          ['tariff', 1],
        ]),
        issues: [],
      });
    },
  );

  test('keeps unknown columns, also empty and repeated ones', () => {
    const { extras, issues } = mapHeader(['msisdn', 'cost centre', '', 'tariff', 'cost centre', ''], columns);
    expect(extras).toEqual([
      { name: 'cost centre', index: 1 },
      { name: '', index: 2 },
      { name: 'cost centre', index: 4 },
      { name: '', index: 5 },
    ]);
    expect(issues).toEqual([]);
  });

  test('the columns that rejected.csv adds cause no issue when it is imported again', () => {
    expect(codes(['msisdn', 'tariff', 'line', 'errors'])).toEqual([]);
  });

  test('names a missing required column and its aliases', () => {
    const [issue] = mapHeader(['tariff'], columns, { line: 3 }).issues;
    expect(issue).toMatchObject({ code: 'HEADER_MISSING_COLUMN', column: 'msisdn', line: 3, severity: 'error' });
    expect(issue?.message).toContain('Mobile Number');
  });

  test('a default for the whole column replaces a missing column', () => {
    const { defaults, issues } = mapHeader(['msisdn'], columns, { defaults: { 'tariff-id': '101' } });
    expect(issues).toEqual([]);
    expect(defaults).toEqual(new Map([['tariff', '101']]));
  });

  test('a default for a column that does not exist is an error about the whole file', () => {
    const { issues } = mapHeader(['msisdn', 'tariff'], columns, { defaults: { tarif: '101' } });
    expect(issues).toMatchObject([{ code: 'HEADER_UNKNOWN_DEFAULT', line: 0 }]);
    expect(issues[0]?.message).toContain('did you mean tariff?');
  });

  test('two names of one column are a duplicate that names both', () => {
    const { issues } = mapHeader(['msisdn', 'SIM', 'iccid', 'tariff'], columns);
    expect(issues).toMatchObject([{ code: 'HEADER_DUPLICATE_COLUMN', column: 'serialNo' }]);
    expect(issues[0]?.message).toBe('"SIM" and "iccid" are both serialNo: keep one');
  });
});

describe('typos', () => {
  test('"botlOns" is an error that suggests boltOns', () => {
    const { issues } = mapHeader(['msisdn', 'tariff', 'botlOns'], columns);
    expect(issues).toMatchObject([{ code: 'HEADER_NEAR_MISS', column: 'botlOns', severity: 'error' }]);
    expect(issues[0]?.message).toContain('did you mean boltOns?');
  });

  test.each([
    ['mobile nubmer', 'msisdn'],
    ['PCA', 'pac'],
    ['serial', 'serialNo'],
    ['tarriff', 'tariff'],
  ])('%j is taken for a typo of %s', (written, meant) => {
    const typo = mapHeader([written], columns).issues.find(({ code }) => code === 'HEADER_NEAR_MISS');
    expect(typo?.message).toContain(`did you mean ${meant}?`);
  });

  test('a name similar to an existing column is not a typo', () => {
    expect(codes(['msisdn', 'tariff', 'tariff2', 'pac', 'pac2'])).toEqual([]);
  });

  test.each(['sum', 'fax', 'pan', 'name', 'reference', 'notes'])('%j is not a typo', (written) => {
    expect(codes(['msisdn', 'tariff', written])).toEqual([]);
  });
});
