// Reads the file of an import again with other settings: a copy of the file with them is a new import.
import type { AnswerOf } from '#shared/api/contract.ts';
import { mayBeSent } from '#shared/domain/imports/may-be-sent.ts';
import { importId as importIdOf } from '#shared/domain/requests/identity.ts';
import { fileNameOf } from '#shared/read-models/file-name.ts';
import { isObjectGone } from '#shared/store/files/object-gone.ts';
import { uploadKey } from '#shared/store/files/object-keys.ts';
import type { WriteDependencies } from '../dependencies.ts';
import { ApiProblem } from '../http/api-problem.ts';
import type { Call } from '../http/parse-call.ts';
import { findImport } from '../read/find-import.ts';
import { metadataOf } from './reading-settings.ts';
import { recordAudit } from './record-audit.ts';

export async function replanImport(
  { path, body, caller, writeId }: Call<'replanImport'>,
  dependencies: WriteDependencies,
): Promise<AnswerOf<'replanImport'>> {
  const item = await findImport(dependencies, path.importId);
  const { operation, state, approvedAt } = item;
  const isUnsent = (state === 'planned' || state === 'rejected') && !mayBeSent(item);
  if (!isUnsent || operation === null) {
    const detail = 'Only a file that waits for approval, or was rejected before, can be read again.';
    throw new ApiProblem('state-changed', detail, { changed: { state, approvedAt } });
  }
  const { inboxBucket: bucket, files } = dependencies;
  const key = uploadKey({ operation, fileName: `${writeId}/${fileNameOf(item.key)}`, planOnly: true });
  const from = { bucket: item.bucket, key: item.key, versionId: item.versionId, etag: item.etag };
  const version = await files.copy(from, { bucket, key }, metadataOf(operation, body)).catch((error: unknown) => {
    if (!isObjectGone(error)) throw error;
    throw new ApiProblem('file-expired', 'The file has expired. Upload it again.');
  });
  const importId = importIdOf({ bucket, key, version });
  await recordAudit(importId, { action: 'uploaded', caller, details: { replaces: item.importId } }, dependencies);
  return { importId, replaces: item.importId };
}
