// What an HTTP status means for a call, and whether and when a call is repeated. Pure, so every rule can be tested.
import { setTimeout as sleep } from 'node:timers/promises';
import { longestDelayMs } from '#shared/import/import-state.ts';
import { type Clock, wallClock } from '#shared/runtime/clock.ts';
import { CallDeferred, isPortingFailure, type PortingFailure } from './errors.ts';

/** `ok`: read the body. The others are the failures of errors.ts, which define what happens next. */
export type StatusMeaning = 'ok' | 'declined' | 'rate-limited' | 'unavailable' | 'ambiguous' | 'contract-broken';

export interface StatusRule {
  /** GET: `unavailable` and `rate-limited` calls are repeated by `decideRetry`, other calls are not. */
  readonly read: StatusMeaning;
  /** POST, PATCH, DELETE: never repeated here. `ambiguous`: the ledger reconciles the request before it sends again. */
  readonly change: StatusMeaning;
}

const both = (meaning: StatusMeaning): StatusRule => ({ read: meaning, change: meaning });
const noAnswer: StatusRule = { read: 'unavailable', change: 'ambiguous' };

/** By status or by class of statuses; a status comes first. 404 and 409 are declined with their own errors. */
const statusRules: Readonly<Record<string, StatusRule>> = {
  '1xx': noAnswer,
  '2xx': both('ok'),
  // A redirect is never followed: it could turn a POST into a GET and take the token to another host.
  '3xx': { read: 'contract-broken', change: 'ambiguous' },
  '4xx': both('declined'),
  // A gateway stopped waiting: the service behind it may still have executed the call.
  408: noAnswer,
  429: both('rate-limited'),
  499: noAnswer,
  '5xx': noAnswer,
  // The answer may carry Retry-After, which a repeated read respects.
  503: noAnswer,
};

export const statusRule = (status: number): StatusRule =>
  statusRules[status] ?? statusRules[`${Math.floor(status / 100)}xx`] ?? noAnswer;

export interface RetryPolicy {
  /** Attempts in total, including the first one. */
  readonly attempts: number;
  /** Milliseconds from the start of the first attempt; no wait ends later. */
  readonly budgetMs: number;
  /** The longest first wait; each further wait is at most twice the one before. */
  readonly baseMs: number;
  readonly capMs: number;
}

export const defaultRetryPolicy: RetryPolicy = { attempts: 4, budgetMs: 30_000, baseMs: 200, capMs: 5_000 };

export interface RetryQuestion {
  readonly method: string;
  readonly error: PortingFailure;
  /** Attempts made so far, from 1. */
  readonly attempt: number;
  readonly elapsedMs: number;
  /** Uniform in [0, 1). */
  readonly random: number;
}

export type RetryDecision =
  | { readonly again: true; readonly waitMs: number }
  | { readonly again: false; readonly because: 'not-a-read' | 'not-retryable' | 'attempts' | 'budget' };

/** Only a GET is repeated (spec gap 43): exponential waits with full jitter, never before the service allows. */
export function decideRetry(question: RetryQuestion, policy: RetryPolicy = defaultRetryPolicy): RetryDecision {
  const { method, error, attempt, elapsedMs, random } = question;
  if (method !== 'GET') return { again: false, because: 'not-a-read' };
  if (!error.retryable) return { again: false, because: 'not-retryable' };
  if (attempt >= policy.attempts) return { again: false, because: 'attempts' };
  const retryAfter = 'retryAfterMs' in error ? error.retryAfterMs : 0;
  // Jitter is added to the requested wait: otherwise all callers that got the same wait would return at the same time.
  const waitMs = Math.round(retryAfter + random * Math.min(policy.capMs, policy.baseMs * 2 ** (attempt - 1)));
  if (elapsedMs + waitMs > policy.budgetMs) return { again: false, because: 'budget' };
  return { again: true, waitMs };
}

/**
 * `Retry-After` in milliseconds from `now` (epoch milliseconds), at most `longestDelayMs`: whole seconds or an
 * HTTP date. 0 where it is absent, in the past, or neither.
 */
export function retryAfterMs(header: string | null, now: number): number {
  const text = header?.trim() ?? '';
  if (/^\d+$/.test(text)) return Math.min(Number(text) * 1000, longestDelayMs);
  // Every HTTP date starts with its weekday. Date.parse alone would read "-1" or "1.5" as a date, too.
  const at = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? 0 : Math.min(Math.max(at - now, 0), longestDelayMs);
}

// Repeats a read as the rules above decide.

export interface RepeatSettings {
  readonly retry?: RetryPolicy;
  readonly clock?: Clock;
  readonly random?: () => number;
  readonly wait?: (milliseconds: number) => Promise<void>;
}

/**
 * Runs `read` until it succeeds or the rules end it; rejects with the last failure. If a repeated call is
 * deferred, the failure before it is the cause.
 */
export type Repeat = <Value>(read: () => Promise<Value>) => Promise<Value>;

export function createRepeat(settings: RepeatSettings): Repeat {
  const { retry, clock = wallClock, random = Math.random, wait = (milliseconds) => sleep(milliseconds) } = settings;
  return async (read) => {
    const start = clock();
    let failed: PortingFailure | undefined;
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await read();
      } catch (error) {
        if (!isPortingFailure(error)) throw error;
        keepCause(error, failed);
        failed = error;
        const elapsedMs = clock() - start;
        const decision = decideRetry({ method: 'GET', error, attempt, elapsedMs, random: random() }, retry);
        if (!decision.again) throw error;
        await wait(decision.waitMs);
      }
    }
  };
}

/** The failure that was repeated is more useful than the deferral of the repetition. */
function keepCause(error: PortingFailure, earlier: PortingFailure | undefined): void {
  if (error instanceof CallDeferred) error.cause ??= earlier;
}
