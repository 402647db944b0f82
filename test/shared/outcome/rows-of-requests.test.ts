import fc from 'fast-check';
import { expect, test } from 'vitest';
import { rollUp } from '#shared/outcome/rows-of-requests.ts';
import { requestStates } from '#shared/request/request.ts';
import { stoppedError } from '#shared/request/request-state.ts';
import { iso, noon, requestItemOf } from '../../support/steps/ledger-items.ts';

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
      readBack: { waiting: '2-3', differing: '4', unread: '5' },
    }),
  ];
  expect(await rollUp(items, 6)).toEqual({
    state: 'in-progress',
    requests: { created: 4, 'action-required': 1, accepted: 1 },
    ports: { Complete: 1, 'Pac Check Failed': 2, Submitted: 1 },
    actionRequired: 8,
    skippedRows: 1,
    unconfirmedRows: 3,
    requested: {
      rows: 17,
      outcomes: new Map(Object.entries({ 'in-progress': 9, skipped: 1, 'action-required': 6, accepted: 1 })),
    },
    ledgerRevision: 6,
  });
});

test('counts each row once: by its port, by its request where no port was read, and by the parts that were sent', async () => {
  const row = { line: 2, subject: '447700900001', code: 'ROW_REFUSED' as const, message: 'no' };
  const part = { steps: 1, current: '2', waiting: ['3-4'], accepted: [{ lines: '5', ticket: 't' }] };
  const created = { state: 'created' as const, rowCount: 5, portId: 'port-1', excludedRows: [row] };
  const { requested } = await rollUp(
    [
      requestItemOf({ ...created, portRows: { complete: 3, cancelled: 1 }, portDate: '2026-07-20' }),
      requestItemOf({ ...created, portId: 'port-2' }),
      requestItemOf({ rowCount: 4, attempt: 3, split: part, lines: '2-5' }),
      requestItemOf({ rowCount: 4, attempt: 2, split: part, lines: '2-5', ...ended }),
      requestItemOf({
        state: 'accepted',
        rowCount: 3,
        lines: '2-4',
        readBack: { waiting: '2', differing: '3', unread: '' },
      }),
    ],
    5,
  );
  expect(requested).toEqual({
    rows: 21,
    outcomes: new Map(
      Object.entries({
        declined: 4,
        complete: 4,
        cancelled: 1,
        'in-progress': 5,
        waiting: 4,
        accepted: 2,
        'action-required': 1,
      }),
    ),
    expectedDate: '2026-07-20',
    split: { requests: 2, calls: 5 },
  });
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
