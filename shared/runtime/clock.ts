// Two times. Wall time rules everything about processes and sockets: leases, quiet periods, back-off. Calendar time
// rules everything about ports: today, booking windows, the next poll, history. On AWS they are the same. On one
// machine the calendar can run faster, in step with the porting simulator's own clock.

/** Milliseconds since the epoch. */
export type Clock = () => number;

export interface Clocks {
  readonly wall: Clock;
  readonly calendar: Clock;
}

export const wallClock: Clock = () => Date.now();

/** Calendar time that started at `origin` (epoch milliseconds of wall time) and runs `speed` times as fast. */
export const acceleratedClock =
  (origin: number, speed: number): Clock =>
  () =>
    origin + (wallClock() - origin) * speed;

// How long one invocation may still take. Lambda kills a function at its timeout: work that is cut off there is not
// recorded, and its messages stay hidden for the whole visibility timeout. So every step checks the deadline before it
// begins work.

/** Milliseconds that must remain before a step begins the work that is named. */
export const timeNeeded = {
  /** To record the answer of a call in the ledger. */
  recordAnswer: 5_000,
  /** To record what a run of sync has begun, and to notify report. */
  finishRun: 5_000,
  /** To abort the files that are being written, and to record how far the import came. */
  cleanUp: 15_000,
  /** To sweep the inbox, or to write one table of reference data. */
  upkeep: 20_000,
  /** To read one more page of the port list, and to use what the list has shown. */
  searchPortList: 30_000,
  /** To look up one port, with its retries and its wait for the rate limiter, and to clean up after it. */
  lookUpPort: 60_000,
  /** To report on one more import. Only the largest take longer, and those get a whole invocation. */
  reportImport: 60_000,
} as const;

export interface Deadline {
  readonly remainingMs: () => number;
  /** Whether there is time for work that takes this many milliseconds. */
  readonly hasTimeFor: (milliseconds: number) => boolean;
  /** An earlier deadline, which leaves this share (0 to 1) of the time that remains now to the work that follows. */
  readonly reserving: (share: number) => Deadline;
  /**
   * Does one of many equal pieces of work. From then on there is time for another one only where as much remains as the
   * longest one took: a hundred calls at once, each with a hundred rows to record, take longer on a busy machine than
   * any constant says.
   */
  readonly measured: <Result>(work: () => Promise<Result>) => Promise<Result>;
}

export const createDeadline = (remainingMs: () => number, pace = { longestMs: 0 }): Deadline => ({
  remainingMs,
  hasTimeFor: (milliseconds) => remainingMs() - pace.longestMs >= milliseconds,
  reserving: (share) => {
    const reservedMs = remainingMs() * share;
    return createDeadline(() => remainingMs() - reservedMs, pace);
  },
  measured: async (work) => {
    const before = remainingMs();
    try {
      return await work();
    } finally {
      pace.longestMs = Math.max(pace.longestMs, before - remainingMs());
    }
  },
});

/** Too little time is left to begin the next piece of work. Nothing is lost: the message is delivered again. */
export class DeadlineExceeded extends Error {
  override readonly name: string = 'DeadlineExceeded';
}

// Renews what an invocation holds, such as a lease, for as long as it works. After a crash its time passes.

export interface Renewal {
  /** Resolves when no renewal is in progress: one that arrives later would hold it again. */
  end(): Promise<void>;
}

/** @param renew never rejects */
export function keepRenewing(
  renew: () => Promise<unknown>,
  everyMs: number,
  wait: (milliseconds: number) => Promise<void>,
): Renewal {
  let isOver = false;
  let renewing: Promise<unknown> = Promise.resolve();
  const keep = async (): Promise<void> => {
    for (await wait(everyMs); !isOver; await wait(everyMs)) {
      renewing = renew();
      await renewing;
    }
  };
  void keep();
  return {
    end: async () => {
      isOver = true;
      await renewing;
    },
  };
}
