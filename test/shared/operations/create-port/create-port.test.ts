// Every rule of a create-port row: which rows are valid, and the findings about the others.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Combination, combinationHash, groupName } from '#shared/operations/create-port/create-port.ts';
import { createPortHead } from '#shared/operations/create-port/submission.ts';
import { anyText } from '../../../support/any-text.ts';
import { checkCells, rowsContext, validCells } from '../../../support/ingest/catalogue.ts';

type Cells = Record<string, string>;

const typeB: Cells = {
  targetNetwork: 'Network B',
  tariff: '3001',
  provisioningOrder: '',
  provisioningOrderName: 'New',
};
const keep: Cells = { ...typeB, portType: 'MigrateInKeep', serialNo: '', pac: '' };

const headOf = async (cells: Cells) =>
  createPortHead.parse(JSON.parse((await checkCells(cells)).shape?.head ?? 'null'));

describe('a valid row', () => {
  test('has no issue, a shape and its part of the body', async () => {
    const { issues, shape, row } = await checkCells();
    expect(issues).toEqual([]);
    expect(shape?.label).toBe('Port to Network A, Unlimited, 2026-07-02');
    expect(row).toEqual({
      subject: '447700900123',
      wire: { msisdn: '07700900123', serialNo: validCells.serialNo, pac: 'ABC123456', esim: false },
      isAtRisk: false,
    });
  });

  test.each<[string, Cells]>([
    ['networks by id', { targetNetwork: '11', sourceNetwork: '2' }],
    ['a tariff by name', { tariff: 'Unlimited' }],
    ['bolt-ons by number and name', { boltOns: '102; Data 1 GB' }],
    ['a data bolt-on for a tariff that needs one', { tariff: 'Voice', boltOns: '101' }],
    ['services in plain words', { services: 'Roaming=on;Premium=block' }],
    ['an option of a service as it is written', { services: 'Content=strict' }],
    ['a service named twice with one value', { services: 'Roaming=on;Roaming=true' }],
    ['an eSIM', { esim: 'YES' }],
    ['no eSIM', { esim: 'false' }],
    ['a provisioning order by name', { provisioningOrder: 'Head Office' }],
    ['a new provisioning order', { provisioningOrder: '', provisioningOrderName: 'Depot' }],
    ['the earliest date', { connectionDate: 'auto' }],
    ['a PAC that expires on the connection date', { pacExpiry: '2026-07-02' }],
    ['a migration without a PAC', { portType: 'MigrateIn', connectionDate: '2026-07-06', pac: '' }],
    ['a kept SIM without its serial', keep],
    ['a Type-B network with the name of an order', typeB],
    ['a French number with its RIO', { msisdn: '+33612345678', pac: '03P123456559' }],
  ])('is accepted with %s', async (_, cells) => {
    const { issues, row, shape } = await checkCells(cells);
    expect(issues).toEqual([]);
    expect(row).toBeDefined();
    expect(shape).toBeDefined();
  });
});

describe('a row for a day beyond the booking window', () => {
  const connectionDate = '2026-08-10';

  test('is accepted, and the notice names the day on which it is sent', async () => {
    const { issues, row } = await checkCells({ connectionDate, pacExpiry: '2026-08-10' });
    const message = '2026-08-10 can be booked from 2026-07-11 on: the row is sent on that day';
    expect(issues).toMatchObject([{ column: 'connectionDate', severity: 'notice', code: 'DATE_SCHEDULED', message }]);
    expect(row).toBeDefined();
    expect((await checkCells({ connectionDate, portType: 'MigrateIn', pac: '' })).row).toBeDefined();
  });

  test.each<[string, string, string]>([
    ['its PAC will have expired', '2026-08-07', 'pacExpiry PAC_EXPIRES_BEFORE_DATE'],
    ['nobody knows until when its PAC is valid', '', 'pacExpiry CELL_REQUIRED'],
  ])('is invalid where %s', async (_, pacExpiry, found) => {
    const { found: codes, row } = await checkCells({ connectionDate, pacExpiry });
    expect(codes).toEqual(['connectionDate DATE_SCHEDULED', found]);
    expect(row).toBeUndefined();
  });
});

