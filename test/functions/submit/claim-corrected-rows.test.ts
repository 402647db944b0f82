// Which correction sends a row of the first file, with claims, requests and ports in the in-memory table.
import { beforeEach, describe, expect, test } from 'vitest';
import type { PlannedRow, RequestItem } from '#shared/request/request.ts';
import { createNumbers } from '#shared/store/numbers.ts';
import { createPorts } from '#shared/store/ports.ts';
import { createRequests } from '#shared/store/requests.ts';
import { createTableTwin } from '../../support/in-memory/table.ts';
import { rowsContext } from '../../support/ingest/catalogue.ts';
import { iso, noon, portItemOf, requestItemOf } from '../../support/steps/ledger-items.ts';
import { attemptOf, claim as claimAt } from '../../support/steps/submit-attempt.ts';

const validation = rowsContext();
const twoRows: readonly PlannedRow[] = [
  { line: 2, subject: 'sim-a', wire: {}, correctedRow: 'root/3' },
  { line: 3, subject: 'sim-b', wire: {}, correctedRow: 'root/7' },
];

const openStores = () => {
  const table = createTableTwin({ now: () => noon }) as never;
  return {
    numbers: createNumbers(table, 'results'),
    requests: createRequests(table, 'results'),
    ports: createPorts(table, 'results'),
    validation,
  };
};
let stores: ReturnType<typeof openStores>;
beforeEach(() => {
  stores = openStores();
});

const claim = (importId: string, changes: Partial<RequestItem> & { readonly rows?: readonly PlannedRow[] } = {}) => {
  const { rows = twoRows, ...item } = changes;
  return claimAt(attemptOf(rows, { claims: false }, { importId, ...item }), noon, stores);
};
const linesOf = ({ rows }: Awaited<ReturnType<typeof claim>>) => rows.map(({ line }) => line);
/** Import `a` has claimed both rows, and its request is this. */
const heldBy = async (request: Partial<RequestItem>, rows = twoRows) => {
  await claim('a', { rows });
  await stores.requests.plan([requestItemOf({ importId: 'a', lines: '2-3', ...request })]);
};

test('free rows are claimed', async () => {
  expect(await claim('a', { expiresAt: 99 })).toEqual({ rows: twoRows, excludedRows: [] });
  const claimed = { importId: 'a', request: 1, line: 3, claimedAt: iso(noon), expiresAt: 99 };
  expect(await stores.numbers.get('root/7')).toMatchObject(claimed);
});

test('rows that correct no other row claim nothing, and no call is made', async () => {
  const rows = twoRows.map(({ correctedRow, ...row }) => row);
  const failing = { ...stores, numbers: { ...stores.numbers, getMany: () => Promise.reject(new Error('read')) } };
  expect(await claimAt(attemptOf(rows, { claims: false }), noon, failing)).toEqual({ rows, excludedRows: [] });
  expect(await stores.numbers.get('sim-a')).toBeUndefined();
});

test('a row that another correction has is excluded, and the message names that import and the row', async () => {
  await heldBy({ state: 'planned', lines: undefined }, twoRows.slice(1));
  const claimed = await claim('b');
  expect(linesOf(claimed)).toEqual([2]);
  expect(claimed.excludedRows).toEqual([
    {
      line: 3,
      subject: 'sim-b',
      code: 'CORRECTION_ROW_ANSWERED',
      message: 'row 7 of the first file is already in the import a',
    },
  ]);
});

test('a second delivery keeps its claims; another request of the same import does not get them', async () => {
  await heldBy({ state: 'planned', lines: undefined });
  expect(linesOf(await claim('a'))).toEqual([2, 3]);
  expect(linesOf(await claim('a', { request: 2 }))).toEqual([]);
});

const row = { line: 3, subject: 'sim-b', code: 'ROW_REFUSED' as const, message: 'no' };
const ended = iso(noon);

describe('a claim has ended', () => {
  test.each<[string, Partial<RequestItem>, number[]]>([
    ['when its request was declined', { state: 'declined', endedAt: ended }, [2, 3]],
    ['when its plan had expired', { state: 'declined', lines: undefined, endedAt: ended }, [2, 3]],
    ['when the service named its row, though the others are sent', { state: 'planned', excludedRows: [row] }, [3]],
    ['when its row was skipped and the others were accepted', accepted({ ...row, code: 'LINE_NOT_CHANGEABLE' }), [3]],
    ['when its request was skipped', skippedAt('MSISDN_IN_LIVE_IMPORT'), [2, 3]],
  ])('%s', async (_when, request, free) => {
    await heldBy(request);
    expect(linesOf(await claim('b'))).toEqual(free);
    expect((await stores.numbers.get('root/7'))?.importId).toBe('b');
    expect(await stores.numbers.history('root/7')).toHaveLength(1);
  });

  test('when its row was skipped and the others are in a port', async () => {
    const skipped = { ...row, code: 'MSISDN_IN_LIVE_IMPORT' as const };
    await heldBy({ state: 'created', portId: 'port-1', lines: '2', excludedRows: [skipped] });
    expect(linesOf(await claim('b'))).toEqual([3]);
  });

  test('when its request is not in the table', async () => {
    await claim('a');
    expect(linesOf(await claim('b'))).toEqual([2, 3]);
  });

  test('when its row was cancelled in a port that continues', async () => {
    await heldBy({ operation: 'create-port', state: 'created', portId: 'port-1', portStatus: 'Submitted' });
    const rows = ['PacValid', 'Cancelled'].map((status, index) => ({ line: index + 2, msisdn: `${index}`, status }));
    await stores.ports.record({ next: portItemOf(), rows });
    expect(linesOf(await claim('b'))).toEqual([3]);
  });

  test('when its port was cancelled to be replaced by this request', async () => {
    await heldBy({ state: 'created', portId: 'port-1' });
    await stores.requests.plan([requestItemOf({ importId: 'b' })]);
    const replaces = { importId: 'a', request: 1, portId: 'port-1' };
    expect(linesOf(await claim('b', { replaces }))).toEqual([2, 3]);
    expect(linesOf(await claim('c', { replaces }))).toEqual([]);
  });
});

