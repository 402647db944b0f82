// The state of the rate limiter and its circuit breaker: one item for all function instances, so they share one rate of
// calls, pause together when the service asks for it, and stop together in an outage. Pure steps from item to item.
import * as z from 'zod/mini';
import { longestDelayMs } from '#shared/import/import-state.ts';
import { type ItemKey, instant } from '#shared/text/stored-values.ts';

/** A change that is reported once. */
export type RateLimitEvent =
  | { readonly kind: 'outage'; readonly since: string; readonly because: string }
  | { readonly kind: 'recovered'; readonly since: string; readonly lastedMs: number }
  | { readonly kind: 'paused'; readonly waitMs: number };

/** How a call ended, as far as the rate limiter is concerned. */
export type CallOutcome = CallEnd & {
  /** Epoch milliseconds. @default - when it ended */
  readonly begunAt?: number | undefined;
};

type CallEnd =
  | { readonly kind: 'ok' }
  | { readonly kind: 'rate-limited'; readonly askedMs: number }
  /** `credentials`: every call fails until a person corrects the credentials. */
  | { readonly kind: 'failed'; readonly because: string; readonly credentials: boolean };

/** How long a call waits for a slot before it is deferred. */
export const slotPatienceMs = 15_000;
/** Consecutive failed calls that open the circuit breaker; rejected credentials open it at once. */
const failuresOfOutage = 5;
const firstProbeMs = 10_000;
/** Requests are sent within a minute after the end of a short outage. */
const longestProbeMs = 30_000;
/** Too many token calls with a wrong secret may lock the account. */
const credentialsProbeMs = 5 * 60_000;
/** Longer than any call takes: after this time another instance repeats the probe of a crashed one. */
const probingMs = 75_000;
const firstPauseMs = 1_000;
/** A pause of up to this length is waited for instead of deferring the call. */
const shortPauseMs = 2_000;
/** For so long foreground calls take every slot before background calls wait for them: small imports end sooner. */
const saturatedAfterMs = 5_000;
/** So does a foreground call that has to wait for so long. */
const saturatedWaitMs = 2_000;
/** While requests wait in a queue, other work waits so long for the next of them, also on a slow machine. */
const queuedMs = 4_000;
/** An instance needs this long to take its next slots. */
const gapMs = 250;
/** While foreground calls wait, one of this many calls is a background call. */
const backgroundShare = 15;

const at = (epochMs: number): string => new Date(Math.round(epochMs)).toISOString();

export const newRateLimit = (now: number): RateLimitItem => ({ revision: 0, freeAt: at(now) });

export interface SlotRequest {
  readonly now: number;
  readonly slots: number;
  /** More requests wait in the queue than the calls that ask. @default false */
  readonly hasQueue?: boolean;
  readonly intervalMs: number;
  /** How long the caller can wait for its first slot. */
  readonly patienceMs: number;
  readonly priority: CallPriority;
}

/** Foreground: a person waits for the call. Background calls leave most slots to them. */
export type CallPriority = 'foreground' | 'background';

/** Valid once `next` is stored. */
export type Admission =
  /** Calls may be made at `first`, and then one in every interval. */
  | { readonly kind: 'slots'; readonly next: RateLimitItem; readonly first: number; readonly count: number }
  /** A background call has to ask again after this time. */
  | { readonly kind: 'later'; readonly next?: undefined; readonly waitMs: number }
  /** One call may be made to find out whether the outage is over. */
  | { readonly kind: 'probe'; readonly next: RateLimitItem }
  | { readonly kind: 'deferred'; readonly next?: undefined; readonly waitMs: number; readonly because: string };

/** Slots are given in the order of the requests, except to background calls while others wait. */
export function requestSlots(item: RateLimitItem, request: SlotRequest): Admission {
  const { now, patienceMs } = request;
  if (item.outage !== undefined) return requestProbe(item, item.outage, now);
  const pausedMs = msUntil(item.pausedUntil, now);
  if (pausedMs > shortPauseMs) {
    return { kind: 'deferred', waitMs: pausedMs, because: 'the service asked for fewer calls' };
  }
  const waitMs = Math.max(pausedMs, msUntil(item.freeAt, now));
  if (waitMs > patienceMs) return { kind: 'deferred', waitMs, because: 'too many calls are waiting' };
  const first = now + waitMs;
  return request.priority === 'foreground' ? giveSlots(item, first, request) : giveBackgroundSlot(item, first, request);
}

