// Claims of numbers in the in-memory table: a number has one claim, former claims are history, and old readings are
// ignored.
import { beforeEach, describe, expect, test } from 'vitest';
import type { NumberItem } from '#shared/request/number-claim.ts';
import { createNumberLookups, createNumbers, type Numbers } from '#shared/store/numbers.ts';
import { double } from '../../support/double.ts';
import { createTableTwin } from '../../support/in-memory/table.ts';
import { iso, noon, requestItemOf } from '../../support/steps/ledger-items.ts';

let numbers: Numbers;
beforeEach(() => {
  numbers = createNumbers(createTableTwin({ now: () => noon, pageSize: 1 }) as never, 'results');
});

const claimOf = (number: string, changes: Partial<NumberItem> = {}): NumberItem => ({
  number,
  importId: 'import-a',
  request: 1,
  line: 2,
  claimedAt: iso(noon),
  expiresAt: 1_850_000_000,
  ...changes,
});
const report = { number: '1', importId: 'import-a', request: 1 };
const told = { portId: 'p1', status: 'Submitted', readAt: iso(noon), ended: false };

test('a free number is claimed, and of another number the existing claim is returned', async () => {
  expect(await numbers.claim([claimOf('1'), claimOf('2')])).toEqual([]);
  expect(await numbers.claim([claimOf('3'), claimOf('2', { importId: 'import-b' })])).toEqual([claimOf('2')]);
  expect(await numbers.get('3')).toEqual(claimOf('3'));
  expect(await numbers.get('4')).toBeUndefined();
});

test('existing claims are read strongly consistent', async () => {
  const reads: unknown[] = [];
  const table = createTableTwin({ now: () => noon });
  const noting = {
    send: (command: { input: { RequestItems?: unknown; Key?: unknown; ConsistentRead?: unknown } }) => {
      const { RequestItems, Key, ConsistentRead } = command.input;
      if (RequestItems !== undefined) reads.push(RequestItems);
      if (Key !== undefined) reads.push({ Key, ConsistentRead });
      return table.send(command);
    },
  };
  const watched = createNumbers(noting as never, 'results');
  await watched.claim([claimOf('1')]);
  await watched.claim([claimOf('1')]);
  await watched.get('1');
  const Key = { pk: 'number#1', sk: 'current' };
  expect(reads).toEqual([{ results: { Keys: [Key], ConsistentRead: true } }, { Key, ConsistentRead: true }]);
});

describe('a claim is taken over', () => {
  const [first, second] = [claimOf('1'), claimOf('1', { importId: 'import-b', claimedAt: iso(noon + 1) })];

  test('by a caller who has read it, and becomes history', async () => {
    await numbers.claim([first]);
    expect(await numbers.takeOver(first, second)).toBe(true);
    expect(await numbers.takeOver(second, { ...first, claimedAt: iso(noon + 2) })).toBe(true);
    expect(await numbers.history('1')).toEqual([first, second]);
    expect((await numbers.get('1'))?.claimedAt).toBe(iso(noon + 2));
    expect(await numbers.history('2')).toEqual([]);
  });

  test.each([{ importId: 'import-c' }, { request: 2 }, { claimedAt: iso(noon - 1) }])(
    'not by a caller who has read another claim: %j',
    async (other) => {
      await numbers.claim([first]);
      expect(await numbers.takeOver({ ...first, ...other }, second)).toBe(false);
      expect(await numbers.get('1')).toEqual(first);
      expect(await numbers.history('1')).toEqual([]);
    },
  );
});

describe('the latest reading of a number', () => {
  beforeEach(() => numbers.claim([claimOf('1')]));

  test('is recorded at its claim, until a newer reading follows', async () => {
    await numbers.record([{ ...report, ...told }]);
    expect((await numbers.get('1'))?.latest).toEqual(told);
    await numbers.record([{ ...report, ...told, status: 'older', readAt: iso(noon - 1) }]);
    expect((await numbers.get('1'))?.latest).toEqual(told);
    await numbers.record([{ ...report, ...told, status: 'newer', readAt: iso(noon + 1) }]);
    expect((await numbers.get('1'))?.latest?.status).toBe('newer');
  });

  test.each([{ importId: 'import-b' }, { request: 2 }, { number: '2' }])(
    'is not recorded at the claim of another request: %j',
    async (other) => {
      await numbers.record([{ ...report, ...told, ...other }]);
      expect(await numbers.get('1')).toEqual(claimOf('1'));
      expect(await numbers.get('2')).toBeUndefined();
    },
  );
});

describe('the port of a number', () => {
  const claim = (number: string, request: number): NumberItem => ({
    number,
    importId: 'import-a',
    request,
    line: 2,
    claimedAt: '2026-07-06T09:00:00.000Z',
    expiresAt: 1_850_000_000,
  });

  const claims = new Map(
    [claim('447700900001', 1), claim('447700900002', 2), claim('447700900004', 3)].map((item) => [item.number, item]),
  );
  const requests = new Map([
    [1, requestItemOf({ request: 1, state: 'created', portId: 'port-1' })],
    [2, requestItemOf({ request: 2 })],
    [3, requestItemOf({ request: 3, state: 'scheduled', sendOn: '2026-08-03' })],
  ]);
  const lookups = createNumberLookups(
    double({ get: async (number) => claims.get(number) }),
    double({
      get: async (_importId, request) => requests.get(request),
    }),
    '1001@service',
  );

  test.each([
    ['of a number that was sent', '447700900001', 'port-1'],
    ['of a number whose request has made no port yet', '447700900002', undefined],
    ['of a number that nobody knows', '447700900003', undefined],
  ])('the port %s', async (_, number, expected) => {
    expect(await lookups.findPortByNumber(number)).toBe(expected);
  });

  test.each([
    ['of a number that waits for its day', '447700900004', { importId: 'import-a', request: 3, sendOn: '2026-08-03' }],
    ['of a number that was sent', '447700900001', undefined],
    ['of a number that nobody knows', '447700900003', undefined],
  ])('the request that waits for the day %s', async (_, number, expected) => {
    expect(await lookups.findScheduled(number)).toEqual(expected);
  });
});
