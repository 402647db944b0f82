// The SIMs of a complete port whose services differ from those requested: found, reported and compared again.
import { describe, expect, test } from 'vitest';
import { compareServicesAsRequested } from '#functions/sync/ports/compare-services.ts';
import type { SyncPipeline } from '#functions/sync/run.ts';
import type { ComparisonItem } from '#shared/outcome/service-comparison.ts';
import { CallDeferred, NotFound, Unavailable } from '#shared/service/errors.ts';
import { double } from '../../../../support/double.ts';
import { day, hour, minute } from '../../../../support/service/simulator.ts';
import { rig, services, useFreshRig } from '../../../../support/steps/fresh-services.ts';
import { plannedRowOf } from '../../../../support/steps/submit-and-sync.ts';
import { expiredPlans } from '../../../../support/steps/test-pipeline.ts';

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
