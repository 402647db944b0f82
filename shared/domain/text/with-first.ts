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
