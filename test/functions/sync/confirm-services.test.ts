import { describe, expect, test } from 'vitest';
import { acceptedResults } from '#shared/outcome/row-result.ts';
import type { ComparisonItem } from '#shared/outcome/service-comparison.ts';
import { NotFound, Unavailable } from '#shared/service/errors.ts';
import { day, hour, minute } from '../../support/service/simulator.ts';
import { rig, services, useFreshRig } from '../../support/steps/fresh-services.ts';

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
  const resultOf = acceptedResults(await rig.request('import-a'));
  return lines.map((line) => resultOf(line).outcome);
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
    expect(await rig.comparisons.found(1001, 10)).toEqual([]);
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

  test('are reported as a mismatch although a run died between the request and its comparison', async () => {
    await send([losing, ...sims]);
    const { comparisons, settings } = rig.syncParts();
    const dies = { ...comparisons, replace: () => Promise.reject(new Error('the process ended')) };
    const one = { ...settings, simsPerRun: 1 };
    await expect(syncLater(2 * hour, { comparisons: dies, settings: one })).rejects.toThrow('the process ended');
    expect(await outcomesOf(2)).toEqual(['action-required']);
    await syncLater(minute);
    expect(await comparison()).toMatchObject({ state: 'found', sims: [{ line: 2, serialNumber: losing }] });
  });

  test('are still compared when a run died after the request was read and before its comparison was stored', async () => {
    await send(sims);
    const { comparisons } = rig.syncParts();
    const dies = { ...comparisons, expect: () => Promise.reject(new Error('the process ended')) };
    await expect(rig.sync({ comparisons: dies })).rejects.toThrow('the process ended');
    await syncLater(2 * minute);
    expect(await outcomesOf(2, 3)).toEqual(['complete', 'complete']);
  });

  test('of an expired plan end the request, also if another write of it was first', async () => {
    await send(sims);
    await rig.sync();
    const { requests, plans } = rig.syncParts();
    const expired = { ...plans, read: async () => undefined };
    await syncLater(2 * hour, { plans: expired, requests: { ...requests, replace: async () => undefined } });
    expect(await rig.request('import-a')).not.toHaveProperty('endedAt');
    await syncLater(day, { plans: expired });
    expect(await rig.request('import-a')).toMatchObject({ endedAt: expect.any(String) });
    expect(await outcomesOf(2, 3)).toEqual(['accepted', 'accepted']);
  });
});
