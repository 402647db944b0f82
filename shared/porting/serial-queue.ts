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
