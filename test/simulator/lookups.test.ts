// The lookups for provisioning (spec "Lookups for provisioning", "Errors").
import { describe, expect, test } from 'vitest';
import { startTestSimulator } from '../support/service/simulator.ts';

describe('GET /api/company', () => {
  test("the companies of the caller's account are listed with their counts", async () => {
    const service = await startTestSimulator();
    expect((await service.call('GET', '/api/company')).body).toEqual({
      result: [
        { id: 1, name: 'Northwind Telematics Ltd' },
        { id: 2, name: 'Northwind Fleet Ltd' },
      ],
      totalCount: 2,
      count: 2,
    });
    expect((await service.call('GET', '/api/company', { client: 1 })).body.count).toBe(1);
  });
});

describe('GET /api/network/{networkId}/bundleTopup', () => {
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
});

describe('GET /api/account/{accountId}/provisioningTemplates', () => {
  test('the templates of a network are listed', async () => {
    const service = await startTestSimulator();
    const reply = await service.call('GET', '/api/account/1001/provisioningTemplates?networkId=218');
    expect(reply.status).toBe(200);
    expect(reply.body[0]).toEqual({
      id: 11,
      templateName: 'esim-eu-standard',
      friendlyName: 'Europe, standard',
      visible: true,
      premium: false,
    });
  });

  test('a request without a network is answered 400', async () => {
    const service = await startTestSimulator();
    const reply = await service.call('GET', '/api/account/1001/provisioningTemplates');
    expect([reply.status, reply.body.errors[0].field]).toEqual([400, 'networkId']);
  });
});

describe('GET /api/account/{accountId}/tariff/{tariffNumber}/boltons', () => {
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
});

describe('GET /api/account/{accountId}/PublicIpGroups and StaticIpGroups', () => {
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
});
