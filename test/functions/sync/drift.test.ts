import { describe, expect, test } from 'vitest';
import { compareAsked } from '#functions/sync/drift.ts';
import type { SyncParts } from '#functions/sync/parts.ts';
import { beginRun } from '#functions/sync/trouble.ts';
import type { DriftItem } from '#shared/domain/drift.ts';
import { HeldBack, NotFound, Unavailable } from '#shared/porting/errors.ts';
import { day, hour, minute } from '../../support/porting-service.ts';
import { rig, services } from '../../support/results-fresh.ts';
import { plannedRowOf } from '../../support/results-rig.ts';

const asked = [
  { name: 'Roaming', value: 'true' },
  { name: 'Premium Rate Calls', value: 'false' },
];
const serialOf = (index: number): string => `894411${String(index).padStart(14, '0')}`;

/** Brings a request of SIMs `1` to `count` to Complete, up to the look that finds it so. */
async function complete(importId: string, count: number, changes = { services: asked }): Promise<void> {
  const rows = Array.from({ length: count }, (_, index) => plannedRowOf(index + 1, index + 2));
  const [message] = await rig.plan(importId, [rows], changes);
  if (message === undefined) throw new Error('nothing was planned');
  await rig.submit(message);
  rig.pass(4 * day);
}
/** Through the service's own endpoint; its submissions take effect a minute later. */
async function setBehindOurBack(index: number, name: string, value: string): Promise<void> {
  const body = { serialNumbers: [serialOf(index)], services: [{ name, value }] };
  const { status } = await rig.service.call('POST', '/api/simSubmission/BarServiceConfig', { body });
  expect(status).toBe(200);
  rig.pass(minute);
}
async function driftOf(importId: string): Promise<DriftItem | undefined> {
  for await (const item of rig.drifts.ofImport(importId)) return item;
  return undefined;
}
/** Looks at the port as it is at the service now, without going on to compare. */
async function lookAtPort(importId: string): Promise<void> {
  await rig.sync({ drifts: { due: async () => [], replace: async () => false } });
  expect(await rig.request(importId)).toMatchObject({ portStatus: 'Complete' });
}

/** A service that fails to show the first so many SIMs. */
function withoutSims(count: number): SyncParts['client'] {
  const { client } = rig.syncParts();
  const hidden = Array.from({ length: count }, (_, index) => serialOf(index + 1));
  const fails = new Unavailable('answered 500', { call: 'GET /api/sim', status: 500 });
  const simServices = async (serial: string) =>
    hidden.includes(serial) ? Promise.reject(fails) : client.simServices(serial);
  return { ...client, simServices };
}
const iso = (epochMs: number): string => new Date(epochMs).toISOString();

