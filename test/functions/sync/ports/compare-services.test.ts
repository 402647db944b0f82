import { type DynamoDBDocumentClient, PutCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from 'vitest';
import { stopImport } from '#functions/ingest/commands/approve-and-stop.ts';
import { compareServicesAsRequested } from '#functions/sync/ports/compare-services.ts';
import type { SyncPipeline } from '#functions/sync/run.ts';
import { createCatalogue } from '#shared/operations/catalogue.ts';
import { resultsOf } from '#shared/outcome/request-results.ts';
import { collectResults, rollUp } from '#shared/outcome/rows-of-requests.ts';
import type { ComparisonItem } from '#shared/outcome/service-comparison.ts';
import { submitMessage } from '#shared/request/messages.ts';
import { abandonRequest } from '#shared/request/request-state.ts';
import { createDeadline } from '#shared/runtime/clock.ts';
import { Ambiguous, CallDeferred, NotFound, Rejected, Unavailable } from '#shared/service/errors.ts';
import { createComparisons } from '#shared/store/ports.ts';
import { createRequests } from '#shared/store/requests.ts';
import { isoTime } from '#shared/text/wording.ts';
import { double } from '../../../support/double.ts';
import { day, hour, minute } from '../../../support/service/simulator.ts';
import { rig, services, useFreshRig } from '../../../support/steps/fresh-services.ts';
import { importItemOf, plannedRowOf } from '../../../support/steps/submit-and-sync.ts';
import { expiredPlans } from '../../../support/steps/test-pipeline.ts';

useFreshRig();

const asked = [
  { name: 'Roaming', value: 'true' },
  { name: 'Premium Rate Calls', value: 'false' },
];
const serialOf = (index: number): string => `894411${String(index).padStart(14, '0')}`;

/** Brings a request with SIMs `1` to `count` to Complete, up to the reading that shows it. */
async function complete(importId: string, count: number, changes = { services: asked }): Promise<void> {
  const rows = Array.from({ length: count }, (_, index) => plannedRowOf(index + 1, index + 2));
  const [message] = await rig.plan(importId, [rows], changes);
  if (message === undefined) throw new Error('nothing was planned');
  await rig.submit(message);
  rig.pass(4 * day);
}
/** Through the endpoint of the service, whose submissions take effect a minute later. */
async function setBehindOurBack(index: number, name: string, value: string): Promise<void> {
  const body = { serialNumbers: [serialOf(index)], services: [{ name, value }] };
  const { status } = await rig.service.call('POST', '/api/simSubmission/BarServiceConfig', { body });
  expect(status).toBe(200);
  rig.pass(minute);
}
async function mismatchesOf(importId: string): Promise<ComparisonItem | undefined> {
  for await (const item of rig.comparisons.ofImport(importId)) return item;
  return undefined;
}
/** Polls the port without comparing services. */
async function lookAtPort(importId: string): Promise<void> {
  await rig.sync({ comparisons: double({ due: async () => [], replace: async () => false }) });
  expect(await rig.request(importId)).toMatchObject({ portStatus: 'Complete' });
}

/** A service that fails to show this many of the first SIMs. */
function withoutSims(count: number): SyncPipeline['client'] {
  const { client } = rig.syncParts();
  const hidden = Array.from({ length: count }, (_, index) => serialOf(index + 1));
  const fails = new Unavailable('answered 500', { call: 'GET /api/sim', status: 500 });
  const simServices = async (serial: string) =>
    hidden.includes(serial) ? Promise.reject(fails) : client.simServices(serial);
  return { ...client, simServices };
}
const iso = (epochMs: number): string => new Date(epochMs).toISOString();

describe('mismatch', () => {
  test('does not exist for a complete port whose SIMs have the requested services, which is not compared again', async () => {
    await complete('import-a', 2);
    expect(await rig.sync()).toMatchObject({ compared: 2 });
    const item = await mismatchesOf('import-a');
    expect(item).toMatchObject({ state: 'none', sims: [], rounds: 1 });
    expect(item).not.toHaveProperty('dueAt');
    rig.pass(30 * day);
    expect(await rig.sync()).toMatchObject({ compared: 0 });
  });

  test('is found for a service that was changed elsewhere, with line, SIM and both values', async () => {
    await complete('import-a', 3);
    await lookAtPort('import-a');
    await setBehindOurBack(2, 'Roaming', 'false');
    await rig.sync();
    expect(await mismatchesOf('import-a')).toMatchObject({
      state: 'found',
      networkNumber: 101,
      sims: [
        {
          line: 3,
          msisdn: '447700900002',
          serialNumber: serialOf(2),
          services: [{ name: 'Roaming', type: 'Service', requested: 'true', actual: 'false' }],
        },
      ],
    });
    expect(services.waiting('report').at(-1)?.body).toEqual({ importId: 'import-a' });
    expect(await rig.comparisons.found(10)).toHaveLength(1);
  });

  test('is not found any more on the day after it was fixed', async () => {
    await complete('import-a', 2);
    await lookAtPort('import-a');
    await setBehindOurBack(1, 'Premium Rate Calls', 'true');
    await rig.sync();
    expect(await mismatchesOf('import-a')).toMatchObject({ state: 'found' });
    await setBehindOurBack(1, 'Premium Rate Calls', 'false');
    rig.pass(day);
    expect(await rig.sync()).toMatchObject({ compared: 2 });
    expect(await mismatchesOf('import-a')).toMatchObject({ state: 'none', sims: [], rounds: 2 });
    expect(await rig.comparisons.found(10)).toEqual([]);
  });

  test('is searched for a limited number of SIMs in a run, and the next run continues', async () => {
    await complete('import-a', 5);
    await lookAtPort('import-a');
    await setBehindOurBack(1, 'Roaming', 'false');
    await setBehindOurBack(5, 'Roaming', 'false');
    const { settings } = rig.syncParts();
    const two = { settings: { ...settings, simsPerRun: 2 } };
    const compared: (number | undefined)[] = [];
    for (let run = 0; run < 4; run += 1) compared.push((await rig.sync(two)).compared);
    expect(compared).toEqual([2, 2, 1, 0]);
    expect((await mismatchesOf('import-a'))?.sims.map(({ line }) => line)).toEqual([2, 6]);
  });

  test('costs no call for a request without services', async () => {
    await complete('import-a', 2, { services: [] });
    rig.calls.length = 0;
    expect(await rig.sync()).toMatchObject({ compared: 0 });
    expect(rig.calls).not.toContain('simServices');
    expect(await mismatchesOf('import-a')).toMatchObject({ state: 'none' });
  });

  test('is not searched for cancelled rows', async () => {
    const rows = [plannedRowOf(1, 2), plannedRowOf(2, 3, 'INV123456')];
    const [message] = await rig.plan('import-a', [rows], { services: asked });
    if (message !== undefined) await rig.submit(message);
    rig.pass(hour);
    const { portId = '' } = await rig.request('import-a');
    const [, bad] = (await rig.porting.port(portId)).rows;
    const cancel = { Msisdn: bad?.msisdn ?? '', PortRowStatus: 'CancellationRequested' as const };
    await rig.porting.updatePort(portId, { Rows: [cancel] });
    rig.pass(4 * day);
    expect(await rig.sync()).toMatchObject({ compared: 1 });
  });

  test('is found for other SIMs when the service does not know one SIM', async () => {
    await complete('import-a', 3);
    await lookAtPort('import-a');
    await setBehindOurBack(3, 'Roaming', 'false');
    const { client } = rig.syncParts();
    const refusal = { message: 'no such SIM', fieldErrors: [], msisdns: [] };
    const unknownSim = new NotFound(refusal, { call: 'GET /api/sim', status: 404 });
    const simServices = (serial: string) =>
      serial === serialOf(1) ? Promise.reject(unknownSim) : client.simServices(serial);
    await rig.sync({ client: { ...client, simServices } });
    expect((await mismatchesOf('import-a'))?.sims.map(({ line }) => line)).toEqual([4]);
  });

  test('is found for other SIMs when the service always fails to show one SIM', async () => {
    await complete('import-a', 3);
    await lookAtPort('import-a');
    await setBehindOurBack(3, 'Roaming', 'false');
    await rig.sync({ client: withoutSims(1) });
    expect((await mismatchesOf('import-a'))?.sims.map(({ line }) => line)).toEqual([4]);
    expect(rig.counts.deferred).toBe(1);
  });

  test('is searched again for a SIM that the service failed to show, a day later with the others', async () => {
    await complete('import-a', 3);
    await lookAtPort('import-a');
    await setBehindOurBack(1, 'Roaming', 'false');
    await rig.sync({ client: withoutSims(1) });
    expect(await mismatchesOf('import-a')).toMatchObject({ state: 'due', dueAt: iso(rig.service.now() + day) });
    rig.pass(day);
    await rig.sync();
    expect((await mismatchesOf('import-a'))?.sims.map(({ line }) => line)).toEqual([2]);
  });

  test('is searched a day later for a request without readable SIMs, and the next request goes first', async () => {
    const rows = Array.from({ length: 20 }, (_, index) => plannedRowOf(index + 1, index + 2));
    const [message] = await rig.plan('import-a', [rows], { services: asked });
    if (message !== undefined) await rig.submit(message);
    rig.pass(minute);
    const [later] = await rig.plan('import-b', [[plannedRowOf(21, 2)]], { services: asked });
    if (later !== undefined) await rig.submit(later);
    rig.pass(4 * day);
    await lookAtPort('import-a');
    const client = withoutSims(20);
    for (let run = 0; run < 2; run += 1) await rig.sync({ client });
    expect(await mismatchesOf('import-a')).toMatchObject({ state: 'due', dueAt: iso(rig.service.now() + day) });
    expect(await mismatchesOf('import-b')).toMatchObject({ state: 'none' });
  });

  test('stays due during an outage', async () => {
    await complete('import-a', 1);
    await lookAtPort('import-a');
    const before = await mismatchesOf('import-a');
    const held = new CallDeferred('the service is down', 60_000, { call: 'GET /api/sim' });
    const simServices = () => Promise.reject(held);
    expect(await rig.sync({ client: { ...rig.syncParts().client, simServices } })).toMatchObject({ compared: 0 });
    expect(await mismatchesOf('import-a')).toEqual(before);
  });

  test('is searched a day later for a port that cannot be read, which does not stop others', async () => {
    await complete('import-a', 1);
    await lookAtPort('import-a');
    const { client, operationNamed } = rig.syncParts();
    const named: typeof operationNamed = (name) => {
      const operation = operationNamed(name);
      if (operation === undefined) return undefined;
      const { submission } = operation;
      const servicesAsked: typeof submission.requestedServices = (planned) => {
        const services = submission.requestedServices?.(planned);
        return services && { ...services, sims: services.sims.map((sim) => ({ ...sim, serialNumber: null })) };
      };
      return { ...operation, submission: { ...submission, requestedServices: servicesAsked } };
    };
    const refusal = { message: 'not found', fieldErrors: [], msisdns: [] };
    const port = () => Promise.reject(new NotFound(refusal, { call: 'GET /port', status: 404 }));
    const run = rig.runParts({ client: { ...client, port }, operationNamed: named });
    expect(await compareServicesAsRequested(run)).toBe(0);
    const dueAt = new Date(rig.service.now() + day).toISOString();
    expect(await mismatchesOf('import-a')).toMatchObject({ state: 'due', dueAt });
    expect(run.changed.size).toBe(0);
    rig.pass(day);
    expect(await compareServicesAsRequested(rig.runParts({ operationNamed: named }))).toBe(1);
  });

  test('is unknown once the plan has expired', async () => {
    await complete('import-a', 1);
    await rig.sync({ plans: expiredPlans });
    expect(await mismatchesOf('import-a')).toMatchObject({ state: 'unknown', sims: [] });
  });
});

test('mismatches of more than 400 KB name every SIM, with as many services as fit', async () => {
  const names = Array.from({ length: 60 }, (_, index) => `International roaming data ${index}`);
  const planned = Array.from({ length: 100 }, (_, index) => plannedRowOf(index + 1, index + 2));
  const [message] = await rig.plan('import-a', [planned], { services: names.map((name) => ({ name, value: 'true' })) });
  if (message === undefined) throw new Error('nothing was planned');
  const { client } = rig.submitParts();
  const createPort: typeof client.createPort = (body) =>
    client.createPort({ ...body, rows: body.rows.map((row) => ({ ...row, services: null })) });
  await rig.submit(message, { client: { ...client, createPort } });
  const shown = names.map((name) => ({
    name,
    type: 'Service',
    optionValue: 'false',
    readOnly: false,
    availableOptions: [],
  }));
  const simServices = async () => [{ groupName: 'all', services: shown }];
  for (let step = 0; step < 16; step += 1) {
    rig.pass(6 * hour);
    await rig.sync({ client: { ...rig.porting, simServices } });
  }
  const { sims = [], state } = (await mismatchesOf('import-a')) ?? {};
  expect([state, sims.length]).toEqual(['found', 100]);
  expect(sims.every(({ services }) => services.length > 10)).toBe(true);
});

describe('until they are confirmed', () => {
  useFreshRig();

  const sims = ['89440010110010000104', '89440010110010000203'];
  /** The simulator accepts a change of its services, and never makes it. */
  const losing = '89990300110010000107';
  const head = { networkNumber: 101, services: [{ name: 'Roaming', value: 'false' }] };

  /** Sends one request that turns roaming off. The row of the first SIM has line 2. */
  async function send(serials: readonly string[]): Promise<void> {
    const rows = serials.map((subject, index) => ({ line: index + 2, subject, wire: null }));
    const [message] = await rig.plan('import-a', [rows], head, 'bar-service-config');
    if (message === undefined) throw new Error('nothing was planned');
    expect(await rig.submit(message)).toBe('accepted');
  }
  async function comparison(): Promise<ComparisonItem | undefined> {
    for await (const item of rig.comparisons.ofImport('import-a')) return item;
    return undefined;
  }
  const outcomesOf = async (...lines: number[]) => {
    const request = await rig.request('import-a');
    const results = resultsOf(request, {}, await comparison());
    // The counts of the request are always those of its rows.
    const byOutcome = Map.groupBy(results.values(), ({ outcome }) => outcome);
    expect(request.simRows).toEqual(
      Object.fromEntries([...byOutcome].map(([outcome, rows]) => [outcome, rows.length])),
    );
    return lines.map((line) => results.get(line)?.outcome);
  };
  /** The next run that may read the SIMs again. */
  const syncLater = async (milliseconds: number, changes: Parameters<typeof rig.sync>[0] = {}) => {
    rig.pass(milliseconds);
    return rig.sync(changes);
  };

  function failingFor(serial: string, error: Error) {
    const { client } = rig.syncParts();
    const simServices = async (asked: string) => {
      if (asked === serial) throw error;
      return client.simServices(asked);
    };
    return { client: { ...client, simServices } };
  }

  describe('accepted settings', () => {
    test('are in progress until the SIMs show them, and then complete', async () => {
      await send(sims);
      await rig.sync();
      expect(await rig.request('import-a')).not.toHaveProperty('endedAt');
      expect(await outcomesOf(2, 3)).toEqual(['in-progress', 'in-progress']);
      expect(await syncLater(2 * minute)).toMatchObject({ compared: 2 });
      expect(await outcomesOf(2, 3)).toEqual(['complete', 'complete']);
      expect(await rig.request('import-a')).toMatchObject({ state: 'accepted', endedAt: expect.any(String) });
      expect(await comparison()).toMatchObject({ state: 'none', sims: [] });
      expect(services.waiting('report').at(-1)?.body).toEqual({ importId: 'import-a' });
      expect(await syncLater(30 * day)).toMatchObject({ compared: 0 });
    });

    test('that one SIM does not get are a mismatch only after the quiet period', async () => {
      await send([...sims, losing]);
      await syncLater(2 * minute);
      expect(await outcomesOf(2, 3, 4)).toEqual(['complete', 'complete', 'in-progress']);
      expect(await rig.comparisons.found(10)).toEqual([]);
      expect(await syncLater(2 * minute)).toMatchObject({ compared: 1 });
      await syncLater(hour);
      expect(await outcomesOf(2, 3, 4)).toEqual(['complete', 'complete', 'action-required']);
      const services = [{ name: 'Roaming', type: 'Service', requested: 'false', actual: 'true' }];
      expect(await comparison()).toMatchObject({ state: 'found', sims: [{ line: 4, serialNumber: losing, services }] });
      expect(await rig.request('import-a')).toMatchObject({ endedAt: expect.any(String) });
    });

    test('that a SIM has later than the quiet period are complete on the day after', async () => {
      await send([losing]);
      await syncLater(2 * hour);
      expect(await outcomesOf(2)).toEqual(['action-required']);
      const { client } = rig.syncParts();
      const shown = [{ groupName: 'all', services: [{ name: 'Roaming', type: 'Service', optionValue: 'false' }] }];
      const simServices = async () => shown as unknown as Awaited<ReturnType<typeof client.simServices>>;
      await syncLater(day, { client: { ...client, simServices } });
      expect(await outcomesOf(2)).toEqual(['complete']);
      expect(await comparison()).toMatchObject({ state: 'none', sims: [], everFound: true });
    });

    test('are read for a limited number of SIMs in a run, and every SIM is read before one is read twice', async () => {
      await send([losing, ...sims]);
      const one = { settings: { ...rig.syncParts().settings, simsPerRun: 1 } };
      rig.pass(2 * minute);
      const compared: number[] = [];
      for (let run = 0; run < 3; run += 1) compared.push((await rig.sync(one)).compared);
      expect(compared).toEqual([1, 1, 1]);
      expect(await outcomesOf(2, 3, 4)).toEqual(['in-progress', 'complete', 'complete']);
      await syncLater(2 * hour, one);
      expect(await outcomesOf(2, 3, 4)).toEqual(['action-required', 'complete', 'complete']);
    });

    test('stay accepted for a SIM that the service does not show, and the others are complete', async () => {
      await send(sims);
      const declined = { message: 'no such SIM', fieldErrors: [], msisdns: [] };
      const unknown = new NotFound(declined, { call: 'GET /api/sim', status: 404 });
      await syncLater(2 * hour, failingFor(sims[0] ?? '', unknown));
      expect(await outcomesOf(2, 3)).toEqual(['accepted', 'complete']);
      expect(await rig.request('import-a')).toMatchObject({ endedAt: expect.any(String) });
    });

    test('of a SIM that fails to be read are read again a day later', async () => {
      await send(sims);
      const failed = new Unavailable('answered 500', { call: 'GET /api/sim', status: 500 });
      await syncLater(2 * hour, failingFor(sims[0] ?? '', failed));
      expect(await outcomesOf(2, 3)).toEqual(['accepted', 'complete']);
      await syncLater(day);
      expect(await outcomesOf(2, 3)).toEqual(['complete', 'complete']);
    });

    test('have their comparison from the moment on in which they are accepted', async () => {
      await send(sims);
      expect(await comparison()).toMatchObject({ state: 'due', waiting: '2-3', unread: '', dueAt: expect.any(String) });
      expect(await rig.request('import-a')).toMatchObject({ state: 'accepted', simRows: { 'in-progress': 2 } });
      expect(await rig.request('import-a')).not.toHaveProperty('dueAt');
    });

    test.each(['before', 'after'])(
      'of which a run died %s it wrote what it had read are read by the next one',
      async (when) => {
        await send([losing, ...sims]);
        const { comparisons, settings } = rig.syncParts();
        const replace: typeof comparisons.replace = async (...change) => {
          if (when === 'after') await comparisons.replace(...change);
          throw new Error('the process ended');
        };
        const dies = { comparisons: { ...comparisons, replace }, settings: { ...settings, simsPerRun: 1 } };
        await expect(syncLater(2 * hour, dies)).rejects.toThrow('the process ended');
        const first = when === 'after' ? 'action-required' : 'in-progress';
        expect(await outcomesOf(2, 3, 4)).toEqual([first, 'in-progress', 'in-progress']);
        await syncLater(minute);
        expect(await outcomesOf(2, 3, 4)).toEqual(['action-required', 'complete', 'complete']);
        expect(await comparison()).toMatchObject({ state: 'found', sims: [{ line: 2, serialNumber: losing }] });
        expect(await rig.request('import-a')).toMatchObject({ endedAt: expect.any(String), actionRequired: 1 });
      },
    );

    test('keep what is known of a SIM until it is read again', async () => {
      await send([losing, ...sims]);
      await syncLater(2 * hour);
      const failed = new Unavailable('answered 500', { call: 'GET /api/sim', status: 500 });
      await syncLater(day, failingFor(losing, failed));
      expect(await outcomesOf(2, 3, 4)).toEqual(['action-required', 'complete', 'complete']);
      expect((await comparison())?.sims).toMatchObject([{ line: 2, serialNumber: losing }]);
      const one = { settings: { ...rig.syncParts().settings, simsPerRun: 1 } };
      await syncLater(day, one);
      expect(await outcomesOf(2, 3, 4)).toEqual(['action-required', 'complete', 'complete']);
    });

    test('of an expired plan end the request, also if another write of it was first', async () => {
      await send([losing, ...sims]);
      await syncLater(2 * minute);
      const { plans } = rig.syncParts();
      const expired = { ...plans, read: async () => undefined };
      const overtaken = async () => {
        const request = await rig.request('import-a');
        await rig.requests.replace(request, request);
        return undefined;
      };
      await syncLater(2 * hour, { plans: { ...plans, read: overtaken } });
      expect(await rig.request('import-a')).not.toHaveProperty('endedAt');
      expect(await outcomesOf(2, 3, 4)).toEqual(['in-progress', 'complete', 'complete']);
      await syncLater(day, { plans: expired });
      expect(await rig.request('import-a')).toMatchObject({ endedAt: expect.any(String) });
      expect(await outcomesOf(2, 3, 4)).toEqual(['accepted', 'complete', 'complete']);
    });
  });

  /** Sends and reads back three SIMs. Of these, one does not get the services. `onWrite` may end the process. */
  async function sendAndReadBack(importId: string, onWrite: (write: () => Promise<unknown>) => Promise<unknown>) {
    const send = async (command: Parameters<typeof services.table.send>[0]) => {
      const isWrite = [PutCommand, TransactWriteCommand].some((kind) => (command as object) instanceof kind);
      return isWrite ? onWrite(() => services.table.send(command)) : services.table.send(command);
    };
    const table = double<DynamoDBDocumentClient>({ send });
    const [requests, comparisons] = [createRequests(table, rig.table), createComparisons(table, rig.table)];
    const rows = [losing, ...sims].map((subject, index) => ({ line: index + 2, subject, wire: null }));
    const [message] = await rig.plan(importId, [rows], head, 'bar-service-config');
    if (message === undefined) throw new Error('nothing was planned');
    let calls = 0;
    const { client } = rig.submitParts();
    const submit: typeof client.submit = (...call) => {
      calls += 1;
      return client.submit(...call);
    };
    await rig.submit(message, { requests, client: { ...client, submit } }).catch(() => undefined);
    for (const pause of [minute, 2 * minute, hour, hour, hour, day])
      await syncLater(pause, { requests, comparisons }).catch(() => undefined);
    const request = await rig.request(importId);
    const read = await rig.comparisons.get(importId, 1);
    const shown = [...resultsOf(request, {}, read).values()].map(({ outcome }) => outcome);
    return { calls, request, read, shown };
  }

  test('the answer of each write about settings is lost once: nobody is asked, and every SIM is read back (fault 58)', async () => {
    let writes = Number.POSITIVE_INFINITY;
    for (let lostAt = 1; lostAt <= writes; lostAt += 1) {
      writes = 0;
      // A transaction has a token, by which DynamoDB recognises the repetition: here it finds its own write instead.
      const repeating = async (write: () => Promise<unknown>) => {
        writes += 1;
        if (writes === lostAt) await write();
        return write();
      };
      const { calls, shown, request } = await sendAndReadBack(`lost-${lostAt}`, repeating);
      expect([calls, ...shown], `write ${lostAt}`).toEqual([1, 'action-required', 'complete', 'complete']);
      expect(request, `write ${lostAt}`).toMatchObject({ endedAt: expect.any(String), actionRequired: 1 });
    }
    expect(writes).toBeGreaterThan(4);
  });

  test.each(['before', 'after'])(
    'a crash %s each write sends settings once; what is accepted is read back',
    async (when) => {
      let writes = Number.POSITIVE_INFINITY;
      const ends: string[] = [];
      for (let diesAt = 1; diesAt <= writes; diesAt += 1) {
        writes = 0;
        const dying = async (write: () => Promise<unknown>) => {
          writes += 1;
          if (writes === diesAt && when === 'after') await write();
          if (writes === diesAt) throw new Error('the process ended');
          return write();
        };
        const { calls, request, read, shown } = await sendAndReadBack(`dies-${diesAt}`, dying);
        ends.push(request.state);
        expect(calls, `write ${diesAt}`).toBeLessThanOrEqual(1);
        expect(read !== undefined, `write ${diesAt}`).toBe(request.state === 'accepted');
        if (request.state !== 'accepted') continue;
        expect(shown, `write ${diesAt}`).toEqual(['action-required', 'complete', 'complete']);
        expect(request).toMatchObject({ simRows: { complete: 2, 'action-required': 1 }, endedAt: expect.any(String) });
      }
      // A person is asked only where the process ended between the write-ahead record and that of the answer.
      expect(ends.filter((state) => state === 'action-required')).toHaveLength(1);
    },
  );

  test('accepted settings are read back, and an unknown outcome is found out, where other parts were stopped for good', async () => {
    const key = 'bar-service-config/b.csv';
    await rig.imports.begin(importItemOf('import-a', { operation: 'bar-service-config', key, state: 'submitting' }));
    const serials = [...sims, losing, '89440010110010000302', '89440010110010000401'];
    const rows = serials.map((subject, index) => ({ line: index + 2, subject, wire: null }));
    const [message] = await rig.plan('import-a', [rows], head, 'bar-service-config');
    if (message === undefined) throw new Error('nothing was planned');
    const { client } = rig.submitParts();
    const declined = { message: 'a SIM is not on hire', fieldErrors: [], msisdns: [] };
    const submit = () => Promise.reject(new Rejected(declined, { call: 'POST', status: 400 }));
    expect(await rig.submit(message, { client: { ...client, submit } })).toBe('declined');

    const [first, second, third, lost, ...others] = services
      .waiting('submit')
      .map(({ body }) => submitMessage.parse(body));
    if (lost === undefined) throw new Error('the request was not divided');
    const noAnswer = () => Promise.reject(new Ambiguous('no answer', { call: 'POST' }));
    expect(await rig.submit(lost, { client: { ...client, submit: noAnswer } })).toBe('unknown');
    const sent = [first, second, third].flatMap((part) => part ?? []);
    for (const part of sent) expect(await rig.submit(part)).toBe('accepted');
    const at = isoTime(rig.service.now());
    const pipeline = rig.syncParts({ openCatalogue: () => createCatalogue(rig.porting) });
    await stopImport(
      'import-a',
      { kind: 'for-good', at, by: 'Sam' },
      createDeadline(() => 900_000),
      pipeline,
    );
    rig.pass(minute);
    for (const part of others) expect(await rig.submit(part)).toBe('skipped');

    const shown = async () => {
      const none = async function* () {};
      const requests = rig.requests.ofImport('import-a');
      const ports = { itemsOf: none, rowsOf: none };
      const results = await collectResults(requests, ports, rig.comparisons.ofImport('import-a'));
      return [2, 3, 4, 5, 6].map((line) => results.of(line)?.outcome);
    };
    expect(await shown()).toEqual(['in-progress', 'in-progress', 'in-progress', 'unknown', 'not-sent']);
    // A message that comes once more neither sends it again nor ends it.
    expect(await rig.submit(lost)).toBe('not-mine');
    await syncLater(2 * minute);
    expect(await shown()).toEqual(['complete', 'complete', 'in-progress', 'action-required', 'not-sent']);
    await syncLater(2 * hour);
    expect(await shown()).toEqual(['complete', 'complete', 'action-required', 'action-required', 'not-sent']);
    const left = await rig.request('import-a', lost.request);
    const resolution = { at: isoTime(rig.service.now()), by: 'May', what: 'abandon' } as const;
    const abandoned = abandonRequest(left, resolution, 'abandoned', rig.service.now());
    expect(await rig.requests.replace(left, abandoned)).toBeDefined();
    expect((await rollUp(rig.requests.ofImport('import-a'), 1, 'for-good')).state).toBe('finished');
  });
});
