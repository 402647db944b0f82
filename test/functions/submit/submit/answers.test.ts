// Answers that are easily misread, and what is counted and logged for each answer.

import { describe, expect, test } from 'vitest';
import type { SubmitPipeline } from '#functions/submit/attempt.ts';
import type { SubmitMessage } from '#shared/request/messages.ts';
import { Ambiguous, NotSent, Rejected } from '#shared/service/errors.ts';
import { double } from '../../../support/double.ts';
import { startKeptLog } from '../../../support/kept-log.ts';
import { minute } from '../../../support/service/simulator.ts';
import { rig, services, useFreshRig } from '../../../support/steps/fresh-services.ts';
import { planRequest } from '../../../support/steps/planned-requests.ts';
import { msisdnOf, plannedRowOf } from '../../../support/steps/submit-and-sync.ts';
import { expiredPlans } from '../../../support/steps/test-pipeline.ts';

useFreshRig();

const rows = [plannedRowOf(1, 2), plannedRowOf(2, 3), plannedRowOf(3, 5)];
const call = 'POST /api/porting/1001';
const ambiguous = new Ambiguous('reset', { call });
const notSent = new NotSent('no connection', { call });
const refusing = (...msisdns: string[]) =>
  new Rejected({ message: 'no', fieldErrors: [], msisdns }, { call, status: 422 });
const clientWith = (changes: Partial<SubmitPipeline['client']>): Partial<SubmitPipeline> => ({
  client: { ...rig.submitParts().client, ...changes },
});
const creating = (createPort: () => Promise<string>) => clientWith({ createPort });

const text = (): Promise<SubmitMessage> =>
  planRequest(rig, {
    importId: 'text',
    operation: 'send-sms',
    head: { networkNumber: 232, message: 'STATUS?', binary: false },
    rows: [{ line: 2, subject: '8944110068123456787', wire: null }],
  });
const ticketed = () => clientWith({ submit: async () => 'ticket-1' });

/** Creates a port with the rows, and returns its id. */
const made = async (): Promise<string> => {
  await rig.submit(await rig.planOne('made', rows));
  return (await rig.request('made')).portId ?? '';
};
const cancellation = (portId: string): Promise<SubmitMessage> =>
  planRequest(rig, {
    importId: 'change',
    operation: 'cancel-port',
    head: { portId, action: 'cancel', whole: true },
    rows: [{ line: 2, subject: portId, wire: { pac: null } }],
  });

/** A call that hangs until its request was requeued and `meanwhile` has run. */
const overtakenBy = (meanwhile: () => Promise<unknown>, answer: () => Promise<string>) =>
  creating(async () => {
    const stuck = await rig.request('import-a');
    await rig.requests.replace(stuck, { ...stuck, state: 'planned' });
    await meanwhile();
    return answer();
  });

describe('a call that ends after midnight', () => {
  const passMidnight = () => rig.pass(18 * 60 * minute);

  test('counts when it created a port', async () => {
    const { client } = rig.submitParts();
    const slow = clientWith({
      createPort: async (body) => {
        const id = await client.createPort(body);
        passMidnight();
        return id;
      },
    });
    expect(await rig.submit(await rig.planOne('import-a', rows), slow)).toBe('created');
    expect(services.waiting('submit')).toEqual([]);
  });

  test('is validated again when it is declined: its date was valid before', async () => {
    const message = await rig.planOne('import-a', rows);
    const late = creating(() => {
      passMidnight();
      const refusal = { message: 'must be at least 1 days from today', fieldErrors: [], msisdns: [] };
      return Promise.reject(new Rejected(refusal, { call, status: 422 }));
    });
    expect(await rig.submit(message, late)).toBe('planned');
    expect(services.waiting('submit').map(({ body }) => body)).toEqual([message]);
    expect(await rig.submit(message)).toBe('created');
  });

  test('has an unknown outcome like any other call, and no message sends it again', async () => {
    const lost = creating(() => {
      passMidnight();
      return Promise.reject(ambiguous);
    });
    expect(await rig.submit(await rig.planOne('import-a', rows), lost)).toBe('unknown');
    expect(services.waiting('submit')).toEqual([]);
  });
});

test('fault 46: the unknown outcome of an earlier attempt does not change the request', async () => {
  const message = await rig.planOne('import-a', rows);
  const second = () => rig.submit(message);
  expect(
    await rig.submit(
      message,
      overtakenBy(second, () => Promise.reject(ambiguous)),
    ),
  ).toBe('not-mine');
  const request = await rig.request('import-a');
  expect(request).toMatchObject({ state: 'created', attempt: 2 });
  expect(request.error).toBeUndefined();
  expect(rig.counts).toEqual({ requestsCreated: 1 });
});

