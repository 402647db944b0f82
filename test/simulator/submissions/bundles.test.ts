// The bundles of eSIMs: those that a submission creates, and their control.
import { describe, expect, test } from 'vitest';
import { startTestSimulator, stockSerials, type TestSimulator } from '../../support/service/simulator.ts';

// POST /api/simSubmission, type vendor-create-bundle (spec "eSIM Create Bundle").
describe('create', () => {
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
});

// POST /api/simsubmission/ConfigureBundleControl (spec "Configure Bundle Control", "Limits"; spec gap 13).
describe('control', () => {
  const good = {
    serialNumbers: stockSerials(401),
    zone: 'EU',
    bundleControlPeriod: 'monthly',
    sizeMb: 500,
    startDate: '2026-07-06T00:00:00Z',
    endDate: null,
    bundleControlEndAction: 'throttle',
    roamingBucketVolumes: [{ Name: 'EU', AllowanceMB: 100 }],
  };
  const configure = (
    service: TestSimulator,
    changes: object = {},
    path = '/api/simsubmission/ConfigureBundleControl',
  ) => service.call('POST', path, { body: { ...good, ...changes } });

  const onM2m = { serialNumbers: stockSerials(402), roamingBucketVolumes: undefined, bundleControlEndAction: 'cutoff' };

  test('the French LMVNO and the French M2M network have it', async () => {
    const service = await startTestSimulator();
    const reply = await configure(service);
    expect([reply.status, Object.keys(reply.body)]).toEqual([200, ['ticketNumber']]);
    expect((await configure(service, onM2m)).status).toBe(200);
  });

  test('no other network has it: 422', async () => {
    const service = await startTestSimulator();
    const reply = await configure(service, { serialNumbers: stockSerials(101) });
    expect([reply.status, reply.body.message]).toEqual([422, 'bundle control is not available on UK Mobile A']);
  });

  test('its path is written in small letters', async () => {
    const service = await startTestSimulator();
    expect((await configure(service, {}, '/api/simSubmission/ConfigureBundleControl')).status).toBe(404);
  });

  test.each<[string, object]>([
    ['serialNumbers', { serialNumbers: [] }],
    ['zone', { zone: undefined }],
    ['bundleControlPeriod', { bundleControlPeriod: 'weekly' }],
    ['sizeMb', { sizeMb: undefined }],
    ['startDate', { startDate: undefined }],
    ['bundleControlEndAction', { bundleControlEndAction: 'stop' }],
  ])('a wrong form of %s is answered 400', async (field, changes) => {
    const service = await startTestSimulator();
    const reply = await configure(service, changes);
    expect([reply.status, reply.body.errors[0].field]).toEqual([400, field]);
  });

  test.each<[string, object]>([
    ['zone', { zone: 'MOON' }],
    ['bundleControlPeriod', { ...onM2m, bundleControlPeriod: 'daily' }],
    ['bundleControlEndAction', { ...onM2m, bundleControlEndAction: 'throttle' }],
    ['roamingBucketVolumes', { ...onM2m, roamingBucketVolumes: good.roamingBucketVolumes }],
    ['startDate', { startDate: '2026-06-05T00:00:00Z' }],
    ['startDate', { startDate: '2026-06-31T00:00:00Z' }],
    ['endDate', { endDate: '2026-07-05T00:00:00Z' }],
  ])('a request that breaks the rule of %s is answered 422', async (field, changes) => {
    const service = await startTestSimulator();
    const reply = await configure(service, changes);
    expect([reply.status, reply.body.errors[0].field]).toEqual([422, field]);
  });

  test('a bundle may start up to one month before today', async () => {
    const service = await startTestSimulator();
    expect((await configure(service, { startDate: '2026-06-06T00:00:00Z' })).status).toBe(200);
  });
});
