// The saved settings of the header of a file, so that a file like the last one asks nothing again (decision 64).
import { describesFile, toUploadSettings } from '#shared/csv/import-settings.ts';
import { mergeSettings } from '#shared/csv/merge-settings.ts';
import type { UploadSettings } from '#shared/csv/upload-settings.ts';
import type { ImportItem } from '#shared/items/import.ts';
import type { SavedSettings } from '#shared/items/saved-settings.ts';
import type { Operation } from '#shared/operations/kit/operation.ts';
import type { Files } from '#shared/store/files/files.ts';
import type { Imports } from '#shared/store/tables/imports.ts';
import type { SavedSettingsStore } from '#shared/store/tables/saved-settings.ts';
import { detectHeader, isFor } from '#shared/workbook/header-id.ts';

export interface SavedSettingsDependencies {
  readonly files: Files;
  readonly imports: Pick<Imports, 'update'>;
  readonly savedSettings: Pick<SavedSettingsStore, 'list'>;
}

type Dependencies = SavedSettingsDependencies & { readonly checkTime: () => void };

/** The settings of the upload take precedence. */
export async function withSavedSettings(
  item: ImportItem,
  settings: UploadSettings,
  operation: Operation,
  dependencies: Dependencies,
): Promise<UploadSettings> {
  const saved = await findSavedSettings(item, settings, operation, dependencies);
  if (saved === undefined) return settings;
  await dependencies.imports.update(item.importId, { readWith: saved }, ['planning']);
  return mergeSettings(toUploadSettings(saved.settings), settings);
}

/** Only for a plan that a person approves, who sees with which settings it was made. */
async function findSavedSettings(
  { planOnly, validation, readWith, bucket, key, versionId, etag }: ImportItem,
  settings: UploadSettings,
  operation: Operation,
  { files, savedSettings, checkTime }: Dependencies,
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
