import fc from 'fast-check';
import { expect, test } from 'vitest';
import { requestStates } from '#shared/domain/ledger.ts';
import { rollUp } from '#shared/domain/roll-up.ts';
import { iso, noon, requestItemOf } from '../../support/results-ledger.ts';

const ended = { endedAt: iso(noon) };

test('counts requests by state, ports by status, rows that wait and rows that were withdrawn', async () => {
  const row = { line: 2, subject: '447700900001', code: 'MSISDN_IN_LIVE_IMPORT' as const, message: 'elsewhere' };
  const items = [
    requestItemOf({ state: 'created', portStatus: 'Complete', ...ended, revision: 4 }),
    requestItemOf({ state: 'created', portStatus: 'Pac Check Failed', attention: 3, withdrawn: [row], revision: 2 }),
    requestItemOf({ state: 'needs-human', rowCount: 5 }),
    requestItemOf({ state: 'created', portStatus: 'Submitted', evicted: '7' }),
    requestItemOf({ state: 'created', portStatus: 'Pac Check Failed', evicted: '8' }),
  ];
  expect(await rollUp(items, 5)).toEqual({
    state: 'following',
    requests: { created: 4, 'needs-human': 1 },
    ports: { Complete: 1, 'Pac Check Failed': 2, Submitted: 1 },
    attention: 8,
    withdrawnRows: 1,
    freedPorts: 1,
    ledgerRevision: 6,
  });
});

test('is submitting while a request is unsent or not in the ledger yet, completed when all have ended', async () => {
  const done = requestItemOf({ state: 'refused', ...ended });
  expect((await rollUp([done, requestItemOf({ state: 'unknown' })], 2)).state).toBe('submitting');
  expect((await rollUp([done], 2)).state).toBe('submitting');
  expect((await rollUp([done], 1)).state).toBe('completed');
});

test('a port is freed once it goes on without the lines that were taken out of it', async () => {
  const freed = async (changes: object) =>
    (await rollUp([requestItemOf({ state: 'created', ...changes })], 1)).freedPorts;
  expect(await freed({ evicted: '7', portStatus: 'Submitted' })).toBe(1);
  expect(await freed({ evicted: '7', portStatus: 'Pac Check Failed' })).toBe(0);
  expect(await freed({ portStatus: 'Submitted' })).toBe(0);
});

test('what waits is all rows of a request that a person must judge, else the rows of its port', async () => {
  const waiting = async (changes: Parameters<typeof requestItemOf>[0]) =>
    (await rollUp([requestItemOf(changes)], 1)).attention;
  expect(await waiting({ state: 'needs-human', rowCount: 7, attention: 1 })).toBe(7);
  expect(await waiting({ state: 'created', rowCount: 7, attention: 1 })).toBe(1);
  expect(await waiting({ state: 'created', rowCount: 7 })).toBe(0);
});

test('the order of requests makes no difference', async () => {
  const item = fc.record({
    state: fc.constantFrom(...requestStates),
    attention: fc.nat(5),
    revision: fc.nat(9),
    portStatus: fc.constantFrom('Created', 'Locked'),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(item), async (changes) => {
      const items = changes.map((change) => requestItemOf(change));
      const forward = await rollUp(items, items.length);
      expect(await rollUp(items.toReversed(), items.length)).toEqual(forward);
    }),
  );
});
