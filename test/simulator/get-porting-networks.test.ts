// GET /api/porting/{accountId}/networks (spec "Get Porting Networks").
import { expect, test } from 'vitest';
import { portingNetworks } from '#shared/service/contract.ts';
import { startTestSimulator } from '../support/service/simulator.ts';

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
