// Sending one request: the call, and what a decline means for its rows.

import { describe, expect, test } from 'vitest';
import type { SubmitPipeline } from '#functions/submit/attempt.ts';
import { errorOf, requestAfter } from '#functions/submit/end-message.ts';
import { callService, checkDecline, declinedRowsOf, lineFinder } from '#functions/submit/send-request.ts';
import type { Submission } from '#shared/operations/operation.ts';
import type { RequestItem } from '#shared/request/request.ts';
import {
  Ambiguous,
  CallDeferred,
  Conflict,
  ContractBroken,
  CredentialsRejected,
  type Decline,
  type DeclineDetails,
  NotFound,
  NotSent,
  RateLimited,
  Rejected,
  Unavailable,
} from '#shared/service/errors.ts';
import { double } from '../../support/double.ts';
import { requestItemOf } from '../../support/steps/ledger-items.ts';
import { plannedRowOf } from '../../support/steps/submit-and-sync.ts';
import { attemptOf } from '../../support/steps/submit-attempt.ts';

// The result of the one call of an attempt.
describe('the call', () => {
  const call = 'POST /api/porting/1001';
  const details = { call, status: 422 };
  const refusal = (changes: Partial<DeclineDetails> = {}): DeclineDetails => ({
    message: 'no',
    fieldErrors: [],
    msisdns: [],
    ...changes,
  });
  const asDeclined = async (decline: Decline) => ({ kind: 'declined' as const, error: errorOf(decline) });
  const failing = (error: unknown) => callService('port', () => Promise.reject(error), asDeclined);

  describe('an answer', () => {
    test.each([
      ['port', { kind: 'created', portId: 'the-id' }],
      ['ticket', { kind: 'accepted', ticket: 'the-id' }],
      ['change', { kind: 'changed', portId: 'the-id' }],
    ] as const)('depends on what the operation makes: %s', async (makes, answer) => {
      expect(await callService(makes, async () => 'the-id', asDeclined)).toEqual(answer);
    });

    test.each([
      new NotSent('no connection', { call }),
      new CallDeferred('too many calls are waiting', 20_000, { call }),
      new RateLimited(1_000, details),
      new CredentialsRejected('declined', { call }),
      new Unavailable('answered 503', { call }),
    ])('that proves that nothing was done is returned as it is: $kind', async (failure) => {
      expect(failure.nothingWasDone).toBe(true);
      expect(await failing(failure)).toBe(failure);
    });

    test.each([new Ambiguous('reset', details), new ContractBroken('not as described', details)])(
      'that does not prove what was done is ambiguous: $kind',
      async (failure) => {
        expect(failure.nothingWasDone).toBe(false);
        expect(await failing(failure)).toEqual({
          kind: 'ambiguous',
          error: { kind: failure.kind, message: failure.message, status: 422 },
        });
      },
    );

    test('of an unknown kind is ambiguous', async () => {
      expect(await failing(new TypeError('odd'))).toEqual({
        kind: 'ambiguous',
        error: { kind: 'unexpected', message: 'odd' },
      });
      expect(errorOf('odd')).toEqual({ kind: 'unexpected', message: 'odd' });
      expect(Object.keys(errorOf(new NotSent('no connection', { call })))).toEqual(['kind', 'message']);
    });
  });

  describe('a declined call', () => {
    test.each([new Rejected(refusal(), details), new NotFound(refusal(), details), new Conflict(refusal(), details)])(
      'has the message of the service: $kind',
      async (failure) => {
        expect(await failing(failure)).toEqual({
          kind: 'declined',
          error: { kind: failure.kind, message: 'no', status: 422 },
        });
      },
    );
  });
});

// What a decline means for each kind of submission.
describe('the check of a decline', () => {
  const call = 'POST /api/simSubmission/Provision';
  const rows = [plannedRowOf(1, 2), plannedRowOf(2, 3)];
  const settings = { callingCode: '44', retryWithoutDeclined: true, quietMs: 60_000 };
  const pipeline = double<SubmitPipeline>({ settings, imports: double({ get: async () => undefined }) });

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

    test('is sent again without the rows that were named, while fewer than ten were', async () => {
      const excludedRows = (rows: number) =>
        Array.from(
          { length: rows },
          (_, index) => ({ line: index + 9, subject: 's', code: 'ROW_REFUSED', message: 'no' }) as const,
        );
      const three = [...rows, plannedRowOf(3, 4)];
      const again = (before: number) =>
        check(rejected(firstRow), ticket, { excludedRows: excludedRows(before) }, three);
      expect(await again(8)).toMatchObject({ named: [{ line: 2, message: 'no such SIM' }] });
      expect(await again(8)).not.toHaveProperty('others');
      expect(await again(9)).toMatchObject({ named: [{ line: 2 }], others: 'in-parts' });
      // A single row is left: its own call gives its reason.
      expect(await check(rejected(firstRow), ticket, { excludedRows: excludedRows(9) })).not.toHaveProperty('others');
    });

    test('is sent again in parts where no row was named', async () => {
      expect(await check(rejected(), ticket)).toMatchObject({ others: 'in-parts' });
      expect(await check(rejected(), ticket, {}, rows.slice(1))).not.toHaveProperty('others');
      expect(await check(rejected(), submission({ makes: 'port', splitsWhenDeclined: false }))).not.toHaveProperty(
        'others',
      );
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
      expect(declined('ticket', {})).toMatchObject({ state: 'declined' });
    });

    test.each(['ticket', 'change'] as const)('requires action where an attempt may have made a %s', (makes) => {
      const message = expect.stringContaining('whether the service has executed it is still unknown: expired');
      expect(declined(makes, { hasUnknownAttempt: true })).toMatchObject({
        state: 'action-required',
        error: { message },
      });
    });

    test('is searched for first, with the rows of its call, where an attempt may have made a port', () => {
      const searched = declined('port', { hasUnknownAttempt: true });
      expect(searched).toMatchObject({ state: 'unknown', error, lines: '1', excludedRows: [] });
      expect(searched?.dueAt).toBe('2026-07-06T12:01:00.000Z');
    });
  });
});

