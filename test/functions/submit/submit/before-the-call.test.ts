// Everything that can end a message before its call. The service has received nothing then, and the ledger has the
// reason.

import { setImmediate as settled } from 'node:timers/promises';
import { beforeEach, describe, expect, test } from 'vitest';
import type { SubmitPipeline } from '#functions/submit/attempt.ts';
import { createCatalogue } from '#shared/operations/catalogue.ts';
import { resultsOf } from '#shared/outcome/request-results.ts';
import { requestResult } from '#shared/outcome/row-result.ts';
import { type SubmitMessage, submitMessage } from '#shared/request/messages.ts';
import { createDeadline, DeadlineExceeded } from '#shared/runtime/clock.ts';
import {
  Ambiguous,
  CallDeferred,
  ContractBroken,
  CredentialsRejected,
  NotFound,
  NotSent,
  RateLimited,
  Rejected,
  Unavailable,
} from '#shared/service/errors.ts';
import { createIsFirstUse } from '#shared/store/first-uses.ts';
import { double } from '../../../support/double.ts';
import { hour, minute } from '../../../support/service/simulator.ts';
import { rig, services, useFreshRig } from '../../../support/steps/fresh-services.ts';
import { planRequest } from '../../../support/steps/planned-requests.ts';
import { importItemOf, msisdnOf, plannedRowOf } from '../../../support/steps/submit-and-sync.ts';
import { expiredPlans } from '../../../support/steps/test-pipeline.ts';

useFreshRig();

const rows = [plannedRowOf(1, 2), plannedRowOf(2, 3)];
const call = 'GET /api/porting/1001/networks';
const posts = () => rig.calls.filter((name) => name === 'createPort').length;
/** Dependencies with other methods of the client. */
const clientWith = (changes: Partial<SubmitPipeline['client']>): Partial<SubmitPipeline> => ({
  client: { ...rig.submitParts().client, ...changes },
});
/** A ledger in which another write is always first. */
const beaten = (): Partial<SubmitPipeline> => ({
  requests: double({ get: rig.requests.get, replace: async () => undefined }),
});

describe('a message fails and nothing is written', () => {
  test('for a request that is not in the ledger', async () => {
    const message = await rig.planOne('import-a', rows);
    await expect(rig.submit({ ...message, importId: 'gone', request: 7 })).rejects.toThrow(
      'request 7 of import gone is not in the ledger',
    );
  });

  test('for an unknown operation', async () => {
    const message = await rig.planOne('import-a', rows);
    const asked = rig.submit(message, { operationNamed: () => undefined });
    await expect(asked).rejects.toThrow('there is no operation create-port');
    expect(await rig.request('import-a')).toMatchObject({ state: 'planned', revision: 0 });
  });

  test('when the rate limiter cannot be read', async () => {
    const message = await rig.planOne('import-a', rows);
    const broken = clientWith({ throwIfDeferred: () => Promise.reject(new Error('throttled')) });
    await expect(rig.submit(message, broken)).rejects.toThrow('throttled');
    expect(await rig.request('import-a')).toMatchObject({ state: 'planned', revision: 0 });
    expect(services.waiting('submit')).toEqual([]);
  });

  test('when its lookup fails in a way that nobody foresaw', async () => {
    const failure = new TypeError('boom');
    const message = await rig.planOne('import-a', rows);
    const asked = rig.submit(message, clientWith({ networks: () => Promise.reject(failure) }));
    await expect(asked).rejects.toBe(failure);
    expect(await rig.request('import-a')).toMatchObject({ state: 'planned', revision: 0 });
  });
});

