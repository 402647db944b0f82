// Each method against the spec: address, headers and body of the request, and the result of the answer.

import { describe, expect, test } from 'vitest';
import type { PortingClient } from '#shared/service/client.ts';
import type { SubmissionPath } from '#shared/service/contract.ts';
import { json } from '../../support/service/fault-server.ts';
import {
  createPortBody,
  failureOf,
  portDetail,
  portId,
  portSummary,
  scriptedClient,
  ticketNumber,
} from '../../support/service/scripted-server.ts';

const tariff = { name: 'Data 1', number: 10, isLegacy: false, requiresDataBoltOn: false, supportsFullPooling: true };
const tariffB = { name: 'Data B', number: 11, configurationAttributes: null };
const boltOn = { name: 'Extra', number: 20, isDataBoltOn: true, isLegacy: false, isTemporal: false };
const service = { name: 'Roaming', readOnly: false, type: 'Service', availableOptions: ['true', 'false', null] };
const serialNumbers = ['8944100000000000001'];
const sms = { serialNumbers, message: 'hello' };
const submissions: Record<SubmissionPath, unknown> = {
  '/api/simSubmission': {
    type: 'bar',
    commands: [{ serialNumbers, commandOptions: { type: 'vendor-detailed-bar', outgoing: true } }],
  },
  '/api/simSubmission/Provision': { stock: [{ serialNumber: serialNumbers[0] }], tariffNumber: 10 },
  '/api/simSubmission/ChangeProvision': { stock: [{ serialNumber: serialNumbers[0] }], tariffNumber: 10 },
  '/api/simSubmission/BarServiceConfig': { serialNumbers, services: [{ name: 'Roaming', value: 'true' }] },
  '/api/simSubmission/SendSms': sms,
  '/api/simsubmission/ConfigureBundleControl': {
    serialNumbers,
    zone: 'EU',
    bundleControlPeriod: 'monthly',
    sizeMb: 100,
    startDate: '2026-07-01T00:00:00',
    bundleControlEndAction: 'cutoff',
  },
};
const ipGroup = {
  id: 1,
  number: 2,
  name: 'Public',
  startIpAddress: '192.0.2.1',
  endIpAddress: '192.0.2.9',
  totalIpAddresses: 9,
  availableIpAddresses: 4,
};

describe('a read goes to the address in the spec', () => {
  const reads: [string, (client: PortingClient) => Promise<unknown>, unknown][] = [
    ['/api/porting/1001/networks', (client) => client.networks(), []],
    ['/api/porting/1001', (client) => client.listPorts(1), { total: 0, totalPages: 0, data: [] }],
    [`/api/porting/1001/port/${portId}`, (client) => client.port(portId), portDetail()],
    ['/api/account/1001/network/7/provisioningOrder', (client) => client.provisioningOrders(7), []],
    ['/api/account/1001/network/7/tariff', (client) => client.tariffs(7), []],
    ['/api/account/1001/tariff/10/boltons', (client) => client.boltOns(10), []],
    ['/api/account/1001/PublicIpGroups/7', (client) => client.publicIpGroups(7), [ipGroup]],
    ['/api/account/1001/StaticIpGroups/7', (client) => client.staticIpGroups(7), [ipGroup]],
    ['/api/sim/8944100000000000001/services', (client) => client.simServices('8944100000000000001'), []],
    ['/api/network/7/services', (client) => client.networkServices(7), [{ groupName: 'Data', services: [service] }]],
    ['/api/network/7/services?tariffNo=10', (client) => client.networkServices(7, 10), []],
    ['/api/network/7/bundleTopup', (client) => client.bundleSizes(7), [{ id: 1, name: '1 GB', size: 1024 }]],
    ['/api/account/1001/provisioningTemplates?networkId=7', (client) => client.provisioningTemplates(7), []],
    ['/api/company', (client) => client.companies(), { result: [{ id: 1, name: 'A' }], totalCount: 1, count: 1 }],
  ];

  test.each(reads)('GET %s', async (path, read, answer) => {
    await using scripted = await scriptedClient(() => json(200, answer));

    await read(scripted.client);

    expect(scripted.server.requests).toMatchObject([{ method: 'GET', path, body: '' }]);
    expect(scripted.server.requests[0]?.headers).toMatchObject({ authorization: 'Bearer token-1' });
  });

  test('also below a base address with a path', async () => {
    await using plain = await scriptedClient(() => json(200, []));
    await using scripted = await scriptedClient(() => json(200, []), { baseUrl: `${plain.server.url}/gateway/` });

    await scripted.client.networks();

    expect(plain.server.requests[0]?.path).toBe('/gateway/api/porting/1001/networks');
  });

  test('and a serial from a file cannot change the address', async () => {
    await using scripted = await scriptedClient(() => json(200, []));

    await scripted.client.simServices('../company?x=');

    expect(scripted.server.requests[0]?.path).toBe('/api/sim/..%2Fcompany%3Fx%3D/services');
  });
});

