// A decline is never believed while a port of the request may exist: the second answer of a call that was delivered
// twice, a decline after an attempt of unknown outcome, and a 201 with the id of another port.
import { describe, expect, test } from 'vitest';
import type { PortingClient } from '#shared/service/client.ts';
import { Ambiguous, Conflict, Rejected } from '#shared/service/errors.ts';
import { makeElsewhere } from '../../support/steps/adopting.ts';
import { rig, useFreshRig } from '../../support/steps/fresh-services.ts';
import { plannedRowOf, quietMs } from '../../support/steps/submit-and-sync.ts';

useFreshRig();

const rows = [plannedRowOf(1, 2), plannedRowOf(2, 3)];
const call = 'POST /api/porting/1001';
const unknownPort = '6f2c1d7e-0000-4000-8000-000000000000';

const clientThat = (createPort: PortingClient['createPort']) => ({
  client: { ...rig.submitParts().client, createPort },
});
const create: PortingClient['createPort'] = (body) => rig.submitParts().client.createPort(body);

/** A gateway repeats the call: the first one is executed, the answer is that of the second. */
const deliveredTwice: PortingClient['createPort'] = async (body) => {
  await create(body);
  return create(body);
};

const syncTimes = async (times: number): Promise<void> => {
  for (let run = 0; run < times; run += 1) {
    rig.pass(quietMs);
    await rig.sync();
  }
};

describe('a conflict on the first attempt', () => {
  test('fault 51: that is the second answer of a call delivered twice leads to the port that the first one created', async () => {
    const message = await rig.planOne('import-a', rows);
    expect(await rig.submit(message, clientThat(deliveredTwice))).toBe('unknown');
    await syncTimes(1);
    expect(await rig.request('import-a')).toMatchObject({ state: 'created', attempt: 1, portStatus: 'Created' });
    expect(await rig.portsThere()).toBe(1);
  });

  test('that names no number is searched for as well', async () => {
    const conflict = new Conflict({ message: 'conflict', fieldErrors: [], msisdns: [] }, { call, status: 409 });
    const message = await rig.planOne('import-a', rows);
    const answer = clientThat(async (body) => {
      await create(body);
      throw conflict;
    });
    expect(await rig.submit(message, answer)).toBe('unknown');
    await syncTimes(1);
    expect(await rig.request('import-a')).toMatchObject({ state: 'created' });
  });

  test('is believed after the list has shown twice that there is no port, and four times where it is empty', async () => {
    const conflict = new Conflict({ message: 'taken', fieldErrors: [], msisdns: [] }, { call, status: 409 });
    const taken = clientThat(() => Promise.reject(conflict));
    await rig.submit(await rig.planOne('import-a', rows), taken);
    await syncTimes(3);
    expect(await rig.request('import-a')).toMatchObject({ state: 'unknown', unverified: { absences: 3 } });
    await syncTimes(1);
    expect(await rig.request('import-a')).toMatchObject({ state: 'declined', error: { message: 'taken' } });

    await rig.submit(await rig.planOne('import-b', [plannedRowOf(5, 2)]));
    await rig.submit(await rig.planOne('import-c', [plannedRowOf(6, 2)]), taken);
    await syncTimes(1);
    expect(await rig.request('import-c')).toMatchObject({ state: 'unknown', unverified: { absences: 1 } });
    await syncTimes(1);
    expect(await rig.request('import-c')).toMatchObject({ state: 'declined', attempt: 1 });
  });

  test('faults 45 and 55: is not believed while the list shows fewer ports than the ledger knows', async () => {
    await rig.submit(await rig.planOne('import-b', [plannedRowOf(5, 2)]));
    await rig.submit(await rig.planOne('import-a', rows), clientThat(deliveredTwice));
    const { client } = rig.syncParts();
    const listPorts = async () => ({ total: 0, totalPages: 0, data: [] });
    for (let run = 0; run < 5; run += 1) {
      rig.pass(60 * 60_000);
      await rig.sync({ client: { ...client, listPorts } });
    }
    expect(await rig.request('import-a')).toMatchObject({ state: 'unknown', inconclusiveSearches: 5 });
    await syncTimes(60 * 4);
    expect(await rig.request('import-a')).toMatchObject({ state: 'created' });
  });
});

