import { expect, test } from 'vitest';
import { createLeases } from '#shared/store/leases.ts';
import { createTableTwin } from '../../support/in-memory/table.ts';
import { noon } from '../../support/steps/ledger-items.ts';

test('a lease has one holder until it expires or is released, and the holder can renew it', async () => {
  const leases = createLeases(createTableTwin({ now: () => noon }) as never, 'results');
  const take = (name: string, holder: string, from: number, until: number) =>
    leases.take({ name, holder, now: noon + from, until: noon + until });
  expect(await take('sync', 'a', 0, 10)).toBe(true);
  expect(await take('sync', 'b', 9, 20)).toBe(false);
  expect(await take('inbox', 'b', 9, 20)).toBe(true);
  expect(await take('sync', 'a', 9, 20)).toBe(true);
  await leases.release('sync', 'b');
  expect(await take('sync', 'b', 19, 30)).toBe(false);
  expect(await take('sync', 'b', 20, 30)).toBe(true);
  await leases.release('sync', 'b');
  expect(await take('sync', 'c', 21, 30)).toBe(true);
});

test('a lease carries a note from one holder to the next, and no further', async () => {
  const leases = createLeases(createTableTwin({ now: () => noon }) as never, 'results');
  const takeUp = (holder: string, from: number) =>
    leases.takeUp({ name: 'sweep', holder, now: noon + from, until: noon + from + 10 });
  expect(await takeUp('a', 0)).toMatchObject({ note: '' });
  expect(await takeUp('a', 5)).toMatchObject({ note: '' });
  await leases.note({ name: 'sweep', holder: 'b', until: noon + 15 }, 'not mine');
  await leases.note({ name: 'sweep', holder: 'a', until: noon + 15 }, 'up to here');
  expect(await takeUp('b', 14)).toBeUndefined();
  expect(await takeUp('b', 15)).toMatchObject({ note: 'up to here' });
  expect(await takeUp('c', 25)).toMatchObject({ note: '' });
});
