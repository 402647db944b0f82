// A request at its steps, and what the tests of the steps compare.
import type { Answer, ExcludedRow, RequestItem } from '#shared/request/request.ts';
import { applyAnswer } from '#shared/request/request-state.ts';
import { iso, noon, requestItemOf } from './ledger-items.ts';

export const planned = requestItemOf({ dueAt: iso(noon) });
export const later = noon + 60_000;
export const inLine = iso(later + 15 * 60_000);
export const times = { now: later, quietMs: 30_000 };
export const error = { kind: 'rejected', message: 'no' };
export const rowOut = (line: number, code: ExcludedRow['code']): ExcludedRow => ({
  line,
  subject: '447700900001',
  code,
  message: 'why',
});
export const inFlight: RequestItem = { ...planned, state: 'in-flight', attempt: 1 };
export const heard = (item: RequestItem, answer: Answer, attempt = item.attempt) =>
  applyAnswer(item, attempt, answer, times);
