import { expect, test } from 'vitest';
import type { RequestItem } from '#shared/request/request.ts';
import { watchLedger } from './ledger-watch.ts';

const decided = { at: '2026-07-06T09:00:00.000Z', by: 'Sam', what: 'resend' } as const;

const complaintsOf = (before: Partial<RequestItem>, after: Partial<RequestItem>): string[] => {
  const heard: string[] = [];
  const item = { sk: 'request#1', importId: 'import-a', request: 1, revision: 1 };
  watchLedger((violation) => heard.push(violation))({ ...item, ...before }, { ...item, ...after, revision: 2 });
  return heard;
};

test.each(['planned', 'declined'] as const)(
  'a request that requires action becomes %s only through its resolution',
  (state) => {
    const left = { state: 'action-required' } as const;
    expect(complaintsOf(left, { state, resolution: decided })).toEqual([]);
    expect(complaintsOf(left, { state })).toHaveLength(1);
    expect(complaintsOf({ ...left, resolution: decided }, { state, resolution: decided })).toHaveLength(1);
  },
);

test('a request follows another of its ports only through a resolution, and keeps all port ids', () => {
  const before: Partial<RequestItem> = { state: 'created', portId: 'a', duplicatePortIds: ['b'] };
  const keep = { ...decided, what: 'keep' } as const;
  const after: Partial<RequestItem> = { state: 'created', portId: 'b', formerPortIds: ['a'] };
  expect(complaintsOf(before, { ...after, resolution: keep })).toEqual([]);
  expect(complaintsOf(before, after)).toHaveLength(1);
  expect(complaintsOf(before, { state: 'created', portId: 'b', resolution: keep })).toHaveLength(1);
});

test('a request gives up its port only through a resolution, and keeps the id', () => {
  const before: Partial<RequestItem> = { state: 'created', portId: 'a' };
  const after: Partial<RequestItem> = { state: 'declined', formerPortIds: ['a'] };
  const abandon = { ...decided, what: 'abandon' } as const;
  expect(complaintsOf(before, { ...after, resolution: abandon })).toEqual([]);
  expect(complaintsOf(before, after)).toHaveLength(2);
  expect(complaintsOf(before, { state: 'declined', resolution: abandon })).toHaveLength(3);
});

test('a request says of each of its rows that it was sent, left out or divided', () => {
  const row = { subject: '447700900001', code: 'LINE_NOT_CHANGEABLE', message: 'It was moved' } as const;
  const before: Partial<RequestItem> = { state: 'planned', rowCount: 3 };
  const sent: Partial<RequestItem> = { ...before, state: 'in-flight', lines: '2-3' };
  expect(complaintsOf(before, { ...sent, excludedRows: [{ line: 4, ...row }] })).toEqual([]);
  expect(complaintsOf(before, { ...before, lines: '', parts: ['2', '3-4'] })).toEqual([]);
  expect(complaintsOf(before, before)).toEqual([]);
  expect(complaintsOf(before, sent)).toHaveLength(1);
  expect(complaintsOf(before, { ...sent, excludedRows: [{ line: 2, ...row }] })).toHaveLength(1);
});
