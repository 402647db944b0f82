// One uploaded file, from its event to the messages: what is stored, written and sent.
import { describe, expect, test } from 'vitest';
import { importItem } from '#shared/import/import.ts';
import { expiryOf } from '#shared/import/import-state.ts';
import { operations } from '#shared/operations/registry.ts';
import { requestItem } from '#shared/request/request.ts';
import { plainHeader } from '../../../files/written-file.ts';
import { ingestBench } from '../../../support/ingest/ingest.ts';
import { csvOf, goodRows } from '../../../support/ingest/valid-rows.ts';

describe('a valid file', () => {
  test('is planned, written to the ledger, and sent with one message per request', async () => {
    const bench = ingestBench();
    const item = await bench.upload(csvOf([...goodRows(150), { boltOns: '101' }]));
    expect(importItem.parse(item)).toMatchObject({
      state: 'submitting',
      operation: 'create-port',
      rows: 151,
      accepted: 151,
      rejected: 0,
      requestCount: 3,
      requests: { planned: 3 },
    });
    const plan = bench.plan(item);
    expect(plan.map(({ request, rows }) => [request, rows.length])).toEqual([
      [1, 100],
      [2, 50],
      [3, 1],
    ]);
    expect(new Set(plan.flatMap(({ rows }) => rows.map(({ subject }) => subject))).size).toBe(151);
    const planned = [...bench.ledger.planned.values()];
    expect(planned.every((request) => requestItem.safeParse(request).success)).toBe(true);
    expect(planned.map(({ token }) => token)).toEqual(plan.map(({ token }) => token));
    expect(bench.messages).toEqual(
      planned.map(({ importId, request, plan: range }) => ({ importId, request, plan: range })),
    );
  });

  test('leaves no porting code in the ledger, the messages or the log', async () => {
    const bench = ingestBench();
    const item = await bench.upload(csvOf([{ pac: 'QZX987654' }, { pac: 'QZX98765' }]));
    expect(JSON.stringify([item, [...bench.ledger.planned.values()], bench.messages, bench.logged])).not.toMatch(/QZX/);
  });

  test('is grouped correctly when cells are equal only after concatenation', async () => {
    const bench = ingestBench();
    const rows: Record<string, string>[] = [
      { provisioningOrder: '5001' },
      { provisioningOrder: '', provisioningOrderName: '5001' },
    ];
    const item = await bench.upload(csvOf(rows, [...plainHeader, 'provisioningOrderName']));
    expect(bench.plan(item).map(({ head }) => head)).toMatchObject([
      { provisioningOrder: 5001, provisioningOrderName: null },
      { provisioningOrder: null, provisioningOrderName: '5001' },
    ]);
  });

  test('has no porting code in its issues, even if columns are mixed up', async () => {
    const bench = ingestBench();
    const columns = [
      'tariff',
      'connectionDate',
      'targetNetwork',
      'esim',
      'services',
      'serialNo',
      'msisdn',
      'pacExpiry',
    ];
    for (const column of columns) {
      const item = await bench.upload(
        csvOf([{ [column]: 'QZX987654' }], [...plainHeader, 'esim', 'services', 'pacExpiry']),
      );
      expect(item?.state, column).toBe('rejected');
      expect(JSON.stringify([item, bench.issues(item)]), column).not.toMatch(/QZX|987654/);
    }
  });

  test('with names in any script has correct byte ranges', async () => {
    const bench = ingestBench();
    const item = await bench.upload(
      csvOf([{ groupName: 'Ünïcode 名前' }, { groupName: 'Zweite' }], [...plainHeader, 'groupName']),
    );
    expect(item?.issues).toEqual([]);
    expect(bench.plan(item).map(({ head }) => head)).toMatchObject([
      { groupName: 'Ünïcode 名前' },
      { groupName: 'Zweite' },
    ]);
  });
});

describe('values for whole columns', () => {
  const columns = ['msisdn', 'serialNo', 'pac', 'portType', 'sourceNetwork', 'connectionDate', 'tariff'];

  test('come from the metadata of the upload, URI-encoded, in any case', async () => {
    const bench = ingestBench();
    const metadata = { 'set-targetnetwork': 'Network%20A', 'set-provisioningorder': 'Head%20Office' };
    const item = await bench.upload(csvOf(goodRows(2), columns), { metadata });
    expect(item).toMatchObject({ accepted: 2, issues: [] });
  });

  test('for an unknown column reject the file', async () => {
    const bench = ingestBench();
    const item = await bench.upload(csvOf([{}]), { metadata: { 'set-tarif': '1' } });
    expect(item).toMatchObject({ state: 'rejected', issues: [{ code: 'HEADER_UNKNOWN_DEFAULT' }] });
  });
});

describe('the place of a file', () => {
  test.each([
    ['in the root of the inbox', 'july.csv', { operation: 'create-port', planOnly: false, state: 'submitting' }],
    ['in the root of plan/', 'plan/july.csv', { operation: 'create-port', planOnly: true, state: 'planned' }],
    ['in a folder', 'create-port/july.csv', { operation: 'create-port', planOnly: false, state: 'submitting' }],
    ['below plan/', 'plan/create-port/july.csv', { operation: 'create-port', planOnly: true, state: 'planned' }],
  ])('%s decides what is done with its rows', async (_, key, expected) => {
    const item = await ingestBench().upload(csvOf(goodRows(2)), { key });
    expect(item).toMatchObject({ ...expected, accepted: 2 });
  });

  test('that names no operation gets an answer with every folder and what it is for', async () => {
    const item = await ingestBench().upload(csvOf(goodRows(2)), { key: 'july/numbers.csv' });
    expect(item).toMatchObject({ state: 'rejected', operation: null, requestCount: 0 });
    const [issue] = item?.issues ?? [];
    expect(issue?.message).toMatch(
      /^the folder "july" is not the name of an operation\. Upload the file without a folder/,
    );
    for (const { name, purpose } of operations.values()) expect(issue?.message).toContain(`${name}/ to ${purpose}`);
  });
});

describe('plan only', () => {
  test.each<[string, Parameters<ReturnType<typeof ingestBench>['upload']>[1]]>([
    ['the folder plan/', { key: 'plan/create-port/x.csv' }],
    ['the metadata of the upload', { metadata: { 'plan-only': 'true' } }],
  ])('with %s stops after planning', async (_, options) => {
    const bench = ingestBench();
    const item = await bench.upload(csvOf(goodRows(3)), options);
    expect(item).toMatchObject({ state: 'planned', planOnly: true, requestCount: 1, accepted: 3 });
    expect([bench.messages, bench.ledger.planned.size]).toEqual([[], 0]);
    expect(bench.planText(item)).toContain('"rows":[');
  });
});

test('the items of an import are kept until its ports have ended at the latest, and then as long as was set', () => {
  const now = Date.parse('2026-07-06T09:00:00.000Z');
  // 45 days until the approval, 30 until the date can be booked, 90 until that date.
  expect(expiryOf(now, 90)).toBe(now / 1_000 + (45 + 30 + 90 + 90) * 86_400);
});
