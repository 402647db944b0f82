// Reads the file of an import again with other settings: a copy of the file with them is a new import.
import * as z from 'zod';
import { secretReadingsOf } from '#shared/csv/import-settings.ts';
import { mayBeSent } from '#shared/domain/imports/may-be-sent.ts';
import { fileNameOf } from '#shared/read-models/file-name.ts';
import { isObjectGone } from '#shared/store/files/object-gone.ts';
import type { WriteDependencies } from '../context.ts';
import { checkMayReadAgain, findImport } from '../find-import.ts';
import { ApiProblem } from '../http/api-problem.ts';
import { endpoint } from '../http/endpoint.ts';
import { importPath } from '../schemas.ts';
import { putUpload } from './put-upload.ts';
import { metadataOf, readingSettings } from './reading-settings.ts';

export const replanImport = endpoint(
  {
    at: 'POST /imports/{importId}/replan',
    role: 'uploader',
    summary: 'Read the file again with other settings',
    accepts: { path: importPath, body: readingSettings },
    status: 202,
    answer: z.object({ importId: z.string(), replaces: z.string() }),
    problems: ['state-changed', 'file-expired', 'unknown-column'],
  },
  async ({ path, body, caller, writeId }, dependencies: WriteDependencies) => {
    const item = await findImport(dependencies, path.importId);
    await checkMayReadAgain(item, caller, dependencies);
    const { operation, state, approvedAt } = item;
    const isUnsent = (state === 'planned' || state === 'rejected') && !mayBeSent(item);
    if (!isUnsent || operation === null) {
      const detail = 'Only a file that waits for approval, or was rejected before, can be read again.';
      throw new ApiProblem('state-changed', detail, { changed: { state, approvedAt } });
    }
    const from = { bucket: item.bucket, key: item.key, versionId: item.versionId, etag: item.etag };
    const head = await dependencies.files.head(from);
    const metadata = metadataOf(operation, body, secretReadingsOf(item, head?.metadata));
    const upload = {
      operation,
      folder: writeId,
      fileName: fileNameOf(item.key),
      caller,
      details: { replaces: item.importId },
    };
    const importId = await putUpload(upload, dependencies, (place) =>
      dependencies.files.copy(from, place, metadata).catch((error: unknown) => {
        if (!isObjectGone(error)) throw error;
        throw new ApiProblem('file-expired', 'The file has expired. Upload it again.');
      }),
    );
    return { importId, replaces: item.importId };
  },
);