describe('a request is requeued with its reason and a new message', () => {
  test.each([
    new NotSent('no connection', { call }),
    new RateLimited(1_000, { call, status: 429 }),
    new CredentialsRejected('invalid_client', { call, status: 401 }),
    new Unavailable('503', { call, status: 503 }),
    new ContractBroken('no list', { call, status: 200 }),
    new Rejected({ message: 'no', fieldErrors: [], msisdns: [] }, { call, status: 400 }),
    new NotFound({ message: 'no', fieldErrors: [], msisdns: [] }, { call, status: 404 }),
  ])('when its lookup fails with $name', async (failure) => {
    const message = await rig.planOne('import-a', rows);
    const asked = rig.submit(message, clientWith({ networks: () => Promise.reject(failure) }));
    expect(await asked).toBe('planned');
    expect(await rig.request('import-a')).toMatchObject({ attempt: 0, error: { kind: failure.kind } });
    expect(services.waiting('submit').map(({ body }) => body)).toEqual([message]);
    expect(posts()).toBe(0);
  });

  test('when the service goes down between the lookups and the call', async () => {
    const message = await rig.planOne('import-a', rows);
    const deferred = new CallDeferred('the service is down', 1_000, { call });
    const closing = clientWith({ ready: () => Promise.reject(deferred) });
    expect(await rig.submit(message, closing)).toBe('planned');
    expect(await rig.request('import-a')).toMatchObject({ attempt: 0, error: { kind: 'deferred' } });
    expect(posts()).toBe(0);
  });

  test('which each of its rows shows, also before the first attempt', async () => {
    const deferred = new CallDeferred('the service is down', 1_000, { call });
    const closed = clientWith({ throwIfDeferred: () => Promise.reject(deferred) });
    await rig.submit(await rig.planOne('import-a', rows), closed);
    const shown = resultsOf(await rig.request('import-a'));
    expect([...shown].map(([line, { outcome, message }]) => [line, outcome, message])).toEqual([
      [2, 'waiting', deferred.message],
      [3, 'waiting', deferred.message],
    ]);
  });

  test('with a longer delay each time', async () => {
    const message = await rig.planOne('import-a', rows);
    const declined = clientWith({ createPort: () => Promise.reject(new NotSent('no connection', { call })) });
    for (let attempt = 1; attempt <= 3; attempt += 1) await rig.submit(message, declined);
    expect(services.waiting('submit').map(({ delaySeconds }) => delaySeconds)).toEqual([4, 8, 15]);
  });
});

test('a call starts when the remaining time is just enough to wait for a slot and to record its answer', async () => {
  const message = await rig.planOne('import-a', rows);
  expect(await rig.submit(message, { deadline: createDeadline(() => 25_000) })).toBe('created');
});

test('no call starts with a millisecond less, and its message is delivered again', async () => {
  const message = await rig.planOne('import-a', rows);
  const asked = rig.submit(message, { deadline: createDeadline(() => 24_999) });
  await expect(asked).rejects.toBeInstanceOf(DeadlineExceeded);
  expect(posts()).toBe(0);
  expect(await rig.request('import-a')).toMatchObject({ state: 'planned', attempt: 0 });
});

test('a request of another account is left as it is', async () => {
  const message = await rig.planOne('import-a', rows);
  const planned = await rig.request('import-a');
  await rig.requests.replace(planned, {
    ...planned,
    account: '1002@https://porting.example' as typeof planned.account,
  });
  expect(await rig.submit(message)).toBe('not-mine');
  expect(posts()).toBe(0);
  expect(await rig.request('import-a')).toMatchObject({ state: 'planned', revision: 1 });
});

describe('another write was first', () => {
  test('than the write-ahead record: no call is made', async () => {
    expect(await rig.submit(await rig.planOne('import-a', rows), beaten())).toBe('not-mine');
    expect(posts()).toBe(0);
  });

  test('than the end of a request with an expired plan: nothing is counted', async () => {
    const expired = { ...beaten(), plans: expiredPlans };
    expect(await rig.submit(await rig.planOne('import-a', rows), expired)).toBe('not-mine');
    expect(rig.counts).toEqual({});
  });

  test('than a requeued request: no second message is sent', async () => {
    const deferred = new CallDeferred('the service is down', 1_000, { call });
    const closed = clientWith({ throwIfDeferred: () => Promise.reject(deferred) });
    expect(await rig.submit(await rig.planOne('import-a', rows), { ...closed, ...beaten() })).toBe('not-mine');
    expect(services.waiting('submit')).toEqual([]);
  });
});

test('a request is read while the rate limiter and its import are', async () => {
  const [asked, stopRead] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const message = await rig.planOne('import-a', rows);
  const changes = {
    ...clientWith({ throwIfDeferred: async () => asked.resolve() }),
    requests: {
      ...rig.requests,
      get: async (importId: string, request: number) => {
        await Promise.all([asked.promise, stopRead.promise]);
        return rig.requests.get(importId, request);
      },
    },
    readStop: async () => {
      stopRead.resolve();
      return undefined;
    },
  };
  expect(await rig.submit(message, changes)).toBe('created');
});

