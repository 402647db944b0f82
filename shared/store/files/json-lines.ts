// Reads an object that holds one JSON value per line, as a stream.
import type * as z from 'zod/mini';
import type { ObjectReader, ObjectRef } from '#shared/store/files.ts';

const lineFeed = 0x0a;

export async function* readJsonLines<Value>(
  files: ObjectReader,
  object: ObjectRef,
  schema: z.core.$ZodType<Value> & { parse(value: unknown): Value },
): AsyncIterable<Value> {
  for await (const line of splitLines(await files.read(object))) yield schema.parse(JSON.parse(line));
}

/** Splits at line feeds only: JSON text may hold the other line separators of Unicode. Empty lines are skipped. */
export async function* splitLines(chunks: AsyncIterable<Uint8Array>): AsyncIterable<string> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of chunks) {
    const bytes = rest.length === 0 ? Buffer.from(chunk) : Buffer.concat([rest, chunk]);
    let start = 0;
    for (let end = bytes.indexOf(lineFeed); end >= 0; end = bytes.indexOf(lineFeed, start)) {
      if (end > start) yield bytes.toString('utf8', start, end);
      start = end + 1;
    }
    rest = bytes.subarray(start);
  }
  if (rest.length > 0) yield rest.toString('utf8');
}
