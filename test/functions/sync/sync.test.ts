// Runs beside one another, and after one that died.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createPortingClient } from '#shared/porting/client.ts';
import { hour, minute } from '../../support/porting-service.ts';
import { plannedRowOf, type Rig, startRig } from '../../support/results-rig.ts';
import { type ResultsServices, startResultsServices } from '../../support/results-services.ts';

let services: ResultsServices;
let rig: Rig;

beforeAll(async () => {
  services = await startResultsServices();
});
afterAll(() => services.stop());
beforeEach(async () => {
  rig = await startRig(services);
});

const rows = [plannedRowOf(1, 2), plannedRowOf(2, 3)];

test('fault 47: of two runs at once one works and the other leaves', async () => {
  await rig.submit(await rig.planOne('import-a', rows));
  rig.pass(hour);
  const results = await Promise.all([rig.sync(), rig.sync()]);
  expect(results.filter(({ skipped }) => skipped)).toHaveLength(1);
});

test('fault 47: a run that died lets its lease lapse', async () => {
  const now = rig.service.now();
  await rig.leases.take('sync', 'dead', new Date(now).toISOString(), new Date(now + minute).toISOString());
  expect((await rig.sync()).skipped).toBe(true);
  rig.pass(minute);
  expect((await rig.sync()).skipped).toBe(false);
  expect((await rig.sync()).skipped).toBe(false);
});

describe('what a run tells of the service', () => {
  test('the secret was taken, where a person asked for it; it costs one call', async () => {
    expect(await rig.sync()).toMatchObject({ secretChecked: false, failure: undefined });
    expect(rig.calls).not.toContain('networks');
    expect(await rig.sync({ checkSecret: true })).toMatchObject({ secretChecked: true, failure: undefined });
    expect(rig.calls.filter((name) => name === 'networks')).toHaveLength(1);
  });

  test('a secret that the service refuses is told, though nothing is due for which it would be needed', async () => {
    const { accountId, baseUrl, authUrl } = rig.service;
    const credentials = async () => ({ clientId: 'client', clientSecret: 'an old one' });
    const client = createPortingClient({ accountId, baseUrl, authUrl, credentials });
    const { secretChecked, failure } = await rig.sync({ checkSecret: true, client });
    expect([secretChecked, failure]).toEqual([false, expect.stringContaining('the credentials were refused')]);
    expect(failure).not.toContain('an old one');
  });

  test('the failure that ended the first step is told, and the ports that it left stay due', async () => {
    await rig.submit(await rig.planOne('import-a', rows));
    rig.pass(hour);
    const { client } = rig.connect(async () => new Response('<html>', { status: 503 }));
    expect((await rig.sync({ client })).failure).toMatch(/503/);
    expect((await rig.sync()).failure).toBeUndefined();
  });
});
