import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type ColumnNames, mapHeader } from '#shared/files/map-header.ts';
import { createPortColumns } from '#shared/operations/create-port/row.ts';
import { operations } from '#shared/operations/registry.ts';
import { anyText } from '../../support/any-text.ts';
import { assertUnpolluted } from '../../support/nearly-right.ts';

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
      ...(column.name === 'msisdn' && { valueKind: 'msisdn' as const }),
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

// Names of columns as people, operators and programs write them. A column that changes what is sent is read, or the
// file waits for an answer: it is never left out.
describe('headers as people write them', () => {
  /** By column: a value, and its natural names. */
  const natural: Readonly<Record<string, readonly [value: string, names: string]>> = {
    msisdn: [
      '07700900123',
      'MSISDN|Mobile|Mobile No|Mobile No.|Mobile Number|Mobile number(s)|Mobile Num|Number|Phone|Phone Number|Phone No|' +
        'Phone #|Telephone|Telephone Number|Telephone No.|Tel|Tel No|CTN|CLI|Mobile (MSISDN)|Number to port|' +
        'Number to be ported|Porting number|Ported number|Existing number|Current mobile number|Customer number|' +
        'User mobile|Line number|Subscriber number|Cell|Cell phone|Mobile phone|Mobile phone number|GSM|Handset number|' +
        'Service number|Mobile Telephone Number|MOBILE_NUMBER|mobileNumber|phone_number|Mobile/CTN|Msisdn*',
    ],
    serialNo: [
      '8944110068123456787',
      'serialNo|Serial|Serial No|Serial Number|SIM|SIM No|SIM No.|SIM Number|SIM Serial|SIM serial number|SIM Serial No|' +
        'ICCID|ICC ID|ICC|SIM ICCID|ICCID Number|SIM card number|SIM Card No|SIM ID|New SIM|New SIM number|' +
        'New SIM serial|SIM card|SIM SSN|SSN|SIM Serial #|ICCID (19 digits)|sim_serial|simSerialNumber|SIM-Number|' +
        'Blank SIM number|Replacement SIM|Serial # of SIM',
    ],
    pac: [
      'ABC123456',
      'PAC|PAC Code|PAC No|PAC Number|Porting Authorisation Code|Porting Authorization Code|Porting code|Port code|' +
        'PAC (porting code)|Pac code*|PAC ref|Customer PAC|RIO|RIO code|Code RIO|PAC_CODE|pacCode|Porting Auth Code|' +
        'Authorisation code|PAC/RIO|PAC / STAC|Switching code|Text PAC|PAC code (ABC123456)',
    ],
    pacExpiry: [
      '2031-07-31',
      'PAC expiry|PAC expiry date|PAC Exp|PAC exp date|PAC expires|PAC expires on|PAC Expiration|PAC expiration date|' +
        'PAC valid until|PAC validity|PAC expiry (DD/MM/YYYY)|PAC Code Expiry|PAC code expiry date|Expiry date of PAC|' +
        'PAC end date|PAC valid to|PAC date|pac_expiry|pacExpiryDate|PAC Expiry Dt|PAC Valid Till',
    ],
    portType: [
      'Port',
      'Port type|PortType|Porting type|Type of port|Port Type*|Type|Request type|Port in type|Transfer type|port_type|' +
        'Migration type|Port / Migrate|Kind of port',
    ],
    targetNetwork: [
      'UK Mobile A',
      'Target network|Target|To network|New network|Gaining network|Network|Network to|Destination network|' +
        'Receiving network|New provider|Target Network Name|Target Network ID|target_network|Port to|Recipient network|' +
        'Gaining provider|Network (new)|Our network',
    ],
    sourceNetwork: [
      'Source Mobile One',
      'Source network|Source|From network|Old network|Losing network|Donor network|Current network|Existing network|' +
        'Current provider|Network from|Losing provider|Old provider|Previous network|Source Network Name|' +
        'source_network|Port from|Donor|Existing provider|Network (old)|Donor operator',
    ],
    connectionDate: [
      '2031-07-15',
      'Connection date|Port date|Porting date|Date|Port-in date|Date of port|Requested date|Port date (DD/MM/YYYY)|' +
        'Requested port date|Preferred date|Go live date|Activation date|Start date|Transfer date|connection_date|' +
        'Porting day|Connection Date*|Switch date|Port in date|Planned date|Port Dt|Due date|Move date',
    ],
    tariff: [
      '2001',
      'Tariff|Tariff name|Tariff ID|Tariff number|Tariff code|Tariff plan|Price plan|Plan|Rate plan|Plan name|Package|' +
        'New tariff|Tariff*|Billing plan|tariff_id|Tarif|Airtime plan|Mobile plan|Bundle|Contract plan',
    ],
    boltOns: [
      '101',
      'boltOns|Bolt ons|Bolt-ons|Bolt on|Bolt-On|Bolton|Boltons|Bolt On IDs|Bolt on numbers|Bolt On(s)|Bolt-on 1|' +
        'Bolt ons / Add ons|Bolt-ons (separate with ;)|Add-ons|Add ons|Addons|Add-on|Add On|Addon|Data bolt-on|' +
        'Data bolt ons|Extra bolt-ons|New bolt ons|Roaming bolt-on|bolt_ons|boltOnIds|Tariff bolt ons|Bolt ons required|' +
        'Required bolt-ons|Bolt-on list|Bolt-on codes|BOLT ONS (IDS)|Optional bolt ons|botlOns|Bolt Onns',
    ],
    services: [
      'Roaming=on',
      'Services|Service|Service settings|Services and bars|Bars|Bars and services|Services/Bars|Services (Name=value)|' +
        'Network services|Services required|Required services|Extra services|Servcies|Service list|SIM services|' +
        'Services on|Additional services|Services & bars|Bars required|Call bars|Services to set',
    ],
    esim: [
      'yes',
      'eSIM|Is eSIM|isEsim|eSIM?|eSIM (Y/N)|eSIM Y/N|E-SIM|eSIM required|eSIM needed?|eSIM yes/no|Uses eSIM|ESIM flag|' +
        'eSIM device|Use eSIM|is_esim|Want eSIM|eSIM or not|eSim (yes/no)|eSIM requested',
    ],
    provisioningOrder: [
      '5001',
      'Provisioning order|Provisioning order number|Provisioning order ID|Provisioning order no|Prov order|Prov. order|' +
        'Provisioning Order No.|provisioning_order|Existing provisioning order|Provisioning orders|Provisioning order ref',
    ],
    provisioningOrderName: [
      'Depot',
      'Provisioning order name|New provisioning order|New provisioning order name|Name of provisioning order|' +
        'provisioning_order_name|Provisioning order (new)',
    ],
  };

  /** Exports of German and British operators, of CRMs and of portals: abbreviations, units and other cells. */
  const exported: readonly (readonly [column: string, value: string, names: string])[] = [
    [
      'msisdn',
      '07700900123',
      'Rufnummer (MSISDN)|Customer MSISDN|MSISDN (07\u2026)|Mob. No.|Mobile No (UK)|Line / CTN|Port-in number',
    ],
    [
      'serialNo',
      '8944110068123456787',
      'SIM-Karte (ICCID)|SIM Nr.|ICCID / SIM|SIM ser. no.|Serial No. (SIM)|SIM_CARD_NO',
    ],
    ['pac', 'ABC123456', 'PAC-Code|PAC Code (9 chars)|Customer PAC code|PAC__c|PAC [text to 65075]|PAC / RIO code'],
    [
      'pacExpiry',
      '2031-07-31',
      'PAC valid to (30 days)|PAC_EXP_DT|PAC Code Valid Until|PAC exp. (dd/mm/yyyy)|PAC Expiry__c|Date PAC expires',
    ],
    ['connectionDate', '2031-07-15', 'Port Date__c|Portierungsdatum|Port date (working day)|Req. port dt|CRD'],
    ['tariff', '2001', 'Tarifname|Tariff (GBP/month)|Tariff__c|Price plan (net)|Commercial plan'],
    [
      'boltOns',
      '101',
      'Bolt-on(s) (IDs)|Bolt_Ons__c|Extras|Add-on codes (;)|Optionen / Bolt-ons|Data pack|Bolt-on [GB]|Bolt ons - data',
    ],
    ['boltOns', 'Data 5 GB', 'Options|Roaming pack|VAS|Data allowance (GB) bolt on|Bundle|Add-on name'],
    [
      'services',
      'Roaming=on',
      'Services__c|Network features|SIM Services (on/off)|Features|Restrictions|Service options',
    ],
    ['services', 'International Calls', 'Barring|Call barring|Blocked services|Bars to apply'],
    ['esim', 'Y', 'eSIM [Y/N]|eSIM__c|eSIM (tick)|is e-SIM?|eSIM ja/nein'],
    ['esim', 'eSIM', 'SIM type|SIM Format|Type of SIM|SIM type (eSIM/physical)'],
    ['provisioningOrder', '5001', 'Prov. order no.|Provisioning Order #|Provisioning_Order__c|Provisioning order (ID)'],
  ];

  const cases = [
    ...Object.entries(natural).map(([column, [value, names]]) => [column, value, names] as const),
    ...exported,
  ].flatMap(([column, value, names]) => names.split('|').map((name) => [name, column, value] as const));

  test('are 360', () => {
    expect(cases.length).toBeGreaterThanOrEqual(360);
    expect(new Set(cases.map(([name, column]) => `${name} ${column}`)).size).toBe(cases.length);
  });

  test('none that changes what is sent is left out', () => {
    const leftOut = cases.filter(([name, column, value]) => {
      // A file has one of the two columns of the order.
      const others = createPortColumns.filter(
        (one) => one.name !== column && !one.name.startsWith('provisioningOrder'),
      );
      const known = others.filter(
        ({ name: one }) => one in natural && !['boltOns', 'services', 'esim', 'pacExpiry'].includes(one),
      );
      const header = [...known.map((one) => one.name), name];
      const samples = [[...known.map((one) => natural[one.name]?.[0] ?? ''), value]];
      const { indexes, issues } = mapHeader(header, createPortColumns, { samples });
      const isRead = indexes.get(column) === header.length - 1;
      return !isRead && !issues.some(({ severity }) => severity === 'error');
    });
    expect(leftOut.map(([name, column]) => `${name} (${column})`)).toEqual([]);
  });

  test('most are read without a question', () => {
    const read = cases.filter(([name, column]) => mapHeader([name], createPortColumns).indexes.has(column));
    expect(read.length / cases.length).toBeGreaterThan(0.4);
  });
});

