// GET /api/account/{accountId}/network/{networkId}/tariff (spec "Lookups for provisioning"; spec gap 3).
import { expect, test } from 'vitest';
import { startTestSimulator } from '../support/service/simulator.ts';

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
