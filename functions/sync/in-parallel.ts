// A few things at once, never more: the cap on calls and writes under way.

/**
 * Runs `action` for every item, at most `width` at a time, until all are done or one fails; then none is begun any more, and
 * those that were begun come to their end.
 */
export async function inParallel<Item>(
  items: Iterable<Item>,
  width: number,
  action: (item: Item) => Promise<void>,
): Promise<void> {
  const waiting = items[Symbol.iterator]();
  const failures: unknown[] = [];
  const worker = async (): Promise<void> => {
    for (let next = waiting.next(); !next.done && failures.length === 0; next = waiting.next()) {
      try {
        await action(next.value);
      } catch (error) {
        failures.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: width }, worker));
  if (failures.length > 0) throw failures[0];
}
