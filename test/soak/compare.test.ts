// The comparison at the end of a soak sees what it is there for: each kind of difference, by hand.
import { describe, expect, test } from 'vitest';
import { differencesOf } from './compare.ts';
import type { Evidence, ResultLine } from './evidence.ts';
import type { StoredItem } from './view.ts';

const at = '2026-07-06T10:00:00.000Z';
const numbers = ['447700900001', '447700900002'];

const importItem = {
  ...{ pk: 'import#one', sk: 'import', importId: 'one', account: 1001, operation: 'create-port', state: 'completed' },
  ...{
    bucket: 'inbox',
    key: 'create-port/one.csv',
    etag: 'e',
    bytes: 1,
    planOnly: false,
    receivedAt: at,
    changedAt: at,
  },
  ...{ rows: 2, accepted: 2, rejected: 0, warnings: 0, requestCount: 1, issues: [], requests: {}, ports: {} },
  ...{ attention: 0, withdrawnRows: 0 },
} as const satisfies StoredItem;
const request = {
  ...{
    pk: 'import#one',
    sk: 'request#0000001',
    importId: 'one',
    request: 1,
    operation: 'create-port',
    state: 'created',
  },
  ...{
    label: 'a port',
    token: 'sim1-0123456789abcdef',
    rowCount: 2,
    plan: { key: 'plan', start: 0, end: 1 },
    attempt: 1,
  },
  ...{ portId: 'p1', portStatus: 'Submitted', changedAt: at },
};
const port = {
  ...{ pk: 'port#p1', sk: 'port', portId: 'p1', account: 1001, importId: 'one', request: 1, name: 'a port' },
  ...{ status: 'Submitted', connectionDate: '2026-07-08', rowCount: 2, goodLines: 2, badLines: 0, attention: 0 },
  ...{ missingLooks: 0, lookedAt: at, changedAt: at },
};
const claims = numbers.map((number, index) => ({
  ...{ pk: `number#${number}`, sk: 'current', number, importId: 'one', request: 1, line: index + 2, claimedAt: at },
}));
const line = (index: number, change: Partial<ResultLine> = {}): ResultLine => ({
  ...{ line: index + 2, msisdn: `0${numbers[index]?.slice(2)}`, outcome: 'in-progress', portId: 'p1' },
  ...{ status: 'Submitted', message: '', ...change },
});
const atTheService = (change: Partial<Evidence['service']['ports'][number]> = {}) => ({
  ...{ id: 'p1', name: 'a port sim1-0123456789abcdef', status: 'Submitted' },
  rows: numbers.map((number) => ({ number, status: 'Submitted' })),
  ...change,
});

interface Told {
  readonly lines?: readonly ResultLine[];
  readonly items?: readonly StoredItem[];
  readonly ports?: Evidence['service']['ports'];
}

/** Everybody says the same, but for what is given. */
const kindsOf = ({ lines, items, ports }: Told = {}): string[] => {
  const differences = differencesOf({
    dropped: [{ key: 'create-port/one.csv', text: '', rows: 2 }],
    imports: [importItem as unknown as Evidence['imports'][number]],
    results: new Map([['one', lines ?? [line(0), line(1)]]]),
    items: items ?? [importItem, request, port, ...claims],
    service: { ports: ports ?? [atTheService()], submissions: [] },
  });
  return [...new Set(differences.map(({ kind }) => kind))].toSorted();
};

describe('three witnesses', () => {
  test('who agree differ in nothing', () => {
    expect(kindsOf()).toEqual([]);
  });

  test.each<[string, Told, string[]]>([
    ['a line that results.csv does not have', { lines: [line(0)] }, ['duplicate', 'lost']],
    [
      'a line that was never decided',
      { lines: [line(0), line(1, { outcome: 'unknown', portId: '' })] },
      ['duplicate', 'lost'],
    ],
    [
      'a number that is said to be refused, and stands in a port',
      { lines: [line(0), line(1, { outcome: 'refused', portId: '' })] },
      ['duplicate'],
    ],
    ['a port that the service does not have', { ports: [] }, ['lost', 'wrong status']],
    ['two ports of one request', { ports: [atTheService(), atTheService({ id: 'p2' })] }, ['duplicate']],
    [
      'a line that is said to be complete and is not',
      { lines: [line(0), line(1, { outcome: 'complete' })] },
      ['wrong status'],
    ],
    [
      'a port that is over, of which nobody has heard',
      { ports: [atTheService({ status: 'Cancelled' })] },
      ['wrong status'],
    ],
    [
      'a request that nobody settled',
      { items: [importItem, { ...request, state: 'unknown' }, port, ...claims] },
      ['lost'],
    ],
    ['a number without its claim', { items: [importItem, request, port, ...claims.slice(1)] }, ['wrong status']],
    [
      'a port of an old status in the table',
      { items: [importItem, request, { ...port, status: 'Created' }, ...claims] },
      ['wrong status'],
    ],
  ])('see %s', (_what, told, kinds) => {
    expect(kindsOf(told)).toEqual(kinds);
  });
});
