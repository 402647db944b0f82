// An attempt of submit before any step, and which of its rows are claimed.

import type { Attempt } from '#functions/submit/attempt.ts';
import { claimNumbers } from '#functions/submit/choose-rows.ts';
import type { Submission } from '#shared/operations/operation.ts';
import type { PlannedRow, RequestItem } from '#shared/request/request.ts';
import { double } from '../double.ts';
import { requestItemOf } from './ledger-items.ts';

export function attemptOf(
  rows: readonly PlannedRow[],
  submission: Partial<Submission>,
  changes: Partial<RequestItem> = {},
): Attempt {
  const request = requestItemOf(changes);
  const { importId, operation, token, label } = request;
  const planned = { importId, request: request.request, operation, token, label, head: {}, rows: [...rows] };
  return { request, submission: double(submission), planned, send: planned, excludedRows: [] };
}

/** Claims the rows at `now` with stores of the test. */
export async function claim(attempt: Attempt, now: number, stores: Readonly<Record<string, unknown>>) {
  const clocks = { wall: () => now, calendar: () => now };
  const { send, excludedRows } = await claimNumbers(attempt, { ...stores, clocks } as never);
  return { rows: send.rows, excludedRows };
}
