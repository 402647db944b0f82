import { describe, expect, test } from 'vitest';
import { type RescheduleDependencies, reschedule } from '#functions/ingest/reschedule.ts';
import type { SyncParts } from '#functions/sync/parts.ts';
import type { ImportItem } from '#shared/domain/ledger.ts';
import { type RescheduleMessage, submitMessage } from '#shared/domain/plan.ts';
import { createCatalogue } from '#shared/operations/catalogue.ts';
import { operations } from '#shared/operations/registry.ts';
import { Ambiguous, NotFound, Unavailable } from '#shared/porting/errors.ts';
import { day, hour, minute } from '../../support/porting-service.ts';
import { rig, services } from '../../support/results-fresh.ts';
import { importItemOf, msisdnOf, plannedRowOf } from '../../support/results-rig.ts';

/** Time is never short. */
const always = (): number => 900_000;

const dependencies = (): RescheduleDependencies => {
  const { plans, queues } = rig.submitParts();
  const { requests, reminders, imports, files } = rig;
  return {
    ...{ requests, reminders, imports, files, plans, queues, operations },
    openCatalogue: () => createCatalogue(rig.porting),
    account: 1001,
    settings: { zone: 'Europe/London', callingCode: '44', msisdnFormat: 'national', maxRowsPerRequest: 100 },
    limits: { maxFileBytes: 1e6, maxFileRows: 100, toleratedFailurePercentage: 100, maxWaitingRows: 100 },
    workBucket: services.buckets.work,
    resultsBucket: services.buckets.results,
    submitQueueUrl: services.submitQueueUrl,
    calendar: rig.service.now,
    wall: rig.service.now,
    now: () => new Date(rig.service.now()).toISOString(),
  };
};
const move = async (date: string, changes: Partial<RescheduleMessage> = {}): Promise<ImportItem> => {
  const item = await reschedule({ reschedule: 'import-a', date, ask: 'ask-1', ...changes }, always, dependencies());
  if (item === undefined) throw new Error('there is no import to move');
  return item;
};

