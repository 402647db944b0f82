// When calls to the service may be made: one item for the whole stage, so that any number of environments keep one pace,
// wait together when the service asks for it, and stop together when it is down. Pure steps from item to item.
import * as z from 'zod/mini';

const instant = z.iso.datetime();
const times = z.int().check(z.nonnegative());

/** All instants are wall time. */
export const paceItem = z.object({
  revision: z.int().check(z.nonnegative()),
  /** The first place in line that nobody has taken. */
  freeAt: instant,
  /** The service asked for fewer calls: nobody calls before. */
  pausedUntil: z.optional(instant),
  /** How often it asked since it last answered anything else. */
  pauses: z.optional(times),
  /** Calls in a row that came to nothing: since when, how many, and why the last one did. */
  failing: z.optional(z.object({ since: instant, times, because: z.string() })),
  /** The service is down: no call is made but one probe at a time. */
  outage: z.optional(z.object({ probes: times, nextProbeAt: instant, probingUntil: z.optional(instant) })),
});
export type PaceItem = z.infer<typeof paceItem>;

/** What a stage should be told, once. */
export type PaceNews =
  | { readonly kind: 'down'; readonly since: string; readonly because: string }
  | { readonly kind: 'back'; readonly since: string; readonly lastedMs: number }
  | { readonly kind: 'paused'; readonly waitMs: number };

/** How a call ended, as far as the pace is concerned. */
export type CallEnd =
  | { readonly kind: 'alive' }
  | { readonly kind: 'limited'; readonly askedMs: number }
  /** `credentials`: every call will fail until a person mends them. */
  | { readonly kind: 'sick'; readonly because: string; readonly credentials: boolean };

/** So many calls in a row that come to nothing are an outage; refused credentials are one at once. */
const failuresOfOutage = 5;
const firstProbeMs = 10_000;
const longestProbeMs = 2 * 60_000;
/** A token address that is asked too often with a wrong secret may lock the account. */
const credentialsProbeMs = 5 * 60_000;
/** Longer than any call takes: whoever died with the probe in hand lets go of it. */
const probingMs = 75_000;
const firstPauseMs = 1_000;
/** So long a pause is waited out on the spot. */
const shortPauseMs = 2_000;
/** The longest that a queue can delay a message. */
export const longestPauseMs = 15 * 60_000;
/** A place further ahead was taken by somebody whose clock is wrong (fault 50). */
const furthestPlaceMs = 60_000;

const at = (epochMs: number): string => new Date(Math.round(epochMs)).toISOString();

export const freshPace = (now: number): PaceItem => ({ revision: 0, freeAt: at(now) });

export interface Request {
  readonly now: number;
  /** Places wanted. */
  readonly places: number;
  readonly intervalMs: number;
  /** How long the one who asks can wait for its first place. */
  readonly patienceMs: number;
}

export type Admission =
  /** Calls may be made at `first`, and then one every interval; once `next` stands in the table. */
  | { readonly kind: 'places'; readonly next: PaceItem; readonly first: number }
  /** One call may be made, to see whether the service is back; once `next` stands in the table. */
  | { readonly kind: 'probe'; readonly next: PaceItem }
  | { readonly kind: 'held'; readonly next?: undefined; readonly waitMs: number; readonly because: string };

/** What somebody who wants to call may do. Places are given in the order in which they are asked for. */
export function admit(item: PaceItem, request: Request): Admission {
  const { now, places, intervalMs, patienceMs } = request;
  if (item.outage !== undefined) return admitToOutage(item, item.outage, now);
  const pausedMs = msUntil(item.pausedUntil, now, 2 * longestPauseMs);
  if (pausedMs > shortPauseMs) return { kind: 'held', waitMs: pausedMs, because: 'the service asked for fewer calls' };
  const waitMs = Math.max(pausedMs, msUntil(item.freeAt, now, furthestPlaceMs));
  if (waitMs > patienceMs) return { kind: 'held', waitMs, because: 'the line of calls is long' };
  const first = now + waitMs;
  return { kind: 'places', first, next: { ...item, freeAt: at(first + places * intervalMs) } };
}

