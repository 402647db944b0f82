// Things to undo, last first: at a stop, and when a start fails half-way.

export interface Undo {
  add(step: () => Promise<void>): void;
  /**
   * Undoes everything, also after a step that fails; whoever calls while it runs waits for the same end.
   * @throws what a step threw, once all are done; AggregateError where several did.
   */
  run(): Promise<void>;
}

export const createUndo = (): Undo => {
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
    if (errors.length > 1) throw new AggregateError(errors, `${errors.length} things could not be stopped`);
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
