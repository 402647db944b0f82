// Puts a file below plan/ for a person, and records who it was. After a crash, a repeated write finds the file.
import { consoleUpload } from '#shared/import/approval.ts';
import { uploadKey } from '#shared/store/object-keys.ts';
import { importId as importIdOf } from '#shared/text/identity.ts';
import type { WriteDependencies } from '../context.ts';
import type { Caller } from '../http/caller.ts';
import { recordAudit } from '../http/record-audit.ts';

interface UploadPurpose {
  readonly caller: Caller;
  /** What the upload is for, for the audit trail. */
  readonly details: Readonly<Record<string, string>>;
}

export interface NewUpload extends UploadPurpose {
  readonly operation: string;
  /** Belongs to this write: uploads below plan/ are never overwritten. */
  readonly folder: string;
  readonly fileName: string;
}

/** @param create puts the object, where no earlier attempt did. @returns the id of the import */
export async function putUpload(
  { caller, details, ...file }: NewUpload,
  dependencies: WriteDependencies,
  create: (place: { readonly bucket: string; readonly key: string }) => Promise<unknown>,
): Promise<string> {
  const place = { bucket: dependencies.inboxBucket, key: uploadKey({ ...file, planOnly: true }) };
  if ((await dependencies.files.head(place)) === undefined) await create(place);
  return recordUpload(place, { caller, details }, dependencies);
}

/** The same for a CSV. */
export const putCsvUpload = (
  upload: NewUpload,
  text: string,
  metadata: Readonly<Record<string, string>>,
  dependencies: WriteDependencies,
): Promise<string> =>
  putUpload(upload, dependencies, async ({ bucket, key }) => {
    const writer = dependencies.files.open(bucket, key, 'text/csv', { ...metadata, ...consoleUpload });
    await writer.write(text);
    await writer.close();
  });

/** @throws Error when there is no such object */
export async function recordUpload(
  place: { readonly bucket: string; readonly key: string },
  { caller, details }: UploadPurpose,
  dependencies: WriteDependencies,
): Promise<string> {
  const head = await dependencies.files.head(place);
  if (head === undefined) throw new Error(`the upload ${place.key} does not exist`);
  const importId = importIdOf({ ...place, version: head.versionId ?? head.etag });
  await recordAudit(importId, { action: 'uploaded', caller, details }, dependencies);
  return importId;
}
