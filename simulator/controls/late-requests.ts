// Requests that are carried out after their client has stopped waiting. Nothing runs in the background: a late request
// runs before the first request of its account for which its time has come.
export interface LateRequests {
  add(accountId: number, due: number, run: () => Promise<unknown>): void;
  /** Carries out what is due at `now`, in order. */
  runDue(accountId: number, now: number): Promise<void>;
  clear(accountId: number): void;
}

interface Late {
  readonly accountId: number;
  readonly due: number;
  readonly run: () => Promise<unknown>;
}

export function createLateRequests(): LateRequests {
  let waiting: readonly Late[] = [];
  return {
    add(accountId, due, run) {
      waiting = [...waiting, { accountId, due, run }].toSorted((one, other) => one.due - other.due);
    },
    async runDue(accountId, now) {
      const isDue = (late: Late): boolean => late.accountId === accountId && late.due <= now;
      const due = waiting.filter(isDue);
      waiting = waiting.filter((late) => !isDue(late));
      for (const { run } of due) await run();
    },
    clear(accountId) {
      waiting = waiting.filter((late) => late.accountId !== accountId);
    },
  };
}
