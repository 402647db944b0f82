// GET /api/account/{accountId}/tariff/{tariffNumber}/boltons (spec "Lookups for provisioning", "Errors").
import { expect, test } from 'vitest';
import { startTestSimulator } from '../support/service/simulator.ts';

const path = (tariff: number) => `/api/account/1001/tariff/${tariff}/boltons`;

test('a Type-A tariff lists its bolt-ons', async () => {
  const service = await startTestSimulator();
  const reply = await service.call('GET', path(2004));
  expect([reply.status, reply.body]).toEqual([
    200,
    [
      { number: 101, name: 'Data 1 GB', isDataBoltOn: true, isLegacy: false, isTemporal: false },
      { number: 107, name: 'Data 500 MB (2019)', isDataBoltOn: true, isLegacy: true, isTemporal: false },
    ],
  ]);
});

test('a Type-B tariff is no error: 200 with an empty result', async () => {
  const service = await startTestSimulator();
  const reply = await service.call('GET', path(3001));
  expect([reply.status, reply.body]).toEqual([200, { result: [], count: 0 }]);
});

test('a tariff that does not exist is answered 404', async () => {
  const service = await startTestSimulator();
  expect((await service.call('GET', path(1))).status).toBe(404);
});
