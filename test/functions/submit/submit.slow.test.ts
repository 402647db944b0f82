// A request on its way to the service: accepted, failed, delivered twice.
import { describe, expect, test } from 'vitest';
import { requestResult } from '#shared/outcome/row-result.ts';
import type { CalendarDate } from '#shared/row/calendar-date.ts';
import { createDeadline, DeadlineExceeded } from '#shared/runtime/clock.ts';
import {
  Ambiguous,
  CallDeferred,
  CredentialsRejected,
  NotSent,
  RateLimited,
  Rejected,
} from '#shared/service/errors.ts';
import { startResultsServices } from '../../support/embedded/services.ts';
import { day, minute } from '../../support/service/simulator.ts';
import { clientThat, failing, posts } from '../../support/steps/create-port-calls.ts';
import { rig, services, useFreshRig } from '../../support/steps/fresh-services.ts';
import { leaseMs, msisdnOf, plannedRowOf, quietMs } from '../../support/steps/submit-and-sync.ts';
import { expiredPlans } from '../../support/steps/test-pipeline.ts';

useFreshRig(startResultsServices);

const rows = [plannedRowOf(1, 2), plannedRowOf(2, 3), plannedRowOf(3, 5)];
const call = 'POST /api/porting/1001';

describe('a request that the service accepts', () => {
  test('creates one port, whose id, status and rows are in the ledger', async () => {
    const message = await rig.planOne('import-a', rows);
    expect(await rig.submit(message)).toBe('created');

    const request = await rig.request('import-a');
    expect(request).toMatchObject({
      state: 'created',
      attempt: 1,
      lines: '2-3,5',
      portStatus: 'Created',
      actionRequired: 0,
    });
    expect(request.dueAt).toBeUndefined();
    const port = await rig.ports.get(request.portId ?? '');
    expect(port).toMatchObject({ importId: 'import-a', request: 1, status: 'Created', rowCount: 3, missingReads: 0 });
    expect(port?.name.endsWith(request.token)).toBe(true);
    expect(port?.concern).toBeUndefined();
    expect((await rig.ports.rows(request.portId ?? ''))?.map(({ line, msisdn }) => [line, msisdn])).toEqual([
      [2, msisdnOf(1)],
      [3, msisdnOf(2)],
      [5, msisdnOf(3)],
    ]);
    expect(await rig.ports.events(request.portId ?? '')).toMatchObject([{ status: 'Created' }]);
  });

  test('can be cancelled until the working day before a holiday when its date is the day after the holiday', async () => {
    rig.pass(49 * day);
    const [message] = await rig.plan('import-a', [rows], { connectionDate: '2026-09-01' as never });
    if (message !== undefined) await rig.submit(message);
    const { portId = '', holidays } = await rig.request('import-a');
    expect(holidays).toEqual(['2026-08-31']);
    expect(await rig.ports.get(portId)).toMatchObject({ cancelBy: '2026-08-28T15:00:00.000Z' });
  });

  test('has a claim on each number, with its line', async () => {
    await rig.submit(await rig.planOne('import-a', rows));
    expect(await rig.numbers.get(msisdnOf(3))).toMatchObject({ importId: 'import-a', request: 1, line: 5 });
  });

  test('has a write-ahead record before the call is made', async () => {
    const message = await rig.planOne('import-a', rows);
    let seen: unknown;
    const client = clientThat(async () => {
      seen = await rig.request('import-a');
      throw new Ambiguous('reset', { call });
    });
    await rig.submit(message, { client });
    expect(seen).toMatchObject({
      state: 'in-flight',
      attempt: 1,
      dueAt: new Date(rig.service.now() + leaseMs + quietMs).toISOString(),
    });
  });

  test('has a concern when its port differs from the request', async () => {
    const message = await rig.planOne('import-a', rows);
    const { client } = rig.submitParts();
    const short = {
      ...client,
      port: async (id: string) => {
        const detail = await client.port(id);
        return { ...detail, rowCount: 2, rows: detail.rows.slice(1) };
      },
    };
    await rig.submit(message, { client: short });
    const { portId = '' } = await rig.request('import-a');
    expect(await rig.ports.get(portId)).toMatchObject({
      actionRequired: 1,
      concern: `The port does not contain ${msisdnOf(1)}, which was sent`,
    });
    expect(await rig.ports.actionRequired()).toMatchObject([{ portId }]);
  });
});

