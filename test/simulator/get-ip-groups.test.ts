// GET /api/account/{accountId}/PublicIpGroups|StaticIpGroups/{networkId} (spec "Lookups for provisioning").
import { expect, test } from 'vitest';
import { startTestSimulator } from '../support/service/simulator.ts';

test.each([
  ['PublicIpGroups', { id: 31, number: 901, name: 'London public', startIpAddress: '203.0.113.1' }],
  ['StaticIpGroups', { id: 41, number: 911, name: 'London static', startIpAddress: '198.51.100.1' }],
])('%s lists the groups of a Type-A network', async (kind, group) => {
  const service = await startTestSimulator();
  const reply = await service.call('GET', `/api/account/1001/${kind}/101`);
  expect(reply.status).toBe(200);
  expect(reply.body[0]).toEqual({
    ...group,
    endIpAddress: expect.any(String),
    totalIpAddresses: expect.any(Number),
    availableIpAddresses: expect.any(Number),
  });
});

test.each(['PublicIpGroups', 'StaticIpGroups'])('%s are not available on a Type-B network: 409', async (kind) => {
  const service = await startTestSimulator();
  expect((await service.call('GET', `/api/account/1001/${kind}/301`)).status).toBe(409);
});

test('the case of the path counts', async () => {
  const service = await startTestSimulator();
  expect((await service.call('GET', '/api/account/1001/publicipgroups/101')).status).toBe(404);
});
