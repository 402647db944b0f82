// The rate limiter of one function instance. All instances share one item of the table: an instance takes a few slots
// with one conditional write and makes its calls in them. Pauses and outages reach the other instances through the
// same item.
import {
  applyCallOutcome,
  type CallOutcome,
  type CallPriority,
  isSaturated,
  newRateLimit,
  type RateLimitEvent,
  type RateLimitItem,
  rateLimitEvent,
  requestSlots,
  type SlotRequest,
  slotPatienceMs,
  withProbeNow,
} from '#shared/request/shared-rate-limit.ts';
import type { Clock } from '#shared/runtime/clock.ts';
import { CallDeferred, isPortingFailure, outcomeOfCall, outcomeOfProbe } from './errors.ts';
import { createSerialQueue } from './in-parallel.ts';

export interface RateLimiterSettings {
  readonly store: {
    get(): Promise<RateLimitItem | undefined>;
    replace(seen: RateLimitItem | undefined, next: RateLimitItem): Promise<RateLimitItem | undefined>;
  };
  /** Calls of all instances together. */
  readonly callsPerSecond: number;
  /** The class of all calls of this instance. @default foreground */
  readonly priority?: CallPriority | undefined;
  /** Wall time. */
  readonly clock: Clock;
  /** Uniform in [0, 1). */
  readonly random: () => number;
  readonly wait: (milliseconds: number) => Promise<void>;
  /** Gets every event of the rate limiter to log; must not throw. */
  readonly notify: (event: RateLimitEvent) => void;
  /** Gets a change that could not be written. The other instances notice the outage by their own calls. */
  readonly onFailure: (error: unknown) => void;
}

/** A call that changes nothing, to find out whether an outage is over. */
export type Probe = () => Promise<unknown>;

export interface RateLimiter {
  /** Resolves unless calls are deferred now, and takes no slot. @throws CallDeferred */
  throwIfDeferred(probe: Probe): Promise<void>;
  /** Resolves once a call may be made at once, and keeps its slot for the next `acquire`. @throws CallDeferred */
  ready(probe: Probe): Promise<void>;
  /** Resolves with the time once the call may be made. @throws CallDeferred */
  acquire(call: string, probe: Probe): Promise<number>;
  /**
   * Records how the call that began at that time ended: answered, or with this error. Never rejects. A call that began
   * before a pause does not show whether the pause was long enough.
   */
  recordOutcome(failure?: unknown, begunAt?: number): Promise<void>;
  /** Whether foreground calls used the whole rate, or were waited for, when this instance last took slots. */
  isSaturated(): boolean;
  /**
   * Requests wait in the queue for foreground calls: until these are made, other calls wait, also where the machine is
   * slower than the rate limit.
   */
  noteQueue(): void;
  /** Makes the next call probe an outage without waiting for the next probe time. */
  probeNow(): Promise<void>;
}

/** For this long an instance defers or admits calls without reading the item again. */
const keptMs = 3_000;
/** A call that waited longer for its slot asks whether it may still be made. */
const noticeMs = 1_000;
/** Other instances change the item at the same time. */
const maxWriteAttempts = 20;

/** Whether calls may be made, as far as this instance knows, or why they are deferred. */
function rememberAnswer(clock: Clock) {
  let deferral: { readonly because: string; readonly until: number; readonly keptUntil: number } | undefined;
  let admittedUntil = 0;
  return {
    defer: (call: string, waitMs: number, because: string): CallDeferred => {
      deferral = { because, until: clock() + waitMs, keptUntil: clock() + Math.min(waitMs, keptMs) };
      return new CallDeferred(because, waitMs, { call });
    },
    admit: () => {
      deferral = undefined;
      admittedUntil = clock() + keptMs;
    },
    isAdmitted: () => admittedUntil > clock(),
    /** @throws CallDeferred for the same reason as the last call, as long as that is kept */
    throwIfDeferred: (call: string): void => {
      if (deferral === undefined || deferral.keptUntil <= clock()) return;
      throw new CallDeferred(deferral.because, deferral.until - clock(), { call });
    },
    forget: () => {
      [deferral, admittedUntil] = [undefined, 0];
    },
  };
}

/** Whether foreground calls need the whole rate, as far as this instance knows. */
function rememberDemand(clock: Clock) {
  let queuedUntil = 0;
  let saturated = false;
  const hasQueue = (): boolean => queuedUntil > clock();
  return {
    noteQueue: (): void => {
      queuedUntil = clock() + keptMs;
    },
    noteItem: (item: RateLimitItem): void => {
      saturated = isSaturated(item, clock());
    },
    hasQueue,
    isSaturated: () => saturated || hasQueue(),
  };
}