describe('a request that is not sent', () => {
  test('counts each skipped row once, also when the other rows are sent', async () => {
    await rig.submit(await rig.planOne('import-a', [plannedRowOf(1, 2)]));
    const message = await rig.planOne('import-b', rows);
    const notSent = new NotSent('nobody is there', { call });
    const refusing = clientWith({ createPort: () => Promise.reject(notSent) });
    await rig.submit(message, refusing);
    expect(rig.counts.rowsSkipped).toBe(1);
    expect(await rig.submit(message)).toBe('created');
    expect(rig.counts.rowsSkipped).toBe(1);
  });

  test('has an error kind for an expired plan', async () => {
    const message = await rig.planOne('import-a', rows);
    await rig.submit(message, { plans: expiredPlans });
    expect(await rig.request('import-a')).toMatchObject({ error: { kind: 'plan-expired' } });
  });

  test('is skipped without a lookup when other requests have all its numbers', async () => {
    await rig.submit(await rig.planOne('import-a', rows));
    rig.calls.length = 0;
    expect(await rig.submit(await rig.planOne('import-b', rows))).toBe('skipped');
    expect(rig.calls).toEqual([]);
  });

  test.each([
    ['keeps the rows that others have', rows, [{ line: 9, code: 'MSISDN_IN_LIVE_IMPORT' }], '8'],
    ['has no such rows where there are none', [plannedRowOf(3, 2)], undefined, '8-9'],
  ])('because of its date %s', async (_, others, excludedRows, lines) => {
    await rig.submit(await rig.planOne('import-a', others));
    const message = await rig.planOne('import-b', [plannedRowOf(4, 8), plannedRowOf(2, 9)]);
    rig.pass(5 * 24 * 60 * minute);
    expect(await rig.submit(message)).toBe('declined');
    const request = await rig.request('import-b');
    expect(request).toMatchObject({ error: { kind: 'DATE_NO_LONGER_AVAILABLE' }, lines });
    if (excludedRows === undefined) expect(request.excludedRows).toBeUndefined();
    else expect(request.excludedRows).toMatchObject(excludedRows);
  });

  test('makes no call for a change without rows, and has a reason for each row', async () => {
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
    expect(await rig.submit(message)).toBe('skipped');
    expect((await rig.request('change')).excludedRows).toEqual([
      {
        line: 2,
        subject: msisdnOf(1),
        code: 'LINE_NOT_CHANGEABLE',
        message: 'The row is Cancelled and takes no new PAC',
      },
    ]);
    expect(rig.calls).toEqual(['port']);
  });
});

describe('a lookup that the service declines', () => {
  const forbidden = { message: 'Forbidden', fieldErrors: [], msisdns: [] };
  const networks = () => Promise.reject(new Rejected(forbidden, { call, status: 403 }));

  test('sends the request again later, with the reason in its results', async () => {
    const message = await rig.planOne('import-a', rows);
    expect(await rig.submit(message, clientWith({ networks }))).toBe('planned');
    expect(requestResult(await rig.request('import-a'))).toMatchObject({ outcome: 'waiting', message: 'Forbidden' });
  });

  test('of the networks, which every account has, is an outage with its reason', async () => {
    const lacksAccess = () => new Response('{"message":"Forbidden"}', { status: 403 });
    const { client } = rig.connect(async (url, init) =>
      String(url).endsWith('/networks') ? lacksAccess() : globalThis.fetch(url, init),
    );
    const message = await rig.planOne('import-a', rows);
    expect(await rig.submit(message, { client, validation: rig.submitParts({ client }).validation })).toBe('planned');
    expect((await rig.request('import-a')).error?.message).toContain('Forbidden');
    expect(await rig.rateLimiter.get()).toMatchObject({ outage: expect.anything(), failing: { because: 'Forbidden' } });
    rig.pass(10 * minute);
    expect(await rig.submit(message)).toBe('created');
    expect((await rig.rateLimiter.get())?.outage).toBeUndefined();
  });
});

