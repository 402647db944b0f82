// A port that was created or found, and was not read yet.
import { beforeEach, describe, expect, test } from 'vitest';
import { createDeadline } from '#shared/runtime/clock.ts';
import { Ambiguous, ContractBroken, Rejected, Unavailable } from '#shared/service/errors.ts';
import { hour } from '../../../../support/service/simulator.ts';
import { rig, useFreshRig } from '../../../../support/steps/fresh-services.ts';
import { withoutPorts } from '../../../../support/steps/purged-ports.ts';
import { reconciled } from '../../../../support/steps/reconciling.ts';
import { plannedRowOf, quietMs } from '../../../../support/steps/submit-and-sync.ts';

useFreshRig();

const rows = [plannedRowOf(1, 2), plannedRowOf(2, 3)];
const iso = (epochMs: number): string => new Date(epochMs).toISOString();

describe('a created port that was not read yet', () => {
  beforeEach(async () => {
    const { client } = rig.submitParts();
    const deaf = { ...client, port: () => Promise.reject(new Unavailable('503', { call: 'GET /port' })) };
    await rig.submit(await rig.planOne('import-a', rows), { client: deaf });
    rig.calls.length = 0;
  });

  test('is read, and report is notified of its import', async () => {
    expect(await reconciled()).toMatchObject({ imports: ['import-a'] });
    expect(rig.calls).toEqual(['port']);
  });

  test('is deferred while the service fails to show it, without a notification, and never requires action', async () => {
    const { client } = rig.syncParts();
    const odd = new ContractBroken('a web page', { call: 'GET /port', status: 200 });
    // After the quiet period, then less and less often, and in the end every hour.
    for (const waitMs of [quietMs, quietMs, 2 * quietMs, 4 * quietMs]) {
      const answer = await reconciled({ client: { ...client, port: () => Promise.reject(odd) } });
      expect(answer).toMatchObject({ actionRequired: 0, imports: [] });
      const dueAt = iso(rig.service.now() + waitMs);
      expect(await rig.request('import-a')).toMatchObject({ state: 'created', dueAt });
      rig.pass(waitMs);
    }
    expect(rig.counts.deferred).toBe(4);
    expect(await reconciled()).toMatchObject({ imports: ['import-a'] });
  });

  test('is searched for by its name after the service has declined its id twice, whatever the status', async () => {
    const { client } = rig.syncParts();
    const refusal = { message: 'unknown port', fieldErrors: [], msisdns: [] };
    const refused = new Rejected(refusal, { call: 'GET /port', status: 400 });
    for (let reads = 0; reads < 2; reads += 1) {
      await reconciled({ client: { ...client, port: () => Promise.reject(refused) } });
      rig.pass(quietMs);
    }
    const { state, error, portId } = await rig.request('import-a');
    expect([state, portId]).toEqual(['unknown', undefined]);
    expect(error?.message).toContain('which it does not have');
    await reconciled();
    expect(await rig.request('import-a')).toMatchObject({ state: 'created' });
  });

  test('stays as it is and ends the step when the service cannot be called', async () => {
    const { client } = rig.syncParts();
    const down = new Unavailable('503', { call: 'GET /port' });
    const [port, networks] = [() => Promise.reject(down), () => Promise.reject(down)];
    const before = await rig.request('import-a');
    await expect(reconciled({ client: { ...client, port, networks } })).rejects.toBe(down);
    expect(await rig.request('import-a')).toEqual(before);
  });

  test('stays as it is when it could not be read and changed meanwhile', async () => {
    const { client, requests } = rig.syncParts();
    const odd = new ContractBroken('a web page', { call: 'GET /port', status: 200 });
    const changes = { client: { ...client, port: () => Promise.reject(odd) } };
    const replace = async () => undefined;
    expect(await reconciled({ ...changes, requests: { ...requests, replace } })).toMatchObject({
      actionRequired: 0,
      imports: [],
    });
  });

  test('waits for the next run when there is too little time', async () => {
    expect(await reconciled({ deadline: createDeadline(() => 0) })).toMatchObject({ imports: [] });
    expect(rig.calls).toEqual([]);
    expect((await rig.request('import-a')).dueAt).toBeDefined();
  });
});

