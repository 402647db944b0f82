// Makes one call of AWS out of calls that begin at the same moment.

/** Undefined where these calls cannot be made as one. */
type Gathered<Call, Answer> = ((call: Call) => Answer | Promise<Answer>) | undefined;

/**
 * Calls that begin before the first of them continues are made as one. Where that is not possible, or fails, each is
 * made alone: none fails because of another.
 */
export function gatherCalls<Call, Answer>(
  callOne: (call: Call) => Promise<Answer>,
  callAll: (calls: readonly Call[]) => Promise<Gathered<Call, Answer>>,
): (call: Call) => Promise<Answer> {
  let gathering: { readonly calls: Call[]; readonly answers: Promise<Gathered<Call, Answer>> } | undefined;
  const begin = () => {
    const calls: Call[] = [];
    const answers = Promise.resolve().then(async () => {
      gathering = undefined;
      return calls.length === 1 ? undefined : callAll(calls).catch(() => undefined);
    });
    return { calls, answers };
  };
  return async (call) => {
    gathering ??= begin();
    gathering.calls.push(call);
    const answerOf = (await gathering.answers) ?? callOne;
    return answerOf(call);
  };
}
