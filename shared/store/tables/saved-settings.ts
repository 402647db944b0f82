// Saved settings of the account: how files with a certain header are read.
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { UnreadableItem } from '#shared/domain/requests/unreadable-item.ts';
import { type SavedSettings, savedSettings } from '#shared/import/saved-settings.ts';
import { deleteItem, getItem, putItem, readChildren } from '#shared/store/table.ts';
import { savedSettingsKey, savedSettingsPk, savedSettingsPrefix } from '#shared/text/stored-values.ts';

export interface SavedSettingsStore {
  put(saved: SavedSettings): Promise<void>;
  remove(savedId: string): Promise<void>;
  /** undefined also where a newer version has saved what this one does not know. */
  get(savedId: string): Promise<SavedSettings | undefined>;
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
    async get(savedId) {
      try {
        return await getItem(table, savedSettings, savedSettingsKey(account, savedId));
      } catch (error) {
        if (error instanceof UnreadableItem) return undefined;
        throw error;
      }
    },
    list: () =>
      Array.fromAsync(
        readChildren(table, savedSettings, { pk: savedSettingsPk(account), prefix: savedSettingsPrefix }),
      ),
  };
}
