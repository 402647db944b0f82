// POST /api/simSubmission, types bar and unbar (spec "Bar / Unbar (legacy)").
import { expect, test } from 'vitest';
import { startTestSimulator, stockSerials, type TestSimulator } from '../support/service/simulator.ts';

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
