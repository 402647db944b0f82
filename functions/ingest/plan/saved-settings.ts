// The saved settings of the header of a file, so that a file like the last one asks nothing again (decision 73).
import { detectHeader, isFor } from '#shared/files/open-upload.ts';
import { describesFile, mergeSettings, toUploadSettings, type UploadSettings } from '#shared/files/upload-settings.ts';
import { isConsoleUpload } from '#shared/import/approval.ts';
import type { ImportItem } from '#shared/import/import.ts';
import type { Operation } from '#shared/operations/operation.ts';
import { objectOf } from '#shared/results/changed-file.ts';
import type { IngestPipeline } from '../ingest-pipeline.ts';
import type { Upload } from './upload.ts';

/**
 * The settings of the upload take precedence.
 * @param checkTime called while the header is detected
 */
export async function withSavedSettings(
  item: ImportItem,
  upload: Upload,
  operation: Operation,
  checkTime: () => void,
  pipeline: IngestPipeline,
): Promise<UploadSettings> {
  const { settings } = upload;
  if (upload.isChosen) return settings;
  const saved = await findSavedSettings(item, upload, operation, checkTime, pipeline);
  if (saved === undefined) return settings;
  await pipeline.imports.updateReading(item, { readWith: saved }, ['planning']);
  return mergeSettings(toUploadSettings(saved.settings), settings);
}

/** Only for a file that was uploaded in the console, whose page of the import names the settings. */
async function findSavedSettings(
  item: ImportItem,
  { head, settings }: Upload,
  operation: Operation,
  checkTime: () => void,
  { files, savedSettings }: IngestPipeline,
): Promise<ImportItem['readWith']> {
  const { readWith, reading } = item;
  // An earlier attempt has found them. Whoever reads the file again has seen it with these, or with none.
  if (readWith !== undefined || reading !== undefined) return readWith;
  if (!isConsoleUpload(head.metadata) || describesFile(settings)) return undefined;
  const source = await files.read(objectOf(item));
  const header = await detectHeader(source, operation, checkTime);
  const saved = header.headerId === null ? undefined : await savedSettings.get(header.headerId);
  if (saved === undefined || !isFor(saved, header)) return undefined;
  const { operation: _, ...readWithNow } = saved;
  return readWithNow;
}