test('the page of ports is requested in headers', async () => {
  const page = { total: 1, totalPages: 1, data: [portSummary(portId)] };
  await using scripted = await scriptedClient(() => json(200, page));

  expect(await scripted.client.listPorts(3, 20)).toEqual(page);
  expect(scripted.server.requests[0]?.headers).toMatchObject({ 'x-pagenumber': '3', 'x-pagesize': '20' });
});

test('fields that are not in the spec are kept', async () => {
  await using scripted = await scriptedClient(() => json(200, { ...portDetail(), statusName: 'Paused', extra: 1 }));

  expect(await scripted.client.port(portId)).toMatchObject({ statusName: 'Paused', extra: 1 });
});

describe('creating a port', () => {
  test.each([
    ['quoted, as the spec has it', `"${portId}"`],
    ['bare', portId],
    ['with white space', ` "${portId}"\r\n`],
  ])('returns its id, %s', async (_name, body) => {
    await using scripted = await scriptedClient(() => ({ status: 201, body }));

    expect(await scripted.client.createPort(createPortBody())).toBe(portId);
    expect(scripted.server.requests).toMatchObject([{ method: 'POST', path: '/api/porting/1001' }]);
    expect(JSON.parse(scripted.server.requests[0]?.body ?? '')).toEqual(createPortBody());
    expect(scripted.server.requests[0]?.headers['content-type']).toBe('application/json;charset=UTF-8');
  });

  test('keeps names in other alphabets', async () => {
    await using scripted = await scriptedClient(() => json(201, portId));

    await scripted.client.createPort(createPortBody({ name: 'Zürich – 東京 🚆' }));

    expect(JSON.parse(scripted.server.requests[0]?.body ?? '')).toMatchObject({ name: 'Zürich – 東京 🚆' });
  });
});

test('a body that breaks the contract is rejected before it is sent, with the name of the field', async () => {
  await using scripted = await scriptedClient(() => json(201, portId));

  const failure = await failureOf(scripted.client.createPort(createPortBody({ name: 'x'.repeat(256), rows: [] })));

  expect(failure).toMatchObject({
    kind: 'rejected',
    status: undefined,
    decline: { fieldErrors: [{ field: 'name' }, { field: 'rows' }] },
  });
  expect(scripted.server.requests).toEqual([]);
});

test('an update is a PATCH with upper-case names', async () => {
  await using scripted = await scriptedClient(() => ({ status: 202 }));
  const body = { Rows: [{ Msisdn: '07700900123', Pac: 'DEF123456', PortRowStatus: 'Amended' as const }] };

  await scripted.client.updatePort(portId, body);

  expect(scripted.server.requests).toMatchObject([{ method: 'PATCH', path: `/api/porting/1001/port/${portId}` }]);
  expect(JSON.parse(scripted.server.requests[0]?.body ?? '')).toEqual(body);
});

test('a cancel is a DELETE without a body', async () => {
  await using scripted = await scriptedClient(() => ({ status: 202 }));

  await scripted.client.cancelPort(portId);

  expect(scripted.server.requests).toMatchObject([
    { method: 'DELETE', path: `/api/porting/1001/port/${portId}`, body: '' },
  ]);
});