// Arbitrary headers: every cell and every default is mapped once, and faults are issues, never exceptions.
describe('whatever the header', () => {
  const known = [...operations.values()].map(({ columns }) => columns as readonly ColumnNames[]);
  const names = known.flat().flatMap(({ name, aliases = [] }) => [name, ...aliases]);
  const typo = fc
    .constantFrom(...names)
    .chain((name) => fc.nat(name.length).map((at) => name.slice(0, at) + name.slice(at + 1)));
  const cell = fc.oneof(
    fc.constantFrom(...names),
    typo,
    fc.constantFrom('__proto__', 'constructor', 'toString', '', ' ', '\u0000', 'x'.repeat(5_000)),
    anyText({ maxLength: 20 }),
  );

  test('every cell of any header is a known column, an extra column, or a reported duplicate', () => {
    const anyDefaults = fc.array(fc.tuple(cell, fc.string())).map((pairs) => Object.fromEntries(pairs));
    fc.assert(
      fc.property(
        fc.array(cell, { maxLength: 40 }),
        fc.constantFrom(...known),
        anyDefaults,
        (cells, columns, defaults) => {
          const { indexes, extras, issues, defaults: taken } = mapHeader(cells, columns, { line: 3, defaults });
          const places = [...indexes.values(), ...extras.map(({ index }) => index)];
          expect(new Set(places).size).toBe(places.length);
          const tooMany = issues.filter(({ code }) => code === 'HEADER_DUPLICATE_COLUMN').length;
          expect(places.length + tooMany).toBe(cells.length);
          const canonical = columns.map(({ name }) => name);
          for (const name of [...indexes.keys(), ...taken.keys()]) expect(canonical).toContain(name);
          for (const issue of issues) expect(issue.code).toMatch(/^HEADER_/);
          assertUnpolluted();
        },
      ),
      { numRuns: 300 },
    );
  });
});
