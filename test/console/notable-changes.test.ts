import { expect, test } from 'vitest';
import { notableChanges } from '../../console/app/notable-changes.ts';

type Events = Parameters<typeof notableChanges>[0];
type Item = Events['imports'][number];

const changedAt = '2026-07-06T09:00:00.000Z';
const item = (changes: Partial<Item>): Item => ({
  importId: 'one',
  file: 'july.csv',
  state: 'in-progress',
  changedAt,
  actionRequired: 1,
  ...changes,
});
const kindsOf = (before: readonly Item[], now: readonly Item[]) =>
  notableChanges({ imports: [...before] }, { imports: [...now] }).map(({ kind }) => kind);

test('an import that ends, or requires more actions, is notable', () => {
  expect(kindsOf([item({})], [item({ state: 'finished' })])).toEqual(['finished']);
  expect(kindsOf([item({ state: 'planning' })], [item({ state: 'rejected' })])).toEqual(['rejected']);
  expect(kindsOf([item({})], [item({ actionRequired: 2 })])).toEqual(['action']);
});

test('nothing else is', () => {
  expect(kindsOf([item({})], [item({})])).toEqual([]);
  expect(kindsOf([item({})], [item({ actionRequired: 0 })])).toEqual([]);
  expect(kindsOf([item({ state: 'planning' })], [item({ state: 'planned' })])).toEqual([]);
  expect(kindsOf([item({ state: 'finished' })], [item({ state: 'finished' })])).toEqual([]);
});

test('an import that is new and has ended already is notable, and one that is only listed again is not', () => {
  const later = item({ importId: 'two', state: 'rejected', changedAt: '2026-07-06T09:00:01.000Z' });
  expect(kindsOf([item({})], [later, item({})])).toEqual(['action']);
  expect(kindsOf([item({})], [{ ...later, actionRequired: 0 }, item({})])).toEqual(['rejected']);
  expect(kindsOf([item({})], [item({}), item({ importId: 'old', state: 'finished' })])).toEqual([]);
});
