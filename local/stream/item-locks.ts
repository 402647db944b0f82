// Writes of the same item one after the other, writes of others beside them.

export interface ItemLocks {
  /** Runs `work` once everybody who asked before for any of these items is done. */
  hold<Result>(items: readonly string[], work: () => Promise<Result>): Promise<Result>;
}

export function createItemLocks(): ItemLocks {
  const last = new Map<string, Promise<void>>();
  return {
    hold: async (items, work) => {
      const before = items.map((item) => last.get(item));
      const { promise: done, resolve: release } = Promise.withResolvers<void>();
      // All at once, before anything is awaited: two callers can never wait for each other.
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
}