describe('a row is rejected with its column named', () => {
  test.each<[Cells, string, RegExp]>([
    [{ msisdn: '' }, 'msisdn CELL_REQUIRED', /must not be empty/],
    [{ msisdn: '4.47E+11' }, 'msisdn MSISDN_EXCEL_SCIENTIFIC', /Excel/],
    [{ msisdn: '٠٧٧٠٠٩٠٠١٢٣' }, 'msisdn MSISDN_SHAPE', /Arabic/],
    [{ serialNo: '' }, 'serialNo CELL_REQUIRED', /a Port needs the SIM/],
    [{ serialNo: '1234' }, 'serialNo ICCID_SHAPE', /19 or 20/],
    [{ pac: '' }, 'pac PAC_REQUIRED', /network that the number leaves/],
    [{ pac: '123456ABC' }, 'pac PAC_IS_STAC', /STAC/],
    [{ pac: 'ABC12' }, 'pac PAC_SHAPE', /3 letters/],
    [{ msisdn: '+33612345678', pac: '03P123456558' }, 'pac PAC_RIO_KEY', /do not match/],
    [{ pacExpiry: '2026-07-01' }, 'pacExpiry PAC_EXPIRES_BEFORE_DATE', /2026-07-01, before the connection date/],
    [{ pacExpiry: 'soon' }, 'pacExpiry DATE_SHAPE', /YYYY-MM-DD/],
    [{ portType: '' }, 'portType CELL_REQUIRED', /must not be empty/],
    [{ portType: 'Prot' }, 'portType PORT_TYPE_UNKNOWN', /did you mean "Port"\?/],
    [{ targetNetwork: 'Network C' }, 'targetNetwork TARGET_NETWORK_UNKNOWN', /did you mean "Network A"/],
    [{ targetNetwork: '101' }, 'targetNetwork TARGET_NETWORK_UNKNOWN', /networkNumber of Network A: use its id 11/],
    [{ sourceNetwork: 'Nobody' }, 'sourceNetwork SOURCE_NETWORK_UNKNOWN', /Source One \(1\), Source Two \(2\)/],
    [{ connectionDate: '' }, 'connectionDate CELL_REQUIRED', /must not be empty/],
    [{ connectionDate: '02/07/2026' }, 'connectionDate DATE_SHAPE', /2026-07-02 or 2026-02-07/],
    [{ connectionDate: '2026-06-30' }, 'connectionDate DATE_TOO_EARLY', /earliest day is 2026-07-01/],
    [{ connectionDate: '2026-09-01' }, 'connectionDate DATE_TOO_LATE', /from 2026-08-02 on, and a row waits 30 days/],
    [{ connectionDate: '2026-07-04' }, 'connectionDate DATE_NOT_WORKING_DAY', /Saturday/],
    [{ connectionDate: '2026-07-03' }, 'connectionDate DATE_HOLIDAY', /holiday/],
    [{ tariff: '' }, 'tariff CELL_REQUIRED', /must not be empty/],
    [{ tariff: 'Unlimitd' }, 'tariff TARIFF_UNKNOWN', /on Network A: did you mean "Unlimited"/],
    [{ tariff: '2002' }, 'boltOns TARIFF_NEEDS_DATA_BOLT_ON', /Data 1 GB \(101\), Old Data \(103\)/],
    [{ boltOns: '999' }, 'boltOns BOLT_ON_UNKNOWN', /for Unlimited/],
    [{ ...typeB, boltOns: '101' }, 'boltOns BOLT_ON_NOT_AVAILABLE', /Type-B/],
    [{ services: 'Roaming' }, 'services SERVICE_SHAPE', /Name=value/],
    [{ services: '=on' }, 'services SERVICE_SHAPE', /Name=value/],
    [{ services: 'Fixed=on' }, 'services SERVICE_READ_ONLY', /Remove it from the cell/],
    [{ services: 'Premium=on' }, 'services SERVICE_OPTION_UNKNOWN', /Premium cannot be "on"\. Use one of allow, block/],
    [{ services: 'Roaming=null' }, 'services SERVICE_OPTION_UNKNOWN', /Roaming cannot be "null"\. Use one of on, off/],
    [{ services: 'Premium=block;Premium=allow' }, 'services SERVICE_CONTRADICTION', /two different values/],
    [{ esim: 'maybe' }, 'esim CELL_NOT_A_BOOLEAN', /true, false, yes or no/],
    [{ ...typeB, esim: 'true' }, 'esim ESIM_NOT_ALLOWED', /Network B/],
    [{ provisioningOrder: '' }, 'provisioningOrder PROVISIONING_ORDER_REQUIRED', /provisioningOrderName/],
    [
      { ...typeB, provisioningOrderName: '' },
      'provisioningOrderName PROVISIONING_ORDER_REQUIRED',
      /Enter provisioningOrderName$/,
    ],
    [{ provisioningOrderName: 'Depot' }, 'provisioningOrder PROVISIONING_ORDER_BOTH', /not both/],
    [
      { provisioningOrder: 'Head Offise' },
      'provisioningOrder PROVISIONING_ORDER_UNKNOWN',
      /did you mean "Head Office"/,
    ],
    [
      { ...typeB, provisioningOrder: '5001', provisioningOrderName: '' },
      'provisioningOrder PROVISIONING_ORDER_NOT_AVAILABLE',
      /Type-B/,
    ],
    [
      { provisioningOrder: '', provisioningOrderName: 'x'.repeat(256) },
      'provisioningOrderName CELL_TOO_LONG',
      /at most 255/,
    ],
    [{ groupName: 'x'.repeat(256) }, 'groupName CELL_TOO_LONG', /at most 255/],
    [{ groupName: 'Field\u200Bteam' }, 'groupName CELL_CONTROL_CHARACTER', /U\+200B/],
  ])('%j', async (cells, found, message) => {
    const { issues, found: codes, shape, row } = await checkCells(cells);
    expect(codes).toEqual([found]);
    expect(issues[0]?.message).toMatch(message);
    expect(issues[0]?.severity).toBe('error');
    expect(shape === undefined || row === undefined).toBe(true);
  });

  test('with all of its issues at once', async () => {
    const { found } = await checkCells({
      msisdn: '123',
      serialNo: '1234',
      pac: 'ABC',
      portType: 'Prot',
      targetNetwork: 'Network A',
      sourceNetwork: 'Nobody',
      connectionDate: '1 July',
      tariff: '9999',
      services: 'Roaming',
      esim: 'maybe',
      provisioningOrder: '',
    });
    expect(found).toEqual([
      'portType PORT_TYPE_UNKNOWN',
      'sourceNetwork SOURCE_NETWORK_UNKNOWN',
      'connectionDate DATE_SHAPE',
      'tariff TARIFF_UNKNOWN',
      'services SERVICE_SHAPE',
      'provisioningOrder PROVISIONING_ORDER_REQUIRED',
      'esim CELL_NOT_A_BOOLEAN',
      'msisdn MSISDN_SHAPE',
      'serialNo ICCID_SHAPE',
      'pac PAC_SHAPE',
    ]);
  });
});

