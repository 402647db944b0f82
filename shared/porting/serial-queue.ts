// Runs work one after the other, in the order in which it is added.
import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * Runs `work` once all work that was added before has ended, however it ended. Work that adds work to its own queue
 * does not wait for itself: nested work runs inside of it, and ends before the next work starts.
 */
export type SerialQueue = <Result>(work: () => Promise<Result>) => Promise<Result>;

interface Line {
  last: Promise<unknown>;
  isOver: boolean;
}

const newLine = (): Line => ({ last: Promise.resolve(), isOver: false });

export function createSerialQueue(): SerialQueue {
  const all = newLine();
  /** The line for nested work of the work that is running. */
  const nested = new AsyncLocalStorage<Line>();
  return (work) => {
    const outer = nested.getStore();
    const line = outer === undefined || outer.isOver ? all : outer;
    const inner = newLine();
    const run = async () => {
      try {
        return await nested.run(inner, work);
      } finally {
        inner.isOver = true;
        await inner.last;
      }
    };
    const result = line.last.then(run);
    line.last = result.catch(() => {});
    return result;
  };
}
