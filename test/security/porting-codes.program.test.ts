// Porting codes in every form that the parser accepts, in wrong columns and in texts of the service: no message, no
// table item and no log shows one. The separators are those of the parser itself.
import { describe, expect, test } from 'vitest';
import { csvRow } from '#shared/files/csv/csv-row.ts';
import { snapshotOf } from '#shared/outcome/port-snapshot.ts';
import { issueCodes } from '#shared/row/issue.ts';
import type { Msisdn } from '#shared/row/msisdn.ts';
import { canonicalPac, parsePac, rioKey } from '#shared/row/pac.ts';
import { redactText } from '#shared/row/redact.ts';
import { validCells } from '../support/ingest/catalogue.ts';
import { ingestBench } from '../support/ingest/ingest.ts';
import { numberAt, simAt } from '../support/ingest/valid-rows.ts';
import { json, type Script } from '../support/service/fault-server.ts';
import {
  createPortBody,
  failureOf,
  portDetail,
  portId,
  portSummary,
  scriptedClient,
} from '../support/service/scripted-server.ts';

const british = '447700900123' as Msisdn;
const french = '33612345678' as Msisdn;
const spanish = '34612345678' as Msisdn;

/** Every character of Unicode's first plane that the parser ignores in a code. */
const separators = Array.from({ length: 0x10000 }, (_, code) => String.fromCharCode(code)).filter(
  (character) => canonicalPac(`QZA1${character}00001`) === 'QZA100001',
);

const rio = `03P123456${rioKey('03P123456', '0612345678')}`;

/** A code as it is submitted, and the number with which the parser accepts it. */
const codes: readonly (readonly [code: string, msisdn: Msisdn])[] = [
  ['QZA123613', british],
  [rio, french],
  ['NL7K9Q', spanish],
  ['A1B2', spanish],
  ['CVP12AB34CD56EF78GH9', spanish],
];

const spaced = (code: string, separator: string, every: number): string =>
  [...code].map((character, index) => (index > 0 && index % every === 0 ? separator : '') + character).join('');

const formsOf = (code: string): string[] => [
  ...separators.flatMap((separator) => [spaced(code, separator, 3), spaced(code, separator, 2)]),
  ...[' ', '\u2011', '\u00a0'].flatMap((separator) => [
    spaced(code, separator.repeat(2), 3),
    spaced(code, separator, 1),
  ]),
  code,
  code.toLowerCase(),
];

const plain = (text: string): string => canonicalPac(text.replace(/\\[nrtvf]|\\u[0-9a-f]{4}/g, ' '));
const hasCode = (text: string, code: string): boolean => plain(text).includes(code);

test('the parser accepts each of these forms', () => {
  expect(separators.length).toBeGreaterThan(20);
  expect(separators).toEqual(expect.arrayContaining([' ', '\u00a0', '-', '\u2011', '\u202f', '\u2060']));
  for (const [code, msisdn] of codes) {
    const wrong = formsOf(code).filter((form) => !parsePac(form, msisdn).ok);
    expect(wrong).toEqual([]);
  }
});

const wrongColumns = [
  'msisdn',
  'serialNo',
  'portType',
  'targetNetwork',
  'sourceNetwork',
  'connectionDate',
  'pacExpiry',
  'tariff',
  'boltOns',
  'services',
  'esim',
  'provisioningOrder',
];
const columns = [...new Set([...Object.keys(validCells), ...wrongColumns])];

describe.each(codes)('the code %s in a wrong column', (code) => {
  const forms = formsOf(code);

  test.each(wrongColumns)('%s is in no message, item or log', async (column) => {
    const bench = ingestBench();
    const rows = forms.map((form, index) => {
      const cells: Record<string, string> = { ...validCells, msisdn: numberAt(index), serialNo: simAt(index), pac: '' };
      return csvRow(columns.map((name) => (name === column ? form : (cells[name] ?? ''))));
    });
    const item = await bench.upload(csvRow(columns) + rows.join(''));
    expect(item).toMatchObject({ rejected: forms.length });
    const messages = bench.issues(item).map((issue) => JSON.stringify(issue));
    expect(messages.length).toBeGreaterThanOrEqual(forms.length);
    const places = [...messages, JSON.stringify([item, [...bench.ledger.planned.values()]]), ...bench.logged];
    expect(places.filter((text) => hasCode(text, code))).toEqual([]);
  });
});

