// The corrections of an import, and which of two results of a row counts: that of an earlier import, or that of a later
// correction.
import { expect, test } from 'vitest';
import { type Outcome, outcomes } from '#shared/outcome/outcome.ts';
import { laterResult, listCorrections, readCorrections, shownResult } from '#shared/results/corrected-rows.ts';
import { importItemOf } from '../../support/steps/submit-and-sync.ts';

const after = (earlier: Outcome, later: Outcome): Outcome =>
  laterResult<{ readonly outcome: Outcome }>({ outcome: earlier }, { outcome: later }).outcome;

const sent = ['complete', 'accepted', 'in-progress', 'waiting', 'scheduled', 'unknown', 'action-required'] as const;
const open = ['rejected', 'duplicate', 'declined', 'skipped', 'cancelled', 'not-sent'] as const;

test('every outcome is either sent or open', () => {
  expect([...sent, ...open].sort()).toEqual([...outcomes].sort());
});

test.each(sent)('%s is never hidden by a later row that was not sent, was declined or cancelled', (earlier) => {
  expect(open.map((later) => after(earlier, later))).toEqual(open.map(() => earlier));
});

test.each(sent)('a later %s counts, whatever was before', (later) => {
  expect(outcomes.map((earlier) => after(earlier, later))).toEqual(outcomes.map(() => later));
});

test('of two declined or cancelled rows the later one counts', () => {
  expect([after('declined', 'cancelled'), after('cancelled', 'declined')]).toEqual(['cancelled', 'declined']);
});

test('a row that was not sent hides no decline', () => {
  const unsent = ['rejected', 'duplicate', 'skipped', 'not-sent'] as const;
  expect(unsent.map((later) => after('declined', later))).toEqual(unsent.map(() => 'declined'));
});

test.each(['rejected', 'skipped', 'not-sent'] as const)(
  'after %s the reason of a later correction counts',
  (earlier) => {
    expect(open.map((later) => after(earlier, later))).toEqual(open);
  },
);

test('a duplicate that is imported again unchanged stays a duplicate, whatever the later import finds', () => {
  const found = (['rejected', 'skipped', 'not-sent', 'duplicate'] as const).map((later) => after('duplicate', later));
  expect(new Set(found)).toEqual(new Set(['duplicate']));
  expect(after('duplicate', 'declined')).toBe('declined');
});

test('the corrections of an import repeat its operation and were sent, and are listed oldest first', async () => {
  const root = importItemOf('root', { hasCorrections: true });
  const correction = (importId: string, changes: object = {}) =>
    importItemOf(importId, { rootImportId: 'root', ...changes });
  const newestFirst = [
    correction('second'),
    correction('first'),
    correction('this'),
    correction('waits', { planOnly: true }),
    correction('amends', { operation: 'update-port' }),
    correction('of-another', { rootImportId: 'another' }),
    root,
  ];
  const asked: unknown[] = [];
  const list = async (...question: unknown[]) => {
    asked.push(question);
    return newestFirst;
  };
  const listed = (item = root) => listCorrections(item, { list, get: async () => undefined }, 'this');
  expect((await listed()).map(({ importId }) => importId)).toEqual(['first', 'second']);
  expect(asked).toEqual([[root.account, { since: root.receivedAt, limit: 10_000 }]]);
  expect(await listed(importItemOf('root'))).toEqual([]);
  expect(asked).toHaveLength(1);
});

test('of the listed corrections those count that are planned by now, as they are now', async () => {
  const root = importItemOf('root', { hasCorrections: true });
  const of = (importId: string, changes: object = {}) => importItemOf(importId, { rootImportId: 'root', ...changes });
  const now = [of('planned', { state: 'finished' }), of('unplanned', { state: 'planning' })];
  const imports = {
    list: async () => [of('gone'), of('unplanned'), of('planned', { state: 'submitting' })],
    get: async (importId: string) => now.find((item) => item.importId === importId),
  };
  expect(await readCorrections(root, imports)).toEqual([now[0]]);
});

test.each<[Outcome, Outcome | undefined, Outcome]>([
  ['rejected', undefined, 'rejected'],
  ['rejected', 'duplicate', 'rejected'],
  ['duplicate', 'rejected', 'duplicate'],
  ['rejected', 'declined', 'declined'],
  ['declined', 'rejected', 'declined'],
])('a %s row with the correction %s is shown as %s', (own, correction, shown) => {
  const corrected = correction && { outcome: correction };
  expect(shownResult<{ readonly outcome: Outcome }>({ outcome: own }, corrected).outcome).toBe(shown);
});
