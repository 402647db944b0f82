// The API of the local emulator states the limits of the environment `local`.
import { expect, test } from 'vitest';
import { createLocalApi, type LocalApiOptions } from '#cli/console/local-api.ts';
import { environments } from '#infra/environments.ts';
import { apiPrefix } from '#shared/api/agreed-names.ts';
import { createAwsClients } from '#shared/store/clients.ts';

test('the limits of files are those with which ingest reads them', async () => {
  const service = { baseUrl: 'http://127.0.0.1:1', authUrl: 'http://127.0.0.1:1', accountId: 1001 };
  const emptyTable = { send: async () => ({}) };
  const clients = { ...createAwsClients({}), table: emptyTable };
  const options = { clients, resources: { account: 1001, callingCode: '44', simulated: true }, service };
  const api = createLocalApi(options as unknown as LocalApiOptions);
  const caller = { id: 'you', name: 'you', roles: ['viewer'] as const };
  const answer = await api.request(`${apiPrefix}/environment`, {}, { caller });
  const { limits, account } = environments.local;
  expect(await answer.json()).toMatchObject({
    ...{ zone: account.zone, maxFileBytes: limits.fileBytes, maxRowsPerRequest: limits.rowsPerRequest },
  });
});