/** Writes how calls end. `stop` is called where no other call may be made for now. */
function createOutcomes(settings: RateLimiterSettings, changeItem: ChangeItem, stop: () => void) {
  const { clock, random, notify, onFailure } = settings;
  let isFailing = false;
  const apply = async (outcome: CallOutcome): Promise<void> => {
    const change = await changeItem((item) => ({ next: applyCallOutcome(item, outcome, clock(), random()) }));
    if (change?.next === undefined) return;
    isFailing = outcome.kind !== 'ok';
    if (change.next.outage !== undefined || outcome.kind === 'rate-limited') stop();
    const event = rateLimitEvent(change.seen, change.next, clock());
    if (event !== undefined) notify(event);
  };
  return {
    apply,
    record: async (failure?: unknown, begunAt?: number): Promise<void> => {
      const outcome = outcomeOfCall(failure, begunAt);
      if (outcome.kind !== 'ok' || isFailing) await apply(outcome).catch(onFailure);
    },
    /** Other instances had failures: then an answered call changes the item, too. */
    noteFailures: ({ failing, pauses }: RateLimitItem): void => {
      isFailing = failing !== undefined || pauses !== undefined;
    },
  };
}

/** One call of an instance after another asks for slots. */
function createTurns(answer: ReturnType<typeof rememberAnswer>) {
  const serialQueue = createSerialQueue();
  let waiting = 0;
  const take = (call: string, work: () => Promise<void>): Promise<void> =>
    serialQueue(async () => {
      answer.throwIfDeferred(call);
      await deferOnFailure(call, work);
    });
  return {
    take,
    waitForSlot: (call: string, work: () => Promise<void>): Promise<void> => {
      waiting += 1;
      return take(call, work).finally(() => {
        waiting -= 1;
      });
    },
    /** Calls that wait for a slot now. */
    waiting: () => waiting,
  };
}

const nextCall = 'the next call';
type Wants = 'slots' | 'admit' | 'keep';

const slotRequestOf = (
  { callsPerSecond, priority = 'foreground', clock }: RateLimiterSettings,
  wants: Wants,
  slots: number,
  hasQueue: boolean,
): SlotRequest => ({
  slots,
  hasQueue,
  intervalMs: 1_000 / callsPerSecond,
  patienceMs: wants === 'keep' ? Number.POSITIVE_INFINITY : slotPatienceMs,
  priority,
  now: clock(),
});

export function createRateLimiter(settings: RateLimiterSettings): RateLimiter {
  const { clock, wait, onFailure } = settings;
  const slots = createSlots(settings.callsPerSecond);
  const answer = rememberAnswer(clock);
  const changeItem = createChangeItem(settings);
  const outcomes = createOutcomes(settings, changeItem, () => {
    slots.clear();
    answer.forget();
  });
  const turns = createTurns(answer);
  const demand = rememberDemand(clock);

  /** Asks for the slots of all calls that wait by now. `admit` takes none, nor does `keep`, for a call that has one. */
  const ask = async (call: string, probe: Probe, wants: Wants): Promise<void> => {
    const admission = await changeItem((item) => {
      const wanted = slots.wanted(turns.waiting());
      const given = requestSlots(item, slotRequestOf(settings, wants, wanted, demand.hasQueue()));
      return given.kind === 'slots' && wants !== 'slots' ? { ...given, next: undefined } : given;
    });
    if (admission === undefined) throw answer.defer(call, slotPatienceMs, 'too many instances take slots at once');
    if (admission.kind === 'deferred') throw answer.defer(call, admission.waitMs, admission.because);
    demand.noteItem(admission.seen);
    if (admission.kind === 'later' && wants === 'slots') return wait(admission.waitMs);
    outcomes.noteFailures(admission.seen);
    // A successful probe ends the outage but gives no slot.
    if (admission.kind === 'probe') return outcomes.apply(await outcomeOfProbe(probe));
    answer.admit();
    if (admission.kind === 'slots' && wants === 'slots') slots.add(admission.first, admission.count);
  };

  const waitForSlot = (call: string, probe: Probe, then: () => void): Promise<void> =>
    turns.waitForSlot(call, async () => {
      while (slots.next(clock()) === undefined) await ask(call, probe, 'slots');
      const waitMs = (slots.next(clock()) ?? 0) - clock();
      await wait(waitMs);
      // Another instance may have learnt of a pause or an outage meanwhile.
      if (waitMs > noticeMs) answer.forget();
      while (!answer.isAdmitted()) await ask(call, probe, 'keep');
      then();
    });

  return {
    throwIfDeferred: (probe) =>
      turns.take(nextCall, async () => {
        while (!answer.isAdmitted()) await ask(nextCall, probe, 'admit');
      }),
    ready: (probe) => waitForSlot(nextCall, probe, () => slots.keep(clock())),
    acquire: async (call, probe) => {
      if (!slots.useKept(clock())) await waitForSlot(call, probe, slots.use);
      return clock();
    },
    recordOutcome: outcomes.record,
    isSaturated: demand.isSaturated,
    noteQueue: demand.noteQueue,
    probeNow: async () => {
      answer.forget();
      await changeItem((item) => ({ next: withProbeNow(item, clock()) })).catch(onFailure);
    },
  };
}

