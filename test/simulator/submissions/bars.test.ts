// Bars of SIMs: the configuration of services, and the legacy bar and unbar.
import { describe, expect, test } from 'vitest';
import {
  minute,
  serviceValue,
  startTestSimulator,
  stockSerials,
  type TestSimulator,
} from '../../support/service/simulator.ts';

// POST /api/simSubmission/BarServiceConfig (spec "Submissions", "Service Setting").
describe('service config', () => {
  const [serial = '', second = ''] = stockSerials(101);

  const configure = (service: TestSimulator, changes: object = {}) =>
    service.call('POST', '/api/simSubmission/BarServiceConfig', {
      body: { serialNumbers: [serial, second], services: [{ name: 'Voicemail', value: 'false' }], ...changes },
    });

  test('the settings are read back from every SIM shortly after', async () => {
    const service = await startTestSimulator();
    const reply = await configure(service);
    expect([reply.status, Object.keys(reply.body)]).toEqual([200, ['ticketNumber']]);
    expect(await serviceValue(service, serial, 'Voicemail')).toBe('true');
    service.pass(minute);
    expect([
      await serviceValue(service, serial, 'Voicemail'),
      await serviceValue(service, second, 'Voicemail'),
    ]).toEqual(['false', 'false']);
  });

  test('false on a bar and false on a service are kept as they are: the one blocks, the other disables', async () => {
    const service = await startTestSimulator();
    await configure(service, {
      services: [
        { name: 'Outgoing Calls', value: 'false' },
        { name: '4G', value: 'false' },
      ],
    });
    service.pass(minute);
    expect([await serviceValue(service, serial, 'Outgoing Calls'), await serviceValue(service, serial, '4G')]).toEqual([
      'false',
      'false',
    ]);
  });

  test.each<[string, object]>([
    ['serialNumbers', { serialNumbers: [] }],
    ['services', { services: [] }],
    ['services[0].name', { services: [{ name: '', value: 'true' }] }],
    ['services[0].value', { services: [{ name: 'Voicemail', value: '' }] }],
  ])('a wrong form of %s is answered 400', async (field, changes) => {
    const service = await startTestSimulator();
    const reply = await configure(service, changes);
    expect([reply.status, reply.body.errors[0].field]).toEqual([400, field]);
  });

  test.each<[string, object]>([
    ['serialNumbers[0]', { serialNumbers: ['8944119999999999999'] }],
    ['serialNumbers[1]', { serialNumbers: [serial, serial] }],
    ['services[0].name', { services: [{ name: 'Teleport', value: 'true' }] }],
    ['services[0].name', { services: [{ name: 'EU Roaming', value: 'false' }] }],
    ['services[0].value', { services: [{ name: 'Content Control', value: 'lax' }] }],
  ])('a setting that breaks the rule of %s is answered 422', async (field, changes) => {
    const service = await startTestSimulator();
    const reply = await configure(service, changes);
    expect([reply.status, reply.body.errors[0].field]).toEqual([422, field]);
  });

  test('an option beyond true and false is accepted where the service has it', async () => {
    const service = await startTestSimulator();
    await configure(service, { services: [{ name: 'Content Control', value: 'strict' }] });
    service.pass(minute);
    expect(await serviceValue(service, serial, 'Content Control')).toBe('strict');
  });
});

// POST /api/simSubmission, types bar and unbar (spec "Bar / Unbar (legacy)").
describe('legacy', () => {
  const submit = (service: TestSimulator, type: string, flags: object, network = 101) =>
    service.call('POST', '/api/simSubmission', {
      body: {
        type,
        commands: [
          { serialNumbers: stockSerials(network), commandOptions: { type: `vendor-detailed-${type}`, ...flags } },
        ],
      },
    });

  test.each(['bar', 'unbar'])('%s is answered with a ticket', async (type) => {
    const service = await startTestSimulator();
    const reply = await submit(service, type, { gprs: true, voiceRoaming: false });
    expect([reply.status, Object.keys(reply.body)]).toEqual([200, ['ticketNumber']]);
  });

  test('the options depend on the network of the SIM', async () => {
    const service = await startTestSimulator();
    const reply = await submit(service, 'bar', { premium: true }, 102);
    expect([reply.status, reply.body.errors[0]]).toEqual([
      422,
      { field: 'commands[0].commandOptions.premium', message: 'is not available on UK IoT A' },
    ]);
    expect((await submit(service, 'bar', { premium: true }, 101)).status).toBe(200);
  });

  test('the type of the options goes with the type of the request', async () => {
    const service = await startTestSimulator();
    expect((await submit(service, 'bar', { type: 'vendor-detailed-unbar' })).status).toBe(400);
  });

  test('a flag is true or false', async () => {
    const service = await startTestSimulator();
    expect((await submit(service, 'bar', { gprs: 'true' })).status).toBe(400);
  });
});
