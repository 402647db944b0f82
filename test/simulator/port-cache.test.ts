// Ports that were read already: an old version is never given for a new one, and the cache does not grow without end.
import { expect, test } from 'vitest';
import type { Port } from '#simulator/ports/port.ts';
import { createPortCache } from '#simulator/store/dynamodb/port-cache.ts';

const portOf = (id: string, version: number, rows = 1): Port =>
  ({ id, version, rows: Array.from({ length: rows }, () => ({})) }) as unknown as Port;

test('a port is known by its version only', () => {
  const cache = createPortCache();
  const first = portOf('a', 1);
  cache.keep(first);
  expect(cache.get('a', 1)).toBe(first);
  expect(cache.get('a', 2)).toBeUndefined();
  cache.keep(portOf('a', 2));
  expect(cache.get('a', 1)).toBeUndefined();
});

test('beyond so many rows the port that was asked for least recently goes, and its rows count no more', () => {
  const cache = createPortCache(100);
  for (const id of ['a', 'b', 'c', 'd']) cache.keep(portOf(id, 1, 25));
  cache.get('a', 1);
  cache.keep(portOf('e', 1, 25));
  expect(['a', 'b', 'c', 'd', 'e'].filter((id) => cache.get(id, 1) !== undefined)).toEqual(['a', 'c', 'd', 'e']);
  for (let version = 2; version < 50; version += 1) cache.keep(portOf('a', version, 25));
  expect(['c', 'd', 'e'].filter((id) => cache.get(id, 1) !== undefined)).toEqual(['c', 'd', 'e']);
});
