// Ingest with the fast path compared with ingest without it: for any file both write the same bytes.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type PlanTask, planImport } from '#functions/ingest/plan/plan.ts';
import { csvRow } from '#shared/files/csv/csv-row.ts';
import { defaultSettings } from '#shared/files/upload-settings.ts';
import { createCatalogue } from '#shared/operations/catalogue.ts';
import { createPort } from '#shared/operations/create-port/create-port.ts';
import type { AccountSettings, Column, Operation } from '#shared/operations/operation.ts';
import { operations } from '#shared/operations/registry.ts';
import { memoryFiles } from '../../../support/in-memory/ingest-stores.ts';
import { accountSettings, countedLookups, monday, validCells } from '../../../support/ingest/catalogue.ts';
import { numberAt, simAt } from '../../../support/ingest/ingest.ts';

const nothing = async () => {};

interface Reading {
  readonly chunkBytes?: number;
  readonly separateExpiringPacs?: boolean;
  readonly maxWaitingBytes?: number;
}

/** Everything that planning the file returns and writes. */
async function planned(
  operation: Operation,
  body: string,
  settings: AccountSettings,
  { chunkBytes = 65_536, separateExpiringPacs, maxWaitingBytes = 2048 }: Reading = {},
) {
  const files = memoryFiles();
  files.chunkBytes = chunkBytes;
  files.put('inbox', 'file.csv', body);
  const task: PlanTask = {
    importId: 'same',
    object: { bucket: 'inbox', key: 'file.csv' },
    operation,
    settings: { ...defaultSettings, separateExpiringPacs },
    limits: { maxFileRows: 100_000, toleratedFailurePercentage: 100, maxOpenGroups: 4, maxWaitingBytes },
    context: { catalogue: createCatalogue(countedLookups()), settings, calendar: () => monday },
    buckets: { work: 'work', results: 'results' },
    openCorrection: async () => undefined,
    onHeader: nothing,
    onProgress: nothing,
    onRead: nothing,
  };
  const answer = await planImport(files, task);
  const texts = files.keys().map((key) => [key, files.text(key.split('/')[0] ?? '', key.slice(key.indexOf('/') + 1))]);
  return { answer, texts: texts.filter(([key]) => key !== 'inbox/file.csv') };
}

/** The same operation without canonical formats, and so without the fast path. */
const withoutFastPath = (operation: Operation): Operation => ({
  ...operation,
  columns: operation.columns.map(({ canonicalFormat: _, ...column }) => column),
});

/** Cells of a canonical column: different in each row, some repeated, some in another notation. */
const ownCell = ({ canonicalFormat: form }: Column) => {
  const at = fc.integer({ min: 0, max: 60 });
  if (form === 'msisdn') {
    const number = at.map(numberAt);
    return fc.oneof(
      { weight: 12, arbitrary: number },
      number.map((text) => `44${text.slice(1)}`),
      number.map((text) => `+44${text.slice(1)}`),
      number.map((text) => `${text.slice(0, 5)} ${text.slice(5, 8)}-${text.slice(8)}`),
      number.map((text) => `+44 (${text.slice(1, 5)}) ${text.slice(5)}`),
      number.map((text) => `0044 ${text.slice(1)}`),
      number.map((text) => `+44 (0)${text.slice(1)}`),
      number.map((text) => `${text.slice(0, 5)}\u00A0${text.slice(5)}`),
      number.map((text) => ` ${text}`),
      fc.constantFrom('', '7700900123', '+33612345678', '447700900', '4.47E+11'),
    );
  }
  if (form === 'iccid') {
    const sim = at.map(simAt);
    return fc.oneof(
      { weight: 12, arbitrary: sim },
      sim.map((text) => `${text.slice(0, 8)} ${text.slice(8)}`),
      fc.constantFrom('', '8944110068123456780', '8944110068123450000', '89441100681234567890', '8'),
    );
  }
  if (form === 'date') {
    // A PAC that expires before the port date is not valid.
    const day = fc.integer({ min: 1, max: 31 }).map((date) => `2026-07-${String(date).padStart(2, '0')}`);
    return fc.oneof(
      { weight: 6, arbitrary: day },
      fc.constantFrom('', '2026-02-30', '2026-06-31', '01/08/2026', '46203'),
    );
  }
  return fc.oneof(
    { weight: 12, arbitrary: at.map((index) => `ABC${123_400 + index}`) },
    fc.constantFrom('', 'abc123456', 'ABC 123456', '123456ABC', '03P123456559', 'ABC12345'),
  );
};

