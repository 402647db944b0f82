// Puts a CSV into the inbox, under the folder of its operation and the user's own file name.
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { Upload } from '@aws-sdk/lib-storage';
import { usageFailure } from './failure.ts';
import type { Session } from './session.ts';
import type { Target } from './target.ts';

export interface UploadOrder {
  /** Path as the user gave it. */
  readonly file: string;
  readonly operation: string;
  readonly planOnly: boolean;
  /** The most rows that may be rejected, in percent; the stage's own where it is left out. */
  readonly tolerate?: number | undefined;
  /** Values for whole columns, by column name. */
  readonly defaults: Readonly<Record<string, string>>;
}

export interface Uploaded {
  readonly bucket: string;
  readonly key: string;
  readonly versionId: string | undefined;
  readonly etag: string;
  readonly bytes: number;
}

const partBytes = 8 * 1024 * 1024;

/**
 * The size of a file in bytes.
 * @throws Failure (usage) when it is not there, or not a file
 */
export async function fileBytes(session: Session, file: string): Promise<number> {
  const found = await stat(resolve(session.folder, file)).catch(() => undefined);
  if (found === undefined) throw usageFailure(`There is no file "${file}".`, 'Give the path of a CSV file.');
  if (!found.isFile()) throw usageFailure(`"${file}" is not a file.`, 'Give the path of a CSV file.');
  return found.size;
}

/** Uploads as a stream, in parts where the file is large; `progress` hears the bytes sent so far. */
export async function uploadFile(
  session: Session,
  target: Target,
  order: UploadOrder,
  progress: (sent: number, total: number) => void,
): Promise<Uploaded> {
  const bytes = await fileBytes(session, order.file);
  const bucket = target.resources.inboxBucket;
  const key = `${order.operation}/${basename(order.file)}`;
  const upload = new Upload({
    client: target.s3,
    params: {
      Bucket: bucket,
      Key: key,
      Body: createReadStream(resolve(session.folder, order.file)),
      ContentType: 'text/csv',
      Metadata: metadataOf(order),
    },
    partSize: partBytes,
    queueSize: 2,
  });
  upload.on('httpUploadProgress', ({ loaded }) => progress(loaded ?? 0, bytes));
  const stop = () => void upload.abort();
  session.signal.addEventListener('abort', stop, { once: true });
  try {
    const done = await upload.done();
    return { bucket, key, versionId: done.VersionId, etag: (done.ETag ?? '').replaceAll('"', ''), bytes };
  } finally {
    session.signal.removeEventListener('abort', stop);
  }
}

/** Metadata travels as HTTP headers: names of letters and digits only, values in ASCII. */
function metadataOf({ planOnly, tolerate, defaults }: UploadOrder): Record<string, string> {
  const metadata: Record<string, string> = planOnly ? { 'plan-only': 'true' } : {};
  if (tolerate !== undefined) metadata.tolerate = String(tolerate);
  for (const [column, value] of Object.entries(defaults)) {
    metadata[`set-${column.toLowerCase().replace(/[^a-z0-9]/g, '')}`] = encodeURIComponent(value);
  }
  return metadata;
}

/**
 * Reads `--set column=value`, given any number of times.
 * @throws Failure (usage) for anything else
 */
export function parseDefaults(given: readonly string[]): Record<string, string> {
  const defaults: Record<string, string> = {};
  for (const text of given) {
    const equals = text.indexOf('=');
    if (equals < 1)
      throw usageFailure(`--set "${text}" is not column=value.`, 'For example: --set "targetNetwork=UK Mobile A"');
    defaults[text.slice(0, equals).trim()] = text.slice(equals + 1).trim();
  }
  return defaults;
}
