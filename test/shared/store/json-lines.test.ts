import fc from 'fast-check';
import { expect, it } from 'vitest';
import { splitLines } from '#shared/store/files.ts';

async function* inChunks(bytes: Uint8Array, size: number) {
  for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size);
}

it('reads every value, wherever a chunk ends and whatever text the value contains', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.string({ unit: 'binary' })), fc.integer({ min: 1, max: 20 }), async (values, size) => {
      const bytes = Buffer.from(values.map((value) => `${JSON.stringify(value)}\n`).join(''));
      const lines = await Array.fromAsync(splitLines(inChunks(bytes, size)));
      expect(lines.map((line) => JSON.parse(line))).toEqual(values);
    }),
  );
});