function giveSlots(item: RateLimitItem, first: number, { now, slots, intervalMs, hasQueue }: SlotRequest): Admission {
  const freeAt = at(first + slots * intervalMs);
  const { foreground } = item;
  const hasGap = foreground === undefined || now > Date.parse(foreground.until) + gapMs;
  const until = hasQueue ? at(Math.max(Date.parse(freeAt), now + queuedMs)) : freeAt;
  const next = { ...item, freeAt, foreground: { since: hasGap ? at(now) : foreground.since, until } };
  return { kind: 'slots', first, count: slots, next: withUnusedSlots(next, item, now) };
}

/** Background calls are one of so many calls that are made, so they wait longer where slots stay unused. */
function withUnusedSlots(next: RateLimitItem, { freeAt, backgroundAt }: RateLimitItem, now: number): RateLimitItem {
  const unusedMs = now - Date.parse(freeAt);
  if (backgroundAt === undefined || unusedMs <= 0 || Date.parse(backgroundAt) <= Date.parse(freeAt)) return next;
  return { ...next, backgroundAt: at(Date.parse(backgroundAt) + unusedMs) };
}

function giveBackgroundSlot(item: RateLimitItem, first: number, { now, slots, intervalMs }: SlotRequest): Admission {
  if (!isSaturated(item, now)) {
    return { kind: 'slots', first, count: slots, next: { ...item, freeAt: at(first + slots * intervalMs) } };
  }
  const waitMs = msUntil(item.backgroundAt, now);
  if (waitMs > 0) return { kind: 'later', waitMs };
  const backgroundAt = at(now + backgroundShare * intervalMs);
  return { kind: 'slots', first, count: 1, next: { ...item, freeAt: at(first + intervalMs), backgroundAt } };
}

/** Whether foreground calls have used the whole rate for some seconds, so that other work should wait. */
export function isSaturated({ foreground }: RateLimitItem, now: number): boolean {
  if (foreground === undefined) return false;
  const until = Date.parse(foreground.until);
  if (until - now >= saturatedWaitMs) return true;
  return now - Date.parse(foreground.since) >= saturatedAfterMs && now <= until + gapMs;
}

function requestProbe(item: RateLimitItem, outage: NonNullable<RateLimitItem['outage']>, now: number): Admission {
  const probingLeftMs = msUntil(outage.probingUntil, now);
  const untilProbeMs = msUntil(outage.nextProbeAt, now);
  if (probingLeftMs === 0 && untilProbeMs === 0) {
    return { kind: 'probe', next: { ...item, outage: { ...outage, probingUntil: at(now + probingMs) } } };
  }
  // The longer the outage lasts, the later deferred calls come back: at most a sixteenth of its duration later.
  const lastedMs = now - Date.parse(sinceOf(item, now));
  // A probe is usually answered long before another instance would repeat it.
  const waitMs = Math.max(untilProbeMs, Math.min(probingLeftMs, firstProbeMs));
  const deferredMs = Math.max(waitMs, Math.min(longestDelayMs, lastedMs / 16));
  return { kind: 'deferred', waitMs: deferredMs, because: describeOutage(item) };
}

export const describeOutage = (item: RateLimitItem): string =>
  `the service has been down since ${item.failing?.since ?? 'an unknown time'} (${reasonOf(item)})`;

const reasonOf = ({ failing }: RateLimitItem): string => failing?.because ?? 'no answer';

/**
 * Since when no call has succeeded: the service is down, or asks for fewer calls after every pause. undefined: it
 * answers.
 */
export const silentSince = ({ outage, failing, pausedSince }: RateLimitItem): string | undefined =>
  pausedSince ?? (outage && failing?.since);

const sinceOf = ({ failing }: RateLimitItem, now: number): string => failing?.since ?? at(now);

/** Makes the next probe due at once, unless one is being made: a person or a run of sync does not wait for it. */
export const withProbeNow = (item: RateLimitItem, now: number): RateLimitItem | undefined =>
  item.outage && { ...item, outage: { ...item.outage, nextProbeAt: at(now) } };

/** 0 for an instant in the past. */
const msUntil = (until: string | undefined, now: number): number =>
  until === undefined ? 0 : Math.max(0, Date.parse(until) - now);

/** The item after a call; undefined where nothing changes. `random` is uniform in [0, 1). */
export function applyCallOutcome(
  item: RateLimitItem,
  outcome: CallOutcome,
  now: number,
  random: number,
): RateLimitItem | undefined {
  if (outcome.kind === 'rate-limited') return paused(item, outcome, now, random);
  if (outcome.kind === 'failed') return failed(item, outcome, now, random);
  const { failing, outage, pauses, pausedSince, resumedAt, ...healthy } = item;
  // Calls of an earlier round do not show that the last pause was long enough.
  const isOfRound = msUntil(resumedAt, outcome.begunAt ?? now) === 0;
  if (pauses !== undefined && !isOfRound) {
    return failing === undefined && outage === undefined ? undefined : { ...healthy, pauses, pausedSince, resumedAt };
  }
  const isChanged = failing !== undefined || outage !== undefined || pauses !== undefined;
  return isChanged ? healthy : undefined;
}