const good: Readonly<Record<string, string>> = { ...validCells, boltOns: '101', esim: '', provisioningOrderName: '' };
/** At risk, not at risk, and before the connection date. */
const expiry = fc.constantFrom('', '2026-07-02', '2026-07-05', '2026-07-06', '2026-07-20', '2026-07-01');

/** Cells of the other columns: few texts, so that patterns repeat. */
const otherCell = ({ name, example }: Column) =>
  fc.oneof(
    { weight: 20, arbitrary: fc.constant(good[name] ?? '') },
    { weight: 2, arbitrary: fc.constantFrom(example, '', '2003', '101;103') },
    { weight: 1, arbitrary: fc.constantFrom('"', 'Zoë', 'a,b', '\u200B', '2026-07-31') },
  );

/** A file with its columns in any order. */
const fileOf = ({ columns }: Operation) => {
  const row = fc.record(
    Object.fromEntries(columns.map((column) => [column.name, (column.canonicalFormat ? ownCell : otherCell)(column)])),
  );
  const order = fc.shuffledSubarray([...columns], { minLength: columns.length });
  const quoted = fc.array(fc.boolean(), { minLength: 1, maxLength: 5 });
  return fc.tuple(order, fc.array(row, { minLength: 1, maxLength: 60 }), quoted).map(([names, rows, quotes]) => {
    const lines = rows.map((cells, index) => {
      const texts = names.map(({ name }) => cells[name] ?? '');
      if (quotes[index % quotes.length] !== true) return csvRow(texts);
      return `${texts.map((text) => `"${text.replaceAll('"', '""')}"`).join(',')}\n`;
    });
    return csvRow(names.map(({ name }) => name)) + lines.join('');
  });
};

const anySettings = fc.constantFrom<AccountSettings>(
  accountSettings,
  { ...accountSettings, msisdnFormat: 'e164plus', maxRowsPerRequest: 3 },
  { ...accountSettings, callingCode: '33' },
  { ...accountSettings, callingCode: '49', msisdnFormat: 'e164' },
  { ...accountSettings, callingCode: '34' },
);

describe('the fast path writes the same files as the validator', () => {
  test.each([...operations.values()].map((operation) => [operation.name, operation] as const))(
    '%s',
    async (_, operation) => {
      const slowOperation = withoutFastPath(operation);
      await fc.assert(
        fc.asyncProperty(
          fileOf(operation),
          anySettings,
          fc.record({ chunkBytes: fc.constantFrom(64, 1000, 65_536), separateExpiringPacs: fc.boolean() }),
          async (body, settings, reading) => {
            expect(await planned(operation, body, settings, reading)).toEqual(
              await planned(slowOperation, body, settings, reading),
            );
          },
        ),
        { numRuns: operation === createPort ? 150 : 25 },
      );
    },
  );
});

/** Create Port, and how often it validated a row. */
function counted(): { readonly operation: Operation; readonly count: () => number } {
  let count = 0;
  const checkShape: Operation['checkShape'] = async (cells, context) => {
    const checked = await createPort.checkShape(cells, context);
    const checkRow: typeof checked.checkRow = (...row) => {
      count += 1;
      return checked.checkRow(...row);
    };
    return { ...checked, checkRow };
  };
  return { operation: { ...createPort, checkShape }, count: () => count };
}

const columns = [...Object.keys(good), 'pacExpiry', 'reference'];
const linesOf = (rows: readonly Record<string, string>[]): string =>
  [columns, ...rows.map((row) => columns.map((name) => row[name] ?? ''))].map((cells) => csvRow(cells)).join('');

