// The steps that undo a start, last first: run by a stop, and by a start that fails half-way.

export interface CleanupStack {
  add(step: () => Promise<void>): void;
  /**
   * Runs every step, also after one that fails. A second call while it runs waits for the same end.
   * @throws what a step threw, after the last step; AggregateError where several did
   */
  run(): Promise<void>;
}

export const createCleanupStack = (): CleanupStack => {
  const steps: (() => Promise<void>)[] = [];
  let running: Promise<void> | undefined;
  const runAll = async (): Promise<void> => {
    const errors: unknown[] = [];
    for (let step = steps.shift(); step !== undefined; step = steps.shift()) {
      try {
        await step();
      } catch (error) {
        errors.push(error);
      }
    }
    if (errors.length > 1) throw new AggregateError(errors, `${errors.length} parts could not be stopped`);
    if (errors.length === 1) throw errors[0];
  };
  return {
    add: (step) => void steps.unshift(step),
    run: () => {
      running ??= runAll().finally(() => {
        running = undefined;
      });
      return running;
    },
  };
};
