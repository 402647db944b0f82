// Runs work side by side, or one piece after the other.

/**
 * Runs `action` for every item, at most `width` at a time. After the first failure no action begins any more; those
 * that have begun end, and the failure is thrown.
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

/** Enough to reach the rate limit while each call takes a second (docs/decisions/0041). */
export const callsAtOnce = (callsPerSecond: number): number => Math.ceil(callsPerSecond);

// Runs work one after the other, in the order in which it is added.

/** Runs `work` once all work that was added before has ended, however it ended. Work must not add to its own queue. */
type SerialQueue = <Result>(work: () => Promise<Result>) => Promise<Result>;

export function createSerialQueue(): SerialQueue {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const result = last.then(work);
    last = result.catch(() => {});
    return result;
  };
}
