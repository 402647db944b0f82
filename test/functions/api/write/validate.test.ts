// Rows validated by POST /validate have the findings that ingest has: there is one row validator.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ApiWriter } from '#functions/api/context.ts';
import { validateRows } from '#functions/api/write/validate.ts';
import type { ImportItem } from '#shared/import/import.ts';
import { createCatalogue, keepLists, renewRarely } from '#shared/operations/catalogue.ts';
import { operationNamed } from '#shared/operations/registry.ts';
import type { NumberItem } from '#shared/request/number-claim.ts';
import type { RequestItem } from '#shared/request/request.ts';
import { forPage } from '#shared/results/findings.ts';
import { isCertainlyPac } from '#shared/row/pac.ts';
import { redactText } from '#shared/row/redact.ts';
import type { OperationName } from '#shared/text/identity.ts';
import { operator, startApiWorld } from '../../../support/api/simulated-api.ts';
import { double } from '../../../support/double.ts';
import { accountSettings, countedLookups, monday, validCells } from '../../../support/ingest/catalogue.ts';
import { ingestBench } from '../../../support/ingest/ingest.ts';
import { validTicketRows } from '../../../support/ingest/operation-cells.ts';
import { csvOf, numberAt, simAt } from '../../../support/ingest/valid-rows.ts';

type Row = Readonly<Record<string, string>>;
interface RowFinding {
  readonly column: string | null;
  readonly code: string;
  readonly severity: string;
  readonly message: string;
}

const at = '2026-06-02T08:00:00.000Z';
const latest = { portId: 'p', readAt: at, ended: true };
/** By the last digit of a number, what the table has of it. */
const claims: Readonly<Record<string, Partial<NumberItem>>> = {
  '3': { latest: { ...latest, status: 'Complete' } },
  '4': { latest: { ...latest, status: 'Cancelled' } },
  '5': {},
};
const tables = {
  numbers: double<ApiWriter['numbers']>({
    getMany: async (numbers) =>
      numbers.flatMap((number) => {
        const claim = claims[number.slice(-1)];
        return claim === undefined
          ? []
          : [{ number, importId: 'earlier', request: 1, line: 9, claimedAt: at, expiresAt: 1_850_000_000, ...claim }];
      }),
  }),
  requests: double<ApiWriter['requests']>({ get: async () => double<RequestItem>({ excludedRows: [] }) }),
};

test('a bolt-on that was added a second ago is valid, and invalid rows make no lookups for half a minute', async () => {
  let now = 0;
  const clock = () => now;
  const lookups = countedLookups();
  const lists = keepLists(lookups, clock, () => '');
  const mayRenew = renewRarely(clock);
  const writer = double<ApiWriter>({
    ...tables,
    openCatalogue: () => createCatalogue(lookups, { mayRenew, lists: lists() }),
    account: accountSettings,
    calendar: () => monday,
    resources: double<ApiWriter['resources']>({ account: '1001@service' }),
  });
  const codesOf = async (boltOns: string) => {
    lookups.calls.clear();
    const body = () => ({ operation: 'create-port', rows: [{ ...validCells, msisdn: numberAt(1), boltOns }] });
    const answer = await validateRows.run({ caller: operator, writeId: '', path: {}, query: {}, body }, writer);
    const [row] = (answer as { rows: { issues: RowFinding[] }[] }).rows;
    return { codes: row?.issues.map(({ code }) => code), lookups: lookups.calls.size };
  };
  expect(await codesOf('101')).toEqual({ codes: [], lookups: 4 });
  const { boltOns } = lookups;
  lookups.boltOns = async (tariff) => [...(await boltOns(tariff)), { number: 777, name: 'Added a second ago' }];
  expect(await codesOf('Added a second ago')).toEqual({ codes: [], lookups: 4 });
  expect(await codesOf('Never added')).toEqual({ codes: ['BOLT_ON_UNKNOWN'], lookups: 0 });
  now = 30_000;
  expect(await codesOf('Never added')).toEqual({ codes: ['BOLT_ON_UNKNOWN'], lookups: 4 });
});

