// POST /api/simSubmission, type vendor-create-bundle (spec "eSIM Create Bundle").
import { expect, test } from 'vitest';
import { startTestSimulator, stockSerials, type TestSimulator } from '../support/service/simulator.ts';

const options = {
  type: 'vendor-create-bundle',
  startDate: '2026-07-10T00:00:00',
  bundleSizeMb: 1024,
  bundlePeriod: 'monthly',
  provisioningTemplateId: 11,
};
const create = (service: TestSimulator, changes: object = {}, header: object = {}) =>
  service.call('POST', '/api/simSubmission', {
    body: {
      type: 'vendor-create-bundle',
      name: 'July',
      commands: [{ serialNumbers: stockSerials(218), commandOptions: { ...options, ...changes } }],
      ...header,
    },
  });

test('a bundle of a listed size and template is answered with a ticket', async () => {
  const service = await startTestSimulator();
  const reply = await create(service);
  expect([reply.status, Object.keys(reply.body)]).toEqual([200, ['ticketNumber']]);
});

test('any period is accepted: the spec names none', async () => {
  const service = await startTestSimulator();
  expect((await create(service, { bundlePeriod: 'fortnight' })).status).toBe(200);
});

test.each<[string, object]>([
  ['commands[0].commandOptions.bundleSizeMb', { bundleSizeMb: 77 }],
  ['commands[0].commandOptions.provisioningTemplateId', { provisioningTemplateId: 99 }],
  ['commands[0].commandOptions.startDate', { startDate: '2026-02-30T00:00:00' }],
])('a wrong %s is answered 422', async (field, changes) => {
  const service = await startTestSimulator();
  const reply = await create(service, changes);
  expect([reply.status, reply.body.errors[0].field]).toEqual([422, field]);
});

test.each<[string, object, object]>([
  ['another type of options', { type: 'bundle' }, {}],
  ['another type', {}, { type: 'bundle' }],
  ['no name', {}, { name: undefined }],
  ['no commands', {}, { commands: [] }],
])('a body with %s is answered 400', async (_case, changes, header) => {
  const service = await startTestSimulator();
  expect((await create(service, changes, header)).status).toBe(400);
});
