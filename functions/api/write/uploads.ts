// Uploads in parts: their links take exactly the announced bytes, and only below plan/, so nothing is sent before a
// person approves the import.
import * as z from 'zod';
import { consoleUpload } from '#shared/import/approval.ts';
import type { Identity } from '#shared/import/import.ts';
import { fileNameOf } from '#shared/results/results.ts';
import type { FilePart, MultipartUpload } from '#shared/store/browser-files.ts';
import { uploadKey } from '#shared/store/object-keys.ts';
import type { UploadItem } from '#shared/store/people.ts';
import { importId as importIdOf, operationNames } from '#shared/text/identity.ts';
import { count, instant, ordinal } from '#shared/text/stored-values.ts';
import type { ApiWriter } from '../context.ts';
import { recordAudit } from '../find-import.ts';
import { ApiProblem, type Caller, endpoint, notFound } from '../http/endpoint.ts';
import { text } from '../schemas.ts';
import { metadataOf, readingSettings } from './reading-settings.ts';

/** The name of the user's file. No file system has longer ones. */
const fileName = text(255, 1).regex(
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the expression excludes them
  /^[^./\\\u0000-\u001f\u007f][^/\\\u0000-\u001f\u007f]*$/,
  'expected the name of a file without folders, which does not begin with a dot: rename the file',
);

const newUpload = readingSettings.extend({
  operation: z.enum(operationNames),
  fileName,
  bytes: ordinal,
});

const uploadPath = z.object({ uploadId: z.uuid() });

/** `PUT` exactly `bytes` bytes. */
const uploadLink = z.object({
  part: ordinal,
  url: z.string(),
  bytes: count,
  expiresAt: instant,
});

const upload = z.object({
  uploadId: z.uuid(),
  fileName: z.string(),
  bytes: count,
  /** The size of every part but the last; a small file has one part. */
  partBytes: count,
  parts: ordinal,
  /** Parts that have arrived. */
  arrived: z.array(z.object({ part: ordinal, bytes: count })),
  /** Set once the upload is complete. */
  importId: z.string().nullable(),
  /** An upload that is not complete by then is discarded. */
  expiresAt: instant,
});

/** Ask for the links of the parts that have not arrived. At most 100 at a time: a link is valid for 15 minutes. */
const linksBody = z.strictObject({ parts: z.array(ordinal).min(1).max(100) });

/** The smallest parts that S3 takes, up to 10,000: an interrupted upload continues with the next one. */
const partBytes = 5 * 1024 * 1024;
const linkSeconds = 15 * 60;
/** The inbox discards incomplete uploads after a day. */
const keptSeconds = 86_400;

export const createUpload = endpoint(
  {
    at: 'POST /uploads',
    role: 'uploader',
    summary: 'Begin the upload of a file',
    accepts: { body: newUpload },
    status: 201,
    answer: upload,
    problems: ['file-too-large', 'unknown-column'],
  },
  async ({ body, caller }, writer: ApiWriter) => {
    const { settings, multipart, uploads, inboxBucket, newId, wall } = writer;
    if (body.bytes > settings.maxFileBytes) {
      const detail = `The file has ${body.bytes} bytes, and at most ${settings.maxFileBytes} are accepted: split it.`;
      throw new ApiProblem('file-too-large', detail);
    }
    const uploadId = newId();
    const { operation, bytes } = body;
    const key = uploadKey({ operation, folder: uploadId, fileName: body.fileName, planOnly: true });
    const item: UploadItem = {
      uploadId,
      key,
      partBytes,
      fileName: fileNameOf(key),
      bytes,
      actorId: caller.id,
      s3UploadId: await multipart.begin(inboxBucket, key, metadataOf(operation, body)),
      expiresAt: Math.floor(wall() / 1_000) + keptSeconds,
    };
    await uploads.put(item);
    return uploadAnswer(item, []);
  },
);

