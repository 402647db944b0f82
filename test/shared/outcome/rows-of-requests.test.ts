import fc from 'fast-check';
import { expect, test } from 'vitest';
import { collectResults, rollUp } from '#shared/outcome/rows-of-requests.ts';
import type { ComparisonItem } from '#shared/outcome/service-comparison.ts';
import { requestStates } from '#shared/request/request.ts';
import { stoppedError } from '#shared/request/request-state.ts';
import { double } from '../../support/double.ts';
import { iso, noon, portItemOf, portRowsOf, requestItemOf } from '../../support/steps/ledger-items.ts';

const ended = { endedAt: iso(noon) };

test('counts requests by state, ports by status, rows that need action and skipped rows', async () => {
  const row = { line: 2, subject: '447700900001', code: 'MSISDN_IN_LIVE_IMPORT' as const, message: 'elsewhere' };
  const items = [
    requestItemOf({ state: 'created', portStatus: 'Complete', ...ended, revision: 4 }),
    requestItemOf({
      state: 'created',
      portStatus: 'Pac Check Failed',
      actionRequired: 3,
      excludedRows: [row],
      revision: 2,
    }),
    requestItemOf({ state: 'action-required', rowCount: 5 }),
    requestItemOf({ state: 'created', portStatus: 'Submitted' }),
    requestItemOf({ state: 'created', portStatus: 'Pac Check Failed' }),
    requestItemOf({
      state: 'accepted',
      rowCount: 4,
      lines: '2-5',
      simRows: { 'in-progress': 2, 'action-required': 1, accepted: 1 },
      actionRequired: 1,
    }),
  ];
  expect(await rollUp(items, 6)).toEqual({
    state: 'in-progress',
    requests: { created: 4, 'action-required': 1, accepted: 1 },
    ports: { Complete: 1, 'Pac Check Failed': 2, Submitted: 1 },
    actionRequired: 9,
    skippedRows: 1,
    unconfirmedRows: 3,
    requested: {
      rows: 17,
      outcomes: new Map(Object.entries({ 'in-progress': 9, skipped: 1, 'action-required': 6, accepted: 1 })),
    },
    ledgerRevision: 6,
    finalRevision: 2,
  });
});

test('counts each row once: by its port, by its request where no port was read, and by the parts of a divided one', async () => {
  const row = { line: 2, subject: '447700900001', code: 'ROW_REFUSED' as const, message: 'no' };
  const divided = { state: 'declined' as const, rowCount: 4, lines: '', parts: ['3', '4-5'], excludedRows: [row] };
  const part = { state: 'accepted' as const, attempt: 1, ...ended };
  const created = { state: 'created' as const, rowCount: 5, portId: 'port-1', excludedRows: [row] };
  const { requested } = await rollUp(
    [
      requestItemOf({ ...created, portRows: { complete: 3, cancelled: 1 }, portDate: '2026-07-20' }),
      requestItemOf({ ...created, portId: 'port-2' }),
      requestItemOf({ request: 3, attempt: 2, ...divided, ...ended }),
      requestItemOf({ request: 10_000_003, ...part, rowCount: 1, part: '3', lines: '3' }),
      requestItemOf({ request: 20_000_003, part: '4-5', rowCount: 2, lines: '4-5' }),
      // This one was read before it was divided.
      requestItemOf({ request: 4, state: 'in-flight', rowCount: 2, lines: '6-7' }),
      requestItemOf({ request: 10_000_004, ...part, rowCount: 1, part: '6', lines: '6' }),
      requestItemOf({
        state: 'accepted',
        rowCount: 3,
        lines: '2-4',
        simRows: { 'in-progress': 1, 'action-required': 1, complete: 1 },
      }),
    ],
    5,
  );
  expect(requested).toEqual({
    rows: 19,
    outcomes: new Map(
      Object.entries({
        declined: 3,
        complete: 4,
        cancelled: 1,
        'in-progress': 7,
        waiting: 2,
        accepted: 1,
        'action-required': 1,
      }),
    ),
    expectedDate: '2026-07-20',
    split: { requests: 1, calls: 3 },
  });
});

test('is finished once every part of a divided request has ended, in whatever order they are read', async () => {
  const divided = requestItemOf({ request: 3, state: 'declined', lines: '', parts: ['2', '3'], ...ended });
  const first = requestItemOf({ request: 10_000_003, part: '2', state: 'accepted', ...ended });
  const last = { ...first, request: 20_000_003, part: '3' };
  const stateOf = async (...items: (typeof first)[]) => (await rollUp(items, 1)).state;
  expect(await stateOf(divided)).toBe('submitting');
  expect(await stateOf(divided, first)).toBe('submitting');
  expect(await stateOf(divided, first, last)).toBe('finished');
  // The request was read just before it was divided, and the parts after it: nothing is counted twice.
  const before = requestItemOf({ request: 3, state: 'in-flight', rowCount: 2, lines: '2-3' });
  expect(await rollUp([before, first, last], 1)).toMatchObject({ state: 'submitting', requested: { rows: 2 } });
  expect((await rollUp([divided, first, last], 1)).requests).toEqual({ accepted: 2 });
});