describe('a decline after an attempt of unknown outcome', () => {
  test('fault 52: of any kind is searched for: the first attempt was executed late', async () => {
    await makeElsewhere('Field team', [9]);
    const message = await rig.planOne('import-a', rows);
    await rig.submit(
      message,
      clientThat(() => Promise.reject(new Ambiguous('reset', { call }))),
    );
    await syncTimes(1);
    expect(await rig.request('import-a')).toMatchObject({ state: 'planned', hasUnknownAttempt: true });
    const late = new Rejected({ message: 'no', fieldErrors: [], msisdns: [] }, { call, status: 400 });
    const answer = clientThat(async (body) => {
      await create(body);
      throw late;
    });
    expect(await rig.submit(message, answer)).toBe('unknown');
    await syncTimes(1);
    expect(await rig.request('import-a')).toMatchObject({ state: 'created', attempt: 2 });
  });

  test('without one is believed at once, if it names nothing of the request', async () => {
    const invalid = new Rejected({ message: 'no', fieldErrors: [], msisdns: [] }, { call, status: 400 });
    const message = await rig.planOne('import-a', rows);
    expect(
      await rig.submit(
        message,
        clientThat(() => Promise.reject(invalid)),
      ),
    ).toBe('declined');
  });
});

describe('a 201 with a wrong id', () => {
  test('fault 54: of another port is discarded, and the true port is found by its name', async () => {
    await rig.submit(await rig.planOne('import-b', [plannedRowOf(5, 2)]));
    const { portId: other = '' } = await rig.request('import-b');
    const message = await rig.planOne('import-a', rows);
    const answer = clientThat(async (body) => {
      await create(body);
      return other;
    });
    await rig.submit(message, answer);
    expect(await rig.request('import-a')).toMatchObject({ state: 'unknown', unverified: { answer: 'port-id' } });
    expect((await rig.request('import-a')).portId).toBeUndefined();
    await syncTimes(1);
    const { state, portId } = await rig.request('import-a');
    expect([state, portId === other]).toEqual(['created', false]);
    expect(await rig.ports.get(other)).toMatchObject({ importId: 'import-b' });
  });

  test('of no port leads to the true port as well', async () => {
    const message = await rig.planOne('import-a', rows);
    const answer = clientThat(async (body) => {
      await create(body);
      return unknownPort;
    });
    expect(await rig.submit(message, answer)).toBe('created');
    await syncTimes(4);
    expect(await rig.request('import-a')).toMatchObject({ state: 'created', portStatus: expect.any(String) });
    expect((await rig.request('import-a')).portId).not.toBe(unknownPort);
  });

  test('requires action if there is no port with the name of the request', async () => {
    await rig.submit(await rig.planOne('import-b', [plannedRowOf(5, 2)]));
    const { portId: other = '' } = await rig.request('import-b');
    await rig.submit(
      await rig.planOne('import-a', rows),
      clientThat(async () => other),
    );
    await syncTimes(2);
    const message = expect.stringMatching(/answered with port .*, whose name is .* no port with the name/);
    expect(await rig.request('import-a')).toMatchObject({ state: 'action-required', error: { message } });
  });
});

test('fault 53: a request that only a gateway answers requires action after twelve attempts', async () => {
  await makeElsewhere('Field team', [9]);
  const message = await rig.planOne('import-a', rows);
  const page = new Ambiguous('answered 403 without an error of the service', { call, status: 403 });
  for (let attempt = 1; attempt <= 12; attempt += 1) {
    expect(await rig.request('import-a')).toMatchObject({ state: 'planned' });
    await rig.submit(
      message,
      clientThat(() => Promise.reject(page)),
    );
    await syncTimes(1);
  }
  expect(await rig.request('import-a')).toMatchObject({
    state: 'action-required',
    error: { message: expect.stringMatching(/^12 attempts created no port.*answered 403/) },
  });
});
