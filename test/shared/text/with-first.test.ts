// What was read of a source comes first, then the rest; and the source ends with its reader.
import { expect, test } from 'vitest';
import { withFirst } from '#shared/text/first-bytes.ts';

/** Counts how often it is ended. */
function sourceOf(...items: readonly string[]) {
  const left = [...items];
  const source = {
    ends: 0,
    next: async () => {
      const value = left.shift();
      return value === undefined ? { done: true as const, value: undefined } : { done: false as const, value };
    },
    return: async () => {
      source.ends += 1;
      return { done: true as const, value: undefined };
    },
  };
  return source;
}

test('the item that was read comes before the rest', async () => {
  expect(await Array.fromAsync(withFirst<string>('a', sourceOf('b', 'c')))).toEqual(['a', 'b', 'c']);
});

test('where nothing was read, nothing comes first', async () => {
  expect(await Array.fromAsync(withFirst<string>(undefined, sourceOf()))).toEqual([]);
});

test.each([1, 2])('a reader that stops after %i items ends the source', async (items) => {
  const source = sourceOf('b', 'c');
  const read: string[] = [];
  for await (const item of withFirst<string>('a', source)) {
    read.push(item);
    if (read.length === items) break;
  }
  expect([read, source.ends]).toEqual([['a', 'b', 'c'].slice(0, items), 1]);
});

test('a source that cannot be ended is read to its end', async () => {
  const { next } = sourceOf('b');
  expect(await Array.fromAsync(withFirst<string>('a', { next }))).toEqual(['a', 'b']);
});
