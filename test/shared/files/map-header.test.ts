import { describe, expect, test } from 'vitest';
import { mapHeader } from '#shared/files/map-header.ts';
import { createPortColumns } from '#shared/operations/create-port/row.ts';

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

  test.each([
    '07700 900123',
    '447700900123',
    '8944110068123456787',
    'ABC123456',
    '6f9619ff-8b86-4d01-b42d-00cf4fc964ff',
  ])('a row where the header should be is not lost: %s is no name', (value) => {
    const { issues } = mapHeader(['tariff', value], columns);
    expect(issues.map(({ code, message }) => [code, message])).toEqual([
      ['HEADER_MISSING_COLUMN', expect.stringContaining(`"${value}" in line 1 is a value, not a name. Add a line`)],
    ]);
    const mapped = mapHeader(['tariff', value], columns, { mapping: { [value]: 'msisdn' } });
    expect(mapped.issues.map(({ code }) => code)).toEqual(['HEADER_UNKNOWN_MAPPING']);
  });

  test.each(['2026-07-01', 'Tariff 20260701', '2026', 'SIM 1'])('a column may be named %s', (name) => {
    expect(codes(['tariff', name], { mapping: { [name]: 'msisdn' } })).toEqual([]);
  });

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

  test('a secret column takes no default, under whichever of its names', () => {
    const secret = [...columns, { name: 'pac', aliases: ['PAC code'], isSecret: true }];
    const { defaults, issues } = mapHeader(['msisdn', 'tariff'], secret, { defaults: { 'pac-code': 'ABC123456' } });
    expect(issues).toMatchObject([{ code: 'HEADER_UNKNOWN_DEFAULT', line: 0 }]);
    expect(JSON.stringify([[...defaults], issues])).not.toContain('ABC123456');
  });

  test('two names of one column are a duplicate that names both', () => {
    const { issues } = mapHeader(['msisdn', 'SIM', 'iccid', 'tariff'], columns);
    expect(issues).toMatchObject([{ code: 'HEADER_DUPLICATE_COLUMN', column: 'serialNo' }]);
    expect(issues[0]?.message).toBe(
      '"SIM" and "iccid" are both serialNo. Remove one, or keep one as your own column: --map "iccid="',
    );
  });

  test('two columns with one name are distinguished by their place', () => {
    const cells = ['MSISDN', 'Port date', 'Port date'];
    const map = (mapping = {}) => {
      const { indexes, issues } = mapHeader(cells, createPortColumns, { mapping });
      const found = issues.filter(({ code }) => code !== 'HEADER_MISSING_COLUMN');
      return { index: indexes.get('connectionDate'), found: found.map(({ code }) => code), issues };
    };
    expect(
      map()
        .issues.map(({ message }) => message)
        .join(),
    ).toContain('--map "2:Port date="');
    expect(map({ '2:Port date': '' })).toMatchObject({ index: 1, found: [] });
    expect(map({ '1:Port date': '' })).toMatchObject({ index: 2, found: [] });
    expect(map({ '2:Port date': 'connectionDate' })).toMatchObject({ index: 2, found: [] });
    expect(map({ '3:Port date': '' }).found).toEqual(['HEADER_UNKNOWN_MAPPING', 'HEADER_DUPLICATE_COLUMN']);
  });
});

