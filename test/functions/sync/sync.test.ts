// Runs beside one another, and after one that died.
import { describe, expect, test } from 'vitest';
import { createPortingClient } from '#shared/porting/client.ts';
import { hour, minute } from '../../support/porting-service.ts';
import { rig, services } from '../../support/results-fresh.ts';
import { plannedRowOf, portSummaryOf } from '../../support/results-rig.ts';

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

const putInDoubt = async (importId: string): Promise<void> => {
  await rig.planOne(importId, [plannedRowOf(3, 2)]);
  const seen = await rig.request(importId);
  await rig.requests.replace(seen, { ...seen, state: 'unknown', attempt: 1, lines: '2' });
  rig.pass(hour);
  rig.calls.length = 0;
};

test('ports are looked at before the list is searched for those in doubt', async () => {
  await rig.submit(await rig.planOne('import-a', rows));
  await putInDoubt('import-b');
  expect(await rig.sync()).toMatchObject({ looked: 1, absent: 1 });
  expect(rig.calls).toEqual(['port', 'listPorts', 'listPorts']);
});

test('a third of the time is left for those in doubt, where there are any', async () => {
  await rig.submit(await rig.planOne('import-a', rows));
  rig.pass(hour);
  // Less than 5 seconds are no time to begin anything in.
  expect(await rig.sync({ remainingMs: () => 7_000 })).toMatchObject({ looked: 1 });
  await putInDoubt('import-b');
  expect(await rig.sync({ remainingMs: () => 7_000 })).toMatchObject({ looked: 0, left: 1 });
});

test('a list that takes longer than the run leaves the ports their turn, and ends the search in time', async () => {
  await rig.submit(await rig.planOne('import-a', rows));
  await putInDoubt('import-b');
  const { client } = rig.syncParts();
  let leftMs = 240_000;
  let listed = 0;
  const listPorts = async () => {
    leftMs -= 500;
    listed += 1;
    const data = Array.from({ length: 50 }, (_, index) => portSummaryOf(`p${listed}-${index}`));
    return { total: 1e6, totalPages: 2e4, data };
  };
  const result = await rig.sync({ client: { ...client, listPorts }, remainingMs: () => leftMs });
  expect(result).toMatchObject({ looked: 1, absent: 0 });
  expect(leftMs).toBe(29_500);
  expect(await rig.request('import-b')).toMatchObject({ state: 'unknown', vainSearches: 1 });
});

test('of the messages that were not acted upon, a run sends five hundred, behind the search for those in doubt', async () => {
  await putInDoubt('import-b');
  const groups = Array.from({ length: 800 }, (_, index) => [plannedRowOf(index + 10, index + 2)]);
  await rig.plan('import-a', groups);
  rig.pass(hour);
  const sent: number[] = [];
  const send = async (url: string, bodies: readonly unknown[]) => {
    if (url === services.submitQueueUrl) sent.push(bodies.length);
  };
  expect(await rig.sync({ queues: { send } })).toMatchObject({ absent: 1, resent: 500 });
  expect(sent).toEqual([1, 100, 100, 100, 100, 100]);
  expect(await rig.sync({ queues: { send } })).toMatchObject({ resent: 300 });
});
