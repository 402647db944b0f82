import { describe, expect, test } from 'vitest';
import { type RescheduleDependencies, reschedule } from '#functions/ingest/reschedule.ts';
import type { SyncDependencies } from '#functions/sync/dependencies.ts';
import { type RescheduleMessage, submitMessage } from '#shared/domain/imports/plan.ts';
import type { ImportItem } from '#shared/domain/requests/ledger.ts';
import { createCatalogue } from '#shared/operations/kit/catalogue.ts';
import { operations } from '#shared/operations/registry.ts';
import { Ambiguous, NotFound, Unavailable } from '#shared/porting/errors.ts';
import { createDeadline } from '#shared/runtime/deadline.ts';
import { rig, services, useFreshRig } from '../../../support/results-fresh.ts';
import { importItemOf, msisdnOf, plannedRowOf } from '../../../support/results-rig.ts';
import { day, hour, minute } from '../../../support/simulator.ts';

useFreshRig();

/** There is always enough time. */
const ample = createDeadline(() => 900_000);

const dependencies = (): RescheduleDependencies => {
  const { plans, queues } = rig.submitParts();
  const { requests, ports, notifications, imports, files, numbers } = rig;
  return {
    ...{ requests, ports, notifications, imports, files, numbers, plans, queues, operations },
    openCatalogue: () => createCatalogue(rig.porting),
    account: 1001,
    settings: { zone: 'Europe/London', callingCode: '44', msisdnFormat: 'national', maxRowsPerRequest: 100 },
    limits: {
      maxFileBytes: 1e6,
      maxFileRows: 100,
      toleratedFailurePercentage: 100,
      maxOpenGroups: 100,
      maxWaitingBytes: 1e6,
    },
    workBucket: services.buckets.work,
    resultsBucket: services.buckets.results,
    submitQueueUrl: services.submitQueueUrl,
    calendar: rig.service.now,
    wall: rig.service.now,
    now: () => new Date(rig.service.now()).toISOString(),
  };
};
const move = async (date: string, changes: Partial<RescheduleMessage> = {}): Promise<ImportItem> => {
  const item = await reschedule({ reschedule: 'import-a', date, ask: 'ask-1', ...changes }, ample, dependencies());
  if (item === undefined) throw new Error('there is no import to move');
  return item;
};

