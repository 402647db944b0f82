// Saved settings of the account: how files with a certain header are read.
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { type SavedSettings, savedSettings } from '#shared/items/saved-settings.ts';
import { savedSettingsKey, savedSettingsPk, savedSettingsPrefix } from './item-keys.ts';
import { deleteItem, putItem, readChildren } from './table.ts';

export interface SavedSettingsStore {
  put(saved: SavedSettings): Promise<void>;
  remove(savedId: string): Promise<void>;
  list(): Promise<SavedSettings[]>;
}

export function createSavedSettings(client: DynamoDBDocumentClient, name: string, account: number): SavedSettingsStore {
  const table = { client, name };
  return {
    async put(saved) {
      await putItem(table, { ...savedSettingsKey(account, saved.savedId), ...saved });
    },
    async remove(savedId) {
      await deleteItem(table, savedSettingsKey(account, savedId));
    },
    list: () =>
      Array.fromAsync(
        readChildren(table, savedSettings, { pk: savedSettingsPk(account), prefix: savedSettingsPrefix }),
      ),
  };
}
