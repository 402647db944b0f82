// Detects a ZIP archive, and so a workbook, by the first bytes of a file.
import { withFirst } from '#shared/domain/text/with-first.ts';

const mark = Buffer.from([0x50, 0x4b, 0x03, 0x04]);

export async function detectArchive(source: AsyncIterable<Uint8Array>) {
  const iterator = source[Symbol.asyncIterator]();
  let head: Buffer = Buffer.alloc(0);
  while (head.length < mark.length) {
    const next = await iterator.next();
    if (next.done) break;
    head = Buffer.concat([head, next.value]);
  }
  return {
    isArchive: head.subarray(0, mark.length).equals(mark),
    bytes: withFirst(head.length > 0 ? head : undefined, iterator),
  };
}
