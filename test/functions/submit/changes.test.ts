// Changes of ports on the ledger: made once however often they are repeated, and seen at once where the port is followed.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { SubmitParts } from '#functions/submit/parts.ts';
import type { SubmitMessage } from '#shared/domain/plan.ts';
import { Ambiguous, RateLimited } from '#shared/porting/errors.ts';
import { planRequest } from '../../support/changes-rig.ts';
import { msisdnOf, plannedRowOf, quietMs, type Rig, startRig } from '../../support/results-rig.ts';
import { type ResultsServices, startResultsServices } from '../../support/results-services.ts';

let services: ResultsServices;
let rig: Rig;
let portId: string;

beforeAll(async () => {
  services = await startResultsServices();
});
afterAll(() => services.stop());

/** Import `made` has a port whose lines 2 and 3 have invalid PACs, and whose line 4 is fine. */
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

test('a new PAC stands at once where the port is followed, and both imports are told', async () => {
  const told: string[] = [];
  const outcome = await rig.submit(await amendment(), { alsoChanged: (importId) => told.push(importId) });
  expect(outcome).toBe('accepted');
  expect(await rig.request('change')).toMatchObject({
    state: 'accepted',
    changedPortId: portId,
    lines: '2-3',
    note: 'given its new PAC',
    endedAt: expect.any(String),
  });
  expect((await rig.request('change')).portId).toBeUndefined();
  expect(await statuses()).toEqual(['Amended', 'Amended', 'PacValid']);
  expect(await rig.request('made')).toMatchObject({ attention: 0 });
  expect(told).toEqual(['made']);
});

test('a whole port is cancelled, and its numbers are free when that is done', async () => {
  expect(await rig.submit(await cancellation())).toBe('accepted');
  expect(changesMade()).toEqual(['cancelPort']);
  expect(await rig.request('made')).toMatchObject({ portStatus: 'Cancelled', endedAt: expect.any(String) });
  expect(await rig.numbers.get(msisdnOf(1))).toMatchObject({ told: { status: 'Cancelled', ended: true } });
});

test('a line that takes no such change is left out with its reason; the others are changed', async () => {
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
    withdrawn: [{ line: 3, code: 'LINE_NOT_CHANGEABLE', message: expect.stringContaining('PacValid') }],
  });
  expect(await statuses()).toEqual(['CancellationRequested', 'PacInvalid', 'PacValid']);
});

test('a port that is followed by nobody here is changed all the same', async () => {
  const ports = { get: async () => undefined, rows: async () => undefined };
  expect(await rig.submit(await amendment(), { ports })).toBe('accepted');
  expect(await statuses()).toEqual(['PacInvalid', 'PacInvalid', 'PacValid']);
});

describe('when nobody knows whether the change was made', () => {
  const call = 'PATCH /api/porting/1001/port';
  /** A client whose changes come to nothing known: made or not, the answer is lost. */
  const lossy = (isMade: boolean): Partial<SubmitParts> => {
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
    expect(await rig.sync()).toMatchObject({ resent: 1, people: 0 });
    expect(services.waiting('submit').map(({ body }) => body)).toContainEqual(message);

    expect(await rig.submit(message)).toBe('accepted');
    expect(changesMade()).toHaveLength(calls);
    const pacs = (await rig.porting.port(portId)).rows.map(({ pac }) => pac);
    expect(pacs).toEqual(['ABC111111', 'ABC222222', 'ABC123456']);
  });

  test('and it stays so, a person is asked in the end', async () => {
    const message = await amendment();
    for (let attempt = 1; attempt <= 6; attempt += 1) {
      expect(await rig.submit(message, lossy(false))).toBe('unknown');
      rig.pass(quietMs);
      await rig.sync();
    }
    expect(await rig.request('change')).toMatchObject({ state: 'needs-human', attempt: 6 });
  });

  test('a crash between the intent and the answer ends the same way', async () => {
    const message = await amendment();
    const { client } = rig.submitParts();
    const requests = { get: rig.requests.get, replace: rig.requests.replace };
    let writes = 0;
    const dying: Partial<SubmitParts> = {
      client,
      requests: {
        ...requests,
        replace: (seen, next) => {
          writes += 1;
          return writes > 1 ? Promise.reject(new Error('killed')) : requests.replace(seen, next);
        },
      },
    };
    await expect(rig.submit(message, dying)).rejects.toThrow('killed');
    rig.pass(60_000 + quietMs);
    expect(await rig.sync()).toMatchObject({ resent: 1 });
    expect(await rig.submit(message)).toBe('accepted');
    expect(changesMade()).toEqual(['updatePort']);
  });
});

test('fault 40: a change that was asked to wait goes back in line', async () => {
  const { client } = rig.submitParts();
  const updatePort = () => Promise.reject(new RateLimited(1_000, { call: 'PATCH' }));
  expect(await rig.submit(await amendment(), { client: { ...client, updatePort } })).toBe('planned');
  expect(await statuses()).toEqual(['PacInvalid', 'PacInvalid', 'PacValid']);
});

test('a port that is past it refuses the request, in words', async () => {
  await rig.porting.cancelPort(portId);
  rig.pass(60 * 60_000);
  expect(await rig.submit(await amendment())).toBe('withdrawn');
  expect((await rig.request('change')).withdrawn?.[0]).toMatchObject({ message: 'the line is Cancelled' });
});
