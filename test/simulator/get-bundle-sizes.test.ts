// GET /api/network/{networkId}/bundleTopup (spec "Lookups for provisioning").
import { expect, test } from 'vitest';
import { startTestSimulator } from '../support/service/simulator.ts';

test('the bundle sizes of a network are listed in MB', async () => {
  const service = await startTestSimulator();
  const reply = await service.call('GET', '/api/network/218/bundleTopup');
  expect(reply.status).toBe(200);
  expect(reply.body.slice(0, 2)).toEqual([
    { id: 1, name: '100 MB', size: 100 },
    { id: 2, name: '1 GB', size: 1024 },
  ]);
});

test('a network without bundles has an empty list', async () => {
  const service = await startTestSimulator();
  expect((await service.call('GET', '/api/network/240/bundleTopup')).body).toEqual([]);
});