test('a file without a header shows no code of its first row', async () => {
  const bench = ingestBench();
  const cells = Object.values({ ...validCells, pac: 'QZA 12 36 13', reference: 'msisdm' });
  const item = await bench.upload(csvRow(cells) + csvRow(cells));
  expect(item?.state).toBe('rejected');
  expect(hasCode(JSON.stringify([item, bench.issues(item)]), 'QZA123613')).toBe(false);
});

test('a message about another cell of the row keeps what the user wrote', async () => {
  const bench = ingestBench();
  const header = Object.keys(validCells);
  const item = await bench.upload(csvRow(header) + csvRow(Object.values({ ...validCells, tariff: 'Unlimitd 4G' })));
  expect(bench.issues(item)[0]?.message).toContain('"Unlimitd 4G"');
});

describe.each(codes)('the code %s in a text of the service', (code) => {
  const forms = formsOf(code);
  const body = createPortBody({ rows: [{ ...createPortBody().rows[0], pac: code } as never] });

  test('is in no failure', async () => {
    const saying = (form: string) => `the code ${form} is not valid; again: pac=${form}`;
    const script: Script = (_request, nth) => {
      const form = forms[nth - 1] ?? code;
      const errors = [{ field: `rows[0] ${form}`, message: form }];
      if (nth % 3 === 0) return { status: 502, body: `<html>${saying(form)}</html>` };
      if (nth % 3 === 1) return json(422, { message: saying(form), errors });
      return json(201, { id: saying(form) });
    };
    await using setup = await scriptedClient(script);
    for (const _form of forms) {
      const failure = await failureOf(setup.client.createPort(body));
      const { message, body: kept, stack, cause, ...rest } = failure;
      const text = JSON.stringify([message, kept, stack, String(cause), rest]);
      expect(hasCode(text, code) ? text : '').toBe('');
    }
  });

  test('is in no status, name or message of a port', async () => {
    const port = (form: string) =>
      portDetail({
        statusName: `Waiting for ${form}`,
        rows: [{ id: portId, msisdn: '447700900123', pac: code, status: 1, statusName: form, message: `got ${form}` }],
      });
    await using setup = await scriptedClient((_request, nth) => json(200, port(forms[nth - 1] ?? code)));
    for (const form of forms) {
      const reading = await setup.client.port(portId);
      const { pac: _pac, ...row } = reading.rows[0] ?? { pac: '' };
      const text = JSON.stringify([reading.statusName, row]);
      expect(hasCode(text, code) ? `${form}: ${text}` : '').toBe('');
    }
  });
});

test('a long status name is cut, in the list and in the port', async () => {
  const statusName = 'Submitted '.repeat(10_000);
  const script: Script = ({ path }) =>
    path.includes('/port/')
      ? json(200, portDetail({ statusName, rows: [] }))
      : json(200, { total: 1, totalPages: 1, data: [portSummary(portId, { statusName })] });
  await using setup = await scriptedClient(script);
  expect((await setup.client.port(portId)).statusName.length).toBeLessThanOrEqual(100);
  expect((await setup.client.listPorts(1)).data[0]?.statusName.length).toBeLessThanOrEqual(100);
});

test('the name of a port is stored without what looks like a code', () => {
  const request = { importId: 'i', request: 1, portId, rowCount: 1 } as never;
  const reading = portDetail({ name: `batch QZA 12 36 13 ${'x'.repeat(300)}`, rows: [] });
  const context = {
    account: '1001@service',
    zone: 'Europe/London',
    callingCode: '44',
    readAt: Date.parse('2026-06-29T11:00:00Z'),
  };
  const name = snapshotOf({ request, rows: [] }, reading, context)?.next.name ?? '';
  expect(hasCode(name, 'QZA123613')).toBe(false);
  expect(name.length).toBeLessThanOrEqual(255);
});

describe('our own texts are not redacted', () => {
  test.each([
    'expected a PAC: 3 letters and 6 digits',
    'expected a RIO: 12 letters and digits',
    'This is not a PAC: it has 8 characters (2 letters, 6 digits). A PAC has 3 letters and 6 digits',
    'the file has more than 100000 rows: split it',
    'has 126000 entries, and 100000 are allowed',
    'it is a 2026-07-01 that is no working day',
    'pac must not be empty: a Port needs the PAC of the network that the number leaves',
    '10 of the 12 may be 2 rows are not valid',
    'port 3fa504e0-4f89-41d3-9a0c-0305e82c3301 is Submitted',
  ])('%j', (text) => expect(redactText(text)).toBe(text));

  test('of any code of an issue', () => {
    for (const code of issueCodes) expect(redactText(code)).toBe(code);
  });
});
