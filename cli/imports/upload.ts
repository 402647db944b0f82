// Uploads a CSV or a workbook to the inbox: below the folder of its operation, under the name of the user's file.
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { toUploadMetadata, type UploadSettings } from '#shared/files/upload-settings.ts';
import { uploadKey } from '#shared/store/object-keys.ts';
import type { CliContext } from '../context/cli-context.ts';
import { notFoundError } from '../context/cli-error.ts';
import type { Session } from '../target/target.ts';

export interface UploadRequest {
  /** Path as the user typed it. */
  readonly file: string;
  readonly operation: string;
  readonly settings: UploadSettings;
}

export interface UploadedFile {
  readonly key: string;
  readonly versionId: string | undefined;
  readonly etag: string;
}

const workbookType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

const partBytes = 8 * 1024 * 1024;

/**
 * The size of a file in bytes.
 * @throws CliError (usage) when there is no such file
 */
export async function readFileSize({ folder }: CliContext, file: string): Promise<number> {
  const found = await stat(resolve(folder, file)).catch(() => undefined);
  if (found?.isFile()) return found.size;
  const problem = found === undefined ? `There is no file "${file}".` : `"${file}" is not a file.`;
  throw notFoundError(problem, 'Give the path of a CSV or a workbook (.xlsx).');
}

/** Uploads as a stream, in parts where the file is large. `onProgress` receives the bytes sent so far. */
export async function uploadFile(
  session: Session,
  request: UploadRequest,
  onProgress: (sent: number, total: number) => void,
): Promise<UploadedFile> {
  const { target, signal } = session;
  const bytes = await readFileSize(session, request.file);
  const path = resolve(session.folder, request.file);
  const key = uploadKey({ operation: request.operation, fileName: basename(request.file), planOnly: false });
  // Loaded only here: commands that follow an import do not upload.
  const { Upload } = await import('@aws-sdk/lib-storage');
  const upload = new Upload({
    client: target.s3,
    params: {
      Bucket: target.resources.inboxBucket,
      Key: key,
      Body: createReadStream(path),
      ContentType: key.endsWith('.xlsx') ? workbookType : 'text/csv',
      Metadata: toUploadMetadata(request.settings),
    },
    partSize: partBytes,
    queueSize: 2,
  });
  upload.on('httpUploadProgress', ({ loaded }) => onProgress(loaded ?? 0, bytes));
  const stop = () => void upload.abort();
  signal.addEventListener('abort', stop, { once: true });
  try {
    const { VersionId, ETag = '' } = await upload.done();
    return { key, versionId: VersionId, etag: ETag.replaceAll('"', '') };
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
