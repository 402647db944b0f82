// Uploads in parts: their links take exactly the announced bytes, and only below plan/, so nothing is sent before a
// person approves the import.
import type { AnswerOf } from '#shared/api/contract.ts';
import type { ArrivedPart, MultipartUpload } from '#shared/store/files/multipart-uploads.ts';
import { uploadKey } from '#shared/store/files/object-keys.ts';
import type { UploadItem } from '#shared/store/tables/uploads.ts';
import type { WriteDependencies } from '../dependencies.ts';
import { ApiProblem, notFound } from '../http/api-problem.ts';
import type { Caller } from '../http/caller.ts';
import type { Call } from '../http/parse-call.ts';
import { recordUpload } from './put-upload.ts';
import { metadataOf } from './reading-settings.ts';

/** S3 takes 10,000 parts of at least 5 MiB. */
const partBytes = 16 * 1024 * 1024;
const linkSeconds = 15 * 60;
/** The inbox discards incomplete uploads after a day. */
const keptSeconds = 86_400;

export async function createUpload(
  { body, caller }: Call<'createUpload'>,
  dependencies: WriteDependencies,
): Promise<AnswerOf<'createUpload'>> {
  const { settings, multipart, uploads, inboxBucket, newId, wall } = dependencies;
  if (body.bytes > settings.maxFileBytes) {
    const detail = `The file has ${body.bytes} bytes, and at most ${settings.maxFileBytes} are accepted: split it.`;
    throw new ApiProblem('file-too-large', detail);
  }
  const uploadId = newId();
  // Its own folder: two people may upload files of the same name.
  const fileName = `${uploadId}/${body.fileName}`;
  const key = uploadKey({ operation: body.operation, fileName, planOnly: true });
  const item: UploadItem = {
    ...{ uploadId, key, partBytes, fileName: body.fileName, bytes: body.bytes, actorId: caller.id },
    s3UploadId: await multipart.begin(inboxBucket, key, metadataOf(body.operation, body)),
    expiresAt: Math.floor(wall() / 1_000) + keptSeconds,
  };
  await uploads.put(item);
  return uploadAnswer(item, []);
}

export async function getUpload(
  { path, caller }: Call<'getUpload'>,
  dependencies: WriteDependencies,
): Promise<AnswerOf<'getUpload'>> {
  const item = await findUpload(path.uploadId, caller, dependencies);
  const parts = item.importId === undefined ? await dependencies.multipart.parts(placeOf(item, dependencies)) : [];
  return uploadAnswer(item, parts ?? []);
}

export async function createUploadLinks(
  { path, body, caller }: Call<'createUploadLinks'>,
  dependencies: WriteDependencies,
): Promise<AnswerOf<'createUploadLinks'>> {
  const item = await findUpload(path.uploadId, caller, dependencies);
  if (item.importId !== undefined) throw alreadyComplete(item);
  const count = partsOf(item);
  const beyond = body.parts.find((part) => part > count);
  if (beyond !== undefined) throw new ApiProblem('invalid-request', `The upload has ${count} parts, not ${beyond}.`);
  const place = placeOf(item, dependencies);
  const expiresAt = new Date(dependencies.wall() + linkSeconds * 1_000).toISOString();
  const links = body.parts.map(async (part) => {
    const bytes = Math.min(item.partBytes, item.bytes - (part - 1) * item.partBytes);
    return { part, bytes, expiresAt, url: await dependencies.links.uploadPart({ ...place, part, bytes }, linkSeconds) };
  });
  return { links: await Promise.all(links) };
}

export async function completeUpload(
  { path, caller }: Call<'completeUpload'>,
  dependencies: WriteDependencies,
): Promise<AnswerOf<'completeUpload'>> {
  const item = await findUpload(path.uploadId, caller, dependencies);
  const { uploadId, key } = item;
  if (item.importId !== undefined) return { uploadId, importId: item.importId };
  const { files, multipart, uploads, inboxBucket: bucket } = dependencies;
  const parts = await multipart.parts(placeOf(item, dependencies));
  if (parts !== undefined) {
    checkComplete(item, parts);
    await multipart.complete(placeOf(item, dependencies), parts);
  } else if ((await files.head({ bucket, key })) === undefined) {
    throw notFound('The upload was discarded: begin a new one.');
  }
  const created = await recordUpload({ bucket, key }, { caller, details: { file: item.fileName } }, dependencies);
  await uploads.put({ ...item, importId: created });
  return { uploadId, importId: created };
}

export async function abortUpload(
  { path, caller }: Call<'abortUpload'>,
  dependencies: WriteDependencies,
): Promise<undefined> {
  const item = await findUpload(path.uploadId, caller, dependencies);
  if (item.importId !== undefined) throw alreadyComplete(item);
  const place = placeOf(item, dependencies);
  if ((await dependencies.multipart.parts(place)) !== undefined) await dependencies.multipart.abort(place);
  return undefined;
}

/** Only the person who began an upload continues it. */
async function findUpload(
  uploadId: string,
  caller: Caller,
  { uploads }: Pick<WriteDependencies, 'uploads'>,
): Promise<UploadItem> {
  const item = await uploads.get(uploadId);
  if (item !== undefined && item.actorId === caller.id) return item;
  throw notFound(`You have no upload ${uploadId}. Uploads that are not complete are discarded after a day.`);
}

function checkComplete(item: UploadItem, parts: readonly ArrivedPart[]): void {
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

const partsOf = (item: UploadItem): number => Math.ceil(item.bytes / item.partBytes);

const placeOf = ({ key, s3UploadId }: UploadItem, { inboxBucket }: WriteDependencies): MultipartUpload => ({
  bucket: inboxBucket,
  key,
  s3UploadId,
});

const uploadAnswer = (item: UploadItem, parts: readonly ArrivedPart[]): AnswerOf<'getUpload'> => ({
  ...{ uploadId: item.uploadId, fileName: item.fileName, bytes: item.bytes, partBytes: item.partBytes },
  parts: partsOf(item),
  arrived: parts.map(({ part, bytes }) => ({ part, bytes })),
  importId: item.importId ?? null,
  expiresAt: new Date(item.expiresAt * 1_000).toISOString(),
});
