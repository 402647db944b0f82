// The saved settings of the header of a file, so that a file like the last one asks nothing again (decision 64).
import { describesFile, mergeSettings, toUploadSettings } from '#shared/csv/import-settings.ts';
import { detectHeader, isFor } from '#shared/files/open-upload.ts';
import type { ReadSettings, UploadSettings } from '#shared/files/upload-settings.ts';
import { isConsoleUpload } from '#shared/import/approval.ts';
import type { ImportItem } from '#shared/import/import.ts';
import type { Operation } from '#shared/operations/operation.ts';
import type { ObjectHead } from '#shared/store/files.ts';
import type { UploadKey } from '#shared/store/object-keys.ts';
import type { IngestPipeline } from './dependencies.ts';

export interface Upload {
  readonly head: ObjectHead;
  readonly key: UploadKey;
  readonly settings: ReadSettings;
  /** Of a delivery that begins the import again: its own. */
  readonly attemptId?: string;
}

interface Reading extends IngestPipeline {
  readonly checkTime: () => void;
}

/** The settings of the upload take precedence. */
export async function withSavedSettings(
  item: ImportItem,
  upload: Upload,
  operation: Operation,
  pipeline: Reading,
): Promise<UploadSettings> {
  const { settings } = upload;
  const saved = await findSavedSettings(item, upload, operation, pipeline);
  if (saved === undefined) return settings;
  await pipeline.imports.update(item.importId, { readWith: saved, settingsBy: saved.authors ?? [] }, ['planning']);
  return mergeSettings(toUploadSettings(saved.settings), settings);
}

/** Only for a file that was uploaded in the console, whose page of the import names the settings. */
async function findSavedSettings(
  { readWith, bucket, key, versionId, etag }: ImportItem,
  { head, settings }: Upload,
  operation: Operation,
  { files, savedSettings, checkTime }: Reading,
): Promise<ImportItem['readWith']> {
  // An earlier attempt has found them.
  if (readWith !== undefined) return readWith;
  if (!isConsoleUpload(head.metadata) || describesFile(settings)) return undefined;
  const source = await files.read({ bucket, key, versionId, etag });
  const header = await detectHeader(source, operation, checkTime);
  const saved = header.headerId === null ? undefined : await savedSettings.get(header.headerId);
  if (saved === undefined || !isFor(saved, header)) return undefined;
  const { operation: _, ...readWithNow } = saved;
  return readWithNow;
}