function admitToOutage(item: PaceItem, outage: NonNullable<PaceItem['outage']>, now: number): Admission {
  const probingLeftMs = msUntil(outage.probingUntil, now, probingMs);
  const waitMs = Math.max(probingLeftMs, msUntil(outage.nextProbeAt, now, credentialsProbeMs));
  if (waitMs === 0)
    return { kind: 'probe', next: { ...item, outage: { ...outage, probingUntil: at(now + probingMs) } } };
  // The longer it lasts, the more rarely is it asked after.
  const lastedMs = now - Date.parse(beginOf(item, now));
  const patientMs = Math.max(waitMs, Math.min(longestPauseMs, lastedMs / 4));
  return { kind: 'held', waitMs: patientMs, because: describeOutage(item) };
}

export const describeOutage = (item: PaceItem): string =>
  `the service has been down since ${item.failing?.since ?? 'a while'} (${reasonOf(item)})`;

const reasonOf = ({ failing }: PaceItem): string => failing?.because ?? 'no answer';

const beginOf = ({ failing }: PaceItem, now: number): string => failing?.since ?? at(now);

/** A person, or a run of sync, need not wait for the next probe: only for one that is being made. */
export const withProbeDue = (item: PaceItem, now: number): PaceItem | undefined =>
  item.outage && { ...item, outage: { ...item.outage, nextProbeAt: at(now) } };

/** 0 for an instant that is past, or that no honest clock has set. */
function msUntil(until: string | undefined, now: number, longest: number): number {
  const ms = until === undefined ? 0 : Date.parse(until) - now;
  return ms > longest ? 0 : Math.max(0, ms);
}

/** What the end of a call makes of the item; undefined where it changes nothing. `random` is uniform in [0, 1). */
export function afterCall(item: PaceItem, end: CallEnd, now: number, random: number): PaceItem | undefined {
  if (end.kind === 'limited') return paused(item, end.askedMs, now, random);
  if (end.kind === 'sick') return failed(item, end, now, random);
  const { revision, freeAt, pausedUntil } = item;
  const isTroubled = item.failing !== undefined || item.outage !== undefined || item.pauses !== undefined;
  return isTroubled ? { revision, freeAt, pausedUntil } : undefined;
}

/** Never before the service allows; doubled each time, so that one which does not say how long is left alone too. */
function paused(item: PaceItem, askedMs: number, now: number, random: number): PaceItem {
  const { failing: _alive, outage: _over, ...rest } = item;
  const pauses = (item.pauses ?? 0) + 1;
  const waitMs = Math.max(askedMs, firstPauseMs * 2 ** Math.min(pauses - 1, 10));
  const until = now + Math.min(longestPauseMs, waitMs) * (1 + random / 10);
  const standing = Date.parse(item.pausedUntil ?? at(now));
  return { ...rest, pauses, pausedUntil: at(Math.max(until, Math.min(standing, now + longestPauseMs))) };
}

function failed(item: PaceItem, end: Extract<CallEnd, { kind: 'sick' }>, now: number, random: number): PaceItem {
  const { because, credentials } = end;
  const { since, times: before } = item.failing ?? { since: at(now), times: 0 };
  const failing = { since, times: before + 1, because };
  const { outage } = item;
  if (outage === undefined && !credentials && failing.times < failuresOfOutage) return { ...item, failing };
  const probes = outage === undefined ? 0 : outage.probes + 1;
  const waitMs = credentials ? credentialsProbeMs : Math.min(longestProbeMs, firstProbeMs * 2 ** Math.min(probes, 10));
  return { ...item, failing, outage: { probes, nextProbeAt: at(now + waitMs * (0.75 + random / 4)) } };
}

/** What is worth telling of the step from one item to the next. */
export function newsOf(before: PaceItem, after: PaceItem, now: number): PaceNews | undefined {
  if (before.outage === undefined && after.outage !== undefined) {
    return { kind: 'down', since: beginOf(after, now), because: reasonOf(after) };
  }
  if (before.outage !== undefined && after.outage === undefined) {
    const since = beginOf(before, now);
    return { kind: 'back', since, lastedMs: now - Date.parse(since) };
  }
  if ((after.pauses ?? 0) > (before.pauses ?? 0)) {
    return { kind: 'paused', waitMs: Date.parse(after.pausedUntil ?? at(now)) - now };
  }
  return undefined;
}
