// All that can end a message before its call: the service has felt nothing then, and the ledger says why.
import { describe, expect, test } from 'vitest';
import type { SubmitParts } from '#functions/submit/parts.ts';
import {
  ContractBroken,
  CredentialsRefused,
  HeldBack,
  NotFound,
  NotSent,
  RateLimited,
  Rejected,
  Unavailable,
} from '#shared/porting/errors.ts';
import { planRequest } from '../../support/changes-rig.ts';
import { minute } from '../../support/porting-service.ts';
import { rig, services } from '../../support/results-fresh.ts';
import { msisdnOf, plannedRowOf } from '../../support/results-rig.ts';

const rows = [plannedRowOf(1, 2), plannedRowOf(2, 3)];
const call = 'GET /api/porting/1001/networks';
const posts = () => rig.calls.filter((name) => name === 'createPort').length;
/** Parts with another answer of one of the client's methods. */
const clientWith = (changes: Partial<SubmitParts['client']>): Partial<SubmitParts> => ({
  client: { ...rig.submitParts().client, ...changes },
});
/** A ledger in which somebody else was quicker each time. */
const beaten = (): Partial<SubmitParts> => ({
  requests: { get: rig.requests.get, replace: async () => false },
});

describe('a message comes back, and nothing is written,', () => {
  test('of a request that is not in the ledger', async () => {
    const message = await rig.planOne('import-a', rows);
    await expect(rig.submit({ ...message, importId: 'gone', request: 7 })).rejects.toThrow(
      'request 7 of import gone is not in the ledger',
    );
  });

  test('of an operation that nobody knows', async () => {
    const message = await rig.planOne('import-a', rows);
    const asked = rig.submit(message, { operationNamed: () => undefined });
    await expect(asked).rejects.toThrow('there is no operation create-port');
    expect(await rig.request('import-a')).toMatchObject({ state: 'planned', revision: 0 });
  });

  test('where it cannot be found out whether a call may be made', async () => {
    const message = await rig.planOne('import-a', rows);
    const broken = clientWith({ ready: () => Promise.reject(new Error('throttled')) });
    await expect(rig.submit(message, broken)).rejects.toThrow('throttled');
    expect(await rig.request('import-a')).toMatchObject({ state: 'planned', revision: 0 });
    expect(services.waiting('submit')).toEqual([]);
  });

  test.each([
    ['is refused', new Rejected({ message: 'no', fieldErrors: [], msisdns: [] }, { call, status: 400 })],
    ['is not there', new NotFound({ message: 'no', fieldErrors: [], msisdns: [] }, { call, status: 404 })],
    ['fails in a way that nobody foresaw', new TypeError('boom')],
  ])('whose look-up %s', async (_, failure) => {
    const message = await rig.planOne('import-a', rows);
    const asked = rig.submit(message, clientWith({ networks: () => Promise.reject(failure) }));
    await expect(asked).rejects.toBe(failure);
    expect(await rig.request('import-a')).toMatchObject({ state: 'planned', revision: 0 });
  });
});

describe('a request goes back in line, with what it waits for and a message of its own,', () => {
  test.each([
    new NotSent('no connection', { call }),
    new RateLimited(1_000, { call, status: 429 }),
    new CredentialsRefused('invalid_client', { call, status: 401 }),
    new Unavailable('503', { call, status: 503 }),
    new ContractBroken('no list', { call, status: 200 }),
  ])('when its look-up ends with $name', async (failure) => {
    const message = await rig.planOne('import-a', rows);
    const asked = rig.submit(message, clientWith({ networks: () => Promise.reject(failure) }));
    expect(await asked).toBe('planned');
    expect(await rig.request('import-a')).toMatchObject({ attempt: 0, error: { kind: failure.kind } });
    expect(services.waiting('submit').map(({ body }) => body)).toEqual([message]);
    expect(posts()).toBe(0);
  });

  test('when the service goes down between the look-ups and the call', async () => {
    const message = await rig.planOne('import-a', rows);
    const answers = [undefined, new HeldBack('the service is down', 1_000, { call })];
    const closing = clientWith({
      ready: async () => {
        const failure = answers.shift();
        if (failure !== undefined) throw failure;
      },
    });
    expect(await rig.submit(message, closing)).toBe('planned');
    expect(await rig.request('import-a')).toMatchObject({ attempt: 0, error: { kind: 'held-back' } });
    expect(posts()).toBe(0);
  });

  test('later each time that it was not sent', async () => {
    const message = await rig.planOne('import-a', rows);
    const refused = clientWith({ createPort: () => Promise.reject(new NotSent('no connection', { call })) });
    for (let attempt = 1; attempt <= 3; attempt += 1) await rig.submit(message, refused);
    expect(services.waiting('submit').map(({ delaySeconds }) => delaySeconds)).toEqual([4, 8, 15]);
  });
});