describe('a submission', () => {
  test.each(Object.entries(submissions))('to %s returns its ticket', async (path, body) => {
    await using scripted = await scriptedClient(() => json(200, { ticketNumber }));

    expect(await scripted.client.submit(path as SubmissionPath, body)).toBe(ticketNumber);
    expect(scripted.server.requests).toMatchObject([{ method: 'POST', path, body: JSON.stringify(body) }]);
  });

  test('with a body that breaks the contract is rejected before it is sent', async () => {
    await using scripted = await scriptedClient(() => json(200, { ticketNumber }));

    const failure = await failureOf(scripted.client.submit('/api/simSubmission/Provision', { stock: [] }));

    expect(failure).toMatchObject({
      kind: 'rejected',
      decline: { fieldErrors: [{ field: 'stock' }, { field: 'tariffNumber' }] },
    });
    expect(scripted.server.requests).toEqual([]);
  });

  test.each([200, 201, 202])('may be answered %i', async (status) => {
    await using scripted = await scriptedClient(() => json(status, { ticketNumber }));

    expect(await scripted.client.submit('/api/simSubmission/SendSms', sms)).toBe(ticketNumber);
  });
});

describe('provisioning orders', () => {
  test('are listed', async () => {
    await using scripted = await scriptedClient(() => json(200, [{ number: 5, name: 'Main', hiremanCurrencyId: 1 }]));

    expect(await scripted.client.provisioningOrders(7)).toEqual([{ number: 5, name: 'Main', hiremanCurrencyId: 1 }]);
  });

  test('are not available on a Type-B network, which answers 409', async () => {
    await using scripted = await scriptedClient(() => json(409, { message: 'Not valid for this network' }));

    expect(await scripted.client.provisioningOrders(7)).toBe('not-available');
  });

  test('are not reported as unavailable for any other decline', async () => {
    await using scripted = await scriptedClient(() => ({ status: 403 }));

    expect(await failureOf(scripted.client.provisioningOrders(7))).toMatchObject({ kind: 'rejected', status: 403 });
  });
});

describe('a list has several wrappings', () => {
  test.each([
    ['an array', [tariff], [tariff], true],
    ['one object, as written in the spec', tariff, [tariff], true],
    ['a result of Type-B tariffs', { result: [tariffB] }, [tariffB], false],
    ['a result of Type-A tariffs', { result: [tariff] }, [tariff], true],
    ['an empty result', { result: [] }, [], false],
    ['an array of tariffs with null attributes', [tariffB], [tariffB], true],
    ['null', null, [], true],
    ['a result of null', { result: null }, [], false],
  ])('tariffs: %s', async (_name, answer, tariffs, hasAttributes) => {
    await using scripted = await scriptedClient(() => json(200, answer));

    expect(await scripted.client.tariffs(7)).toEqual({ tariffs, hasAttributes });
  });

  test.each([
    ['an array', [boltOn], [boltOn]],
    ['one object', boltOn, [boltOn]],
    ['the empty result of a Type-B tariff', { result: [], count: 0 }, []],
    ['null', null, []],
  ])('bolt-ons: %s', async (_name, answer, expected) => {
    await using scripted = await scriptedClient(() => json(200, answer));

    expect(await scripted.client.boltOns(10)).toEqual(expected);
  });

  test.each([
    ['a text', '"none"'],
    ['an item without a number', '[{"name":"x"}]'],
    ['nothing', ''],
  ])('but %s breaks the contract', async (_name, body) => {
    await using scripted = await scriptedClient(() => ({ status: 200, body }));

    expect(await failureOf(scripted.client.boltOns(10))).toMatchObject({ kind: 'contract-broken' });
  });
});

test('consecutive calls share a connection', async () => {
  await using scripted = await scriptedClient(() => json(200, []));

  for (let call = 0; call < 5; call += 1) await scripted.client.networks();

  expect(scripted.server.connections).toBeLessThanOrEqual(2);
});
