// What a row shows of two results: that of an earlier part of its import, or that of a later one.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { foldResults, wasSent } from '#shared/outcome/fold.ts';
import { type Outcome, outcomes } from '#shared/outcome/outcome.ts';

const after = (earlier: Outcome, later: Outcome): Outcome =>
  foldResults<{ readonly outcome: Outcome }>({ outcome: earlier }, { outcome: later }).outcome;

const sent = ['complete', 'accepted', 'in-progress', 'waiting', 'scheduled', 'unknown', 'action-required'] as const;
const open = ['rejected', 'duplicate', 'declined', 'skipped', 'cancelled', 'not-sent'] as const;

test('every outcome is either sent or open', () => {
  expect([...sent, ...open].sort()).toEqual([...outcomes].sort());
});

test.each(sent)('%s is never hidden by a later row that was not sent, was declined or cancelled', (earlier) => {
  expect(open.map((later) => after(earlier, later))).toEqual(open.map(() => earlier));
});

const live = ['complete', 'accepted', 'in-progress', 'unknown', 'action-required'] as const;

test.each(live)('a later %s counts, whatever was before', (later) => {
  expect(outcomes.map((earlier) => after(earlier, later))).toEqual(outcomes.map(() => later));
});

test.each(['waiting', 'scheduled'] as const)('a later %s hides no row that is live', (later) => {
  expect(live.map((earlier) => after(earlier, later))).toEqual(live);
  expect([...open, 'waiting' as const].map((earlier) => after(earlier, later))).toEqual(
    [...open, later].map(() => later),
  );
});

test('of two declined or cancelled rows the later one counts', () => {
  expect([after('declined', 'cancelled'), after('cancelled', 'declined')]).toEqual(['cancelled', 'declined']);
});

test('a row that was not sent hides no decline', () => {
  const unsent = ['rejected', 'duplicate', 'skipped', 'not-sent'] as const;
  expect(unsent.map((later) => after('declined', later))).toEqual(unsent.map(() => 'declined'));
});

const invalid = ['rejected', 'duplicate'] as const;

test.each(['rejected', 'skipped', 'not-sent'] as const)(
  'after %s the reason of a later correction counts that was valid',
  (earlier) => {
    const reasons = open.filter((later) => !invalid.some((one) => one === later));
    expect(reasons.map((later) => after(earlier, later))).toEqual(reasons);
  },
);

test('a later row that is invalid hides nothing: why the row was not sent is still the reason', () => {
  for (const later of invalid) expect(outcomes.map((earlier) => after(earlier, later))).toEqual(outcomes);
});

test('a duplicate that is imported again unchanged stays a duplicate, whatever the later import finds', () => {
  const found = (['rejected', 'skipped', 'not-sent', 'duplicate'] as const).map((later) => after('duplicate', later));
  expect(new Set(found)).toEqual(new Set(['duplicate']));
  expect(after('duplicate', 'declined')).toBe('declined');
});

test('the fold of many results is one of the highest rank, whatever their order', () =>
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...outcomes), { minLength: 1 }), (all) => {
      const folded = (some: readonly Outcome[]) => some.reduce(after);
      const isLive = (outcome: Outcome) => live.some((one) => one === outcome);
      expect(isLive(folded(all))).toBe(all.some(isLive));
      expect(wasSent({ outcome: folded(all) })).toBe(all.some((outcome) => wasSent({ outcome })));
      expect(isLive(folded(all.toReversed()))).toBe(isLive(folded(all)));
    }),
  ));
