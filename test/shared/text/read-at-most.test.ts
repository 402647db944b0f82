// A source that is too large for the memory is not read into it.
import { expect, test } from 'vitest';
import { readAtMost } from '#shared/text/first-bytes.ts';

async function* chunksOf(...texts: readonly string[]) {
  for (const text of texts) yield Buffer.from(text);
}

test('a source is read as a whole up to its limit', async () => {
  expect(await readAtMost(chunksOf('ab', 'cd'), 4)).toEqual(Buffer.from('abcd'));
  expect(await readAtMost(chunksOf(), 0)).toEqual(Buffer.alloc(0));
});

test('a source above the limit is not read further', async () => {
  const source = chunksOf('ab', 'cd', 'ef');
  expect(await readAtMost(source, 3)).toBeUndefined();
  expect(await source.next()).toEqual({ done: true, value: undefined });
});

test('each chunk counts, however small', async () => {
  expect(await readAtMost(chunksOf('a', 'b', 'c'), 2)).toBeUndefined();
});
