// The lookups for provisioning (spec "Lookups for provisioning", "Errors").
import { describe, expect, test } from 'vitest';
import { portingNetworks } from '#shared/service/contract.ts';
import {
  createPort,
  day,
  portBody,
  portRow,
  serviceValue,
  startTestSimulator,
  stockSerials,
} from '../../support/service/simulator.ts';

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

// GET /api/porting/{accountId}/networks (spec "Get Porting Networks").
describe('porting networks', () => {
  const path = '/api/porting/1001/networks';

  test('networks come by port type, each with its window, eSIM, number and sources', async () => {
    const service = await startTestSimulator();
    const reply = await service.call('GET', path);
    expect(reply.status).toBe(200);
    expect(portingNetworks.parse(reply.body).map(({ portTypeName }) => portTypeName)).toEqual([
      'Port',
      'MigrateIn',
      'MigrateInKeep',
    ]);
    expect(reply.body[0].targetNetworks[0]).toEqual({
      id: 11,
      name: 'UK Mobile A',
      maxPortDays: 30,
      minPortDays: 1,
      allowEsim: true,
      networkNumber: 101,
      sourceNetworks: [
        { id: 1, name: 'Source Mobile One' },
        { id: 2, name: 'Source Mobile Two' },
        { id: 3, name: 'Source Mobile Three' },
      ],
      upcomingHolidays: [],
    });
  });

  test('upcoming holidays are the bank holidays between the first and the last day that can be booked', async () => {
    const service = await startTestSimulator({ start: Date.parse('2026-08-05T09:00:00Z') });
    const [port] = (await service.call('GET', path)).body;
    const holidaysOf = (id: number) =>
      port.targetNetworks.find((target: { id: number }) => target.id === id).upcomingHolidays;
    expect(holidaysOf(11)).toEqual(['2026-08-31T00:00:00']);
    expect(holidaysOf(15)).toEqual(['2026-08-15T00:00:00']);
    service.moveTo('2026-08-31T09:00:00Z');
    const [later] = (await service.call('GET', path)).body;
    expect(later.targetNetworks[0].upcomingHolidays).toEqual([]);
  });

  test('the same network has another window under another port type', async () => {
    const service = await startTestSimulator();
    const types = portingNetworks.parse((await service.call('GET', path)).body);
    const days = types.map(({ targetNetworks }) => targetNetworks.find(({ id }) => id === 13)?.minPortDays);
    expect(days).toEqual([3, 2, 5]);
  });

  test('there are networks that allow eSIMs and networks that do not', async () => {
    const service = await startTestSimulator();
    const [port] = portingNetworks.parse((await service.call('GET', path)).body);
    expect(new Set(port?.targetNetworks.map(({ allowEsim }) => allowEsim))).toEqual(new Set([true, false]));
  });
});

// GET /api/account/{accountId}/network/{networkId}/provisioningOrder (spec "Lookups for provisioning").
describe('provisioning orders', () => {
  const path = (network: number) => `/api/account/1001/network/${network}/provisioningOrder`;

  test('a Type-A network lists the orders of the account, with hiremanCurrencyId', async () => {
    const service = await startTestSimulator();
    const reply = await service.call('GET', path(101));
    expect(reply.status).toBe(200);
    expect(reply.body[0]).toEqual({
      number: 5001,
      name: 'Head Office',
      displayName: 'Head Office (5001)',
      isPooled: false,
      isNetworkAccountDefault: true,
      hiremanCurrencyId: 1,
    });
    expect(reply.body.map(({ number }: { number: number }) => number)).toEqual([5001, 5002]);
  });

  test('a Type-B network is answered 409 with the message of the spec', async () => {
    const service = await startTestSimulator();
    const reply = await service.call('GET', path(301));
    expect([reply.status, reply.body]).toEqual([409, { message: 'Not valid for this network', errors: [] }]);
  });

  test('an order that a port names for the first time is listed from then on, once', async () => {
    const service = await startTestSimulator();
    const named = { provisioningOrder: null, provisioningOrderName: 'Depot' };
    await createPort(service, { rows: [portRow(1, named), portRow(2, named)] });
    await createPort(service, { rows: [portRow(3, named)] });
    const { body } = await service.call('GET', path(101));
    expect(body.map(({ name }: { name: string }) => name)).toEqual(['Head Office', 'Field Pool', 'Depot']);
    const rows = [portRow(4, { provisioningOrder: body[2].number })];
    await expect(createPort(service, { rows })).resolves.toEqual(expect.any(String));
  });

  test('a network that does not exist is answered 404', async () => {
    const service = await startTestSimulator();
    expect((await service.call('GET', path(999))).status).toBe(404);
  });
});

