// Changes of ports: made once however often their message is delivered, and visible at once in the followed port.

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { SubmitPipeline } from '#functions/submit/attempt.ts';
import type { SubmitMessage } from '#shared/request/messages.ts';
import { Ambiguous, RateLimited, Rejected, Unavailable } from '#shared/service/errors.ts';
import { double } from '../../../support/double.ts';
import type { ResultsServices } from '../../../support/embedded/services.ts';
import { startTwinServices } from '../../../support/in-memory/services.ts';
import { planRequest } from '../../../support/steps/planned-requests.ts';
import { msisdnOf, plannedRowOf, quietMs, type Rig, startRig } from '../../../support/steps/submit-and-sync.ts';

let services: ResultsServices;
let rig: Rig;
let portId: string;

beforeAll(async () => {
  services = await startTwinServices();
});
afterAll(() => services.stop());

/** The import `made` has a port whose rows 2 and 3 have invalid PACs, and whose row 4 is valid. */
beforeEach(async () => {
  rig = await startRig(services);
  const rows = [plannedRowOf(1, 2, 'INV111111'), plannedRowOf(2, 3, 'INV222222'), plannedRowOf(3, 4)];
  await rig.submit(await rig.planOne('made', rows));
  for (let step = 0; (await rig.request('made')).portStatus !== 'Pac Check Failed'; step += 1) {
    if (step > 50) throw new Error('the PACs were never checked');
    await rig.syncNext();
  }
  portId = (await rig.request('made')).portId ?? '';
  rig.calls.length = 0;
});

const amendment = (importId = 'change'): Promise<SubmitMessage> =>
  planRequest(rig, {
    importId,
    operation: 'update-port',
    head: { portId, action: 'amend', whole: false },
    rows: [
      { line: 2, subject: msisdnOf(1), wire: { pac: 'ABC111111' } },
      { line: 3, subject: msisdnOf(2), wire: { pac: 'ABC222222' } },
    ],
  });

const cancellation = (importId = 'change'): Promise<SubmitMessage> =>
  planRequest(rig, {
    importId,
    operation: 'cancel-port',
    head: { portId, action: 'cancel', whole: true },
    rows: [{ line: 2, subject: portId, wire: { pac: null } }],
  });

const statuses = async () => (await rig.ports.rows(portId))?.map(({ status }) => status);
const changesMade = () => rig.calls.filter((name) => name === 'updatePort' || name === 'cancelPort');

test('a new PAC is in the followed port at once, and report is notified of both imports', async () => {
  const told: string[] = [];
  const outcome = await rig.submit(await amendment(), { onImportChanged: (importId) => told.push(importId) });
  expect(outcome).toBe('accepted');
  expect(await rig.request('change')).toMatchObject({
    state: 'accepted',
    changedPortId: portId,
    lines: '2-3',
    note: 'The new PAC is set',
    endedAt: expect.any(String),
  });
  expect((await rig.request('change')).portId).toBeUndefined();
  expect(await statuses()).toEqual(['Amended', 'Amended', 'PacValid']);
  expect(await rig.request('made')).toMatchObject({ actionRequired: 0 });
  expect(told).toEqual(['made']);
});

test('a whole port is cancelled, and its numbers are free after that', async () => {
  expect(await rig.submit(await cancellation())).toBe('accepted');
  expect(changesMade()).toEqual(['cancelPort']);
  expect(await rig.request('made')).toMatchObject({ portStatus: 'Cancelled', endedAt: expect.any(String) });
  expect(await rig.numbers.get(msisdnOf(1))).toMatchObject({ latest: { status: 'Cancelled', ended: true } });
});

test('a row that cannot be changed like this is excluded with a reason, and the others are changed', async () => {
  const message = await planRequest(rig, {
    importId: 'change',
    operation: 'update-port',
    head: { portId, action: 'cancel', whole: false },
    rows: [
      { line: 2, subject: msisdnOf(1), wire: { pac: null } },
      { line: 3, subject: msisdnOf(3), wire: { pac: null } },
    ],
  });
  expect(await rig.submit(message)).toBe('accepted');
  expect(await rig.request('change')).toMatchObject({
    lines: '2',
    excludedRows: [{ line: 3, code: 'LINE_NOT_CHANGEABLE', message: expect.stringContaining('PacValid') }],
  });
  expect(await statuses()).toEqual(['CancellationRequested', 'PacInvalid', 'PacValid']);
});

test('a port that no import follows is changed as well', async () => {
  const ports = { get: async () => undefined, rows: async () => undefined };
  expect(await rig.submit(await amendment(), { ports: double(ports) })).toBe('accepted');
  expect(await statuses()).toEqual(['PacInvalid', 'PacInvalid', 'PacValid']);
});