/**
 * The calls that begin after a pause are a round, and all their 429s are one pause: as long as the service asks, or
 * twice as long in each round if it names no time. A 429 to a call that began before the end of a pause may extend it.
 */
function paused(
  { failing, outage, ...item }: RateLimitItem,
  { askedMs, begunAt }: Extract<CallOutcome, { kind: 'rate-limited' }>,
  now: number,
  random: number,
): RateLimitItem | undefined {
  if (msUntil(item.pausedUntil, begunAt ?? now) > 0) {
    const asked = at(askedMs > 0 ? now + Math.min(longestDelayMs, askedMs) : 0);
    const isLonger = asked > (item.pausedUntil ?? '');
    const isChanged = isLonger || failing !== undefined || outage !== undefined;
    return isChanged ? { ...item, pausedUntil: isLonger ? asked : item.pausedUntil } : undefined;
  }
  const pauses = (item.pauses ?? 0) + 1;
  const pausedSince = item.pausedSince ?? at(now);
  const waitMs = askedMs > 0 ? Math.min(longestDelayMs, askedMs) : unnamedPauseMs(pauses);
  const pausedUntil = at(now + waitMs * (1 + random / 10));
  return { ...item, pauses, pausedSince, resumedAt: item.pausedUntil, pausedUntil };
}

const unnamedPauseMs = (pauses: number): number =>
  Math.min(longestDelayMs, firstPauseMs * 2 ** Math.min(pauses - 1, 10));

function failed(
  item: RateLimitItem,
  { because, credentials }: Extract<CallOutcome, { kind: 'failed' }>,
  now: number,
  random: number,
): RateLimitItem {
  const { since, times: before } = item.failing ?? { since: at(now), times: 0 };
  const failing = { since, times: before + 1, because };
  const { outage } = item;
  if (outage === undefined && !credentials && failing.times < failuresOfOutage) return { ...item, failing };
  const probes = outage === undefined ? 0 : outage.probes + 1;
  const waitMs = credentials ? credentialsProbeMs : Math.min(longestProbeMs, firstProbeMs * 2 ** Math.min(probes, 10));
  return { ...item, failing, outage: { probes, nextProbeAt: at(now + waitMs * (0.75 + random / 4)) } };
}

/** The event of a step from one item to the next; undefined where there is nothing to report. */
export function rateLimitEvent(before: RateLimitItem, after: RateLimitItem, now: number): RateLimitEvent | undefined {
  if (before.outage === undefined && after.outage !== undefined) {
    return { kind: 'outage', since: sinceOf(after, now), because: reasonOf(after) };
  }
  if (before.outage !== undefined && after.outage === undefined) {
    const since = sinceOf(before, now);
    return { kind: 'recovered', since, lastedMs: now - Date.parse(since) };
  }
  if (after.pausedUntil !== undefined && after.pausedUntil !== before.pausedUntil) {
    return { kind: 'paused', waitMs: Date.parse(after.pausedUntil) - now };
  }
  return undefined;
}

// The item of the results table with the state of the rate limiter and its circuit breaker.

const times = z.int().check(z.nonnegative());

/** All instants are wall time. */
export const rateLimitItem = z.object({
  revision: z.int().check(z.nonnegative()),
  /** The first slot that nobody has taken. */
  freeAt: instant,
  /** Since when foreground calls have taken every slot without a gap, and until when they are not known to pause. */
  foreground: z.optional(z.object({ since: instant, until: instant })),
  /** While they do, no background call is made before. */
  backgroundAt: z.optional(instant),
  /** The service asked for fewer calls: no call is made before. */
  pausedUntil: z.optional(instant),
  /** Rounds of calls that it asked so since it last answered a call of a round; a round is the calls after a pause. */
  pauses: z.optional(times),
  /** When it asked so first since then. */
  pausedSince: z.optional(instant),
  /** The end of the pause before this one: the beginning of the last round. */
  resumedAt: z.optional(instant),
  /** Consecutive failed calls: since when, how many, and the reason of the last one. */
  failing: z.optional(z.object({ since: instant, times, because: z.string() })),
  /** The circuit breaker is open: only one probe at a time is sent. */
  outage: z.optional(z.object({ probes: times, nextProbeAt: instant, probingUntil: z.optional(instant) })),
});
export type RateLimitItem = z.infer<typeof rateLimitItem>;

/** The rate limit that all environments share. */
export const rateLimitKey = (account: string): ItemKey => ({ pk: `service#${account}`, sk: 'rateLimiter' });
