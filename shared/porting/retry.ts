// Whether to make a call again, and when: a pure decision from what happened, so that it can be read and tested whole.
import type { PortingFailure } from './errors.ts';

export interface RetryPolicy {
  /** Attempts in all, the first included. */
  readonly attempts: number;
  /** Milliseconds from the first attempt's start after which no wait may end. */
  readonly budgetMs: number;
  /** The first wait is at most this; each further one at most twice the one before. */
  readonly baseMs: number;
  readonly capMs: number;
}

export const defaultRetryPolicy: RetryPolicy = { attempts: 4, budgetMs: 30_000, baseMs: 200, capMs: 5_000 };

export interface RetryQuestion {
  readonly method: string;
  readonly error: PortingFailure;
  /** How many attempts were made, from 1. */
  readonly attempt: number;
  readonly elapsedMs: number;
  /** Uniform in [0, 1). */
  readonly random: number;
}

export type RetryDecision =
  | { readonly again: true; readonly waitMs: number }
  | { readonly again: false; readonly because: 'not-a-read' | 'pointless' | 'attempts' | 'budget' };

/** Decision 43: only a GET is repeated, by exponential waits with full jitter, never before the service allows. */
export function decideRetry(question: RetryQuestion, policy: RetryPolicy = defaultRetryPolicy): RetryDecision {
  const { method, error, attempt, elapsedMs, random } = question;
  if (method !== 'GET') return { again: false, because: 'not-a-read' };
  if (!error.retryable) return { again: false, because: 'pointless' };
  if (attempt >= policy.attempts) return { again: false, because: 'attempts' };
  const asked = 'retryAfterMs' in error ? error.retryAfterMs : 0;
  // Jitter comes on top of what was asked for: everyone who was told "in 5 s" would otherwise return in the same instant.
  const waitMs = Math.round(asked + random * Math.min(policy.capMs, policy.baseMs * 2 ** (attempt - 1)));
  if (elapsedMs + waitMs > policy.budgetMs) return { again: false, because: 'budget' };
  return { again: true, waitMs };
}

/** The longest wait we let the service ask for: 15 minutes, also the longest a queue can delay a message. */
export const maximumRetryAfterMs = 15 * 60_000;

/**
 * `Retry-After` in milliseconds from `now` (epoch milliseconds), at most `maximumRetryAfterMs`: whole seconds or an
 * HTTP date. 0 where it is absent, past, or neither.
 */
export function retryAfterMs(header: string | null, now: number): number {
  const text = header?.trim() ?? '';
  if (/^\d+$/.test(text)) return Math.min(Number(text) * 1000, maximumRetryAfterMs);
  // Every HTTP date names its weekday first; Date.parse alone would read "-1" or "1.5" as a date, too.
  const at = /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? 0 : Math.min(Math.max(at - now, 0), maximumRetryAfterMs);
}