export const getUpload = endpoint(
  {
    at: 'GET /uploads/{uploadId}',
    role: 'uploader',
    summary: 'How much of the file has arrived',
    accepts: { path: uploadPath },
    answer: upload,
  },
  async ({ path, caller }, writer: ApiWriter) => {
    const item = await findUpload(path.uploadId, caller, writer);
    if (item.importId !== undefined) return uploadAnswer(item, []);
    const parts = await writer.multipart.parts(placeOf(item, writer));
    if (parts !== undefined) return uploadAnswer(item, parts);
    return uploadAnswer(item, (await hasObject(item, writer)) ? everyPart(item) : []);
  },
);

export const createUploadLinks = endpoint(
  {
    at: 'POST /uploads/{uploadId}/links',
    role: 'uploader',
    summary: 'Links for parts of the file',
    isQuery: true,
    accepts: { path: uploadPath, body: linksBody },
    answer: z.object({ links: z.array(uploadLink) }),
    problems: ['state-changed'],
  },
  async ({ path, body, caller }, writer: ApiWriter) => {
    const item = await findUpload(path.uploadId, caller, writer);
    if (item.importId !== undefined) throw alreadyComplete(item);
    const count = partsOf(item);
    const beyond = body.parts.find((part) => part > count);
    if (beyond !== undefined) throw new ApiProblem('invalid-request', `The upload has ${count} parts, not ${beyond}.`);
    const place = placeOf(item, writer);
    const expiresAt = new Date(writer.wall() + linkSeconds * 1_000).toISOString();
    const links = body.parts.map(async (part) => {
      const bytes = bytesOfPart(item, part);
      return {
        part,
        bytes,
        expiresAt,
        url: await writer.links.uploadPart({ ...place, part, bytes }, linkSeconds),
      };
    });
    return { links: await Promise.all(links) };
  },
);

export const completeUpload = endpoint(
  {
    at: 'POST /uploads/{uploadId}/complete',
    role: 'uploader',
    summary: 'End the upload: its import begins',
    accepts: { path: uploadPath },
    status: 202,
    answer: z.object({ uploadId: z.uuid(), importId: z.string() }),
    problems: ['upload-incomplete'],
  },
  async ({ path, caller }, writer: ApiWriter) => {
    const item = await findUpload(path.uploadId, caller, writer);
    const { uploadId, key } = item;
    if (item.importId !== undefined) return { uploadId, importId: item.importId };
    const { multipart, uploads, inboxBucket: bucket } = writer;
    const parts = await multipart.parts(placeOf(item, writer));
    if (parts !== undefined) {
      checkComplete(item, parts);
      await multipart.complete(placeOf(item, writer), parts);
    } else if (!(await hasObject(item, writer))) {
      throw notFound('The upload was discarded: begin a new one.');
    }
    const created = await recordUpload({ bucket, key }, { caller, details: { file: item.fileName } }, writer);
    await uploads.put({ ...item, importId: created });
    return { uploadId, importId: created };
  },
);

export const abortUpload = endpoint(
  {
    at: 'DELETE /uploads/{uploadId}',
    role: 'uploader',
    summary: 'Discard an upload that is not complete',
    accepts: { path: uploadPath },
    status: 204,
    problems: ['state-changed'],
  },
  async ({ path, caller }, writer: ApiWriter) => {
    const item = await findUpload(path.uploadId, caller, writer);
    if (item.importId !== undefined) throw alreadyComplete(item);
    const place = placeOf(item, writer);
    if ((await writer.multipart.parts(place)) !== undefined) await writer.multipart.abort(place);
    else if (await hasObject(item, writer)) {
      throw new ApiProblem('state-changed', 'The upload is complete. Complete it again to see its import.');
    }
    return undefined;
  },
);

/** Only the person who began an upload continues it. */
async function findUpload(uploadId: string, caller: Caller, { uploads }: ApiWriter): Promise<UploadItem> {
  const item = await uploads.get(uploadId);
  if (item !== undefined && item.actorId === caller.id) return item;
  throw notFound(`You have no upload ${uploadId}. Uploads that are not complete are discarded after a day.`);
}

