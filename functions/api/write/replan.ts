// Reads the file of an import again with other settings: a copy of the file with them is a new import.
import type { AnswerOf } from '#shared/api/contract.ts';
import { mayBeSent } from '#shared/domain/imports/may-be-sent.ts';
import { fileNameOf } from '#shared/read-models/file-name.ts';
import { isObjectGone } from '#shared/store/files/object-gone.ts';
import type { WriteDependencies } from '../dependencies.ts';
import { ApiProblem } from '../http/api-problem.ts';
import type { Call } from '../http/parse-call.ts';
import { findImport } from '../read/find-import.ts';
import { putUpload } from './put-upload.ts';
import { metadataOf } from './reading-settings.ts';

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
  const metadata = metadataOf(operation, body);
  const fileName = `${writeId}/${fileNameOf(item.key)}`;
  const from = { bucket: item.bucket, key: item.key, versionId: item.versionId, etag: item.etag };
  const upload = { operation, fileName, caller, details: { replaces: item.importId } };
  const importId = await putUpload(upload, dependencies, (place) =>
    dependencies.files.copy(from, place, metadata).catch((error: unknown) => {
      if (!isObjectGone(error)) throw error;
      throw new ApiProblem('file-expired', 'The file has expired. Upload it again.');
    }),
  );
  return { importId, replaces: item.importId };
}