test('the fast path writes the same files as the validator for rows that differ in when their PACs expire', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(expiry, { minLength: 10, maxLength: 60 }), fc.boolean(), async (expiries, separate) => {
      const rows = expiries.map((pacExpiry, index) => {
        return { ...good, msisdn: numberAt(index), serialNo: simAt(index), pacExpiry };
      });
      // Rows of the fast path need less memory while they wait, so both must have enough.
      const reading = { separateExpiringPacs: separate, maxWaitingBytes: 100_000 };
      expect(await planned(createPort, linesOf(rows), accountSettings, reading)).toEqual(
        await planned(withoutFastPath(createPort), linesOf(rows), accountSettings, reading),
      );
    }),
    { numRuns: 50 },
  );
});

/** By column. A rule for some values of a column must be one of the fast path as well. */
const extremes: readonly (readonly [column: string, value: string])[] = [
  ...['07111111111', '07700900000', '07900000001', '07999999999'].map((value) => ['msisdn', value] as const),
  ...[0, 99_999, 9_999_999_999].map((index) => ['serialNo', simAt(index)] as const),
  ...['AAA000000', 'AAA123456', 'ABC000000', 'ABC999999', 'ZZZ123456', 'ZZZ999999'].map((pac) => ['pac', pac] as const),
  ...['2026-12-28', '2099-12-28', '9999-12-28'].map((day) => ['pacExpiry', day] as const),
];

test('the fast path writes the same files as the validator for extreme values of usual cells', async () => {
  const usual = { ...good, pacExpiry: '2026-08-10' };
  const rows = [...Array.from({ length: 4 }, () => ['pac', good.pac ?? ''] as const), ...extremes].map(
    ([column, value], index) => ({
      ...usual,
      msisdn: numberAt(index + 1),
      serialNo: simAt(index + 1),
      [column]: value,
    }),
  );
  const { operation, count } = counted();
  const reading = { maxWaitingBytes: 100_000 };
  const fast = await planned(operation, linesOf(rows), accountSettings, reading);
  expect(fast).toEqual(await planned(withoutFastPath(createPort), linesOf(rows), accountSettings, reading));
  expect({ accepted: fast.answer.accepted, validated: count() }).toEqual({ accepted: rows.length, validated: 4 });
});

