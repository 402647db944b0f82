// What is counted and logged when a request moves, and that nothing is when it changed meanwhile.
import { expect, test } from 'vitest';
import { moveRequest } from '#shared/pipeline/move-request.ts';
import type { RequestItem } from '#shared/request/request.ts';
import { double } from '../../support/double.ts';
import { startKeptLog } from '../../support/kept-log.ts';
import { requestItemOf } from '../../support/steps/ledger-items.ts';

async function move(seen: Partial<RequestItem>, next: Partial<RequestItem>, isCurrent = () => true) {
  const counts: Record<string, number> = {};
  const { log, entries } = startKeptLog();
  const [before, after] = [requestItemOf(seen), requestItemOf(next)];
  const stored = await moveRequest(
    before,
    after,
    double({
      requests: { replace: async (_seen, item) => (isCurrent() ? { ...item, revision: 1 } : undefined) },
      metrics: {
        count: (name: string, value = 1) => {
          counts[name] = (counts[name] ?? 0) + value;
        },
      },
      log,
    }),
  );
  return { stored, counts, entries };
}

const excluded = { line: 2, subject: '447700900001', code: 'MSISDN_IN_LIVE_IMPORT', message: '' } as const;
const error = { kind: 'expired', message: 'too late' };

test.each([
  ['created', { requestsCreated: 1 }],
  ['accepted', { requestsCreated: 1 }],
  ['declined', { requestsDeclined: 1 }],
  ['unknown', { requestsUnknown: 1 }],
  ['action-required', { requestsUnresolved: 1 }],
  ['skipped', {}],
] as const)('the state %s counts when it is entered, and not again', async (state, counts) => {
  expect((await move({ state: 'in-flight' }, { state })).counts).toEqual(counts);
  expect((await move({ state }, { state })).counts).toEqual({});
});

test('further ports of a request and further skipped rows are counted', async () => {
  const seen: Partial<RequestItem> = { state: 'created', duplicatePortIds: ['a'], excludedRows: [excluded] };
  const next = { ...seen, duplicatePortIds: ['a', 'b', 'c'], excludedRows: [excluded, { ...excluded, line: 3 }] };
  expect((await move(seen, next)).counts).toEqual({ duplicates: 2, rowsSkipped: 1 });
  expect((await move(next, seen)).counts).toEqual({});
  expect((await move({ state: 'created' }, next)).counts).toEqual({ duplicates: 3, rowsSkipped: 2 });
});

test('a port that is created after the request has ended counts as a duplicate, once', async () => {
  const late: Partial<RequestItem> = { state: 'created', portId: 'a', isLate: true };
  expect((await move({ state: 'declined' }, late)).counts).toEqual({ requestsCreated: 1, duplicates: 1 });
  expect((await move(late, { ...late, duplicatePortIds: ['b'] })).counts).toEqual({ duplicates: 1 });
  expect((await move(late, { ...late, isLate: undefined })).counts).toEqual({});
});

test('the answer is the request as it is stored', async () => {
  expect((await move({ state: 'planned' }, { state: 'in-flight' })).stored).toMatchObject({
    state: 'in-flight',
    revision: 1,
  });
});

test('nothing is counted or logged where the request changed meanwhile', async () => {
  const moved = await move({ state: 'unknown' }, { state: 'action-required', error }, () => false);
  expect(moved).toEqual({ stored: undefined, counts: {}, entries: [] });
});

test('a state that no call has led to is logged', async () => {
  const about = { importId: requestItemOf({}).importId, request: 1, was: 'unknown', because: 'expired' };
  expect((await move({ state: 'unknown' }, { state: 'action-required', error })).entries).toEqual([
    { level: 'error', message: 'a request requires action', fields: about },
  ]);
  expect((await move({ state: 'unknown' }, { state: 'declined', error })).entries).toEqual([
    { level: 'warn', message: 'a request was declined before it was sent', fields: about },
  ]);
  expect((await move({ state: 'unknown' }, { state: 'created' })).entries).toEqual([]);
  expect((await move({ state: 'declined', error }, { state: 'declined', error })).entries).toEqual([]);
  expect((await move({ state: 'in-flight' }, { state: 'declined', error })).entries).toEqual([]);
});