describe('a column that changes what is sent', () => {
  const others = ['msisdn', 'SIM', 'PAC', 'Port type', 'Target', 'Source', 'Date', 'Tariff'];
  const map = (header: string, value: string) =>
    mapHeader([...others, header], createPortColumns, { samples: [[...others.map(() => 'x'), value]] });

  test.each([
    ['eSIM (Y/N)', 'esim', 'Y'],
    ['eSIM?', 'esim', 'no'],
    ['Bolt Ons / Add Ons', 'boltOns', '101'],
    ['Bolt-ons or add-ons', 'boltOns', '101'],
    ['Bolt-ons (separate with ;)', 'boltOns', '101;102'],
    ['PAC expiration date', 'pacExpiry', '2026-07-31'],
    ['PAC expiry (DD/MM/YYYY)', 'pacExpiry', '31/07/2026'],
    ['Service settings', 'services', 'Roaming=on'],
    ['Services [optional]', 'services', 'Roaming=on'],
  ])('%s is read as %s', (header, name, value) => {
    const { indexes, issues } = map(header, value);
    expect([indexes.get(name), issues]).toEqual([others.length, []]);
  });

  test.each([
    ['Data bolt-on', 'boltOns', '101'],
    ['Our add on', 'boltOns', 'Voice'],
    ['Roaming service', 'services', 'Roaming=on'],
    ['PAC expiry from Bob', 'pacExpiry', '2026-07-31'],
    ['Has an eSIM', 'esim', 'yes'],
  ])('%s asks whether it is %s', (header, name, value) => {
    const { issues } = map(header, value);
    expect(issues).toMatchObject([{ code: 'HEADER_NEAR_MISS', column: header, severity: 'error' }]);
    expect(issues[0]?.message).toContain(`did you mean ${name}?`);
  });

  test.each([
    ['Device', 'iPhone 15'],
    ['Devices', 'iPhone 15'],
    ['References', '4711'],
    ['Reference no', '4711'],
    ['Customer service contact', 'Bob'],
    ['Data bolt-on', ''],
    ['eSIM profile', 'A7'],
  ])('%s with the value "%s" is not one of them', (header, value) => {
    expect(map(header, value)).toMatchObject({ issues: [], extras: [{ name: header }] });
  });

  test('does not compete with a column of its exact name', () => {
    const header = [...others, 'Bolt-ons', 'Bolt-ons (optional)'];
    expect(mapHeader(header, createPortColumns)).toMatchObject({ issues: [], extras: [{ index: 9 }] });
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

describe('names that are mapped', () => {
  test('are used, whatever else has the name', () => {
    const mapping = { 'Current number': 'msisdn', Plan: 'tariff' };
    const { indexes, extras, issues } = mapHeader(['msisdn', 'current_number', 'plan'], columns, { mapping });
    expect(issues).toEqual([]);
    expect([...indexes]).toEqual([
      ['msisdn', 1],
      ['tariff', 2],
    ]);
    expect(extras).toEqual([{ name: 'msisdn', index: 0 }]);
  });

  test("to nothing stay the user's own, also near misses and duplicates", () => {
    const mapping = { iccid: '', tarrif: '' };
    const { extras, issues } = mapHeader(['msisdn', 'SIM', 'iccid', 'tarrif', 'tariff'], columns, { mapping });
    expect(issues).toEqual([]);
    expect(extras.map(({ name }) => name)).toEqual(['iccid', 'tarrif']);
  });

  test('must be in the file, and their columns must exist', () => {
    const mapping = { Numbr: 'msisdn', tariff: 'tarif' };
    const { issues } = mapHeader(['Number', 'msisdn', 'tariff'], columns, { mapping });
    expect(issues.map(({ code, message }) => `${code} ${message}`)).toEqual([
      'HEADER_UNKNOWN_MAPPING "Numbr" cannot be mapped: the file has no column "Numbr": did you mean "Number"?',
      'HEADER_UNKNOWN_MAPPING "tariff" cannot be mapped: there is no column "tarif": did you mean tariff?',
      expect.stringMatching(/^HEADER_MISSING_COLUMN the column tariff is missing/),
    ]);
  });
});

describe('examples of values in messages', () => {
  const samples = [
    ['07700 900123', 'ABC123456', ''],
    ['07700 900124', 'abc123457', ''],
  ];

  test('suggest the column whose values fit, and show no value', () => {
    const withKinds = columns.map((column) => ({
      ...column,
      ...(column.name === 'msisdn' && { canonicalFormat: 'msisdn' as const }),
    }));
    const { issues } = mapHeader(['Line', 'Code', 'tariff'], withKinds, { samples });
    expect(issues.map(({ message }) => message)).toEqual([
      'the column msisdn is missing (other accepted names: Mobile Number). ' +
        '"Line" (values like 99999 999999) may be it: --map "Line=msisdn"',
    ]);
  });

  test('explain a duplicate', () => {
    const { issues } = mapHeader(['msisdn', 'pac', 'PAC code', 'tariff'], columns, { samples });
    expect(issues[0]?.message).toMatch(/^"pac" \(values like AAA999999\) and "PAC code" \(no values\) are both pac\./);
  });
});