describe('a valid row has a warning or a notice', () => {
  test.each<[Cells, string]>([
    [{ tariff: 'Classic' }, 'tariff TARIFF_LEGACY'],
    [{ boltOns: '103' }, 'boltOns BOLT_ON_LEGACY'],
    [{ msisdn: '7700900123' }, 'msisdn MSISDN_LEADING_ZERO_RESTORED'],
    [{ serialNo: '8944110068123456783' }, 'serialNo ICCID_CHECK_DIGIT'],
  ])('%j', async (cells, finding) => {
    const { found, row, shape } = await checkCells(cells);
    expect(found).toEqual([finding]);
    expect(row && shape).toBeDefined();
  });
});

describe('the shared part of a request', () => {
  test('is canonical, whatever the order and repetition of bolt-ons and services', async () => {
    const one = await headOf({ boltOns: '102;101', services: 'Roaming=on;Premium=block' });
    const other = await headOf({ boltOns: 'Data 1 GB;102;101', services: 'premium=Block;Roaming=true' });
    expect(one).toEqual(other);
    expect(one).toMatchObject({
      boltOns: [101, 102],
      services: [
        { name: 'Premium', value: 'false' },
        { name: 'Roaming', value: 'true' },
      ],
    });
  });

  test('has null if there are no services, and the group name of the combination', async () => {
    const [none, some] = [await headOf({}), await headOf({ boltOns: '101' })];
    expect(none.services).toBeNull();
    expect(none.groupName).toMatch(/^Unlimited \w{10}$/);
    expect(some.groupName).not.toBe(none.groupName);
  });

  test('does not contain esim: such rows share a request', async () => {
    const [plain, esim] = [await checkCells(), await checkCells({ esim: 'true' })];
    expect(esim.shape?.head).toBe(plain.shape?.head);
    expect(esim.row?.wire).toMatchObject({ esim: true });
  });

  test('has the reason for an automatic date', async () => {
    expect(await headOf({ connectionDate: 'auto' })).toMatchObject({
      connectionDate: '2026-07-01',
      auto: true,
      why: expect.stringMatching(/first day with 2 days of notice/),
    });
  });

  test('uses the days and holidays of the port type', async () => {
    const { found } = await checkCells({ portType: 'MigrateIn', connectionDate: '2026-07-02' });
    expect(found).toEqual(['connectionDate DATE_TOO_EARLY']);
  });
});

