import { expect, test } from 'vitest';
import { createLeases } from '#shared/aws/leases.ts';
import { iso, noon } from '../../support/results-ledger.ts';
import { createTableTwin } from '../../support/twin-table.ts';

test('a lease is one holder’s until it lapses, is given back, or is prolonged', async () => {
  const leases = createLeases(createTableTwin({ now: () => noon }) as never, 'results');
  const take = (name: string, holder: string, from: number, until: number) =>
    leases.take(name, holder, iso(noon + from), iso(noon + until));
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
