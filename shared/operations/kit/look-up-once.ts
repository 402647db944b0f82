// Makes each lookup once, however often its answer is needed.

/**
 * The lookup, which shares its answers and the lookups in progress. A failed one is not cached. `fresh` looks up again,
 * for all later callers too.
 * @param most answers that are cached at a time; the oldest is removed first
 */
export function lookUpOnce<Keys extends readonly (number | string | undefined)[], Answer>(
  lookUp: (...keys: Keys) => Promise<Answer>,
  most = Number.POSITIVE_INFINITY,
) {
  const answers = new Map<string, Promise<Answer>>();
  const fresh = (...keys: Keys): Promise<Answer> => {
    const key = keys.join('/');
    const answer = lookUp(...keys);
    answers.set(key, answer);
    const [oldest = key] = answers.keys();
    if (answers.size > most) answers.delete(oldest);
    answer.catch(() => {
      if (answers.get(key) === answer) answers.delete(key);
    });
    return answer;
  };
  return Object.assign((...keys: Keys) => answers.get(keys.join('/')) ?? fresh(...keys), { fresh });
}