describe('a claim is kept', () => {
  test.each<[string, Partial<RequestItem>]>([
    ['planned', { state: 'planned' }],
    ['in flight', { state: 'in-flight' }],
    ['of unknown outcome', { state: 'unknown' }],
    ['a case for a person', { state: 'action-required' }],
    ['created', { state: 'created', portId: 'port-1' }],
    ['accepted', { state: 'accepted', endedAt: ended }],
    ['abandoned after a part was accepted', abandonedAfter('2-3')],
    [
      'planned again after it skipped the row',
      { state: 'planned', excludedRows: [{ ...row, code: 'MSISDN_IN_LIVE_IMPORT' }] },
    ],
  ])('while its request is %s', async (_state, request) => {
    await heldBy(request);
    expect(linesOf(await claim('b'))).toEqual([]);
    expect((await stores.numbers.get('root/7'))?.importId).toBe('a');
  });
});

function accepted(excluded: NonNullable<RequestItem['excludedRows']>[number]): Partial<RequestItem> {
  return { state: 'accepted', lines: '2', excludedRows: [excluded], endedAt: ended };
}
function skippedAt(code: 'MSISDN_IN_LIVE_IMPORT'): Partial<RequestItem> {
  return {
    state: 'skipped',
    lines: undefined,
    endedAt: ended,
    excludedRows: [2, 3].map((line) => ({ ...row, line, code })),
  };
}
function abandonedAfter(lines: string): Partial<RequestItem> {
  const split = { steps: 1, current: '', waiting: [], accepted: [{ lines, ticket: 't' }] };
  return { state: 'declined', lines: '4', split, endedAt: ended };
}

test('one of two requests gets a row whose claim has ended', async () => {
  await heldBy({ state: 'declined', endedAt: ended });
  const claims = await Promise.all([claim('b'), claim('c')]);
  expect(claims.flatMap(linesOf).sort()).toEqual([2, 3]);
});

test('a large request reads each other request and its port once', async () => {
  const rows = Array.from({ length: 300 }, (_, index) => ({
    ...twoRows[0],
    line: index + 2,
    subject: `sim-${index}`,
    wire: {},
    correctedRow: `root/${index}`,
  }));
  await heldBy({ state: 'created', portId: 'port-1', lines: '2-301' }, rows);
  const reads: string[] = [];
  const { requests, ports } = stores;
  const counting =
    <Key extends readonly unknown[], Answer>(read: (...key: Key) => Answer) =>
    (...key: Key): Answer => {
      reads.push(key.join('/'));
      return read(...key);
    };
  stores.requests = { ...requests, get: counting(requests.get) };
  stores.ports = { ...ports, rows: counting(ports.rows) };
  expect((await claim('b', { rows })).excludedRows).toHaveLength(300);
  expect(reads).toEqual(['a/1', 'port-1']);
});

test('two corrections of a row with different numbers send one of them', async () => {
  const numbered = (number: string) => [{ line: 2, subject: number, wire: {}, correctedRow: 'root/3' }];
  const claimOf = (importId: string, number: string) =>
    claimAt(attemptOf(numbered(number), { claims: true }, { importId }), noon, stores);
  await stores.requests.plan(['a', 'b'].map((importId) => requestItemOf({ importId })));
  const [one, two] = await Promise.all([claimOf('a', '447700900001'), claimOf('b', '447700900002')]);
  expect(one.rows.length + two.rows.length).toBe(1);
  expect([...one.excludedRows, ...two.excludedRows]).toMatchObject([{ code: 'CORRECTION_ROW_ANSWERED' }]);
});

test('a row that is excluded for its number and as a corrected row is reported once', async () => {
  const numbered = [{ line: 2, subject: '447700900001', wire: {}, correctedRow: 'root/3' }];
  const claimOf = (importId: string) => claimAt(attemptOf(numbered, { claims: true }, { importId }), noon, stores);
  await stores.requests.plan([requestItemOf({ importId: 'a' })]);
  await claimOf('a');
  expect(await claimOf('b')).toMatchObject({ rows: [], excludedRows: [{ line: 2, subject: '447700900001' }] });
});