test('expects the latest date of the ports that move without a person', async () => {
  const port = (portDate: string, changes: object = {}) => requestItemOf({ state: 'created', portDate, ...changes });
  const moving = [port('2026-07-20'), port('2026-07-21'), port('2026-07-19')];
  const others = [port('2026-07-23', { portStatus: 'Complete' }), port('2026-07-24', { actionRequired: 1 })];
  expect((await rollUp([...moving, ...others], 5)).requested.expectedDate).toBe('2026-07-21');
});

test('is submitting while a request is unsent or not in the ledger yet, and finished when all have ended', async () => {
  const done = requestItemOf({ state: 'declined', ...ended });
  expect((await rollUp([done, requestItemOf({ state: 'unknown' })], 2)).state).toBe('submitting');
  expect((await rollUp([done], 2)).state).toBe('submitting');
  expect((await rollUp([done], 1)).state).toBe('finished');
});

test('is stopped once a person stopped it and every unsent request is held', async () => {
  const held = requestItemOf({ state: 'planned', error: stoppedError });
  const done = requestItemOf({ state: 'created' });
  expect((await rollUp([held, done], 2, 'until-resumed')).state).toBe('stopped');
  expect((await rollUp([held, done], 2, 'none')).state).toBe('submitting');
  expect((await rollUp([held, done], 3, 'until-resumed')).state).toBe('submitting');
  expect((await rollUp([held, requestItemOf({ state: 'unknown' })], 2, 'until-resumed')).state).toBe('submitting');
  expect((await rollUp([done], 1, 'until-resumed')).state).toBe('in-progress');
});

test('the rows that need action are all rows of a request that needs action, otherwise those of its port', async () => {
  const waiting = async (changes: Parameters<typeof requestItemOf>[0]) =>
    (await rollUp([requestItemOf(changes)], 1)).actionRequired;
  expect(await waiting({ state: 'action-required', rowCount: 7, actionRequired: 1 })).toBe(7);
  expect(await waiting({ state: 'created', rowCount: 7, actionRequired: 1 })).toBe(1);
  expect(await waiting({ state: 'created', rowCount: 7 })).toBe(0);
});

test('the order of the requests makes no difference', async () => {
  const item = fc.record({
    state: fc.constantFrom(...requestStates),
    actionRequired: fc.nat(5),
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

test('the result of each line is that of its port, of its request, or of its SIM', async () => {
  async function* each<Item>(items: readonly Item[]): AsyncIterable<Item> {
    yield* items;
  }
  const port = portItemOf({ status: 'Complete' });
  const rows = portRowsOf('Complete', 'Cancelled');
  const asked: (readonly string[])[] = [];
  const ports = {
    itemsOf: (ids: readonly string[]) => each(ids.includes('port-1') ? [port] : []),
    rowsOf: (ids: readonly string[]) => {
      asked.push(ids);
      return each(ids.includes('port-1') ? [{ portId: 'port-1', rows }] : []);
    },
  };
  const requests = [
    requestItemOf({ state: 'created', portId: 'port-1', lines: '2-3', portStatus: 'Complete', ...ended }),
    requestItemOf({ request: 2, state: 'created', portId: 'port-2', lines: '4' }),
    requestItemOf({ request: 3, operation: 'send-sms', state: 'accepted', lines: '5-6', ...ended }),
    requestItemOf({ request: 4, operation: 'bar-service-config', state: 'accepted', lines: '7', ...ended }),
    requestItemOf({ request: 5, state: 'planned', lines: '2000' }),
  ];
  const comparisons = [{ request: 1 }, { request: 4 }].map((place) => double<ComparisonItem>({ ...place, sims: [] }));
  const results = await collectResults(each(requests), ports, each(comparisons));
  const outcomes = [...results.entries()].map(([line, { outcome }]) => [line, outcome]);
  expect(outcomes).toEqual([
    [2, 'complete'],
    [3, 'cancelled'],
    [4, 'in-progress'],
    [5, 'accepted'],
    [6, 'accepted'],
    [7, 'complete'],
    [2000, 'waiting'],
  ]);
  expect(asked).toEqual([['port-1', 'port-2']]);
  expect([results.of(2)?.outcome, results.of(9)]).toEqual(['complete', undefined]);
  expect(results.hasExpiredPlans).toBe(false);
  const declined = requestItemOf({ state: 'declined', ...ended });
  expect(await collectResults(each([declined]), ports, each([]))).toMatchObject({ hasExpiredPlans: true });
});
