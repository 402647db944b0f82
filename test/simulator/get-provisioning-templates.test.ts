// GET /api/account/{accountId}/provisioningTemplates?networkId= (spec "Lookups for provisioning").
import { expect, test } from 'vitest';
import { startTestSimulator } from '../support/service/simulator.ts';

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
