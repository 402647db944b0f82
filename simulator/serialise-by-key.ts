// Runs pieces of work with the same key one after another, so that parallel requests do not overwrite each other.
export type SerialiseByKey = <Result>(key: string, work: () => Promise<Result>) => Promise<Result>;

export function createSerialiseByKey(): SerialiseByKey {
  const last = new Map<string, Promise<unknown>>();
  return async (key, work) => {
    const mine = (last.get(key) ?? Promise.resolve()).then(work, work);
    last.set(key, mine);
    try {
      return await mine;
    } finally {
      if (last.get(key) === mine) last.delete(key);
    }
  };
}