describe('a change of unknown outcome', () => {
  const call = 'PATCH /api/porting/1001/port';
  /** A client whose changes have an unknown outcome: made or not, the answer is lost. */
  const lossy = (isMade: boolean): Partial<SubmitPipeline> => {
    const { client } = rig.submitParts();
    const updatePort: typeof client.updatePort = async (id, body) => {
      if (isMade) await client.updatePort(id, body);
      else rig.calls.push('updatePort');
      throw new Ambiguous('reset', { call });
    };
    return { client: { ...client, updatePort } };
  };

  test.each([
    ['it is found done, and not asked for again', true, 1],
    ['it is asked for again where it was not', false, 2],
  ])('%s', async (_, isMade, calls) => {
    const message = await amendment();
    expect(await rig.submit(message, lossy(isMade))).toBe('unknown');
    expect(await rig.submit(message)).toBe('not-mine');
    rig.pass(quietMs);
    expect(await rig.sync()).toMatchObject({ resent: 1, actionRequired: 0 });
    expect(services.waiting('submit').map(({ body }) => body)).toContainEqual(message);

    expect(await rig.submit(message)).toBe('accepted');
    expect(changesMade()).toHaveLength(calls);
    const pacs = (await rig.porting.port(portId)).rows.map(({ pac }) => pac);
    expect(pacs).toEqual(['ABC111111', 'ABC222222', 'ABC123456']);
  });

  test('requires action in the end if its outcome stays unknown', async () => {
    const message = await amendment();
    for (let attempt = 1; attempt <= 6; attempt += 1) {
      expect(await rig.submit(message, lossy(false))).toBe('unknown');
      rig.pass(quietMs);
      await rig.sync();
    }
    expect(await rig.request('change')).toMatchObject({ state: 'action-required', attempt: 6 });
  });

  test('is repeated after a crash between write-ahead record and answer', async () => {
    const message = await amendment();
    const { client } = rig.submitParts();
    const { get, getMany, replace } = rig.requests;
    const requests = { get, getMany, replace };
    let writes = 0;
    const dying: Partial<SubmitPipeline> = {
      client,
      requests: double({
        ...requests,
        replace: (seen, next) => {
          writes += 1;
          return writes > 1 ? Promise.reject(new Error('killed')) : requests.replace(seen, next);
        },
      }),
    };
    await expect(rig.submit(message, dying)).rejects.toThrow('killed');
    rig.pass(60_000 + quietMs);
    expect(await rig.sync()).toMatchObject({ resent: 1 });
    expect(await rig.submit(message)).toBe('accepted');
    expect(changesMade()).toEqual(['updatePort']);
  });
});

test('fault 40: a rate-limited change is requeued', async () => {
  const { client } = rig.submitParts();
  const updatePort = () => Promise.reject(new RateLimited(1_000, { call: 'PATCH' }));
  expect(await rig.submit(await amendment(), { client: { ...client, updatePort } })).toBe('planned');
  expect(await statuses()).toEqual(['PacInvalid', 'PacInvalid', 'PacValid']);
});

test('a port that can no longer be changed declines the request with a reason', async () => {
  await rig.porting.cancelPort(portId);
  rig.pass(60 * 60_000);
  expect(await rig.submit(await amendment())).toBe('skipped');
  expect((await rig.request('change')).excludedRows?.[0]).toMatchObject({
    message: 'The row is Cancelled and takes no new PAC',
  });
});

test('fault 51: a change that is delivered twice is done, although its second answer is a decline', async () => {
  const { client } = rig.submitParts();
  const updatePort: typeof client.updatePort = async (...given) => {
    await client.updatePort(...given);
    await client.updatePort(...given);
  };
  expect(await rig.submit(await amendment(), { client: { ...client, updatePort } })).toBe('accepted');
  expect(await rig.request('change')).toMatchObject({ state: 'accepted', changedPortId: portId });
});

test('a change whose decline cannot be checked has an unknown outcome, and is made again', async () => {
  const { client } = rig.submitParts();
  const decline = new Rejected({ message: 'no', fieldErrors: [], msisdns: [] }, { call: 'PATCH', status: 422 });
  let isDeclined = false;
  const updatePort = () => {
    isDeclined = true;
    return Promise.reject(decline);
  };
  const port: typeof client.port = (id) =>
    isDeclined ? Promise.reject(new Unavailable('503', { call: 'GET' })) : client.port(id);
  expect(await rig.submit(await amendment(), { client: { ...client, updatePort, port } })).toBe('unknown');
});