// Which rows the service names when it declines a request, and with which messages.

const [first, second] = ['447700900001', '447700900002'] as const;
const sent = {
  importId: 'import-a',
  request: 1,
  operation: 'create-port' as const,
  token: 'token',
  label: 'Group',
  head: {},
  rows: [first, second].map((subject, index) => ({ line: index + 2, subject, wire: {} })),
};
const lines: Readonly<Record<string, number>> = { [first]: 2, '07700900001': 2, [second]: 3 };

const namedBy = (msisdns: readonly string[], ...texts: readonly string[]) => {
  const fieldErrors = texts.map((message) => ({ field: 'msisdns', message }));
  const refusal: DeclineDetails = { message: 'one is in use', fieldErrors, msisdns };
  return declinedRowsOf(refusal, sent, (subject) => lines[subject]);
};

test('a named row gets the message of the answer, where no field error has its number', () => {
  expect(namedBy([second], 'a network is missing')).toEqual([
    { line: 3, subject: second, code: 'ROW_REFUSED', message: 'one is in use' },
  ]);
});

test('a row gets the field errors with its number, and no others', () => {
  const ofFirst = [`${first} is a twin`, `${first} has no such PAC`];
  expect(namedBy([second, first], ofFirst[0] ?? '', `${second} left`, ofFirst[1] ?? '')).toMatchObject([
    { line: 2, message: ofFirst.join('; ') },
    { line: 3, message: `${second} left` },
  ]);
});

test('a row that is named twice is declined once, with the first message', () => {
  expect(namedBy([first, '07700900001'], '07700900001 is a twin')).toMatchObject([
    { line: 2, message: 'one is in use' },
  ]);
});

test('a number of another request names no row', () => {
  expect(namedBy(['447700900777'], '447700900777 is in use')).toEqual([]);
});

test('a row is named by the place in the field of an error, in every body', () => {
  const naming = (field: string, message = 'no') =>
    declinedRowsOf({ message: 'two are wrong', fieldErrors: [{ field, message }], msisdns: [] }, sent, () => undefined);
  for (const field of [
    'rows[1].pac',
    'Rows[1].Pac',
    'stock[1].msisdn',
    'serialNumbers[1]',
    'commands[0].serialNumbers[1]',
  ])
    expect(naming(field, 'not on hire')).toEqual([
      { line: 3, subject: second, code: 'ROW_REFUSED', message: 'not on hire' },
    ]);
  for (const field of ['rows[2].pac', 'services[1]', 'boltOns[0]', 'commands[1].commandOptions', 'name'])
    expect(naming(field)).toEqual([]);
});

test('a row is named by any place of a large request', () => {
  const rows = Array.from({ length: 12 }, (_, index) => ({ line: index + 2, subject: `${index}`, wire: {} }));
  const fieldErrors = [{ field: 'rows[10].pac', message: 'no' }];
  const details = { message: 'one is wrong', fieldErrors, msisdns: [] };
  expect(declinedRowsOf(details, { ...sent, rows }, () => undefined)).toMatchObject([{ line: 12 }]);
});

test('an answer that names neither numbers nor SIMs names no row', () => {
  const asked: string[] = [];
  declinedRowsOf({ message: 'no', fieldErrors: [], msisdns: [] }, sent, (subject) => void asked.push(subject));
  expect(asked).toEqual([]);
});

test('a number has its line however the service writes it, and a SIM has its line as it is', () => {
  const serial = '8944110000000000123';
  const lineOf = lineFinder({ ...sent, rows: [...sent.rows, { line: 9, subject: serial, wire: {} }] }, '44');
  expect(['07700900002', second, serial, '07700900777'].map(lineOf)).toEqual([3, 3, 9, undefined]);
});

test('a SIM in a message names its row', () => {
  const serial = '8944110000000000123';
  const sims = { ...sent, rows: [{ line: 2, subject: serial, wire: {} }] };
  const details = { message: `SIM ${serial} is not on hire`, fieldErrors: [], msisdns: [], serialNumbers: [serial] };
  expect(declinedRowsOf(details, sims, () => 2)).toMatchObject([{ line: 2, message: details.message }]);
});
