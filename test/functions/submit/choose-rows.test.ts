// Which rows of a request are sent.
import { describe, expect, test } from 'vitest';
import { claimRows } from '#functions/submit/choose-rows.ts';
import type { ExcludedRow, RequestItem } from '#shared/request/request.ts';
import { abandonRequest, resendRequest } from '#shared/request/request-state.ts';
import { Ambiguous, NotSent, Rejected } from '#shared/service/errors.ts';
import { createNumbers } from '#shared/store/numbers.ts';
import { createTableTwin } from '../../support/in-memory/table.ts';
import { minute } from '../../support/service/simulator.ts';
import { failing, posts } from '../../support/steps/create-port-calls.ts';
import { rig, useFreshRig } from '../../support/steps/fresh-services.ts';
import { noon } from '../../support/steps/ledger-items.ts';
import { msisdnOf, plannedRowOf } from '../../support/steps/submit-and-sync.ts';
import { attemptOf } from '../../support/steps/submit-attempt.ts';
import { expiredPlans } from '../../support/steps/test-pipeline.ts';

// Which rows of the plan a request sends: none that the service declined, and only those of the current part.
describe('with their claims', () => {
  const rows = [2, 3, 4, 5].map((line) => ({ line, subject: `44770090000${line}`, wire: {} }));
  const named = (line: number, code: ExcludedRow['code'] = 'ROW_REFUSED'): ExcludedRow => ({
    line,
    subject: `44770090000${line}`,
    code,
    message: 'no',
  });

  /** The lines that are sent, those that are excluded, and those whose number is claimed. */
  async function claimedLines(item: Partial<RequestItem>) {
    const numbers = createNumbers(createTableTwin({ now: () => noon }) as never, 'results');
    const claimed = await claimRows(attemptOf(rows, { claims: true }, item), {
      numbers,
      clocks: { wall: () => noon },
    } as never);
    if ('how' in claimed) throw new Error('no row is left');
    const seen = await Promise.all(rows.map(({ subject }) => numbers.get(subject)));
    return {
      sent: claimed.send.rows.map(({ line }) => line),
      excluded: claimed.excludedRows.map(({ line }) => line),
      claimed: seen.flatMap((claim) => claim?.line ?? []),
    };
  }

  test('all rows are sent and claimed', async () => {
    expect(await claimedLines({})).toEqual({ sent: [2, 3, 4, 5], excluded: [], claimed: [2, 3, 4, 5] });
  });

  test('rows that the service declined by name are neither sent nor claimed, and stay excluded', async () => {
    const excludedRows = [named(3), named(5), named(4, 'MSISDN_IN_LIVE_IMPORT')];
    expect(await claimedLines({ excludedRows })).toEqual({ sent: [2, 4], excluded: [3, 5], claimed: [2, 4] });
  });
});