describe('fault 42: while the service is down', () => {
  const deferred = new CallDeferred('the service has been down since noon', 120_000, { call });
  const closed = () => ({ ...rig.submitParts().client, throwIfDeferred: () => Promise.reject(deferred) });

  test('nothing is claimed and nothing is called, and a new message follows later', async () => {
    const message = await rig.planOne('import-a', rows);
    expect(await rig.submit(message, { client: closed() })).toBe('planned');
    expect(await rig.numbers.get(msisdnOf(1))).toBeUndefined();
    expect(rig.calls).toEqual([]);
    expect(services.waiting('submit')).toEqual([{ body: message, delaySeconds: 126 }]);
    expect(await rig.request('import-a')).toMatchObject({ attempt: 0, error: { kind: 'deferred' } });
  });

  test('sync does not take a delayed message for lost', async () => {
    const message = await rig.planOne('import-a', rows);
    await rig.submit(message, { client: closed() });
    rig.pass(16 * minute);
    expect(await rig.sync()).toMatchObject({ resent: 0 });
    rig.pass(2 * minute);
    expect(await rig.sync()).toMatchObject({ resent: 1 });
  });
});

describe('deliveries', () => {
  test('fault 27: a second delivery after success makes no call', async () => {
    const message = await rig.planOne('import-a', rows);
    await rig.submit(message);
    expect(await rig.submit(message)).toBe('not-mine');
    expect(posts()).toBe(1);
    expect(await rig.portsThere()).toBe(1);
  });

  test('fault 28: exactly one of many simultaneous deliveries calls', async () => {
    const message = await rig.planOne('import-a', rows);
    const outcomes = await Promise.all(Array.from({ length: 8 }, () => rig.submit(message)));
    expect(outcomes.filter((outcome) => outcome === 'created')).toHaveLength(1);
    expect(posts()).toBe(1);
  });

  test('fault 28: a delivery while the first is calling makes no call', async () => {
    const message = await rig.planOne('import-a', rows);
    const client = clientThat(async () => {
      expect(await rig.submit(message)).toBe('not-mine');
      throw new Ambiguous('reset', { call });
    });
    await rig.submit(message, { client });
    expect(posts()).toBe(1);
  });

  test.each([
    ['success', undefined],
    ['a refusal', new Rejected({ message: 'no', fieldErrors: [], msisdns: [] }, { call, status: 400 })],
    ['an answer that got lost', new Ambiguous('reset', { call })],
  ])('fault 32: a message redriven after %s makes no call', async (_, failure) => {
    const message = await rig.planOne('import-a', rows);
    await rig.submit(message, failure && { client: failing(failure) });
    expect(await rig.submit(message)).toBe('not-mine');
    expect(posts()).toBe(1);
  });
});

describe('answers', () => {
  test('a declined request ends with the reason', async () => {
    const refusal = new Rejected({ message: 'no', fieldErrors: [], msisdns: [] }, { call, status: 422 });
    expect(await rig.submit(await rig.planOne('import-a', rows), { client: failing(refusal) })).toBe('declined');
    expect(await rig.request('import-a')).toMatchObject({
      state: 'declined',
      error: { kind: 'rejected', status: 422, message: 'no' },
      endedAt: expect.any(String),
    });
    expect(rig.counts.requestsDeclined).toBe(1);
  });

  test.each(['connection reset', 'time-out', '201 without an id', '502 after the commit'])(
    'faults 36 to 39: after %s the outcome is unknown, due after the quiet period, and no message sends it again',
    async (what) => {
      const message = await rig.planOne('import-a', rows);
      expect(await rig.submit(message, { client: failing(new Ambiguous(what, { call })) })).toBe('unknown');
      const request = await rig.request('import-a');
      expect(request.dueAt).toBe(new Date(rig.service.now() + quietMs).toISOString());
      expect(await rig.submit(message)).toBe('not-mine');
      expect(posts()).toBe(1);
    },
  );

  test('an unexpected error of the call makes the outcome unknown as well', async () => {
    const message = await rig.planOne('import-a', rows);
    expect(await rig.submit(message, { client: failing(new TypeError('boom')) })).toBe('unknown');
  });

  test('fault 42: a request that was not sent is requeued with a delayed message', async () => {
    const message = await rig.planOne('import-a', rows);
    expect(await rig.submit(message, { client: failing(new NotSent('connection refused', { call })) })).toBe('planned');
    expect(services.waiting('submit')).toEqual([{ body: message, delaySeconds: 4 }]);
    expect(await rig.submit(message)).toBe('created');
    expect(await rig.request('import-a')).toMatchObject({ attempt: 2 });
  });

  test('fault 40: a rate-limited request gets a new message, so that the receive count does not grow', async () => {
    const message = await rig.planOne('import-a', rows);
    expect(await rig.submit(message, { client: failing(new RateLimited(120_000, { call, status: 429 })) })).toBe(
      'planned',
    );
    expect(services.waiting('submit')).toEqual([{ body: message, delaySeconds: 126 }]);
    expect((await rig.request('import-a')).error?.kind).toBe('rate-limited');
  });

  test('fault 41: rejected credentials leave the request planned, with the reason', async () => {
    const message = await rig.planOne('import-a', rows);
    const declined = failing(new CredentialsRejected('invalid_client', { call: 'POST /connect/token', status: 400 }));
    expect(await rig.submit(message, { client: declined })).toBe('planned');
    expect(await rig.request('import-a')).toMatchObject({ state: 'planned', error: { kind: 'credentials-rejected' } });
  });

  test('fault 46: a late answer of an overtaken attempt is stored and counted as a duplicate', async () => {
    const message = await rig.planOne('import-a', rows);
    const client = clientThat(async () => {
      // The attempt hangs. Sync requeues the request, and a second attempt creates a port.
      const stuck = await rig.request('import-a');
      await rig.requests.replace(stuck, { ...stuck, state: 'planned' });
      expect(await rig.submit(message)).toBe('created');
      return 'late-port';
    });
    await rig.submit(message, { client });
    const request = await rig.request('import-a');
    expect(request.portId).not.toBe('late-port');
    expect(request.duplicatePortIds).toEqual(['late-port']);
    expect(rig.counts.duplicates).toBe(1);
  });
});

