// The first bytes of a source, or all of a small one.
import { describe, expect, test } from 'vitest';
import { detectArchive, readAtMost, withFirst } from '#shared/text/first-bytes.ts';

describe('the first bytes', () => {
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
});

describe('a source that may be too large for the memory', () => {
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
});

describe('an archive', () => {
  const archive = [0x50, 0x4b, 0x03, 0x04, 0x14, 0x00];

  /** The bytes in chunks of `size`, and whether the source was closed. */
  function sourceOf(bytes: readonly number[], size: number) {
    const source = { isClosed: false, chunks: chunks() };
    async function* chunks() {
      try {
        for (let at = 0; at < bytes.length; at += size) yield Uint8Array.from(bytes.slice(at, at + size));
      } finally {
        source.isClosed = true;
      }
    }
    return source;
  }

  async function read(bytes: readonly number[], size: number) {
    const detected = await detectArchive(sourceOf(bytes, size).chunks);
    const parts: number[] = [];
    for await (const chunk of detected.bytes) parts.push(...chunk);
    return { isArchive: detected.isArchive, bytes: parts };
  }

  test.each([1, 3, 4, 6])('an archive in chunks of %i bytes is detected, with all its bytes', async (size) => {
    expect(await read(archive, size)).toEqual({ isArchive: true, bytes: archive });
  });

  test.each<[string, readonly number[]]>([
    ['a text', [0x6d, 0x73, 0x69, 0x73, 0x64, 0x6e]],
    ['a text that begins with PK', [0x50, 0x4b, 0x2c, 0x31, 0x0a]],
    ['a file that ends within the mark', [0x50, 0x4b, 0x03]],
    ['an empty file', []],
  ])('%s is no archive, and is read as a whole', async (_, bytes) => {
    expect(await read(bytes, 2)).toEqual({ isArchive: false, bytes });
  });

  test('an empty file has no chunk', async () => {
    const { bytes } = await detectArchive(sourceOf([], 1).chunks);
    const chunks: Uint8Array[] = [];
    for await (const chunk of bytes) chunks.push(chunk);
    expect(chunks).toEqual([]);
  });

  test('no more is read than the first four bytes', async () => {
    let reads = 0;
    async function* chunks() {
      for (const chunk of [archive.slice(0, 4), archive.slice(4)]) {
        reads += 1;
        yield Uint8Array.from(chunk);
      }
    }
    expect((await detectArchive(chunks())).isArchive).toBe(true);
    expect(reads).toBe(1);
  });

  test('a source that cannot be closed is read to its end', async () => {
    const source = sourceOf(archive, 4).chunks;
    const { bytes } = await detectArchive({ [Symbol.asyncIterator]: () => ({ next: () => source.next() }) });
    const chunks: Uint8Array[] = [];
    for await (const chunk of bytes) chunks.push(chunk);
    expect(Buffer.concat(chunks)).toEqual(Buffer.from(archive));
  });

  test('the source is closed when its reader stops early', async () => {
    const source = sourceOf([...archive, ...archive], 4);
    const { bytes } = await detectArchive(source.chunks);
    for await (const _ of bytes) break;
    expect(source.isClosed).toBe(true);
  });
});
