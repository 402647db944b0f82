// How often the screens read again.
import { environmentManager, QueryObserver } from '@tanstack/react-query';
import { afterEach, expect, test, vi } from 'vitest';
import { createQueryClient, rowsOfFile } from '../../console/api/queries.ts';

afterEach(() => {
  vi.useRealTimers();
  environmentManager.setIsServer(() => true);
});

/** How often a screen reads within the time while no event reports a change. */
async function readsWithin(milliseconds: number, name: string): Promise<number> {
  vi.useFakeTimers();
  environmentManager.setIsServer(() => false);
  const client = createQueryClient();
  const read = vi.fn(async () => 1);
  const leave = new QueryObserver(client, { queryKey: [name], queryFn: read }).subscribe(() => undefined);
  await vi.advanceTimersByTimeAsync(milliseconds);
  leave();
  client.clear();
  return read.mock.calls.length;
}

test('events are of the newest 50 imports only: what is on the screen is read again each minute without one', async () => {
  expect(await readsWithin(50_000, 'getImport')).toBe(1);
  expect(await readsWithin(130_000, 'getImport')).toBe(3);
});

test('the rows of a file are not read again while they are on the screen', async () => {
  expect(await readsWithin(3_600_000, rowsOfFile)).toBe(1);
});
