// Files with invalid rows: what is rejected, what is sent all the same, and what is written about it.

import { describe, expect, test } from 'vitest';
import type { NumberItem } from '#shared/request/number-claim.ts';
import { packLines } from '#shared/request/packed-lines.ts';
import type { RequestItem } from '#shared/request/request.ts';
import { double } from '../../support/double.ts';
import { accountSettings, validCells } from '../../support/ingest/catalogue.ts';
import { ingestBench } from '../../support/ingest/ingest.ts';
import { csvOf, goodRows, numberAt } from '../../support/ingest/valid-rows.ts';
import { requestItemOf } from '../../support/steps/ledger-items.ts';

/** The numbers on the lines 3 and 42 were ported. */
const portedNumbers = {
  getMany: async (numbers: readonly string[]): Promise<NumberItem[]> =>
    numbers
      .filter((number) => ['447700900001', '447700900040'].includes(number))
      .map((number) => ({
        number,
        importId: 'earlier',
        request: 1,
        line: 9,
        claimedAt: '2026-06-01T08:00:00.000Z',
        expiresAt: 1_850_000_000,
        latest: { portId: 'p', status: 'Complete', readAt: '2026-06-02T08:00:00.000Z', ended: true },
      })),
};

describe('a file with invalid rows', () => {
  const rows: Record<string, string>[] = [
    {},
    { msisdn: '4.47E+11', tariff: '9999', reference: '=1+1' },
    {},
    { pac: '' },
  ];

  test('submits the valid rows and returns the invalid ones whole, with line and errors', async () => {
    const bench = ingestBench();
    const item = await bench.upload(csvOf(rows));
    expect(item).toMatchObject({ state: 'submitting', rows: 4, accepted: 2, rejected: 2 });
    const [header, first, second] = bench.rejected(item).split('\r\n');
    expect(header).toMatch(/^\uFEFFmsisdn,serialNo,.*,reference,importId,line,errors$/);
    expect(first).toMatch(/^4\.47E\+11,.*,'=1\+1,\w{16},3,"?tariff: There is no tariff "+9999"+.*; msisdn: .*Excel/);
    expect(second).toMatch(/,5,"?pac must not be empty/);
    expect(bench.issues(item).map(({ line, column }) => [line, column])).toEqual([
      [3, 'tariff'],
      [3, 'msisdn'],
      [5, 'pac'],
    ]);
  });

  test('can be fixed and imported again: line, errors and formula guards are removed', async () => {
    const bench = ingestBench();
    const item = await bench.upload(csvOf(rows));
    const fixed = bench
      .rejected(item)
      .replace('4.47E+11', numberAt(50))
      .replace('9999', '2001')
      .replace(/2001,5001,,(?=,5,)/, '2001,5001,,')
      .replace(/(,Source One|,\d{19}),,Port/, '$1,ABC123456,Port');
    const worse = await bench.upload(fixed.replaceAll('Port,', 'Prot,'), { key: 'create-port/worse.csv' });
    const [header, row] = bench.rejected(worse).split('\r\n');
    expect(header?.match(/line,errors/g)).toHaveLength(1);
    expect(row).toContain(`,'=1+1,${worse?.importId},3,`);
    const again = await bench.upload(fixed, { key: 'create-port/fixed.csv' });
    expect(again).toMatchObject({ state: 'submitting', rows: 2, accepted: 2, rejected: 0 });
  });

  test('has an error about repeating cells on every line that has them', async () => {
    const bench = ingestBench();
    const item = await bench.upload(csvOf([{ tariff: '9' }, {}, { tariff: '9', msisdn: 'x' }]));
    expect(bench.issues(item).map(({ line, code }) => `${line} ${code}`)).toEqual([
      '2 TARIFF_UNKNOWN',
      '4 TARIFF_UNKNOWN',
      '4 MSISDN_SHAPE',
    ]);
  });

  test('uses the first valid row of a number: an invalid one does not claim it', async () => {
    const bench = ingestBench();
    const msisdn = numberAt(1);
    const item = await bench.upload(csvOf([{ msisdn, tariff: '9' }, { msisdn, pac: '' }, { msisdn }, { msisdn }]));
    expect(item).toMatchObject({ rows: 4, accepted: 1, rejected: 3 });
    expect(bench.issues(item).map(({ line, code }) => `${line} ${code}`)).toEqual([
      '2 TARIFF_UNKNOWN',
      '3 PAC_REQUIRED',
      '5 MSISDN_DUPLICATE_IN_FILE',
    ]);
    expect(bench.issues(item).at(-1)?.message).toContain('is already on line 4');
  });

  test('has an error for each number that was ported before', async () => {
    const bench = ingestBench({ numbers: double(portedNumbers) });
    const item = await bench.upload(csvOf(Array.from({ length: 50 }, (_, index) => ({ msisdn: numberAt(index) }))));
    expect(item).toMatchObject({ accepted: 48, rejected: 2 });
    expect(bench.issues(item)).toMatchObject([
      {
        line: 3,
        column: 'msisdn',
        code: 'MSISDN_ALREADY_PORTED',
        severity: 'error',
        message: '447700900001 was already ported on 2026-06-02 by import earlier (line 9)',
      },
      { line: 42, code: 'MSISDN_ALREADY_PORTED' },
    ]);
  });

  test('has a warning for a number that was ported before, where the setting allows it', async () => {
    const settings = { ...accountSettings, alreadyPorted: 'warning' } as const;
    const bench = ingestBench({ numbers: double(portedNumbers), settings });
    const item = await bench.upload(csvOf([{ msisdn: numberAt(1) }]));
    expect(item).toMatchObject({ accepted: 1, warnings: 1 });
    expect(bench.issues(item)).toMatchObject([{ code: 'MSISDN_ALREADY_PORTED', severity: 'warning' }]);
  });

  describe('has a warning, and keeps the row, for a number', () => {
    const claim = {
      importId: 'earlier',
      request: 3,
      line: 9,
      claimedAt: '2026-06-02T08:00:00.000Z',
      expiresAt: 1_850_000_000,
    };
    const reading = { portId: 'p', status: 'Cancelled', readAt: '2026-06-03T08:00:00.000Z', ended: true };
    const uploadWith = async (latest: NumberItem['latest'], holder: Partial<RequestItem> = {}) => {
      const getMany = async () => [{ ...claim, number: `44${numberAt(0).slice(1)}`, ...(latest && { latest }) }];
      const bench = ingestBench({ numbers: double({ getMany }) });
      bench.ledger.requests.get = async () => requestItemOf({ state: 'created', ...holder });
      const item = await bench.upload(csvOf([{ msisdn: numberAt(0) }]));
      expect(item).toMatchObject({ accepted: 1, rejected: 0 });
      return bench.issues(item);
    };

    test('that is in progress in another import', async () => {
      expect(await uploadWith(undefined)).toMatchObject([
        {
          line: 2,
          column: 'msisdn',
          code: 'MSISDN_IN_LIVE_IMPORT',
          severity: 'warning',
          message: expect.stringContaining(
            '447700900000 is already in progress on line 9 of import earlier: the row is',
          ),
        },
      ]);
    });

    test('that a person has cancelled', async () => {
      expect(await uploadWith(reading)).toMatchObject([
        {
          line: 2,
          column: 'msisdn',
          code: 'MSISDN_CANCELLED_BEFORE',
          severity: 'warning',
          message: expect.stringContaining('was cancelled on 2026-06-03 (line 9 of import earlier)'),
        },
      ]);
    });

    test.each([
      ['the source network rejected it', { ...reading, message: 'Not our customer' }, {}],
      ['simporter removed its row', reading, { removedRows: packLines([9]) }],
    ])('not where %s', async (_why, latest, holder) => {
      expect(await uploadWith(latest, holder)).toEqual([]);
    });
  });

  test('gives a group no meaning by a row that is rejected', async () => {
    const bench = ingestBench();
    const rows = [
      { groupName: 'Field', tariff: '2003', msisdn: '12' },
      { groupName: 'Field', msisdn: '07700900124', serialNo: '8944110068123456795' },
      { groupName: 'Field', tariff: '2003', msisdn: '07700900125', serialNo: '8944110068123456803' },
    ];
    const item = await bench.upload(csvOf(rows as Record<string, string>[], [...Object.keys(validCells), 'groupName']));
    expect(item).toMatchObject({ accepted: 1, rejected: 2 });
    const errors = bench.issues(item).filter(({ severity }) => severity === 'error');
    expect(errors).toMatchObject([
      { line: 2, column: 'msisdn' },
      { line: 4, code: 'GROUP_NAME_CONFLICT' },
    ]);
  });

  test('stores messages that quote 255 emoji, each a whole character', async () => {
    const groupName = '\u{1F600}'.repeat(255);
    const bench = ingestBench();
    const rows = [{ groupName }, { groupName, tariff: '2003' }, { groupName: `${groupName}!` }];
    const item = await bench.upload(csvOf(rows as Record<string, string>[], [...Object.keys(validCells), 'groupName']));
    expect(item).toMatchObject({ accepted: 1, rejected: 2 });
    expect(bench.issues(item).map(({ code }) => code)).toEqual([
      'TARIFF_LEGACY',
      'GROUP_NAME_CONFLICT',
      'CELL_TOO_LONG',
    ]);
    expect(item?.issues.every(({ message }) => message.isWellFormed())).toBe(true);
  });

  test('makes ports of as many rows as its upload asks for, never more than the environment', async () => {
    const requestsOf = async (most: string) => {
      const bench = ingestBench();
      return (await bench.upload(csvOf(goodRows(250)), { metadata: { 'max-rows-per-port': most } }))?.requestCount;
    };
    expect([await requestsOf('10'), await requestsOf('1000')]).toEqual([25, 3]);
  });

  test('has rows whose PAC expires soon in separate ports if its upload asks for it', async () => {
    // The connection date is 2 July.
    const expiries = ['', '2026-07-02', '2026-07-05', '2026-07-06', '2026-07-31'];
    const expiring = goodRows(5).map((row, index) => ({ ...row, pacExpiry: expiries[index] ?? '' }));
    const upload = async (metadata: Record<string, string>) => {
      const bench = ingestBench();
      const text = csvOf(expiring, [...Object.keys(validCells), 'pacExpiry']);
      const item = await bench.upload(text, { metadata });
      return { item, requests: bench.plan(item).map(({ label, rows }) => [label, rows.map(({ line }) => line)]) };
    };
    const apart = await upload({ 'separate-expiring-pacs': 'true' });
    expect(apart.requests).toEqual([
      [expect.not.stringContaining('expires'), [2, 5, 6]],
      [expect.stringMatching(/, PAC expires soon$/), [3, 4]],
    ]);
    expect(apart.item?.issues).toMatchObject([
      { line: 0, code: 'FILE_EXPIRING_PACS_SEPARATED', message: expect.stringMatching(/^2 rows whose PAC expires/) },
    ]);
    const together = await upload({});
    expect(together.requests).toHaveLength(1);
    expect(together.item?.issues).toEqual([]);
  });

  test('has a warning about repeating cells on each line', async () => {
    const bench = ingestBench();
    const item = await bench.upload(csvOf([{ tariff: '2003' }, { tariff: '2003' }]));
    expect(item).toMatchObject({ accepted: 2, warnings: 2 });
    expect(bench.issues(item).map(({ line }) => line)).toEqual([2, 3]);
  });

  test('is rejected when more rows are invalid than tolerated; 0 is all or nothing', async () => {
    const bench = ingestBench();
    const limits = { ...bench.dependencies.limits, toleratedFailurePercentage: 0 };
    const strict = ingestBench({ limits });
    const item = await strict.upload(csvOf(rows));
    expect(item).toMatchObject({ state: 'rejected', accepted: 2, rejected: 2, requestCount: 0 });
    expect(item?.issues[0]).toMatchObject({ line: 0, code: 'FILE_THRESHOLD_EXCEEDED' });
    expect(strict.messages).toEqual([]);
    expect(strict.files.keys().filter((key) => key.startsWith('work/'))).toEqual([]);
    expect(strict.rejected(item)).toContain('4.47E+11');
  });

  test.each([
    ['0', 'rejected'],
    ['49.9', 'rejected'],
    ['50', 'submitting'],
    ['100', 'submitting'],
  ])('may set its own tolerance: with half of the rows invalid, %s %% leads to %s', async (tolerate, state) => {
    const bench = ingestBench();
    expect(await bench.upload(csvOf(rows), { metadata: { tolerate } })).toMatchObject({ state });
  });

  test.each(['', 'none', '-1', '101', '100.5', '1e1'])(
    'is rejected when its tolerance "%s" is not a percentage',
    async (tolerate) => {
      const bench = ingestBench();
      const item = await bench.upload(csvOf(goodRows(2)), { metadata: { tolerate } });
      expect(item).toMatchObject({ state: 'rejected', issues: [{ line: 0, code: 'FILE_SETTING_INVALID' }] });
      expect(item?.issues[0]?.message).toContain(`"${tolerate}"`);
    },
  );

  test('without a valid row is rejected with its errors', async () => {
    const bench = ingestBench();
    const item = await bench.upload(csvOf([{ msisdn: '' }]));
    expect(item).toMatchObject({ state: 'rejected', rows: 1, rejected: 1 });
    expect(item?.issues.map(({ code }) => code)).toEqual(['FILE_THRESHOLD_EXCEEDED', 'CELL_REQUIRED']);
    expect(bench.rejected(item)).toContain('msisdn must not be empty');
  });
});

test('a reference with an invisible character is rejected, because it would be in every file', async () => {
  const bench = ingestBench();
  const item = await bench.upload(csvOf([{}, { reference: 'Order\u200B 7' }, { reference: 'two\nlines' }]));
  expect(item).toMatchObject({ accepted: 2, rejected: 1 });
  expect(bench.issues(item)).toMatchObject([
    { line: 3, column: 'reference', code: 'CELL_CONTROL_CHARACTER' },
    { line: 4, code: 'RECORD_OF_SEVERAL_LINES' },
  ]);
});