test('an answer is recorded on the write-ahead record at once', async () => {
  const message = await rig.planOne('import-a', rows);
  await rig.submit(
    message,
    creating(() => Promise.reject(notSent)),
  );
  let looks = 0;
  const get: typeof rig.requests.get = (...given) => {
    looks += 1;
    return rig.requests.get(...given);
  };
  expect(await rig.submit(message, { requests: double({ get, replace: rig.requests.replace }) })).toBe('created');
  expect(looks).toBe(1);
});

test('a change is declined as a whole: no row is excluded, even if the service names some (spec gap 25)', async () => {
  const portId = await made();
  const message = await planRequest(rig, {
    importId: 'change',
    operation: 'update-port',
    head: { portId, action: 'cancel', whole: false },
    rows: [
      { line: 2, subject: msisdnOf(1), wire: { pac: null } },
      { line: 3, subject: msisdnOf(2), wire: { pac: null } },
    ],
  });
  const { client } = rig.submitParts();
  const declined = clientWith({
    port: async (id) => {
      const detail = await client.port(id);
      return { ...detail, rows: detail.rows.map((row) => ({ ...row, statusName: 'PacInvalid' })) };
    },
    updatePort: () => Promise.reject(refusing('07700900001')),
  });
  expect(await rig.submit(message, declined)).toBe('declined');
  expect(await rig.request('change')).toMatchObject({ lines: '2-3', error: { lines: [2] } });
});

test('an operation that claims no numbers skips no rows', async () => {
  expect(await rig.submit(await text(), ticketed())).toBe('accepted');
  expect(await rig.request('text')).toMatchObject({ ticket: 'ticket-1', lines: '2' });
  expect((await rig.request('text')).excludedRows).toBeUndefined();
});

describe('counted', () => {
  test('is a created port', async () => {
    await rig.submit(await rig.planOne('import-a', rows));
    expect(rig.counts).toEqual({ requestsCreated: 1 });
  });

  test('is an accepted ticket', async () => {
    await rig.submit(await text(), ticketed());
    expect(rig.counts).toEqual({ requestsCreated: 1 });
  });

  test.each<[string, Error, object]>([
    ['a refusal', refusing(), { requestsDeclined: 1 }],
    ['a doubt', ambiguous, { requestsUnknown: 1 }],
    ['not what was not sent', notSent, {}],
  ])('is %s', async (_, failure, counts) => {
    const message = await rig.planOne('import-a', rows);
    await rig.submit(
      message,
      creating(() => Promise.reject(failure)),
    );
    expect(rig.counts).toEqual(counts);
  });

  test('is a request that is declined before it is sent', async () => {
    await rig.submit(await rig.planOne('import-a', rows), { plans: expiredPlans });
    expect(rig.counts).toEqual({ requestsDeclined: 1 });
  });

  test('is not a skipped request', async () => {
    await made();
    expect(await rig.submit(await rig.planOne('import-b', rows))).toBe('skipped');
    expect(rig.counts).toEqual({ requestsCreated: 1, rowsSkipped: rows.length });
  });

  test('is each duplicate once, and its request once', async () => {
    const message = await rig.planOne('import-a', rows);
    const third = () => rig.submit(message);
    const second = () =>
      rig.submit(
        message,
        overtakenBy(third, async () => 'late-2'),
      );
    await rig.submit(
      message,
      overtakenBy(second, async () => 'late-1'),
    );
    expect((await rig.request('import-a')).duplicatePortIds).toEqual(['late-2', 'late-1']);
    expect(rig.counts).toEqual({ requestsCreated: 1, duplicates: 2 });
  });
});

describe('logged', () => {
  test('is a call with everything that identifies it', async () => {
    const { log, entries } = startKeptLog();
    await rig.submit(await rig.planOne('import-a', rows), { log });
    const { portId } = await rig.request('import-a');
    const found = { importId: 'import-a', request: 1, attempt: 1 };
    const fields = { ...found, rows: 3, outcome: 'created', state: 'created', portId };
    expect(entries).toEqual([{ level: 'info', message: 'called', fields }]);
  });

  test('is the port of a change', async () => {
    const portId = await made();
    const { log, entries } = startKeptLog();
    await rig.submit(await cancellation(portId), { log });
    const fields = {
      importId: 'change',
      request: 1,
      attempt: 1,
      rows: 1,
      outcome: 'changed',
      state: 'accepted',
      portId,
    };
    const change = { level: 'info', message: 'port changed', fields: { portId, status: 'Cancelled', was: 'Created' } };
    expect(entries).toMatchObject([{ level: 'info', message: 'called', fields }, change]);
  });

  test('is why a request is requeued, and for how long', async () => {
    const { log, entries } = startKeptLog();
    const message = await rig.planOne('import-a', rows);
    await rig.submit(message, { ...creating(() => Promise.reject(notSent)), log });
    const fields = { importId: 'import-a', request: 1, because: 'not-sent', delayMs: 3_750 };
    expect(entries).toEqual([{ level: 'warn', message: 'a request was requeued', fields }]);
  });
});