function checkComplete(item: UploadItem, parts: readonly FilePart[]): void {
  const arrived = parts.reduce((sum, { bytes }) => sum + bytes, 0);
  if (parts.length === partsOf(item) && arrived === item.bytes) return;
  const missing = Array.from({ length: partsOf(item) }, (_, index) => index + 1).filter(
    (part) => !parts.some((one) => one.part === part),
  );
  throw new ApiProblem('upload-incomplete', `${arrived} of ${item.bytes} bytes have arrived. Send the missing parts.`, {
    changed: { missing: missing.slice(0, 100) },
  });
}

const alreadyComplete = ({ importId: created = '' }: UploadItem): ApiProblem =>
  new ApiProblem('state-changed', `The upload is complete: it is import ${created}.`, {
    changed: { importId: created },
  });

/** S3 has made the object, also where the answer of the completion was lost. */
const hasObject = async ({ key }: UploadItem, { files, inboxBucket: bucket }: ApiWriter): Promise<boolean> =>
  (await files.head({ bucket, key })) !== undefined;

const bytesOfPart = (item: UploadItem, part: number): number =>
  Math.min(item.partBytes, item.bytes - (part - 1) * item.partBytes);

const everyPart = (item: UploadItem) =>
  Array.from({ length: partsOf(item) }, (_, index) => ({ part: index + 1, bytes: bytesOfPart(item, index + 1) }));

const partsOf = (item: UploadItem): number => Math.ceil(item.bytes / item.partBytes);

const placeOf = ({ key, s3UploadId }: UploadItem, { inboxBucket }: ApiWriter): MultipartUpload => ({
  bucket: inboxBucket,
  key,
  s3UploadId,
});

const uploadAnswer = (item: UploadItem, parts: readonly FilePart[]): z.output<typeof upload> => ({
  uploadId: item.uploadId,
  fileName: item.fileName,
  bytes: item.bytes,
  partBytes: item.partBytes,
  parts: partsOf(item),
  arrived: parts.map(({ part, bytes }) => ({ part, bytes })),
  importId: item.importId ?? null,
  expiresAt: new Date(item.expiresAt * 1_000).toISOString(),
});

// Puts a file below plan/ for a person, and records who it was. After a crash, a repeated write finds the file.

interface UploadPurpose {
  readonly caller: Caller;
  /** Whose input is in the file or its settings, beside the caller's. @default - nobody's */
  readonly authors?: readonly Identity[];
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
  { caller, authors, details, ...file }: NewUpload,
  writer: ApiWriter,
  create: (place: { readonly bucket: string; readonly key: string }) => Promise<unknown>,
): Promise<string> {
  const place = { bucket: writer.inboxBucket, key: uploadKey({ ...file, planOnly: true }) };
  if ((await writer.files.head(place)) === undefined) await create(place);
  return recordUpload(place, { caller, details, ...(authors && { authors }) }, writer);
}

/** The same for a CSV. */
export const putCsvUpload = (
  upload: NewUpload,
  text: string,
  metadata: Readonly<Record<string, string>>,
  writer: ApiWriter,
): Promise<string> =>
  putUpload(upload, writer, async ({ bucket, key }) => {
    const file = writer.files.open(bucket, key, 'text/csv', { ...metadata, ...consoleUpload });
    await file.write(text);
    await file.close();
  });

/** @throws Error when there is no such object */
async function recordUpload(
  place: { readonly bucket: string; readonly key: string },
  { caller, authors, details }: UploadPurpose,
  writer: ApiWriter,
): Promise<string> {
  const head = await writer.files.head(place);
  if (head === undefined) throw new Error(`the upload ${place.key} does not exist`);
  const importId = importIdOf({ ...place, version: head.versionId ?? head.etag });
  await recordAudit(importId, { action: 'uploaded', caller, authors, details }, writer);
  return importId;
}