/** Rows of the import, which knows how its dates are read and the values for all rows. */
async function validatedByApi(operation: OperationName, rows: readonly Row[], source: ImportItem) {
  const writer = double<ApiWriter>({
    ...tables,
    imports: double<ApiWriter['imports']>({ get: async () => source }),
    openCatalogue: () => createCatalogue(countedLookups()),
    account: accountSettings,
    calendar: () => monday,
    resources: double<ApiWriter['resources']>({ account: '1001@service' }),
  });
  const body = () => ({ operation, rows, importId: source.importId });
  const answer = await validateRows.run({ caller: operator, writeId: '', path: {}, query: {}, body }, writer);
  const { rows: validated } = answer as { rows: { isValid: boolean; issues: RowFinding[] }[] };
  return validated.map(({ isValid, issues }) => ({ isValid, findings: inOrder(issues, 0) }));
}

async function validatedByIngest(operation: OperationName, rows: readonly Row[], columnValues: Row) {
  const bench = ingestBench({ numbers: double(tables.numbers), requests: double(tables.requests) });
  const columns = operationNamed(operation)?.columns.map(({ name }) => name) ?? [];
  const metadata = Object.fromEntries(
    Object.entries(columnValues).map(([name, value]) => [`set-${name}`, encodeURIComponent(value)]),
  );
  const text = csvOf(rows, columns);
  const item = await bench.upload(text, {
    key: `${operation}/rows.csv`,
    metadata: { 'plan-only': 'true', dates: 'dmy', ...metadata },
  });
  const issues = bench.issues(item);
  const ofFile = issues.filter(({ line, severity }) => line < 2 && severity === 'error');
  // A file that asks what a mark means has no plan, so nobody fixes its rows.
  fc.pre(!ofFile.some(({ message }) => message.includes('is in the file, too: write Y and N')));
  expect(ofFile.filter(({ code }) => code !== 'FILE_THRESHOLD_EXCEEDED')).toEqual([]);
  const verdicts = rows.map((_, index) => {
    const ofRow = issues.filter(({ line }) => line === index + 2).map(forPage);
    return { isValid: !ofRow.some(({ severity }) => severity === 'error'), findings: inOrder(ofRow, 1) };
  });
  return { item: item as ImportItem, verdicts };
}

