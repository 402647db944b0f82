// Lets at most so many through at a time; the others wait in the order they came.

export interface Gate {
  /** Waits for a place; the function it resolves with gives the place back. */
  enter(): Promise<() => void>;
}

export const createGate = (places: number): Gate => {
  let free = places;
  const waiting: (() => void)[] = [];
  const leave = (): void => {
    const next = waiting.shift();
    if (next === undefined) free += 1;
    else next();
  };
  const oncePerPlace = (): (() => void) => {
    let left = false;
    return () => {
      if (!left) leave();
      left = true;
    };
  };
  return {
    enter: async () => {
      if (free > 0) free -= 1;
      else await new Promise<void>((resolve) => waiting.push(resolve));
      return oncePerPlace();
    },
  };
};