describe('drift', () => {
  test('a completed port whose SIMs have what was asked has none, and is not compared again', async () => {
    await complete('import-a', 2);
    expect(await rig.sync()).toMatchObject({ compared: 2 });
    const item = await driftOf('import-a');
    expect(item).toMatchObject({ state: 'none', sims: [], rounds: 1 });
    expect(item).not.toHaveProperty('dueAt');
    rig.pass(30 * day);
    expect(await rig.sync()).toMatchObject({ compared: 0 });
  });

  test('a service that was changed behind our back is found, with the line, the SIM and both values', async () => {
    await complete('import-a', 3);
    await lookAtPort('import-a');
    await setBehindOurBack(2, 'Roaming', 'false');
    await rig.sync();
    expect(await driftOf('import-a')).toMatchObject({
      state: 'found',
      networkNumber: 101,
      sims: [
        {
          line: 3,
          msisdn: '447700900002',
          serialNumber: serialOf(2),
          services: [{ name: 'Roaming', type: 'Service', asked: 'true', set: 'false' }],
        },
      ],
    });
    expect(services.waiting('report').at(-1)?.body).toEqual({ importId: 'import-a' });
    expect(await rig.drifts.found(1001, 10)).toHaveLength(1);
  });

  test('once it is mended, the comparison of the next day finds nothing any more', async () => {
    await complete('import-a', 2);
    await lookAtPort('import-a');
    await setBehindOurBack(1, 'Premium Rate Calls', 'true');
    await rig.sync();
    expect(await driftOf('import-a')).toMatchObject({ state: 'found' });
    await setBehindOurBack(1, 'Premium Rate Calls', 'false');
    rig.pass(day);
    expect(await rig.sync()).toMatchObject({ compared: 2 });
    expect(await driftOf('import-a')).toMatchObject({ state: 'none', sims: [], rounds: 2 });
    expect(await rig.drifts.found(1001, 10)).toEqual([]);
  });

  test('a run compares so many SIMs, and the next one goes on where it stopped', async () => {
    await complete('import-a', 5);
    await lookAtPort('import-a');
    await setBehindOurBack(1, 'Roaming', 'false');
    await setBehindOurBack(5, 'Roaming', 'false');
    const { settings } = rig.syncParts();
    const two = { settings: { ...settings, simsPerRun: 2 } };
    const compared: (number | undefined)[] = [];
    for (let run = 0; run < 4; run += 1) compared.push((await rig.sync(two)).compared);
    expect(compared).toEqual([2, 2, 1, 0]);
    expect((await driftOf('import-a'))?.sims.map(({ line }) => line)).toEqual([2, 6]);
  });

  test('a request that asked for no services costs no call', async () => {
    await complete('import-a', 2, { services: [] });
    rig.calls.length = 0;
    expect(await rig.sync()).toMatchObject({ compared: 0 });
    expect(rig.calls).not.toContain('simServices');
    expect(await driftOf('import-a')).toMatchObject({ state: 'none' });
  });

  test('rows that were cancelled are not compared', async () => {
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

  test('a SIM that the service does not know keeps no other from being compared', async () => {
    await complete('import-a', 3);
    await lookAtPort('import-a');
    await setBehindOurBack(3, 'Roaming', 'false');
    const { client } = rig.syncParts();
    const refusal = { message: 'no such SIM', fieldErrors: [], msisdns: [] };
    const unknownSim = new NotFound(refusal, { call: 'GET /api/sim', status: 404 });
    const simServices = (serial: string) =>
      serial === serialOf(1) ? Promise.reject(unknownSim) : client.simServices(serial);
    await rig.sync({ client: { ...client, simServices } });
    expect((await driftOf('import-a'))?.sims.map(({ line }) => line)).toEqual([4]);
  });

  test('so does one that the service always fails to show', async () => {
    await complete('import-a', 3);
    await lookAtPort('import-a');
    await setBehindOurBack(3, 'Roaming', 'false');
    await rig.sync({ client: withoutSims(1) });
    expect((await driftOf('import-a'))?.sims.map(({ line }) => line)).toEqual([4]);
    expect(rig.counts.leftForLater).toBe(1);
  });

  test('a SIM that the service failed to show is compared with the others a day later', async () => {
    await complete('import-a', 3);
    await lookAtPort('import-a');
    await setBehindOurBack(1, 'Roaming', 'false');
    await rig.sync({ client: withoutSims(1) });
    expect(await driftOf('import-a')).toMatchObject({ state: 'due', dueAt: iso(rig.service.now() + day) });
    rig.pass(day);
    await rig.sync();
    expect((await driftOf('import-a'))?.sims.map(({ line }) => line)).toEqual([2]);
  });

  test('a request of which it shows no SIM at all has its turn a day later, and the next goes ahead of it', async () => {
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
    expect(await driftOf('import-a')).toMatchObject({ state: 'due', dueAt: iso(rig.service.now() + day) });
    expect(await driftOf('import-b')).toMatchObject({ state: 'none' });
  });

  test('a service that is down puts no comparison off', async () => {
    await complete('import-a', 1);
    await lookAtPort('import-a');
    const before = await driftOf('import-a');
    const held = new HeldBack('the service is down', 60_000, { call: 'GET /api/sim' });
    const simServices = () => Promise.reject(held);
    expect(await rig.sync({ client: { ...rig.syncParts().client, simServices } })).toMatchObject({ compared: 0 });
    expect(await driftOf('import-a')).toEqual(before);
  });

  test('a port that cannot be read keeps no other from being compared, and has its turn a day later', async () => {
    await complete('import-a', 1);
    await lookAtPort('import-a');
    const { client, operationNamed } = rig.syncParts();
    const named: typeof operationNamed = (name) => {
      const operation = operationNamed(name);
      if (operation === undefined) return undefined;
      const { submission } = operation;
      const servicesAsked: typeof submission.servicesAsked = (planned) => {
        const services = submission.servicesAsked?.(planned);
        return services && { ...services, sims: services.sims.map((sim) => ({ ...sim, serialNumber: null })) };
      };
      return { ...operation, submission: { ...submission, servicesAsked } };
    };
    const refusal = { message: 'not found', fieldErrors: [], msisdns: [] };
    const port = () => Promise.reject(new NotFound(refusal, { call: 'GET /port', status: 404 }));
    const imports = new Set<string>();
    expect(
      await compareAsked(beginRun(rig.syncParts({ client: { ...client, port }, operationNamed: named })), imports),
    ).toBe(0);
    const dueAt = new Date(rig.service.now() + day).toISOString();
    expect(await driftOf('import-a')).toMatchObject({ state: 'due', dueAt });
    expect(imports.size).toBe(0);
    rig.pass(day);
    expect(await compareAsked(beginRun(rig.syncParts({ operationNamed: named })), imports)).toBe(1);
  });

  test('when the plan has expired nobody can tell what was asked', async () => {
    await complete('import-a', 1);
    await rig.sync({ plans: { read: async () => undefined } });
    expect(await driftOf('import-a')).toMatchObject({ state: 'unknown', sims: [] });
  });
});
