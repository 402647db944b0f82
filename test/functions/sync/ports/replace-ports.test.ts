// Ports that are rescheduled: cancelled first, read back, and only then created again.
import { describe, expect, test } from 'vitest';
import { reschedule } from '#functions/ingest/commands/reschedule.ts';
import { createCatalogue } from '#shared/operations/catalogue.ts';
import { continueStopped } from '#shared/request/waiting-request.ts';
import type { TargetNetwork } from '#shared/service/contract.ts';
import { Ambiguous, Conflict, NotFound, NotSent, RateLimited, Unavailable } from '#shared/service/errors.ts';
import { day, hour, minute } from '../../../support/service/simulator.ts';
import { rig, services, useFreshRig } from '../../../support/steps/fresh-services.ts';
import { planRequest } from '../../../support/steps/planned-requests.ts';
import {
  ample,
  both,
  livePortsOf,
  move,
  ported,
  portedAs,
  rescheduleDependencies,
  submitWaiting,
  syncUntilReleased,
} from '../../../support/steps/rescheduling.ts';
import { msisdnOf, plannedRowOf } from '../../../support/steps/submit-and-sync.ts';
import { expiredPlans } from '../../../support/steps/test-pipeline.ts';

useFreshRig();

describe('reschedule', () => {
  test('cancels the old port, reads it back, and only then creates the new one', async () => {
    await ported(both);
    const moved = await move('2026-07-20');
    expect(moved).toMatchObject({ state: 'submitting', rows: 2, reschedules: { importId: 'import-a' } });
    expect(services.waiting('submit')).toEqual([]);

    await rig.sync();
    expect(await rig.request(moved.importId)).toMatchObject({ state: 'planned', error: { kind: 'held' } });
    expect(await rig.portsThere()).toBe(1);

    let livePorts = 1;
    await syncUntilReleased(1, async () => {
      livePorts = Math.max(livePorts, (await livePortsOf(msisdnOf(1))).length);
    });
    expect(await rig.request('import-a')).toMatchObject({ portStatus: 'Cancelled', endedAt: expect.any(String) });
    await submitWaiting();
    const created = await rig.request(moved.importId);
    expect(created).toMatchObject({ state: 'created', replaces: { portId: expect.any(String) } });
    expect(await rig.porting.port(created.portId ?? '')).toMatchObject({ connectionDate: '2026-07-20T00:00:00' });
    expect(livePorts).toBe(1);
    expect(await livePortsOf(msisdnOf(1))).toHaveLength(1);
  });

  test('skips a change of a port until it is moved: the new port would not have the change', async () => {
    await ported(both);
    const moved = await move('2026-07-20');
    const cancel = async (importId: string, portId: string) => {
      const rows = [{ line: 2, subject: portId, wire: { pac: null } }];
      const head = { portId, action: 'cancel', whole: true };
      await rig.submit(await planRequest(rig, { importId, operation: 'cancel-port', head, rows }));
      return rig.request(importId);
    };
    const { portId: oldPort = '' } = await rig.request('import-a');
    const message = `The import ${moved.importId} moves the port to another day: import the row again once it has done so`;
    expect(await cancel('before', oldPort)).toMatchObject({ state: 'skipped', excludedRows: [{ message }] });
    await rig.sync();
    // The service cancels the port for its move, which is not what this row asks for.
    expect(await cancel('meanwhile', oldPort)).toMatchObject({ state: 'skipped', excludedRows: [{ message }] });

    await syncUntilReleased(1);
    await submitWaiting();
    const { portId: newPort = '' } = await rig.request(moved.importId);
    expect(await cancel('after', newPort)).toMatchObject({ state: 'accepted' });
  });

  test('cancels no port of a stopped import until it is resumed, and ends its request after a stop for good', async () => {
    await ported(both);
    const moved = await move('2026-07-20');
    const set = (kind: 'until-resumed' | 'for-good') =>
      rig.imports.update(moved.importId, { stop: { by: 'Sam', at: '2026-07-06T09:00:00.000Z', kind } });
    await set('until-resumed');
    await rig.sync();
    expect(await rig.request(moved.importId)).toMatchObject({ state: 'planned', error: { kind: 'stopped' } });
    // Checked again: a run reads the stop once, and a person may have resumed the import since.
    rig.pass(hour);
    await rig.sync();
    const held = await rig.request(moved.importId);
    expect([held.dueAt, held.replaces?.cancelRequestedAt]).toEqual([undefined, undefined]);
    await rig.requests.replace(held, continueStopped(held, rig.service.now()));
    await set('for-good');
    await rig.sync();
    expect(await rig.request(moved.importId)).toMatchObject({ state: 'declined', endedAt: expect.any(String) });
    expect(rig.calls).not.toContain('cancelPort');
  });

  test('sends nothing for a message about a held request, wherever it comes from', async () => {
    await ported(both);
    const moved = await move('2026-07-20');
    const { plan } = await rig.request(moved.importId);
    expect(await rig.submit({ importId: moved.importId, request: 1, plan })).toBe('not-mine');
    rig.pass(day);
    const { resent } = await rig.sync({ client: { ...rig.submitParts().client, cancelPort: async () => {} } });
    expect(resent).toBe(0);
  });

  test('repeats the cancellation after a run that was killed before its call', async () => {
    await ported(both);
    const moved = await move('2026-07-20');
    const { client } = rig.submitParts();
    const killed = () => Promise.reject(new Error('killed'));
    await expect(rig.sync({ client: { ...client, cancelPort: killed } })).rejects.toThrow('killed');
    await rig.sync();
    expect(await rig.porting.port((await rig.request('import-a')).portId ?? '')).not.toMatchObject({
      statusName: 'Cancelled',
    });
    await syncUntilReleased(1);
    expect(services.waiting('submit').map(({ body }) => body)).toMatchObject([{ importId: moved.importId }]);
  });

  test('does not repeat a cancellation of unknown outcome while it may still take effect', async () => {
    await ported(both);
    await move('2026-07-20');
    const { client } = rig.submitParts();
    const lost = async (portId: string) => {
      await client.cancelPort(portId);
      throw new Ambiguous('reset', { call: 'DELETE /port' });
    };
    rig.calls.length = 0;
    await rig.sync({ client: { ...client, cancelPort: lost } });
    await syncUntilReleased(1);
    expect(rig.calls.filter((name) => name === 'cancelPort')).toHaveLength(1);
  });

  test.each(['port', 'cancelPort'] as const)(
    'delays no other port when `%s` of one always fails while the service answers',
    async (method) => {
      await ported([plannedRowOf(1, 2)], [plannedRowOf(2, 3)], [plannedRowOf(3, 4)]);
      const moved = await move('2026-07-20');
      const { portId: bad } = await rig.request('import-a', 2);
      const { client } = rig.submitParts();
      const fails = new (method === 'port' ? Unavailable : Ambiguous)('answered 500', { call: method });
      const failing = {
        ...client,
        [method]: async (id: string) => (id === bad ? Promise.reject(fails) : client[method](id)),
      };
      let released = 0;
      for (let minutes = 0; minutes < 60; minutes += 1) {
        rig.pass(minute);
        released += (await rig.sync({ client: failing })).released;
      }
      expect(released).toBe(2);
      expect(await rig.request(moved.importId, 2)).toMatchObject({ state: 'planned' });
    },
  );

  test('fault 48: delays no other port when the service does not know one, whose request requires action after three readings', async () => {
    await ported([plannedRowOf(1, 2)], [plannedRowOf(2, 3)]);
    const moved = await move('2026-07-20');
    const { portId } = await rig.request('import-a');
    const { client } = rig.submitParts();
    const refusal = { message: 'not found', fieldErrors: [], msisdns: [] };
    const gone = () => Promise.reject(new NotFound(refusal, { call: 'GET /port', status: 404 }));
    const port = (id: string) => (id === portId ? gone() : client.port(id));
    let [released, actionRequired] = [0, 0];
    for (let minutes = 0; minutes < 90; minutes += 1) {
      rig.pass(minute);
      released += (await rig.sync({ client: { ...client, port } })).released;
      if (actionRequired === 0 && (await rig.request(moved.importId)).state === 'action-required')
        actionRequired = minutes;
    }
    expect(released).toBe(1);
    expect(actionRequired).toBeGreaterThan(60);
    const message = expect.stringContaining('did not find the port in 3 consecutive reads');
    expect(await rig.request(moved.importId)).toMatchObject({ replaces: { portId }, error: { message } });
  });

  test('cancels no port for a request that changed since it was read', async () => {
    await ported(both);
    await move('2026-07-20');
    const replace: typeof rig.requests.replace = async (seen, next) =>
      next.replaces?.cancelRequestedAt === undefined ? rig.requests.replace(seen, next) : undefined;
    await rig.sync({ requests: { ...rig.requests, replace } });
    expect(rig.calls).not.toContain('cancelPort');
    expect(await livePortsOf(msisdnOf(1))).toMatchObject([{ connectionDate: '2026-07-16T00:00:00' }]);
  });

  test('releases no request before the ledger has the end of the port, whose numbers are not free until then', async () => {
    await ported(both);
    const moved = await move('2026-07-20');
    const record = async () => false;
    let released = 0;
    for (let minutes = 0; minutes < 110; minutes += 1) {
      rig.pass(minute);
      released += (await rig.sync({ snapshots: { record } })).released;
    }
    expect(released).toBe(0);
    expect(await rig.request(moved.importId)).toMatchObject({ state: 'planned' });
    expect(await livePortsOf(msisdnOf(1))).toEqual([]);
    await syncUntilReleased(1);
  });

  test('loses nothing and creates nothing while the service is down', async () => {
    await ported(both);
    const moved = await move('2026-07-20');
    const { client } = rig.submitParts();
    const down = () => Promise.reject(new Unavailable('503', { call: 'GET /port' }));
    await rig.sync({ client: { ...client, networks: down, port: down, listPorts: down, cancelPort: down } });
    expect(await rig.request(moved.importId)).toMatchObject({ state: 'planned' });
    expect(await rig.portsThere()).toBe(1);
  });

  test('keeps a port that is locked before it could be cancelled, and declines its request', async () => {
    await ported(both);
    const moved = await move('2026-07-20');
    rig.pass(9 * day + 10 * hour); // the evening before the 16th: locked
    await rig.sync();
    const request = await rig.request(moved.importId);
    expect(request).toMatchObject({ state: 'declined', error: { kind: 'port-not-cancelled' } });
    expect(request.error?.message).toContain('is Locked');
    expect(await rig.portsThere()).toBe(1);
  });

  test('ports no number again whose port a person has cancelled since the plan', async () => {
    await ported(both);
    const moved = await move('2026-07-20');
    await rig.porting.cancelPort((await rig.request('import-a')).portId ?? '');
    rig.pass(hour);
    await rig.sync();
    expect(await rig.request(moved.importId)).toMatchObject({ state: 'declined', error: { kind: 'port-cancelled' } });
    rig.pass(hour);
    await rig.sync();
    expect(await livePortsOf(msisdnOf(1))).toEqual([]);
  });

  test.each(['since it was asked for', 'before'])(
    'fault 56: ports no number again whose port a person is cancelling %s, at whatever time that is read',
    async (when) => {
      await ported(both, [plannedRowOf(5, 6)]);
      const { portId = '' } = await rig.request('import-a');
      if (when === 'before') await rig.porting.cancelPort(portId);
      const moved = await move('2026-07-20');
      if (when !== 'before') await rig.porting.cancelPort(portId);
      for (let step = 0; step < 30; step += 1) {
        rig.pass(step === 0 ? 1_000 : 2 * minute);
        await rig.sync();
        await submitWaiting();
        services.emptyQueues();
      }
      expect(await livePortsOf(msisdnOf(1))).toEqual([]);
      expect(await livePortsOf(msisdnOf(5))).toMatchObject([{ connectionDate: '2026-07-20T00:00:00' }]);
      expect(await rig.request(moved.importId)).toMatchObject({ error: { kind: 'port-cancelled' } });
    },
  );

  const decline = { message: 'not now', fieldErrors: [], msisdns: [] };
  test.each([
    new NotSent('no connection', { call: 'DELETE /port' }),
    new RateLimited(0, { call: 'DELETE /port', status: 429 }),
    new Conflict(decline, { call: 'DELETE /port', status: 409 }),
  ])('ports no number again whose port a person cancels after $name answered its own cancellation', async (failure) => {
    await ported(both);
    const moved = await move('2026-07-20');
    const { portId = '' } = await rig.request('import-a');
    const cancelPort = () => Promise.reject(failure);
    await rig.sync({ client: { ...rig.submitParts().client, cancelPort } }).catch(() => undefined);
    await rig.porting.cancelPort(portId);
    for (let step = 0; step < 10; step += 1) {
      rig.pass(6 * minute);
      await rig.sync();
      await submitWaiting();
    }
    expect(await livePortsOf(msisdnOf(1))).toEqual([]);
    expect(await rig.request(moved.importId)).toMatchObject({ state: 'declined', error: { kind: 'port-cancelled' } });
  });

  test('asks again, some minutes later, if the service declined to cancel the port', async () => {
    await ported(both);
    await move('2026-07-20');
    const conflict = new Conflict(decline, { call: 'DELETE /port', status: 409 });
    let asked = 0;
    const cancelPort = () => {
      asked += 1;
      return Promise.reject(conflict);
    };
    for (let minutes = 0; minutes < 10; minutes += 1) {
      await rig.sync({ client: { ...rig.submitParts().client, cancelPort } });
      rig.pass(minute);
    }
    expect(asked).toBeGreaterThan(0);
    expect(asked).toBeLessThan(8);
    await syncUntilReleased(1);
  });

  test('knows when it asked for a cancellation, however often it reads that the port is being cancelled', async () => {
    await ported(both);
    const moved = await move('2026-07-20');
    await rig.sync();
    const asked = (await rig.request(moved.importId)).replaces?.cancelRequestedAt;
    expect(asked).toEqual(expect.any(String));
    rig.pass(11 * minute);
    await rig.sync();
    rig.calls.length = 0;
    rig.pass(minute);
    await rig.sync();
    expect((await rig.request(moved.importId)).replaces).toMatchObject({ cancelRequestedAt: asked });
    expect(rig.calls).not.toContain('port');
  });

  test('cancels no port that has none of the planned rows any more', async () => {
    await ported(both);
    const moved = await move('2026-07-20');
    const { client } = rig.submitParts();
    const port = async (id: string) => {
      const detail = await client.port(id);
      return { ...detail, rows: detail.rows.map((row) => ({ ...row, msisdn: `0${row.msisdn.slice(2)}9` })) };
    };
    rig.calls.length = 0;
    await rig.sync({ client: { ...client, port } });
    expect(await rig.request(moved.importId)).toMatchObject({ state: 'declined', error: { kind: 'port-cancelled' } });
    expect(rig.calls).not.toContain('cancelPort');
  });

  test('declines a day that has passed during an outage, and the port keeps its day', async () => {
    await ported(both);
    const moved = await move('2026-07-07');
    rig.pass(day);
    rig.calls.length = 0;
    await rig.sync();
    const request = await rig.request(moved.importId);
    expect(request).toMatchObject({ state: 'declined', lines: '2-3', error: { kind: 'DATE_NO_LONGER_AVAILABLE' } });
    expect(request.error?.message).toMatch(/^port .+ stays as it is: 2026-07-07 can no longer be booked/);
    expect(rig.calls).not.toContain('cancelPort');
    expect(rig.counts.requestsDeclined).toBe(1);
    expect(await livePortsOf(msisdnOf(1))).toHaveLength(1);
  });

  // The service would decline the new port, and the old one would be gone.
  describe.each(['before the move is planned', 'once it is planned'])('what the service withdraws %s', (when) => {
    const none = { tariffs: async () => ({ tariffs: [], hasAttributes: true }), boltOns: async () => [] };
    const withoutSources = async () => {
      const types = await rig.porting.networks();
      const without = (network: TargetNetwork) => ({ ...network, sourceNetworks: [] });
      return types.map((type) => ({ ...type, targetNetworks: type.targetNetworks.map(without) }));
    };
    test.each([
      ['the source network', 'SOURCE_NETWORK_UNKNOWN', { networks: withoutSources }],
      ['the tariff', 'TARIFF_UNKNOWN', { tariffs: none.tariffs }],
      ['a bolt-on', 'BOLT_ON_UNKNOWN', { boltOns: none.boltOns }],
      ['a service', 'SERVICE_UNKNOWN', { networkServices: async () => [] }],
    ] as const)('keeps the port of which it was %s', async (_, code, withdrawn) => {
      const services = [{ name: 'Voicemail', value: 'false' }];
      await portedAs({ services }, both);
      rig.calls.length = 0;
      if (when === 'before the move is planned') {
        const catalogue = createCatalogue(Object.assign(Object.create(rig.porting), withdrawn));
        const message = { reschedule: 'import-a', date: '2026-07-20', ask: 'ask-1' };
        const moved = await reschedule(message, ample, { ...rescheduleDependencies(), openCatalogue: () => catalogue });
        expect(moved).toMatchObject({ state: 'rejected', issues: [{ code }] });
      } else {
        const moved = await move('2026-07-20');
        await rig.sync({ client: { ...rig.submitParts().client, ...withdrawn } });
        const request = await rig.request(moved.importId);
        expect(request).toMatchObject({ state: 'declined', error: { kind: code } });
        expect(request.error?.message).toMatch(/^port .+ stays as it is: .+ is no longer offered on /);
      }
      expect(rig.calls).not.toContain('cancelPort');
      expect(await livePortsOf(msisdnOf(1))).toHaveLength(1);
    });
  });

  test('cancels no port for an expired plan', async () => {
    await ported(both);
    const moved = await move('2026-07-20');
    rig.calls.length = 0;
    await rig.sync({ plans: expiredPlans });
    expect(await rig.request(moved.importId)).toMatchObject({ state: 'declined', error: { kind: 'plan-expired' } });
    expect(rig.calls).not.toContain('cancelPort');
  });

  test('waits for a cancellation in progress, even if the day cannot be booked any more', async () => {
    await ported(both);
    const moved = await move('2026-07-20');
    await rig.sync();
    rig.pass(11 * minute);
    const { client } = rig.submitParts();
    const port = async (id: string) => {
      const detail = await client.port(id);
      return { ...detail, rows: detail.rows.map((row) => ({ ...row, statusName: 'CancellationRequested' })) };
    };
    await rig.sync({ client: { ...client, port }, plans: expiredPlans });
    expect(await rig.request(moved.importId)).toMatchObject({ state: 'planned' });
  });

  test('reads the networks once, however many ports are rescheduled', async () => {
    await ported([plannedRowOf(1, 2)], [plannedRowOf(2, 3)], [plannedRowOf(3, 4)]);
    await move('2026-07-20');
    rig.calls.length = 0;
    await rig.sync();
    expect(rig.calls.filter((name) => name === 'cancelPort')).toHaveLength(3);
    expect(rig.calls.filter((name) => name === 'networks')).toHaveLength(1);
  });

  test('makes one port of two commands for one port: the second finds it being cancelled', async () => {
    await ported(both);
    const [first, second] = [await move('2026-07-20'), await move('2026-07-21', { ask: 'ask-2' })];
    await syncUntilReleased(1);
    await submitWaiting();
    const states = [(await rig.request(first.importId)).state, (await rig.request(second.importId)).state];
    expect(states.toSorted()).toEqual(['created', 'declined']);
    expect(await livePortsOf(msisdnOf(1))).toHaveLength(1);
  });
});