describe('these rows are validated', () => {
  const canonicalRows = (pacExpiry = '') =>
    Array.from({ length: 50 }, (_, index) => ({ ...good, msisdn: numberAt(index), serialNo: simAt(index), pacExpiry }));

  test('the first two of fifty canonical rows of one pattern, and two made-up rows', async () => {
    const { operation, count } = counted();
    const { answer } = await planned(operation, linesOf(canonicalRows()), accountSettings);
    expect({ accepted: answer.accepted, validated: count() }).toEqual({ accepted: 50, validated: 4 });
  });

  test('no more of them if their numbers have blanks, hyphens, brackets or a calling code', async () => {
    const { operation, count } = counted();
    const notations: readonly ((digits: string) => string)[] = [
      (digits) => `0${digits.slice(0, 4)} ${digits.slice(4)}`,
      (digits) => `(0${digits.slice(0, 4)}) ${digits.slice(4, 7)}-${digits.slice(7)}`,
      (digits) => `+44 ${digits}`,
      (digits) => `0044${digits}`,
    ];
    const rows = canonicalRows().map((row, index) => ({
      ...row,
      msisdn: notations[index % notations.length]?.(row.msisdn.slice(1)) ?? '',
    }));
    const { answer } = await planned(operation, linesOf(rows), accountSettings);
    expect({ accepted: answer.accepted, validated: count() }).toEqual({ accepted: 50, validated: 4 });
  });

  test('one more of fifty rows with fifty days, in any order: the first with the earliest day', async () => {
    const { operation, count } = counted();
    const rows = canonicalRows().map((row, index) => ({ ...row, pacExpiry: `2026-08-${11 + ((index * 7) % 17)}` }));
    const { answer } = await planned(operation, linesOf(rows), accountSettings);
    expect({ accepted: answer.accepted, validated: count() }).toEqual({ accepted: 50, validated: 5 });
  });

  test('every row whose PAC expires before the port date, which is rejected', async () => {
    const { operation, count } = counted();
    const late = new Set([7, 30]);
    const rows = canonicalRows('2026-08-10').map((row, index) =>
      late.has(index) ? { ...row, pacExpiry: '2026-07-01' } : row,
    );
    const { answer } = await planned(operation, linesOf(rows), accountSettings);
    expect(answer.issues.filter(({ line }) => line > 0).map(({ line, code }) => [line, code])).toEqual([
      [9, 'PAC_EXPIRES_BEFORE_DATE'],
      [32, 'PAC_EXPIRES_BEFORE_DATE'],
    ]);
    expect({ accepted: answer.accepted, validated: count() }).toEqual({ accepted: 48, validated: 4 + 2 + 1 });
  });

  test('no more of them if their references have accents', async () => {
    const { operation, count } = counted();
    const names = ['Zoë Müller', 'Łukasz Żak', 'Société "Générale"'];
    const rows = canonicalRows().map((row, index) => ({ ...row, reference: names[index % 3] ?? '' }));
    const { answer } = await planned(operation, linesOf(rows), accountSettings);
    expect({ accepted: answer.accepted, validated: count() }).toEqual({ accepted: 50, validated: 4 });
  });

  test('every row at risk, where these are in separate requests', async () => {
    const { operation, count } = counted();
    const rows = canonicalRows().map((row, index) => ({ ...row, pacExpiry: index % 5 === 0 ? '2026-07-04' : '' }));
    const { answer, texts } = await planned(operation, linesOf(rows), accountSettings, { separateExpiringPacs: true });
    expect({ accepted: answer.accepted, validated: count() }).toEqual({ accepted: 50, validated: 14 });
    const plan = texts.find(([key]) => key?.endsWith('plan.ndjson'))?.[1] ?? '';
    const requests = plan
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    const linesAtRisk = rows.flatMap(({ pacExpiry }, index) => (pacExpiry === '' ? [] : [index + 2]));
    const linesOfRequest = requests.map(({ rows: own }) => own.map(({ line }: { line: number }) => line));
    expect(linesOfRequest.find((lines) => lines[0] === 2)).toEqual(linesAtRisk);
    expect(linesOfRequest.flat()).toHaveLength(50);
  });

  test('every row with a no-break space in its number', async () => {
    const { operation, count } = counted();
    const rows = canonicalRows().map((row) => ({ ...row, msisdn: row.msisdn.replace(/^.{5}/, '$&\u00A0') }));
    const { answer } = await planned(operation, linesOf(rows), accountSettings);
    expect({ accepted: answer.accepted, validated: count() }).toEqual({ accepted: 50, validated: 50 });
  });

  test('every row with an invisible character in its reference, which is rejected', async () => {
    const rows = canonicalRows().map((row, index) => ({
      ...row,
      reference: index === 40 ? 'Order\u200B 41' : 'Order',
    }));
    const { answer } = await planned(createPort, linesOf(rows), accountSettings);
    expect(answer.issues.filter(({ line }) => line > 0).map(({ line, code }) => [line, code])).toEqual([
      [42, 'CELL_CONTROL_CHARACTER'],
    ]);
  });

  test('every row with a number of an earlier line, however the earlier line was planned', async () => {
    const earlier: Readonly<Record<number, number>> = { 1: 0, 41: 40, 45: 0 };
    const rows = canonicalRows().map((row, index) => ({ ...row, msisdn: numberAt(earlier[index] ?? index) }));
    const { answer } = await planned(createPort, linesOf(rows), accountSettings);
    const errors = answer.issues.filter(({ line, severity }) => line > 0 && severity === 'error');
    expect(errors.map(({ line, message }) => `${line}: ${message}`)).toEqual([
      '3: 447700900000 is already on line 2',
      '43: 447700900040 is already on line 42',
      '47: 447700900000 is already on line 2',
    ]);
  });
});
