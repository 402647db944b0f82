import { expect, test } from 'vitest';
import type { RequestItem } from '#shared/domain/ledger.ts';
import { watchLedger } from './ledger-watch.ts';

const decided = { at: '2026-07-06T09:00:00.000Z', by: 'Sam', what: 'send-again' } as const;

const complaintsOf = (before: Partial<RequestItem>, after: Partial<RequestItem>): string[] => {
  const heard: string[] = [];
  const item = { sk: 'request#1', importId: 'import-a', request: 1, revision: 1 };
  watchLedger((violation) => heard.push(violation))({ ...item, ...before }, { ...item, ...after, revision: 2 });
  return heard;
};

test.each(['planned', 'refused'] as const)(
  'what was left to people becomes %s only by a decision of its own',
  (state) => {
    const left = { state: 'needs-human' } as const;
    expect(complaintsOf(left, { state, decided })).toEqual([]);
    expect(complaintsOf(left, { state })).toHaveLength(1);
    expect(complaintsOf({ ...left, decided }, { state, decided })).toHaveLength(1);
  },
);

test('a request follows another of its ports only where a person decided so, and forgets none', () => {
  const before: Partial<RequestItem> = { state: 'created', portId: 'a', duplicatePortIds: ['b'] };
  const keep = { ...decided, what: 'keep' } as const;
  const after: Partial<RequestItem> = { state: 'created', portId: 'b', formerPortIds: ['a'] };
  expect(complaintsOf(before, { ...after, decided: keep })).toEqual([]);
  expect(complaintsOf(before, after)).toHaveLength(1);
  expect(complaintsOf(before, { state: 'created', portId: 'b', decided: keep })).toHaveLength(1);
});