test('a call is begun when the time left is just enough to record it', async () => {
  const message = await rig.planOne('import-a', rows);
  expect(await rig.submit(message, { remainingMs: () => 10_000 })).toBe('created');
});

describe('somebody else was quicker', () => {
  test('with the intent: no call is made', async () => {
    expect(await rig.submit(await rig.planOne('import-a', rows), beaten())).toBe('not-mine');
    expect(posts()).toBe(0);
  });

  test('with a request whose plan has expired: nothing is counted', async () => {
    const expired = { ...beaten(), plans: { read: async () => undefined } };
    expect(await rig.submit(await rig.planOne('import-a', rows), expired)).toBe('not-mine');
    expect(rig.counts).toEqual({});
  });

  test('with a request that has to wait: no second message is sent', async () => {
    const heldBack = new HeldBack('the service is down', 1_000, { call });
    const closed = clientWith({ ready: () => Promise.reject(heldBack) });
    expect(await rig.submit(await rig.planOne('import-a', rows), { ...closed, ...beaten() })).toBe('not-mine');
    expect(services.waiting('submit')).toEqual([]);
  });
});

describe('a request that is not sent after all', () => {
  test('counts each of its rows that is withdrawn, once, also where the others are sent', async () => {
    await rig.submit(await rig.planOne('import-a', [plannedRowOf(1, 2)]));
    const message = await rig.planOne('import-b', rows);
    const notSent = new NotSent('nobody is there', { call });
    const refusing = clientWith({ createPort: () => Promise.reject(notSent) });
    await rig.submit(message, refusing);
    expect(rig.counts.rowsWithdrawn).toBe(1);
    expect(await rig.submit(message)).toBe('created');
    expect(rig.counts.rowsWithdrawn).toBe(1);
  });

  test('says by its kind that its plan has expired', async () => {
    const message = await rig.planOne('import-a', rows);
    await rig.submit(message, { plans: { read: async () => undefined } });
    expect(await rig.request('import-a')).toMatchObject({ error: { kind: 'plan-expired' } });
  });

  test('is withdrawn without a look-up when others have all its numbers', async () => {
    await rig.submit(await rig.planOne('import-a', rows));
    rig.calls.length = 0;
    expect(await rig.submit(await rig.planOne('import-b', rows))).toBe('withdrawn');
    expect(rig.calls).toEqual([]);
  });

  test.each([
    ['keeps the rows that others have', rows, [{ line: 9, code: 'MSISDN_IN_LIVE_IMPORT' }], '8'],
    ['has no such rows where there are none', [plannedRowOf(3, 2)], undefined, '8-9'],
  ])('for its date %s', async (_, others, withdrawn, lines) => {
    await rig.submit(await rig.planOne('import-a', others));
    const message = await rig.planOne('import-b', [plannedRowOf(4, 8), plannedRowOf(2, 9)]);
    rig.pass(5 * 24 * 60 * minute);
    expect(await rig.submit(message)).toBe('refused');
    const request = await rig.request('import-b');
    expect(request).toMatchObject({ error: { kind: 'DATE_NO_LONGER_AVAILABLE' }, lines });
    if (withdrawn === undefined) expect(request.withdrawn).toBeUndefined();
    else expect(request.withdrawn).toMatchObject(withdrawn);
  });

  test('makes no call for a change of which no line is left, and says why of each', async () => {
    await rig.submit(await rig.planOne('made', rows));
    const { portId = '' } = await rig.request('made');
    await rig.porting.cancelPort(portId);
    rig.calls.length = 0;
    const message = await planRequest(rig, {
      importId: 'change',
      operation: 'update-port',
      head: { portId, action: 'amend', whole: false },
      rows: [{ line: 2, subject: msisdnOf(1), wire: { pac: 'ABC111111' } }],
    });
    expect(await rig.submit(message)).toBe('withdrawn');
    expect((await rig.request('change')).withdrawn).toEqual([
      { line: 2, subject: msisdnOf(1), code: 'LINE_NOT_CHANGEABLE', message: 'the line is Cancelled' },
    ]);
    expect(rig.calls).toEqual(['port']);
  });
});