describe('within one file', () => {
  test('the same number twice is an error on the later line, naming the first (fault 22)', async () => {
    const context = rowsContext();
    await checkCells({}, context);
    context.line = 9;
    const { issues } = await checkCells({ msisdn: '+44 7700 900123', serialNo: '8944110068123456795' }, context);
    expect(issues).toMatchObject([{ line: 9, column: 'msisdn', code: 'MSISDN_DUPLICATE_IN_FILE' }]);
    expect(issues[0]?.message).toContain('line 2');
  });

  test('the same SIM twice is an error on the later line', async () => {
    const context = rowsContext();
    await checkCells({}, context);
    context.line = 9;
    const { issues } = await checkCells({ msisdn: '07700900124' }, context);
    expect(issues).toMatchObject([{ line: 9, column: 'serialNo', code: 'ICCID_DUPLICATE_IN_FILE' }]);
    expect(issues[0]?.message).toContain('line 2');
  });

  test('a group name must not stand for two combinations', async () => {
    const context = rowsContext();
    await checkCells({ groupName: 'Field' }, context);
    const again = await checkCells(
      { groupName: 'Field', msisdn: '07700900124', serialNo: '8944110068123456795' },
      context,
    );
    const other = await checkCells(
      { groupName: 'Field', boltOns: '101', msisdn: '07700900125', serialNo: '8944110068123456803' },
      context,
    );
    expect(again.found).toEqual([]);
    expect(other.found).toEqual(['groupName GROUP_NAME_CONFLICT']);
  });
});

test('no issue shows a porting code', async () => {
  for (const pac of ['QZX1234567', '987654QZX', 'QZX98765', '03Q987654ABC']) {
    const { issues } = await checkCells({ pac, pacExpiry: '2026-07-01' });
    expect(JSON.stringify(issues)).not.toMatch(/QZX|987654|98765/);
  }
});

describe('the combination of a row', () => {
  const combined = (tariff: number, boltOns: number[], services: Combination['services'] = []): Combination => ({
    tariff,
    boltOns,
    services,
  });

  describe('a combination', () => {
    test('has a fixed hash: ports have it in their group names, whichever release made them', () => {
      expect(combinationHash(combined(101, [201]))).toMatchInlineSnapshot(`"0ykqrfvbrr"`);
    });

    test('has its own hash', () => {
      const others = [combined(2, []), combined(1, [1]), combined(1, [], [{ name: 'a', value: 'b' }])];
      expect(new Set([combined(1, []), ...others].map(combinationHash)).size).toBe(4);
    });

    test('differs from another that a separator could make equal', () => {
      const hash = (name: string, value: string) => combinationHash(combined(1, [], [{ name, value }]));
      expect(hash('a=b', 'c')).not.toBe(hash('a', 'b=c'));
    });
  });

  describe('a group name', () => {
    const combination = combined(101, [201]);

    test('is the readable prefix and the hash of the combination', () => {
      expect(groupName(combination, 'Tariff 101')).toBe(`Tariff 101 ${combinationHash(combination)}`);
    });

    test('has one space before the hash if the prefix is cut', () => {
      const hash = combinationHash(combination);
      const longest = 255 - hash.length - 2;
      expect(groupName(combination, `${'x'.repeat(longest)} and more`)).toBe(`${'x'.repeat(longest)} ${hash}`);
    });

    test('is only the hash if there is no readable prefix', () => {
      expect(groupName(combination, ' \n ')).toBe(combinationHash(combination));
    });

    test('has at most 255 characters, ends in the hash and cuts no character in half', () => {
      fc.assert(
        fc.property(anyText({ maxLength: 400 }), fc.nat(3), (prefix, repeats) => {
          const name = groupName(combination, prefix + '😀'.repeat(repeats * 100));
          expect(name.length).toBeLessThanOrEqual(255);
          expect(name.endsWith(combinationHash(combination))).toBe(true);
          expect(name.isWellFormed()).toBe(true);
        }),
      );
    });
  });
});