describe('before the call', () => {
  test('a date in the past declines the request with its code', async () => {
    const message = await rig.planOne('import-a', rows);
    rig.pass(5 * 24 * 60 * minute);
    expect(await rig.submit(message)).toBe('declined');
    expect(await rig.request('import-a')).toMatchObject({
      error: { kind: 'DATE_NO_LONGER_AVAILABLE' },
      lines: '2-3,5',
    });
    expect(posts()).toBe(0);
  });

  test('a date that cannot be booked yet schedules the request, whose numbers no other import gets meanwhile', async () => {
    const [message] = await rig.plan('import-a', [rows], { connectionDate: '2026-08-10' as CalendarDate });
    if (message === undefined) throw new Error('nothing was planned');
    expect(await rig.submit(message)).toBe('scheduled');
    const scheduled = await rig.request('import-a');
    expect(scheduled).toMatchObject({ sendOn: '2026-07-11', dueAt: '2026-07-11T00:15:00.000Z', lines: '2-3,5' });
    expect(requestResult(scheduled)).toMatchObject({
      outcome: 'scheduled',
      message: 'The date can be booked from 2026-07-11 on',
    });
    expect(await rig.submit(await rig.planOne('import-b', rows))).toBe('skipped');
    expect(await rig.submit(message)).toBe('not-mine');
    rig.pass(4 * 24 * 60 * minute);
    expect(await rig.sync()).toMatchObject({ resent: 0 });
    rig.pass(24 * 60 * minute);
    expect(await rig.sync()).toMatchObject({ resent: 1, imports: 1 });
    expect(posts()).toBe(0);
    expect(await rig.submit(message)).toBe('created');
    expect(await rig.request('import-a')).not.toHaveProperty('sendOn');
  });

  test('fault 37: no call starts when the remaining time is too short to record it', async () => {
    const message = await rig.planOne('import-a', rows);
    await expect(rig.submit(message, { deadline: createDeadline(() => 24_999) })).rejects.toBeInstanceOf(
      DeadlineExceeded,
    );
    expect(posts()).toBe(0);
    expect(await rig.request('import-a')).toMatchObject({ state: 'planned', attempt: 0 });
  });

  test('an expired plan ends the request with advice', async () => {
    const message = await rig.planOne('import-a', rows);
    expect(await rig.submit(message, { plans: expiredPlans })).toBe('declined');
    expect((await rig.request('import-a')).error?.message).toContain('import the file again');
  });
});

describe('a failure of the table', () => {
  test('fault 35: an answer that could not be recorded causes no second call', async () => {
    const message = await rig.planOne('import-a', rows);
    const { requests } = rig.submitParts();
    let writes = 0;
    const broken = {
      ...requests,
      replace: (...given: Parameters<typeof requests.replace>) => {
        writes += 1;
        return writes > 1 ? Promise.reject(new Error('throttled')) : requests.replace(...given);
      },
    };
    await expect(rig.submit(message, { requests: broken })).rejects.toThrow('throttled');
    expect(await rig.submit(message)).toBe('not-mine');
    expect(posts()).toBe(1);
  });
});