/** A row of the API has its number, where one of a file has its line. */
const inOrder = (findings: readonly RowFinding[], headerLines: number) =>
  findings
    .map(({ column, code, severity, message }) => {
      const inRows = message.replace(/(?<!\()\bline (\d+)\b(?! of import)/g, (_, line) => `line ${line - headerLines}`);
      return `${column} ${code} ${severity}: ${inRows}`;
    })
    .sort();

/** Cells that are valid somewhere, and cells that are not valid anywhere. */
const anyCell = [
  '',
  ' ',
  'N/A',
  '-',
  '#N/A',
  '#REF!',
  '="07700900123"',
  "'=1+1",
  'true',
  'nein',
  'x',
  '2',
  'perhaps',
  '\u200B',
  '2026-07-08',
  '8 July 2026',
  '46211',
  '2026-12-18T23:30:00Z',
  '2027-03-01',
  '2026-02-31',
  'auto',
  '08/07/2026',

  '101;102',
  '9999',
  'Roaming=on',
  'Premium=true',
  'Nowhere',
  'Network B',
  'source one',
  'MigrateIn',
  'Head  Office',
  '123456ABC',
  'ABC 123 456',
  'AB1',
  '4.47E+11',
  '07700900123 / 07700900124',
  numberAt(1),
  simAt(1),
];
/** A text that may be a PAC is not stored with the import. */
const valuesForAllRows = anyCell.filter((cell) => cell.trim() !== '' && redactText(cell) === cell);
const changes = fc.array(fc.tuple(fc.nat(30), fc.constantFrom(...anyCell)), { maxLength: 3 });

function rowOf(
  valid: Row,
  names: readonly string[],
  index: number,
  changed: readonly (readonly [number, string])[],
): Row {
  const numbered = {
    ...('msisdn' in valid && { msisdn: numberAt(index + 1) }),
    ...('serialNo' in valid && { serialNo: simAt(index) }),
  };
  const own = Object.fromEntries(changed.map(([place, cell]) => [names[place % names.length] ?? '', cell]));
  return {
    ...Object.fromEntries(names.map((name) => [name, ''])),
    ...valid,
    ...numbered,
    reference: `row ${index}`,
    ...own,
  };
}

const validRows: ReadonlyMap<OperationName, readonly Row[]> = new Map([
  ['create-port', [validCells]],
  ...validTicketRows,
]);

describe.each([...validRows])('rows of %s', (operation, [valid = {}]) => {
  test('have the same findings in POST /validate and in ingest', { timeout: 60_000 }, async () => {
    const names = operationNamed(operation)?.columns.map(({ name }) => name) ?? [];
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.nat(9), changes), { minLength: 1, maxLength: 6 }),
        fc.option(fc.tuple(fc.nat(30), fc.constantFrom(...valuesForAllRows))),
        async (choices, value) => {
          const rows = choices.map(([index, changed]) => rowOf(valid, names, index, changed));
          const column = value && names[value[0] % names.length];
          const isSecret = operationNamed(operation)?.columns.find(({ name }) => name === column)?.isSecret;
          const columnValues = value && column && !isSecret ? { [column]: value[1] } : {};
          const { item, verdicts } = await validatedByIngest(operation, rows, columnValues);
          expect(await validatedByApi(operation, rows, item)).toEqual(verdicts);
          // The PAC of a file is not known to who fixes the row: its findings are left out, and no others.
          const withoutPacs = rows.map(({ pac: _, ...row }) => row);
          const others = verdicts.map(({ findings }) => findings.filter((finding) => !finding.startsWith('pac ')));
          const ofOthers = (await validatedByApi(operation, withoutPacs, item)).map(({ findings }) => findings);
          if (rows.every(({ pac = '' }) => isCertainlyPac(pac))) expect(ofOthers).toEqual(others);
        },
      ),
      { numRuns: operation === 'create-port' ? 60 : 8 },
    );
  });
});

describe('rows without the PACs of their file', () => {
  /** Its day can be booked later. */
  const waits = { ...validCells, msisdn: numberAt(1), connectionDate: '2026-08-20' };
  const withoutPac = ({ pac: _, ...row }: Row): Row => row;
  const validated = async (rows: readonly Row[], columnValues: Row = {}) => {
    const { item, verdicts } = await validatedByIngest('create-port', rows, columnValues);
    return { byApi: await validatedByApi('create-port', rows.map(withoutPac), item), verdicts };
  };

  test('show a French number that a row before has', async () => {
    const row = { ...validCells, msisdn: '+33612345678', pac: '03P123456559' };
    const { byApi, verdicts } = await validated([row, { ...row, serialNo: simAt(1) }]);
    expect(verdicts.map(({ isValid }) => isValid)).toEqual([true, false]);
    expect(byApi).toEqual(verdicts);
  });

  test('need no pacExpiry where the value for all rows is that they migrate', async () => {
    const row = { ...waits, pac: '', portType: '' };
    const { byApi, verdicts } = await validated([row], { portType: 'MigrateIn' });
    expect(verdicts.map(({ isValid }) => isValid)).toEqual([true]);
    expect(byApi).toEqual(verdicts);
  });

  test('need a pacExpiry where a Port waits for its day', async () => {
    const { byApi, verdicts } = await validated([waits]);
    expect(verdicts.map(({ isValid }) => isValid)).toEqual([false]);
    expect(byApi).toEqual(verdicts);
  });
});

test('a row says which number and SIM no other row may have, also where another row of the request has them', async () => {
  const row: Row = { ...validCells, msisdn: `+44 ${numberAt(1).slice(-10)}`, serialNo: simAt(1) };
  const { body } = await startApiWorld().call('POST', '/validate', {
    body: { operation: 'create-port', rows: [row, row] },
  });
  const unique = [
    { column: 'msisdn', value: `44${numberAt(1).slice(-10)}` },
    { column: 'serialNo', value: simAt(1) },
  ];
  expect(body.rows.map((one: { readonly unique: unknown }) => one.unique)).toEqual([unique, unique]);
});