/**
 * Before it reads the item, an instance waits up to so long. Twice as long after another one wrote first, and half as
 * long after each write: without this, the writes of hundreds of instances hardly ever succeed.
 */
const firstSpreadMs = 20;
const longestSpreadMs = 1_000;
/** No other instance has usually written so soon after an own write: reading the item again would delay the call. */
const ownWriteMs = 50;

/** What this instance wrote last, for a moment: only a write shows that it is still stored. */
function rememberOwnWrite({ store, clock }: RateLimiterSettings) {
  let own: { readonly item: RateLimitItem; readonly until: number } | undefined;
  return {
    take: (): RateLimitItem | undefined => {
      const item = own !== undefined && own.until > clock() ? own.item : undefined;
      own = undefined;
      return item;
    },
    replace: async (seen: RateLimitItem | undefined, next: RateLimitItem): Promise<boolean> => {
      const item = await store.replace(seen, next);
      own = item && { item, until: clock() + ownWriteMs };
      return item !== undefined;
    },
  };
}

type ChangeItem = ReturnType<typeof createChangeItem>;

/** Decides on the stored item and writes `next`, if any; undefined where other instances always wrote first. */
function createChangeItem(settings: RateLimiterSettings) {
  const { store, clock, random, wait } = settings;
  const ownWrite = rememberOwnWrite(settings);
  let spreadMs = 0;
  const write = async (seen: RateLimitItem | undefined, next: RateLimitItem): Promise<boolean> => {
    const isWritten = await ownWrite.replace(seen, next);
    spreadMs = isWritten ? spreadMs / 2 : Math.min(longestSpreadMs, Math.max(firstSpreadMs, 2 * spreadMs));
    return isWritten;
  };
  return async <Decision extends { readonly next?: RateLimitItem | undefined }>(
    decide: (item: RateLimitItem) => Decision,
  ): Promise<(Decision & { readonly seen: RateLimitItem }) | undefined> => {
    for (let attempt = 1; attempt <= maxWriteAttempts; attempt += 1) {
      if (spreadMs >= firstSpreadMs) await wait(random() * spreadMs);
      const expected = ownWrite.take();
      const found = expected ?? (await store.get());
      const seen = found ?? newRateLimit(clock());
      const decision = decide(seen);
      if (decision.next === undefined && expected !== undefined) continue;
      if (decision.next === undefined || (await write(found, decision.next))) return { ...decision, seen };
    }
    return undefined;
  };
}

/** When the table does not answer, calls are deferred as in an outage of the service: nothing was sent. */
async function deferOnFailure(call: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (cause) {
    if (isPortingFailure(cause)) throw cause;
    throw new CallDeferred('the rate limit could not be read', keptMs, { call, cause });
  }
}

// The slots that one function instance has taken from the shared rate limiter, and how many it takes at a time.

export interface Slots {
  /** When the next call may be made, epoch milliseconds; undefined where no slot is left. */
  next(now: number): number | undefined;
  use(): void;
  /** Sets the next slot aside for a call that is made in a moment. */
  keep(now: number): void;
  /** false where none is set aside. */
  useKept(now: number): boolean;
  /** How many slots to take while this many calls wait, so that none expires unused. */
  wanted(waiting: number): number;
  add(first: number, count: number): void;
  clear(): void;
}

/** An unused slot expires, so that an instance that was frozen does not make many calls at once. */
const expiresMs = 1_000;
const mostWanted = 20;

/** At most the calls of half a second are taken at a time, so that every instance notices a pause or an outage soon. */
function createSlots(callsPerSecond: number): Slots {
  const most = Math.max(1, Math.min(mostWanted, Math.floor(callsPerSecond / 2)));
  let slots: number[] = [];
  let kept: number[] = [];
  const usable = (times: readonly number[], now: number) => times.filter((time) => time + expiresMs >= now);

  return {
    next: (now) => {
      slots = usable(slots, now);
      return slots[0];
    },
    use: () => void slots.shift(),
    keep: (now) => {
      slots.shift();
      kept.push(now);
    },
    useKept: (now) => {
      kept = usable(kept, now);
      return kept.shift() !== undefined;
    },
    wanted: (waiting) => Math.min(most, waiting),
    add: (first, count) => {
      slots = Array.from({ length: count }, (_, index) => first + (index * 1_000) / callsPerSecond);
    },
    clear: () => {
      [slots, kept] = [[], []];
    },
  };
}
