// Reads the first bytes of a source and puts them back, or reads all of a small one.

// Puts what was read of a source back in front of the rest of it.

/** Ends the source, too, when nothing more is wanted. `undefined`: nothing was read. */
export async function* withFirst<Item>(
  first: Item | undefined,
  rest: AsyncIterator<Item, unknown>,
): AsyncGenerator<Item, undefined> {
  try {
    if (first !== undefined) yield first;
    for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
  } finally {
    await rest.return?.();
  }
}

// Detects a ZIP archive, and so a workbook, by the first bytes of a file.

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

// Reads a whole source that must fit into memory.

/** undefined: the source has more than `limit` bytes, and was not read further. */
export async function readAtMost(source: AsyncIterable<Uint8Array>, limit: number): Promise<Buffer | undefined> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of source) {
    length += chunk.length;
    if (length > limit) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
