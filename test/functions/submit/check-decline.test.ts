// What a decline means for each kind of submission.
import { describe, expect, test } from 'vitest';
import { requestAfter, type SubmitPipeline } from '#functions/submit/end-message.ts';
import { checkDecline } from '#functions/submit/send-request.ts';
import type { Submission } from '#shared/operations/operation.ts';
import type { RequestItem } from '#shared/request/request.ts';
import { Conflict, NotSent, Rejected } from '#shared/service/errors.ts';
import { double } from '../../support/double.ts';
import { requestItemOf } from '../../support/steps/ledger-items.ts';
import { plannedRowOf } from '../../support/steps/submit-and-sync.ts';
import { attemptOf } from '../../support/steps/submit-attempt.ts';

const call = 'POST /api/simSubmission/Provision';
const rows = [plannedRowOf(1, 2), plannedRowOf(2, 3)];
const settings = { callingCode: '44', retryWithoutDeclined: true, quietMs: 60_000 };
const pipeline = double<SubmitPipeline>({ settings });

const details = (parts: object) => ({ message: 'no', fieldErrors: [], msisdns: [], ...parts });
const conflict = (parts: object = {}) => new Conflict(details(parts), { call, status: 409 });
const rejected = (parts: object = {}) => new Rejected(details(parts), { call, status: 422 });
const firstRow = { fieldErrors: [{ field: 'stock[0].serialNumber', message: 'no such SIM' }] };

const submission = (parts: Partial<Submission>): Submission =>
  double<Submission>({ splitsWhenDeclined: true, ...parts });
const ticket = submission({ makes: 'ticket', conflictsWithItself: true });
const check = (decline: Conflict | Rejected, by: Submission, request: Partial<RequestItem> = {}, sent = rows) => {
  const attempt = attemptOf(rows, by, request);
  return checkDecline(decline, { ...attempt, send: { ...attempt.send, rows: sent } }, pipeline);
};

describe('a declined ticket', () => {
  test('that its first call may explain is ambiguous, unless it names some of the rows', async () => {
    expect(await check(conflict(), ticket)).toMatchObject({ kind: 'ambiguous', error: { message: 'no' } });
    expect(await check(conflict(firstRow), ticket)).toMatchObject({ kind: 'declined', isDoubtful: false });
    expect(await check(rejected(), ticket)).toMatchObject({ kind: 'declined', isDoubtful: false });
    expect(await check(rejected(), ticket, { hasUnknownAttempt: true })).toMatchObject({ kind: 'ambiguous' });
  });

  test('is believed where a second call does no harm', async () => {
    const harmless = submission({ makes: 'ticket', conflictsWithItself: false });
    expect(await check(conflict(), harmless)).toMatchObject({ kind: 'declined', isDoubtful: false });
  });

  test('of a part ends its rows, each with its own reason', async () => {
    const split = { waiting: [], sent: 2 } as unknown as NonNullable<RequestItem['split']>;
    const answer = await check(rejected(firstRow), ticket, { split });
    expect(answer).toMatchObject({
      part: [
        { line: 2, message: 'no such SIM', code: 'ROW_REFUSED' },
        { line: 3, message: 'no', code: 'ROW_REFUSED' },
      ],
    });
    expect(answer).toMatchObject({ named: [{ line: 2 }], parts: 1 });
    expect(await check(rejected(firstRow), ticket)).not.toHaveProperty('parts');
  });
});

describe('a declined change', () => {
  const change = (madeAlready?: Submission['madeAlready']) =>
    submission({ makes: 'change', ...(madeAlready && { madeAlready }) });

  test('is done where the port has the rows that were sent', async () => {
    const asked: number[][] = [];
    const by = change(async (request) => {
      asked.push(request.rows.map(({ line }) => line));
      return 'p1';
    });
    expect(await check(rejected(), by, {}, rows.slice(1))).toEqual({ kind: 'changed', portId: 'p1' });
    expect(asked).toEqual([[3]]);
  });

  test('is declined where the port lacks them, or shows nothing', async () => {
    expect(
      await check(
        rejected(),
        change(async () => undefined),
      ),
    ).toMatchObject({ kind: 'declined' });
    expect(await check(rejected(firstRow), change())).toMatchObject({ kind: 'declined', error: { lines: [2] } });
    expect(await check(rejected(), change())).not.toHaveProperty('error.lines');
  });

  test('is ambiguous where the port cannot be read', async () => {
    const unread = change(() => Promise.reject(new NotSent('no connection', { call })));
    expect(await check(rejected(), unread)).toMatchObject({ kind: 'ambiguous', error: { message: 'no' } });
    const broken = change(() => Promise.reject(new TypeError('a defect')));
    await expect(check(rejected(), broken)).rejects.toThrow('a defect');
  });
});

describe('a request that cannot be sent', () => {
  const error = { kind: 'plan-expired', message: 'expired' };
  const now = Date.parse('2026-07-06T12:00:00Z');
  const declined = (makes: Submission['makes'], item: Partial<RequestItem>) => {
    const seen = requestItemOf({ lines: '1', excludedRows: [], ...item });
    const times = { now, quietMs: settings.quietMs, delayMs: 0 };
    return requestAfter(seen, submission({ makes }), { how: 'declined', error, rows: { lines: '2' } }, times);
  };

  test('is declined', () => {
    expect(declined('port', {})).toMatchObject({ state: 'declined', error, lines: '2' });
    expect(declined('ticket', { hasUnknownAttempt: true })).toMatchObject({ state: 'declined' });
  });

  test('is searched for first, with the rows of its call, where an attempt may have made a port', () => {
    const searched = declined('port', { hasUnknownAttempt: true });
    expect(searched).toMatchObject({ state: 'unknown', error, lines: '1', excludedRows: [] });
    expect(searched?.dueAt).toBe('2026-07-06T12:01:00.000Z');
  });
});