// Which request may call for a number: claims, and claims without use.
describe('of numbers in progress', () => {
  useFreshRig();

  const rows = [plannedRowOf(1, 2), plannedRowOf(2, 3), plannedRowOf(3, 5)];
  const call = 'POST /api/porting/1001';

  describe('claims', () => {
    test('fault 22: a number that is in progress in another import is skipped, and the message names that import and line', async () => {
      await rig.submit(await rig.planOne('import-a', rows));
      const message = await rig.planOne('import-b', [plannedRowOf(4, 2), plannedRowOf(3, 9)]);
      expect(await rig.submit(message)).toBe('created');
      const request = await rig.request('import-b');
      expect(request.lines).toBe('2');
      expect(request.excludedRows).toEqual([
        {
          line: 9,
          subject: msisdnOf(3),
          code: 'MSISDN_IN_LIVE_IMPORT',
          message: expect.stringContaining('line 5 of import import-a'),
        },
      ]);
    });

    test('a create of unknown outcome is repeated with its rows, although a number that it left out is free by now', async () => {
      const unknown = { client: failing(new Ambiguous('no answer', { call })) };
      await rig.submit(await rig.planOne('import-a', rows), unknown);
      const message = await rig.planOne('import-b', [plannedRowOf(4, 2), plannedRowOf(3, 9)]);
      await rig.submit(message, unknown);
      const now = rig.service.now();
      const resolution = { at: new Date(now).toISOString(), by: 'Sam' };
      const [a, b] = [await rig.request('import-a'), await rig.request('import-b')];
      await rig.requests.replace(a, abandonRequest(a, { ...resolution, what: 'abandon' }, 'abandoned', now));
      await rig.requests.replace(b, resendRequest(b, { ...resolution, what: 'resend' }, now));
      expect(await rig.submit(message)).toBe('created');
      expect(await rig.request('import-b')).toMatchObject({ lines: '2', excludedRows: [{ line: 9 }] });
    });

    test('a request whose numbers are all taken is skipped without a call', async () => {
      await rig.submit(await rig.planOne('import-a', rows));
      expect(await rig.submit(await rig.planOne('import-b', rows))).toBe('skipped');
      const request = await rig.request('import-b');
      expect(request.excludedRows).toHaveLength(3);
      expect(request.endedAt).toBeDefined();
      expect(posts()).toBe(1);
    });

    test('exactly one of two simultaneous requests gets each number', async () => {
      const [a, b] = [await rig.planOne('import-a', rows), await rig.planOne('import-b', rows)];
      const outcomes = await Promise.all([rig.submit(a), rig.submit(b)]);
      const requests = await Promise.all([rig.request('import-a'), rig.request('import-b')]);
      const won = requests.map((request) => 3 - (request.excludedRows?.length ?? 0));
      expect((won[0] ?? 0) + (won[1] ?? 0)).toBe(3);
      expect(outcomes.filter((outcome) => outcome === 'created').length).toBeGreaterThan(0);
      for (const row of rows) {
        const winner = await rig.numbers.get(row.subject);
        const loser = winner?.importId === 'import-a' ? requests[1] : requests[0];
        expect(loser?.excludedRows?.some(({ subject }) => subject === row.subject)).toBe(true);
      }
    });

    test('the claims of a declined request end by themselves, and the former claim becomes history', async () => {
      const refusal = new Rejected({ message: 'no', fieldErrors: [], msisdns: [] }, { call, status: 400 });
      await rig.submit(await rig.planOne('import-a', rows), { client: failing(refusal) });
      rig.pass(minute);
      expect(await rig.submit(await rig.planOne('import-b', rows))).toBe('created');
      expect(await rig.numbers.get(msisdnOf(1))).toMatchObject({ importId: 'import-b' });
      expect(await rig.numbers.history(msisdnOf(1))).toMatchObject([{ importId: 'import-a', line: 2 }]);
    });
  });

  describe('a claim without use', () => {
    const claimedBy = async (importId: string) => (await rig.numbers.get(msisdnOf(1)))?.importId === importId;

    const gone = {
      number: msisdnOf(1),
      importId: 'import-gone',
      request: 1,
      line: 7,
      claimedAt: '2026-07-06T08:00:00.000Z',
      expiresAt: 1_850_000_000,
    };

    test.each([
      ['by another delivery of the same request: the row is sent', 'import-a', 'created'],
      ['by another import: the row is skipped', 'import-b', 'skipped'],
    ] as const)('that is taken at the same moment %s', async (_, importId, end) => {
      const message = await rig.planOne('import-a', [plannedRowOf(1, 2)]);
      await rig.numbers.claim([gone]);
      const { numbers } = rig.submitParts();
      const takeOver = async () => {
        await numbers.takeOver(gone, { ...gone, importId, line: 2 });
        return false;
      };
      expect(await rig.submit(message, { numbers: { ...numbers, takeOver } })).toBe(end);
      expect(await claimedBy(importId)).toBe(true);
    });

    test('of a request that is not in the ledger is taken over, and is in the history of the number', async () => {
      await rig.numbers.claim([gone]);
      expect(await rig.submit(await rig.planOne('import-a', rows))).toBe('created');
      expect(await claimedBy('import-a')).toBe(true);
      expect(await rig.numbers.history(msisdnOf(1))).toMatchObject([{ importId: 'import-gone', line: 7 }]);
    });

    test('of a request whose plan expired ends with the request, although nothing was sent', async () => {
      const { client } = rig.submitParts();
      const held = { ...client, createPort: () => Promise.reject(new NotSent('no connection', { call })) };
      const message = await rig.planOne('import-a', rows);
      expect(await rig.submit(message, { client: held })).toBe('planned');
      expect(await claimedBy('import-a')).toBe(true);
      expect(await rig.submit(message, { plans: expiredPlans })).toBe('declined');
      rig.pass(minute);
      expect(await rig.submit(await rig.planOne('import-b', rows))).toBe('created');
      expect(await claimedBy('import-b')).toBe(true);
    });

    test.each(['planned', 'unknown', 'action-required'] as const)(
      'of a request in state %s is not taken over: the request may still create a port',
      async (state) => {
        await rig.submit(await rig.planOne('import-a', rows), { client: failing(new Ambiguous('reset', { call })) });
        const seen = await rig.request('import-a');
        await rig.requests.replace(seen, { ...seen, state });
        expect(await rig.submit(await rig.planOne('import-b', rows))).toBe('skipped');
        expect(await claimedBy('import-a')).toBe(true);
      },
    );
  });
});
