// The saved settings of the header of a file, so that a file like the last one asks nothing again (decision 64).
import { describesFile } from '#shared/csv/import-settings.ts';
import type { UploadSettings } from '#shared/csv/upload-settings.ts';
import type { ImportItem } from '#shared/items/import.ts';
import type { SavedSettings } from '#shared/items/saved-settings.ts';
import type { Operation } from '#shared/operations/kit/operation.ts';
import type { Files } from '#shared/store/files/files.ts';
import type { SavedSettingsStore } from '#shared/store/tables/saved-settings.ts';
import { detectHeader, isFor } from '#shared/workbook/header-id.ts';

export interface SavedSettingsDependencies {
  readonly files: Files;
  readonly savedSettings: Pick<SavedSettingsStore, 'list'>;
}

/** Only for a plan that a person approves, who sees with which settings it was made. */
export async function findSavedSettings(
  { planOnly, validation, readWith, bucket, key, versionId, etag }: ImportItem,
  settings: UploadSettings,
  operation: Operation,
  { files, savedSettings, checkTime }: SavedSettingsDependencies & { readonly checkTime: () => void },
): Promise<SavedSettings | undefined> {
  // An earlier attempt has found them.
  if (readWith !== undefined) return readWith;
  if (!planOnly || validation || describesFile(settings)) return undefined;
  const saved = (await savedSettings.list()).filter((one) => one.operation === operation.name);
  if (saved.length === 0) return undefined;
  const source = await files.read({ bucket, key, versionId, etag });
  const header = await detectHeader(source, operation, checkTime);
  return saved.find((one) => isFor(one, header));
}
