// The comparison of three sources finds each kind of difference.
import { describe, expect, test } from 'vitest';
import { differencesOf } from './compare-evidence.ts';
import type { StoredItem } from './emulator-client.ts';
import type { Evidence, ResultRow } from './evidence.ts';

const at = '2026-07-06T10:00:00.000Z';
const numbers = ['447700900001', '447700900002'];

const importItem = {
  pk: 'import#one',
  sk: 'import',
  importId: 'one',
  account: '1001@simulator',
  operation: 'create-port',
  state: 'finished',
  bucket: 'inbox',
  key: 'create-port/one.csv',
  etag: 'e',
  bytes: 1,
  planOnly: false,
  receivedAt: at,
  changedAt: at,
  rows: 2,
  accepted: 2,
  rejected: 0,
  warnings: 0,
  requestCount: 1,
  issues: [],
  requests: {},
  ports: {},
  actionRequired: 0,
  skippedRows: 0,
} as const satisfies StoredItem;
const request = {
  pk: 'import#one',
  sk: 'request#0000001',
  account: '1001@simulator',
  importId: 'one',
  request: 1,
  operation: 'create-port',
  state: 'created',
  label: 'a port',
  token: 'sim1-0123456789abcdef',
  rowCount: 2,
  plan: { key: 'plan', start: 0, end: 1, digest: 'sha-256' },
  attempt: 1,
  revision: 0,
  expiresAt: 1_850_000_000,
  portId: 'p1',
  portStatus: 'Submitted',
  changedAt: at,
};
const port = {
  pk: 'port#p1',
  sk: 'port',
  portId: 'p1',
  account: '1001@simulator',
  importId: 'one',
  request: 1,
  name: 'a port',
  status: 'Submitted',
  connectionDate: '2026-07-08',
  rowCount: 2,
  readyRows: 2,
  blockingRows: 0,
  actionRequired: 0,
  missingReads: 0,
  expiresAt: 1_850_000_000,
  readAt: at,
  changedAt: at,
};
const claims = numbers.map((number, index) => ({
  pk: `number#${number}`,
  sk: 'current',
  number,
  importId: 'one',
  request: 1,
  line: index + 2,
  expiresAt: 1_850_000_000,
  claimedAt: at,
}));
const line = (index: number, change: Partial<ResultRow> = {}): ResultRow => ({
  line: index + 2,
  msisdn: `0${numbers[index]?.slice(2)}`,
  outcome: 'in-progress',
  portId: 'p1',
  status: 'Submitted',
  message: '',
  ...change,
});
const atTheService = (change: Partial<Evidence['service']['ports'][number]> = {}) => ({
  id: 'p1',
  name: 'a port sim1-0123456789abcdef',
  status: 'Submitted',
  rows: numbers.map((number) => ({ number, status: 'Submitted' })),
  ...change,
});

interface Changes {
  readonly lines?: readonly ResultRow[];
  readonly items?: readonly StoredItem[];
  readonly ports?: Evidence['service']['ports'];
}

/** The kinds of differences between sources that agree but for `changes`. */
const kindsOf = ({ lines, items, ports }: Changes = {}): string[] => {
  const differences = differencesOf({
    uploads: [{ key: 'create-port/one.csv', text: '', rows: 2 }],
    imports: [importItem as unknown as Evidence['imports'][number]],
    results: new Map([['one', lines ?? [line(0), line(1)]]]),
    items: items ?? [importItem, request, port, ...claims],
    service: { ports: ports ?? [atTheService()], submissions: [] },
  });
  return [...new Set(differences.map(({ kind }) => kind))].toSorted();
};

describe('three sources', () => {
  test('that agree have no difference', () => {
    expect(kindsOf()).toEqual([]);
  });

  test.each<[string, Changes, string[]]>([
    ['a row that is missing in results.csv', { lines: [line(0)] }, ['duplicate', 'lost']],
    [
      'a row without a final result',
      { lines: [line(0), line(1, { outcome: 'unknown', portId: '' })] },
      ['duplicate', 'lost'],
    ],
    [
      'a declined number that is in a port',
      { lines: [line(0), line(1, { outcome: 'declined', portId: '' })] },
      ['duplicate'],
    ],
    ['a port that the service does not have', { ports: [] }, ['lost', 'wrong status']],
    ['two ports of one request', { ports: [atTheService(), atTheService({ id: 'p2' })] }, ['duplicate']],
    [
      'a complete row whose port is not complete',
      { lines: [line(0), line(1, { outcome: 'complete' })] },
      ['wrong status'],
    ],
    [
      'a cancelled port that the table shows as submitted',
      { ports: [atTheService({ status: 'Cancelled' })] },
      ['wrong status'],
    ],
    [
      'a request of unknown outcome',
      { items: [importItem, { ...request, state: 'unknown' }, port, ...claims] },
      ['lost'],
    ],
    ['a number without its claim', { items: [importItem, request, port, ...claims.slice(1)] }, ['wrong status']],
    [
      'a port of an old status in the table',
      { items: [importItem, request, { ...port, status: 'Created' }, ...claims] },
      ['wrong status'],
    ],
  ])('reveal %s', (_what, changes, kinds) => {
    expect(kindsOf(changes)).toEqual(kinds);
  });
});
