// Keeps an environment's calls to the pace of the whole stage: it takes a few places in line at a time, by one conditional
// write, and makes its calls in them. What it hears of the service it tells the others by the same item.
import {
  admit,
  afterCall,
  type CallEnd,
  freshPace,
  newsOf,
  type PaceItem,
  type PaceNews,
  withProbeDue,
} from '#shared/domain/pace.ts';
import type { Clock } from '#shared/runtime/clock.ts';
import { endOfCall, endOfProbe } from './call-end.ts';
import { HeldBack, isPortingFailure } from './errors.ts';
import { createInTurn } from './in-turn.ts';
import { createPlaces } from './places.ts';

export interface PaceSettings {
  readonly store: {
    get(): Promise<PaceItem | undefined>;
    replace(seen: PaceItem | undefined, next: PaceItem): Promise<boolean>;
  };
  /** Of the whole stage. */
  readonly callsPerSecond: number;
  /** Wall time. */
  readonly clock: Clock;
  /** Uniform in [0, 1). */
  readonly random: () => number;
  readonly wait: (milliseconds: number) => Promise<void>;
  /** Told of what a person should know; never throws. */
  readonly tell: (news: PaceNews) => void;
  /** Told of a change that could not be written: the others hear of it by their own calls. */
  readonly onFailure: (error: unknown) => void;
}

/** A call that does no harm, to see whether the service is back. */
export type Probe = () => Promise<unknown>;

export interface Pace {
  /** Resolves once a call may be made at once, and keeps its place for a moment. @throws HeldBack */
  ready(call: string, probe: Probe): Promise<void>;
  /** The same, and uses the place up. @throws HeldBack */
  enter(call: string, probe: Probe): Promise<void>;
  /** Hears how a call ended: with an answer, or with what it threw. Never rejects. */
  heard(failure?: unknown): Promise<void>;
  /** An outage is probed by the next call, not at the next turn: a person, or a run of sync, wants to know now. */
  probeNow(): Promise<void>;
}

/** How long a call stands in line before its message goes back instead. */
const patienceMs = 15_000;
/** For so long an environment believes that calls are held back, without reading the item again. */
const believedMs = 3_000;
/** Others change the item at the same time. */
const mostTries = 20;

interface Held {
  readonly because: string;
  readonly until: number;
  readonly believedUntil: number;
}

export function createPace(settings: PaceSettings): Pace {
  const { clock, wait, onFailure } = settings;
  const places = createPlaces(settings.callsPerSecond);
  let held: Held | undefined;
  let isTroubled = false;

  const hear = async (end: CallEnd): Promise<void> => {
    const change = await changing(settings, (item) => ({ next: afterCall(item, end, clock(), settings.random()) }));
    if (change?.next === undefined) return;
    isTroubled = end.kind !== 'alive';
    if (change.next.outage !== undefined || end.kind === 'limited') places.drop();
    const news = newsOf(change.seen, change.next, clock());
    if (news !== undefined) settings.tell(news);
  };

  const holdBack = (call: string, waitMs: number, because: string): HeldBack => {
    held = { because, until: clock() + waitMs, believedUntil: clock() + Math.min(waitMs, believedMs) };
    return new HeldBack(because, waitMs, { call });
  };

  const standInLine = async (call: string, probe: Probe): Promise<void> => {
    const count = places.wanted();
    const intervalMs = 1_000 / settings.callsPerSecond;
    const admission = await changing(settings, (item) =>
      admit(item, { now: clock(), places: count, intervalMs, patienceMs }),
    );
    if (admission === undefined) throw holdBack(call, patienceMs, 'too many stand in line at once');
    if (admission.kind === 'held') throw holdBack(call, admission.waitMs, admission.because);
    held = undefined;
    isTroubled = isTroubledItem(admission.seen);
    if (admission.kind === 'places') return places.give(admission.first, count, intervalMs);
    await hear(await endOfProbe(probe));
  };

  const makeReady = async (call: string, probe: Probe): Promise<void> => {
    if (held !== undefined && clock() < held.believedUntil) {
      throw new HeldBack(held.because, held.until - clock(), { call });
    }
    // A probe that went well has ended the outage, and given no place yet.
    while (places.next(clock()) === undefined) await standInLine(call, probe);
    await wait((places.next(clock()) ?? 0) - clock());
  };

  // Calls of one environment stand in its own line before they do so in the stage's.
  const inTurn = createInTurn();
  return {
    ready: (call, probe) => inTurn(() => orHeldBack(call, () => makeReady(call, probe))),
    enter: (call, probe) =>
      inTurn(async () => {
        await orHeldBack(call, () => makeReady(call, probe));
        places.use();
      }),
    heard: async (failure) => {
      const end = endOfCall(failure);
      if (end.kind !== 'alive' || isTroubled) await hear(end).catch(onFailure);
    },
    probeNow: async () => {
      held = undefined;
      await changing(settings, (item) => ({ next: withProbeDue(item, clock()) })).catch(onFailure);
    },
  };
}

const isTroubledItem = ({ failing, pauses }: PaceItem): boolean => failing !== undefined || pauses !== undefined;

/** Decides on the item as it stands, and writes what comes `next`, if anything does; undefined: others were always quicker. */
async function changing<Decision extends { readonly next?: PaceItem | undefined }>(
  { store, clock, random, wait }: PaceSettings,
  decide: (item: PaceItem) => Decision,
): Promise<(Decision & { readonly seen: PaceItem }) | undefined> {
  for (let tries = 1; tries <= mostTries; tries += 1) {
    const found = await store.get();
    const seen = found ?? freshPace(clock());
    const decision = decide(seen);
    if (decision.next === undefined || (await store.replace(found, decision.next))) return { ...decision, seen };
    await wait(random() * 20 * tries);
  }
  return undefined;
}

/** A table that does not answer holds calls back like a service that does not: nothing was sent. */
async function orHeldBack(call: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (cause) {
    if (isPortingFailure(cause)) throw cause;
    throw new HeldBack('the pace of calls could not be read', believedMs, { call, cause });
  }
}
