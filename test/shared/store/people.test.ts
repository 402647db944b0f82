// Saved settings of accounts, over the in-memory table.
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { expect, test } from 'vitest';
import type { SavedSettings } from '#shared/import/saved-settings.ts';
import { createSavedSettings } from '#shared/store/people.ts';
import { createTableTwin } from '../../support/in-memory/table.ts';
import { noon } from '../../support/steps/ledger-items.ts';

const saved = (savedId: string, name: string): SavedSettings => ({
  savedId,
  name,
  operation: 'create-port',
  by: 'anna@example.com',
  authors: [],
  savedAt: '2026-07-03T09:00:00.000Z',
  settings: { mapping: { 'My phones': 'msisdn' } },
});

test('settings are saved once for each header and account, and removed', async () => {
  const client = createTableTwin({ now: () => noon, pageSize: 2 }) as unknown as DynamoDBDocumentClient;
  const [store, other] = ['1001@service', '1002@service'].map((account) =>
    createSavedSettings(client, 'results', account),
  );
  for (const one of [saved('a', 'Acme'), saved('b', 'Office'), saved('c', 'Depot'), saved('a', 'Acme weekly')]) {
    await store?.put(one);
  }
  expect(await store?.list()).toEqual([saved('a', 'Acme weekly'), saved('b', 'Office'), saved('c', 'Depot')]);
  expect(await other?.list()).toEqual([]);
  expect([await store?.get('a'), await other?.get('a')]).toEqual([saved('a', 'Acme weekly'), undefined]);
  await store?.put({ ...saved('d', 'Newer'), operation: 'of a newer version' as 'create-port' });
  expect(await store?.get('d')).toBeUndefined();
  await store?.remove('d');
  await store?.remove('b');
  await store?.remove('never saved');
  expect((await store?.list())?.map(({ name }) => name)).toEqual(['Acme weekly', 'Depot']);
});