describe('a port that is new', () => {
  const call = 'POST /api/porting/1001';

  test('a port that could not be read back after it was created is read by the next run', async () => {
    const message = await rig.planOne('import-a', rows);
    const { client } = rig.submitParts();
    const deaf = { ...client, port: () => Promise.reject(new Unavailable('503', { call: 'GET /port' })) };
    expect(await rig.submit(message, { client: deaf })).toBe('created');
    const { portId = '' } = await rig.request('import-a');
    expect(await rig.ports.get(portId)).toBeUndefined();
    await rig.sync();
    expect(await rig.ports.get(portId)).toMatchObject({ status: 'Created', importId: 'import-a' });
    expect((await rig.request('import-a')).dueAt).toBeUndefined();
  });

  test('new ports that submit left to sync are read as many at a time as calls are made', async () => {
    const groups = Array.from({ length: 9 }, (_, index) => [plannedRowOf(index + 1, index + 2)]);
    for (const message of await rig.plan('import-a', groups)) await rig.submit(message, { readsBack: () => false });
    const { client } = rig.syncParts();
    let [reading, most] = [0, 0];
    const port = async (portId: string) => {
      reading += 1;
      most = Math.max(most, reading);
      const detail = await client.port(portId);
      reading -= 1;
      return detail;
    };
    await rig.sync({ client: { ...client, port } });
    expect(most).toBe(4);
    for (let request = 1; request <= 9; request += 1)
      expect(await rig.request('import-a', request)).toMatchObject({ portStatus: 'Created' });
  });

  test('fault 48: a new port that the service does not know delays no other, and requires action after three readings', async () => {
    const { client } = rig.submitParts();
    const deaf = { ...client, port: () => Promise.reject(new Unavailable('503', { call: 'GET /port' })) };
    const groups = [1, 2, 3].map((index) => [plannedRowOf(index, index + 1)]);
    for (const message of await rig.plan('import-a', groups)) await rig.submit(message, { client: deaf });
    const { portId = '' } = await rig.request('import-a');
    const lost = withoutPorts(rig, portId);
    expect(await rig.sync({ client: lost })).toMatchObject({ actionRequired: 0, imports: 1 });
    for (const request of [2, 3])
      expect(await rig.request('import-a', request)).toMatchObject({ portStatus: 'Created' });
    expect(await rig.request('import-a')).toMatchObject({ state: 'created', portId, missingReads: 1 });
    rig.pass(quietMs);
    expect(await rig.sync({ client: lost })).toMatchObject({ actionRequired: 0 });
    // From now on its name is searched: the service may have answered with a wrong id.
    expect(await rig.request('import-a')).toMatchObject({ state: 'unknown', search: { for: 'own-port' } });
    for (let read = 1; read <= 2; read += 1) {
      rig.pass(quietMs);
      expect(await rig.sync({ client: lost })).toMatchObject({ actionRequired: 0 });
      expect(await rig.request('import-a')).toMatchObject({ state: 'unknown', missingReads: read });
    }
    rig.pass(hour - 1);
    expect(await rig.sync({ client: lost })).toMatchObject({ actionRequired: 0 });
    rig.pass(1);
    expect(await rig.sync({ client: lost })).toMatchObject({ actionRequired: 1, imports: 1 });
    const message = expect.stringMatching(/did not find the port in 3 consecutive reads: .*not found/);
    expect(await rig.request('import-a')).toMatchObject({ state: 'action-required', error: { message } });
    expect(rig.counts.requestsUnresolved).toBe(1);
  });

  test('fault 48: it is followed like any other once the service knows it again, and the count of readings restarts', async () => {
    const { client } = rig.submitParts();
    const deaf = { ...client, port: () => Promise.reject(new Unavailable('503', { call: 'GET /port' })) };
    await rig.submit(await rig.planOne('import-a', rows), { client: deaf });
    const { portId = '' } = await rig.request('import-a');
    await rig.sync({ client: withoutPorts(rig, portId) });
    rig.pass(quietMs);
    await rig.sync();
    const request = await rig.request('import-a');
    expect(request).toMatchObject({ state: 'created', portStatus: 'Created' });
    expect(request.missingReads).toBeUndefined();
  });

  test('fault 48: a listed port that cannot be read does not keep others from being adopted', async () => {
    const made: string[] = [];
    const { client } = rig.submitParts();
    const createPort = async (body: Parameters<typeof client.createPort>[0]) => {
      made.push(await client.createPort(body));
      throw new Ambiguous('reset', { call });
    };
    const groups = [1, 2].map((index) => [plannedRowOf(index, index + 1)]);
    for (const message of await rig.plan('import-a', groups)) {
      await rig.submit(message, { client: { ...client, createPort } });
    }
    rig.pass(quietMs);
    expect(await rig.sync({ client: withoutPorts(rig, made[0] ?? '') })).toMatchObject({
      adopted: 1,
      absent: 0,
      actionRequired: 0,
    });
    expect(await rig.request('import-a', 1)).toMatchObject({ state: 'unknown', missingReads: 1 });
    expect(await rig.request('import-a', 2)).toMatchObject({ state: 'created', portId: made[1] });
    rig.pass(quietMs);
    expect(await rig.sync()).toMatchObject({ adopted: 1 });
  });
});