// Requests that name the same new provisioning order: one creates it, whatever happens to its call (spec gap 17).
describe('a new provisioning order', () => {
  useFreshRig();

  const order = { provisioningOrder: null, provisioningOrderName: 'Field team 2026' };
  const created = { number: 7001, name: 'Field team 2026' };
  const call = 'POST /api/porting/1001';
  type CreatePort = SubmitPipeline['client']['createPort'];
  let messages: SubmitMessage[];
  /** The names of new orders that were sent, in order. */
  let names: string[];
  let listed: boolean;
  let lookups: number;
  /** What the service does with a call that names a new order. */
  let answer: (send: () => ReturnType<CreatePort>) => ReturnType<CreatePort>;

  beforeEach(async () => {
    await rig.imports.begin(importItemOf('import-a'));
    const groups = [1, 2, 3, 4, 5].map((index) => [plannedRowOf(index, index + 1)]);
    messages = await rig.plan('import-a', groups, order);
    names = [];
    listed = false;
    lookups = 0;
    answer = async (send) => {
      const portId = await send();
      // Each of the others looks for the order twice while the service creates it.
      for (let turn = 0; turn < 3_000 && lookups < 9; turn += 1) await settled();
      listed = true;
      return portId;
    };
  });

  const submit = (message: SubmitMessage) => {
    const { client, validation } = rig.submitParts();
    const createPort: CreatePort = (body) => {
      const name = body.rows[0]?.provisioningOrderName;
      if (!name) return client.createPort(body);
      names.push(name);
      return answer(() => client.createPort(body));
    };
    const provisioningOrders: typeof client.provisioningOrders = async (network) => {
      lookups += 1;
      const isListed = listed;
      const orders = await client.provisioningOrders(network);
      return isListed && orders !== 'not-available' ? [...orders, created as never] : orders;
    };
    const isFirstUseOf = createIsFirstUse(services.table, rig.table, rig.service.now);
    const service = { ...client, createPort, provisioningOrders };
    const catalogue = createCatalogue(service, { isFirstUseOf });
    return rig.submit(message, { client: service, validation: { ...validation, catalogue } });
  };

  /** Processes the messages that wait in the queue, until all requests have a port. */
  async function submitWaiting(): Promise<void> {
    for (let round = 0; round < 20; round += 1) {
      rig.pass(minute);
      const waiting = services.waiting('submit').map(({ body }) => submitMessage.parse(body));
      services.emptyQueues();
      await Promise.all(waiting.map(submit));
    }
  }
  const statesOf = () =>
    Promise.all(messages.map(async ({ request }) => (await rig.request('import-a', request)).state));

  test('that are sent together name it once, and the others use its number', async () => {
    await Promise.all(messages.map(submit));
    expect(names).toHaveLength(1);
    await submitWaiting();
    expect(await statesOf()).toEqual(Array(5).fill('created'));
    expect(names).toHaveLength(1);
  });

  test('name it again one by one if the request that named it was declined', async () => {
    const takes = answer;
    answer = async (send) => {
      if (names.length > 1) return takes(send);
      throw new Rejected({ message: 'no', fieldErrors: [], msisdns: [] }, { call, status: 400 });
    };
    await Promise.all(messages.map(submit));
    await submitWaiting();
    expect((await statesOf()).toSorted()).toEqual(['created', 'created', 'created', 'created', 'declined']);
    expect(names).toHaveLength(2);
  });

  test('wait while it is unknown whether the call was executed, and do not wait for ever', async () => {
    answer = async () => {
      throw new Ambiguous('reset', { call });
    };
    await Promise.all(messages.map(submit));
    await submitWaiting();
    expect((await statesOf()).toSorted()).toEqual(['planned', 'planned', 'planned', 'planned', 'unknown']);
    expect(names).toHaveLength(1);
    answer = (send) => send();
    rig.pass(hour);
    await submitWaiting();
    expect(names).toHaveLength(2);
  });

  test('name it all if the service does not list the order once the first of them has a port', async () => {
    answer = (send) => send();
    await Promise.all(messages.map(submit));
    await submitWaiting();
    expect(await statesOf()).toEqual(Array(5).fill('created'));
  });
});