// The three services lookups (spec "Lookups for provisioning", "Service group").
describe('services', () => {
  type Group = { groupName: string; services: { name: string }[] };
  const namesOf = (groups: Group[]): string[] => groups.flatMap(({ services }) => services.map(({ name }) => name));

  test('a network lists its services and bars in groups, with the options of each, without a value', async () => {
    const service = await startTestSimulator();
    const reply = await service.call('GET', '/api/network/101/services');
    expect(reply.status).toBe(200);
    expect(reply.body[0]).toEqual({
      groupName: 'Voice',
      services: [
        { name: 'Outgoing Calls', readOnly: false, type: 'Bar', availableOptions: ['true', 'false'] },
        { name: 'International Calls', readOnly: false, type: 'Bar', availableOptions: ['true', 'false', null] },
        { name: 'Premium Rate Calls', readOnly: false, type: 'Bar', availableOptions: ['true', 'false'] },
        { name: 'Voicemail', readOnly: false, type: 'Service', availableOptions: ['true', 'false', null] },
      ],
    });
    expect(reply.text).not.toContain('optionValue');
  });

  test('there is a service that can only be read', async () => {
    const service = await startTestSimulator();
    const { body } = await service.call('GET', '/api/network/101/services');
    const roaming = body.find(({ groupName }: Group) => groupName === 'Roaming').services;
    expect(roaming.find(({ name }: { name: string }) => name === 'EU Roaming')).toMatchObject({ readOnly: true });
  });

  test('with a tariff, only the services of that tariff are listed', async () => {
    const service = await startTestSimulator();
    const all = namesOf((await service.call('GET', '/api/network/101/services')).body);
    const ofTariff = namesOf((await service.call('GET', '/api/network/101/services?tariffNo=2003')).body);
    expect(all.filter((name) => !ofTariff.includes(name))).toEqual(['5G', 'Content Control']);
  });

  test('a tariff of another network is answered 404', async () => {
    const service = await startTestSimulator();
    expect((await service.call('GET', '/api/network/101/services?tariffNo=3001')).status).toBe(404);
  });

  test('a SIM shows what each of its services is set to', async () => {
    const service = await startTestSimulator();
    const [serial] = stockSerials(101);
    const reply = await service.call('GET', `/api/sim/${serial}/services`);
    expect(reply.status).toBe(200);
    expect(reply.body[0].services[0]).toEqual({
      name: 'Outgoing Calls',
      optionValue: 'true',
      readOnly: false,
      type: 'Bar',
      availableOptions: ['true', 'false'],
    });
  });

  test('a completed port has set the services of its SIM', async () => {
    const service = await startTestSimulator();
    const row = portRow(1, { services: [{ name: 'Voicemail', value: 'false' }] });
    await createPort(service, { rows: [row] });
    expect(await serviceValue(service, row.serialNo ?? '', 'Voicemail')).toBe('true');
    service.pass(4 * day);
    expect(await serviceValue(service, row.serialNo ?? '', 'Voicemail')).toBe('false');
  });

  test('a SIM that is unknown, or of another account, is answered 404', async () => {
    const service = await startTestSimulator();
    const [theirs] = stockSerials(101, { accountId: 1002 });
    expect((await service.call('GET', '/api/sim/8944119999999999999/services')).status).toBe(404);
    expect((await service.call('GET', `/api/sim/${theirs}/services`)).status).toBe(404);
  });

  test("a port of another account has no effect on a SIM that is not that account's", async () => {
    const service = await startTestSimulator();
    const [serialNo = ''] = stockSerials(101);
    const row = portRow(1, { serialNo, provisioningOrder: 5101, services: [{ name: 'Voicemail', value: 'false' }] });
    const reply = await service.call('POST', '/api/porting/1002', { body: portBody({ rows: [row] }), client: 1 });
    expect(reply.status).toBe(201);
    service.pass(4 * day);
    expect(await serviceValue(service, serialNo, 'Voicemail')).toBe('true');
  });
});

// GET /api/account/{accountId}/network/{networkId}/tariff (spec "Lookups for provisioning"; spec gap 3).
describe('tariffs', () => {
  const path = (network: number) => `/api/account/1001/network/${network}/tariff`;

  test('a Type-A network lists tariffs with their legacy, bolt-on and pooling attributes', async () => {
    const service = await startTestSimulator();
    const reply = await service.call('GET', path(101));
    expect(reply.status).toBe(200);
    expect(reply.body).toEqual([
      {
        number: 2001,
        name: 'Business Unlimited',
        isLegacy: false,
        requiresDataBoltOn: false,
        supportsFullPooling: false,
      },
      {
        number: 2002,
        name: 'Business Shared Pool',
        isLegacy: false,
        requiresDataBoltOn: false,
        supportsFullPooling: true,
      },
      { number: 2003, name: 'Business Voice', isLegacy: false, requiresDataBoltOn: true, supportsFullPooling: false },
      {
        number: 2004,
        name: 'Business Classic 2018',
        isLegacy: true,
        requiresDataBoltOn: false,
        supportsFullPooling: false,
      },
    ]);
  });

  test('a Type-B network answers an object with result, each tariff without configuration', async () => {
    const service = await startTestSimulator();
    const { body } = await service.call('GET', path(301));
    expect(Object.keys(body)).toEqual(['result']);
    for (const tariff of body.result) {
      expect(tariff).toMatchObject({
        configurationAttributes: null,
        isLegacy: false,
        requiresDataBoltOn: false,
        supportsFullPooling: false,
      });
    }
  });

  test('by the letter of the spec, a setting, one tariff object is answered for Type-A', async () => {
    const service = await startTestSimulator({ choices: { 'single-lookups': 'on' } });
    expect((await service.call('GET', path(101))).body).toMatchObject({ number: 2001, name: 'Business Unlimited' });
    expect((await service.call('GET', '/api/account/1001/tariff/2004/boltons')).body).toMatchObject({ number: 101 });
    expect(Object.keys((await service.call('GET', path(301))).body)).toEqual(['result']);
  });
});