/** An import of one port for each list of rows, for Wednesday 8 July, read back and with its PACs checked. */
async function ported(...groups: ReturnType<typeof plannedRowOf>[][]): Promise<void> {
  await rig.imports.begin(importItemOf('import-a'));
  for (const message of await rig.plan('import-a', groups, { connectionDate: '2026-07-16' as never })) {
    await rig.submit(message);
  }
  rig.pass(hour);
  await rig.sync();
}
/** Takes what came into the submit queue, as the function would. */
async function submitWaiting(): Promise<void> {
  for (const { body } of services.waiting('submit')) await rig.submit(submitMessage.parse(body));
}
/** Syncs every minute until so many requests were let go; `look` sees every minute. */
async function syncUntilReleased(count: number, look = async () => {}): Promise<void> {
  let released = 0;
  for (let minutes = 0; minutes < 120 && released < count; minutes += 1) {
    rig.pass(minute);
    released += (await rig.sync()).released;
    await look();
  }
  expect(released).toBe(count);
}
/** Every port at the service with a number in it that is not cancelled. */
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
  test('the old port is cancelled, read back, and only then the new one is made', async () => {
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

  test('a message for a held request sends nothing, however it came into the queue', async () => {
    await ported(both);
    const moved = await move('2026-07-20');
    const { plan } = await rig.request(moved.importId);
    expect(await rig.submit({ importId: moved.importId, request: 1, plan })).toBe('not-mine');
    rig.pass(day);
    const { resent } = await rig.sync({ client: { ...rig.submitParts().client, cancelPort: async () => {} } });
    expect(resent).toBe(0);
  });

  test('the run that was killed between intent and cancel is made good by a later one', async () => {
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

  test('a cancel whose answer was lost is not sent again while it may still take effect', async () => {
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
    'a port of which `%s` always fails while the service answers holds no other up',
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

  test('fault 48: a port that the service does not know holds no other up, and its successor is a person’s after three looks', async () => {
    await ported([plannedRowOf(1, 2)], [plannedRowOf(2, 3)]);
    const moved = await move('2026-07-20');
    const { portId } = await rig.request('import-a');
    const { client } = rig.submitParts();
    const refusal = { message: 'not found', fieldErrors: [], msisdns: [] };
    const gone = () => Promise.reject(new NotFound(refusal, { call: 'GET /port', status: 404 }));
    const port = (id: string) => (id === portId ? gone() : client.port(id));
    let [released, people] = [0, 0];
    for (let minutes = 0; minutes < 90; minutes += 1) {
      rig.pass(minute);
      released += (await rig.sync({ client: { ...client, port } })).released;
      if (people === 0 && (await rig.request(moved.importId)).state === 'needs-human') people = minutes;
    }
    expect(released).toBe(1);
    expect(people).toBeGreaterThan(60);
    const message = expect.stringContaining('has not known the port for 3 looks');
    expect(await rig.request(moved.importId)).toMatchObject({ replaces: { portId }, error: { message } });
  });

  test('while the service is down nothing is lost and nothing is made', async () => {
    await ported(both);
    const moved = await move('2026-07-20');
    const { client } = rig.submitParts();
    const down = () => Promise.reject(new Unavailable('503', { call: 'GET /port' }));
    await rig.sync({ client: { ...client, networks: down, port: down, listPorts: down, cancelPort: down } });
    expect(await rig.request(moved.importId)).toMatchObject({ state: 'planned' });
    expect(await rig.portsThere()).toBe(1);
  });

  test('a port that is locked before it could be cancelled stays, and its successor is refused', async () => {
    await ported(both);
    const moved = await move('2026-07-20');
    rig.pass(9 * day + 10 * hour); // the evening before the 16th: locked
    await rig.sync();
    const request = await rig.request(moved.importId);
    expect(request).toMatchObject({ state: 'refused', error: { kind: 'port-not-cancelled' } });
    expect(request.error?.message).toContain('is Locked');
    expect(await rig.portsThere()).toBe(1);
  });

  test('a locked port is refused at once, by name, and nothing of the import is cancelled', async () => {
    await ported([plannedRowOf(1, 2)], [plannedRowOf(2, 3)]);
    rig.pass(9 * day + 10 * hour);
    const moved = await move('2026-07-20');
    expect(moved.state).toBe('refused');
    expect(moved.issues[0]?.message).toMatch(/^request 1, port .+: it is Locked, and can only be cancelled before/);
  });

  test('a day that cannot be booked is refused before anything is cancelled', async () => {
    await ported(both);
    const moved = await move('2026-07-19');
    expect(moved).toMatchObject({ state: 'refused', issues: [{ code: 'DATE_NOT_WORKING_DAY' }] });
    await rig.sync();
    expect(await rig.porting.port((await rig.request('import-a')).portId ?? '')).toMatchObject({
      statusName: 'Submitted',
    });
  });

  test('a day that was left behind while the service was down is refused, and the port keeps its own', async () => {
    await ported(both);
    const moved = await move('2026-07-07');
    rig.pass(day);
    rig.calls.length = 0;
    await rig.sync();
    const request = await rig.request(moved.importId);
    expect(request).toMatchObject({ state: 'refused', lines: '2-3', error: { kind: 'DATE_NO_LONGER_AVAILABLE' } });
    expect(request.error?.message).toMatch(/^port .+ stays as it was: 2026-07-07 has passed by/);
    expect(rig.calls).not.toContain('cancelPort');
    expect(rig.counts.requestsRefused).toBe(1);
    expect(await livePortsOf(msisdnOf(1))).toHaveLength(1);
  });

  test('no port is cancelled for a plan that has expired', async () => {
    await ported(both);
    const moved = await move('2026-07-20');
    rig.calls.length = 0;
    await rig.sync({ plans: { read: async () => undefined } });
    expect(await rig.request(moved.importId)).toMatchObject({ state: 'refused', error: { kind: 'plan-expired' } });
    expect(rig.calls).not.toContain('cancelPort');
  });

  test('what is being cancelled already is waited for, whatever has become of the day', async () => {
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

  test('the networks are asked for once, however many ports are moved', async () => {
    await ported([plannedRowOf(1, 2)], [plannedRowOf(2, 3)], [plannedRowOf(3, 4)]);
    await move('2026-07-20');
    rig.calls.length = 0;
    await rig.sync();
    expect(rig.calls.filter((name) => name === 'cancelPort')).toHaveLength(3);
    expect(rig.calls.filter((name) => name === 'networks')).toHaveLength(1);
  });

  test('the day that a port has already is no move', async () => {
    await ported(both);
    const moved = await move('2026-07-16');
    expect(moved.issues[0]?.message).toContain('the port is booked for 2026-07-16 already');
  });

  test('only the requests that were named are moved', async () => {
    await ported([plannedRowOf(1, 2)], [plannedRowOf(2, 3)]);
    const moved = await move('auto', { requests: [2] });
    expect(moved).toMatchObject({ state: 'submitting', requestCount: 1, rows: 1 });
    expect((await rig.request(moved.importId)).replaces).toMatchObject({ importId: 'import-a', request: 2 });
  });

  test('a line that was cancelled stays cancelled, and a PAC that was amended goes along', async () => {
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

  test('the same message twice is one import; a crash before the plan stood begins again', async () => {
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
    const wish = { reschedule: 'import-a', date: '2026-07-21', ask: 'ask-2' };
    await expect(reschedule(wish, always, broken)).rejects.toThrow('killed');
    expect(await move('2026-07-21', { ask: 'ask-2' })).toMatchObject({ state: 'submitting', requestCount: 1 });
  });

  test('stops before a port that there may be no time for, leaves nothing, and can begin again', async () => {
    await ported(both);
    const wish = { reschedule: 'import-a', date: '2026-07-20', ask: 'ask-1' };
    const stopped = reschedule(wish, () => 59_999, dependencies());
    await expect(stopped).rejects.toMatchObject({ name: 'OutOfTime', advice: expect.stringContaining('--request') });
    expect(services.waiting('submit')).toEqual([]);
    expect(await move('2026-07-20')).toMatchObject({ state: 'submitting', requestCount: 1 });
  });

  test('two wishes for one port make one port: the second finds the numbers taken', async () => {
    await ported(both);
    const [first, second] = [await move('2026-07-20'), await move('2026-07-21', { ask: 'ask-2' })];
    await syncUntilReleased(2);
    await submitWaiting();
    const states = [(await rig.request(first.importId)).state, (await rig.request(second.importId)).state];
    expect(states.toSorted()).toEqual(['created', 'withdrawn']);
    expect(await livePortsOf(msisdnOf(1))).toHaveLength(1);
  });

  test('an import whose ports have all ended has nothing to move', async () => {
    await ported(both);
    rig.pass(12 * day);
    await rig.sync();
    expect(await move('auto')).toMatchObject({ state: 'refused', issues: [{ code: 'PORT_NOT_CHANGEABLE' }] });
  });
});

/** Parts of one process after the other, of which the first dies at its effect number `at`, before or after it is felt. */
function dyingParts(at: number, when: 'before' | 'after'): Partial<SyncParts> {
  const { requests, ports, looks, client, queues } = rig.syncParts();
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
    looks: { record: mortal(looks.record) },
    client: { ...client, cancelPort: mortal(client.cancelPort) },
    queues: { send: mortal(queues.send) },
  };
}

describe('killed at every step', () => {
  const steps = Array.from({ length: 9 }, (_, index) => index + 1);

  test.each(steps.flatMap((at) => (['before', 'after'] as const).map((when) => ({ at, when }))))(
    '$when effect $at: at no time two live ports, in the end one on the new day',
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
