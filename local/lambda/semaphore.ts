// Lets a limited number of callers run at a time; the others wait in the order of their calls.

export interface Semaphore {
  /** Waits until the caller may run. The caller must call the function that it gets when it has finished. */
  acquire(): Promise<() => void>;
}

export const createSemaphore = (limit: number): Semaphore => {
  let free = limit;
  const waiting: (() => void)[] = [];
  const release = (): void => {
    const next = waiting.shift();
    if (next === undefined) free += 1;
    else next();
  };
  const releaseOnce = (): (() => void) => {
    let released = false;
    return () => {
      if (!released) release();
      released = true;
    };
  };
  return {
    acquire: async () => {
      if (free > 0) free -= 1;
      else await new Promise<void>((resolve) => waiting.push(resolve));
      return releaseOnce();
    },
  };
};
