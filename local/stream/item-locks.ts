// Serialises writes of the same item; writes of other items run at the same time.

export interface ItemLocks {
  /** Runs `work` when every earlier holder of one of these items has finished. */
  hold<Result>(items: readonly string[], work: () => Promise<Result>): Promise<Result>;
}

export const createItemLocks = (): ItemLocks => {
  const last = new Map<string, Promise<void>>();
  return {
    hold: async (items, work) => {
      const before = items.map((item) => last.get(item));
      const { promise: done, resolve: release } = Promise.withResolvers<void>();
      // All items are taken before anything is awaited, so two callers cannot wait for each other.
      for (const item of items) last.set(item, done);
      await Promise.all(before);
      try {
        return await work();
      } finally {
        release();
        for (const item of items) if (last.get(item) === done) last.delete(item);
      }
    },
  };
};
