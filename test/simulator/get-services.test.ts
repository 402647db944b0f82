// The three services lookups (spec "Lookups for provisioning", "Service group").
import { expect, test } from 'vitest';
import {
  createPort,
  day,
  portBody,
  portRow,
  serviceValue,
  startTestSimulator,
  stockSerials,
} from '../support/service/simulator.ts';

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