/** An import with one port for each list of rows, for Wednesday 8 July, read back and with checked PACs. */
async function ported(...groups: ReturnType<typeof plannedRowOf>[][]): Promise<void> {
  await rig.imports.begin(importItemOf('import-a'));
  for (const message of await rig.plan('import-a', groups, { connectionDate: '2026-07-16' as never })) {
    await rig.submit(message);
  }
  rig.pass(hour);
  await rig.sync();
}
/** Handles the messages of the submit queue, as the function does. */
async function submitWaiting(): Promise<void> {
  for (const { body } of services.waiting('submit')) await rig.submit(submitMessage.parse(body));
}
/** Syncs every minute until this many requests were released. `look` runs every minute. */
async function syncUntilReleased(count: number, look = async () => {}): Promise<void> {
  let released = 0;
  for (let minutes = 0; minutes < 120 && released < count; minutes += 1) {
    rig.pass(minute);
    released += (await rig.sync()).released;
    await look();
  }
  expect(released).toBe(count);
}
/** Every port of the service with a number that is not cancelled. */
async function livePortsOf(msisdn: string) {
  const { data } = await rig.porting.listPorts(1);
  const details = await Promise.all(data.map(({ id }) => rig.porting.port(id)));
  return details.filter(
    ({ statusName, rows }) =>
      statusName !== 'Cancelled' &&
      rows.some((row) => `44${row.msisdn.slice(1)}` === msisdn && row.statusName !== 'Cancelled'),
  );
}
const both = [plannedRowOf(1, 2), plannedRowOf(2, 3)];

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

  test('rejects a locked port at once, by name, and cancels nothing of the import', async () => {
    await ported([plannedRowOf(1, 2)], [plannedRowOf(2, 3)]);
    rig.pass(9 * day + 10 * hour);
    const moved = await move('2026-07-20');
    expect(moved.state).toBe('rejected');
    expect(moved.issues[0]?.message).toMatch(/^request 1, port .+: The port is Locked and can no longer be cancelled/);
  });

  test('rejects a day that cannot be booked before anything is cancelled', async () => {
    await ported(both);
    const moved = await move('2026-07-19');
    expect(moved).toMatchObject({ state: 'rejected', issues: [{ code: 'DATE_NOT_WORKING_DAY' }] });
    await rig.sync();
    expect(await rig.porting.port((await rig.request('import-a')).portId ?? '')).toMatchObject({
      statusName: 'Submitted',
    });
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

  test('cancels no port for an expired plan', async () => {
    await ported(both);
    const moved = await move('2026-07-20');
    rig.calls.length = 0;
    await rig.sync({ plans: { read: async () => undefined } });
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
    await rig.sync({ client: { ...client, port }, plans: { read: async () => undefined } });
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

  test('does not move a port to the day that it has', async () => {
    await ported(both);
    const moved = await move('2026-07-16');
    expect(moved.issues[0]?.message).toContain('The port is already booked for 2026-07-16');
  });

  test('moves only the named requests', async () => {
    await ported([plannedRowOf(1, 2)], [plannedRowOf(2, 3)]);
    const moved = await move('auto', { requests: [2] });
    expect(moved).toMatchObject({ state: 'submitting', requestCount: 1, rows: 1 });
    expect((await rig.request(moved.importId)).replaces).toMatchObject({ importId: 'import-a', request: 2 });
  });

  test('keeps a cancelled row cancelled, and takes an amended PAC along', async () => {
    await ported([plannedRowOf(1, 2), plannedRowOf(2, 3, 'INV123456'), plannedRowOf(3, 4, 'INV654321')]);
    const { portId = '' } = await rig.request('import-a');
    const msisdns = (await rig.porting.port(portId)).rows.map(({ msisdn }) => msisdn);
    const amend = { Msisdn: msisdns[1] ?? '', Pac: 'NEW222222', PortRowStatus: 'Amended' as const };
    const cancel = { Msisdn: msisdns[2] ?? '', PortRowStatus: 'CancellationRequested' as const };
    await rig.porting.updatePort(portId, { Rows: [amend] });
    await rig.porting.updatePort(portId, { Rows: [cancel] });
    rig.pass(hour);
    const moved = await move('2026-07-20');
    const { plans } = rig.submitParts();
    const planned = await plans.read(await rig.request(moved.importId));
    expect(planned?.rows.map(({ line, wire }) => [line, (wire as { pac: string }).pac])).toEqual([
      [2, 'ABC123456'],
      [3, 'NEW222222'],
    ]);
  });

  test('makes one import of the same message twice, and starts again after a crash during planning', async () => {
    await ported(both);
    const first = await move('2026-07-20');
    const again = await move('2026-07-20');
    expect(again.importId).toBe(first.importId);
    const items: number[] = [];
    for await (const { request } of rig.requests.ofImport(first.importId)) items.push(request);
    expect(items).toEqual([1]);

    const broken = {
      ...dependencies(),
      queues: dependencies().queues,
      plans: { read: () => Promise.reject(new Error('killed')) },
    };
    const command = { reschedule: 'import-a', date: '2026-07-21', ask: 'ask-2' };
    await expect(reschedule(command, ample, broken)).rejects.toThrow('killed');
    expect(await move('2026-07-21', { ask: 'ask-2' })).toMatchObject({ state: 'submitting', requestCount: 1 });
  });

  test('stops before a port that there may be no time for, leaves nothing, and can start again', async () => {
    await ported(both);
    const command = { reschedule: 'import-a', date: '2026-07-20', ask: 'ask-1' };
    const stopped = reschedule(
      command,
      createDeadline(() => 59_999),
      dependencies(),
    );
    await expect(stopped).rejects.toMatchObject({
      name: 'PlanningTimeout',
      advice: expect.stringContaining('--request'),
    });
    expect(services.waiting('submit')).toEqual([]);
    expect(await move('2026-07-20')).toMatchObject({ state: 'submitting', requestCount: 1 });
  });

  test('makes one port of two commands for one port: the second finds the numbers taken', async () => {
    await ported(both);
    const [first, second] = [await move('2026-07-20'), await move('2026-07-21', { ask: 'ask-2' })];
    await syncUntilReleased(2);
    await submitWaiting();
    const states = [(await rig.request(first.importId)).state, (await rig.request(second.importId)).state];
    expect(states.toSorted()).toEqual(['created', 'skipped']);
    expect(await livePortsOf(msisdnOf(1))).toHaveLength(1);
  });

  test('moves nothing of an import whose ports have all ended', async () => {
    await ported(both);
    rig.pass(12 * day);
    await rig.sync();
    expect(await move('auto')).toMatchObject({ state: 'rejected', issues: [{ code: 'PORT_NOT_CHANGEABLE' }] });
  });
});

/** Dependencies of two processes, of which the first dies before or after its effect number `at`. */
function dyingParts(at: number, when: 'before' | 'after'): Partial<SyncDependencies> {
  const { requests, ports, snapshots: looks, client, queues } = rig.syncParts();
  let effects = 0;
  const mortal =
    <Given extends readonly unknown[], Answer>(effect: (...given: Given) => Promise<Answer>) =>
    async (...given: Given): Promise<Answer> => {
      effects += 1;
      const dies = effects === at;
      if (dies && when === 'before') throw new Error('killed');
      const answer = await effect(...given);
      if (dies) throw new Error('killed');
      return answer;
    };
  return {
    requests: { ...requests, replace: mortal(requests.replace) },
    ports: { ...ports, touch: mortal(ports.touch) },
    snapshots: { record: mortal(looks.record) },
    client: { ...client, cancelPort: mortal(client.cancelPort) },
    queues: { send: mortal(queues.send) },
  };
}

describe('killed at every step', () => {
  const steps = Array.from({ length: 9 }, (_, index) => index + 1);

  test.each(steps.flatMap((at) => (['before', 'after'] as const).map((when) => ({ at, when }))))(
    '$when effect $at: never two live ports, and in the end one on the new day',
    async ({ at, when }) => {
      await ported(both);
      await move('2026-07-20');
      const parts = dyingParts(at, when);
      let mostLive = 1;
      for (let looks = 0; looks < 16; looks += 1) {
        rig.pass(5 * minute);
        await rig.sync(parts).catch((error: Error) => expect(error.message).toBe('killed'));
        await submitWaiting();
        mostLive = Math.max(mostLive, (await livePortsOf(msisdnOf(1))).length);
      }
      expect(mostLive).toBe(1);
      const [live] = await livePortsOf(msisdnOf(1));
      expect(live).toMatchObject({ connectionDate: '2026-07-20T00:00:00', rowCount: 2 });
    },
  );
});
