// Multipart uploads. The files of the parts become the object, so completing an upload copies no bytes.
import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { limits } from '../limits.ts';
import { announcedChecksum, receiveBody, receiveText } from './body.ts';
import {
  checkWriteConditions,
  copySource,
  type ObjectCreated,
  objectHeaders,
  openRange,
  parseRange,
  requireBucket,
  versionHeader,
} from './objects.ts';
import {
  elements,
  elementText,
  invalidArgument,
  keyEncoder,
  noSuchUpload,
  notImplemented,
  pageLimit,
  S3Error,
  type S3Request,
  sendEmpty,
  sendXml,
} from './request.ts';
import { type ObjectStore, type Part, type Upload, uploadBegan } from './store.ts';

const requireUpload = (store: ObjectStore, call: S3Request): Upload => {
  const upload = store.findUpload(call.query.get('uploadId') ?? '');
  if (upload === undefined || upload.bucket !== call.bucket || upload.key !== call.key) throw noSuchUpload();
  return upload;
};

// The algorithm of the checksums of an upload is among its headers, and not among those of its object.

const algorithmHeader = 'x-amz-checksum-algorithm';
const typeHeader = 'x-amz-checksum-type';

const checksumHeaders = (call: S3Request): Record<string, string> => {
  const [algorithm, type] = [algorithmHeader, typeHeader].map((name) => call.header(name)?.toLowerCase());
  return { ...(algorithm && { [algorithmHeader]: algorithm }), ...(type && { [typeHeader]: type }) };
};

const invalidChecksum = (message: string): S3Error => new S3Error(400, 'InvalidRequest', message);

/** A part may have a checksum only of the algorithm that the upload was created with. */
const checkAlgorithm = ({ headers }: Upload, { request }: S3Request): void => {
  const actual = announcedChecksum(request)?.replace(/^x-amz-checksum-/, '');
  const expected = headers[algorithmHeader] ?? 'null';
  if (actual === undefined || actual === expected) return;
  throw invalidChecksum(
    `Checksum Type mismatch occurred, expected checksum Type: ${expected}, actual checksum Type: ${actual}`,
  );
};

/** Without the checksum of a part, S3 cannot make that of the object. Their values are not compared. */
const checkPartChecksums = ({ headers }: Upload, xml: string): void => {
  const algorithm = headers[algorithmHeader];
  if (algorithm === undefined || algorithm === 'crc64nvme' || headers[typeHeader] === 'full_object') return;
  for (const element of elements(xml, 'Part')) {
    if (elementText(element, `Checksum${algorithm.toUpperCase()}`)) continue;
    throw invalidChecksum(
      `The upload was created using a ${algorithm} checksum. The complete request must include the checksum for ` +
        `each part. It was missing for part ${elementText(element, 'PartNumber')} in the request.`,
    );
  }
};

export const createUpload = async (store: ObjectStore, call: S3Request): Promise<void> => {
  requireBucket(store, call.bucket);
  const id = store.newUploadId();
  const headers = { ...objectHeaders(call), ...checksumHeaders(call) };
  store.addUpload({ id, bucket: call.bucket, key: call.key, headers });
  sendXml(call.response, 'InitiateMultipartUploadResult', { Bucket: call.bucket, Key: call.key, UploadId: id });
};

/** ListMultipartUploads: the uploads that were begun and neither completed nor aborted. */
export const listUploads = async (store: ObjectStore, call: S3Request): Promise<void> => {
  requireBucket(store, call.bucket);
  const parameter = (name: string) => call.query.get(name) ?? '';
  if (parameter('delimiter') !== '') throw notImplemented('a delimiter among uploads');
  const limit = pageLimit(call, 'max-uploads');
  const after = { key: parameter('key-marker'), id: parameter('upload-id-marker') };
  const found = store.listUploads(call.bucket, parameter('prefix'), after, limit + 1);
  const page = found.slice(0, limit);
  const last = found.length > limit ? page.at(-1) : undefined;
  const encode = keyEncoder(call);
  sendXml(call.response, 'ListMultipartUploadsResult', {
    Bucket: call.bucket,
    KeyMarker: encode(after.key),
    UploadIdMarker: after.id,
    NextKeyMarker: last && encode(last.key),
    NextUploadIdMarker: last?.id,
    Prefix: encode(parameter('prefix')),
    EncodingType: call.query.get('encoding-type') ?? undefined,
    MaxUploads: limit,
    IsTruncated: last !== undefined,
    Upload: page.map(({ key, id }) => ({
      Key: encode(key),
      UploadId: id,
      StorageClass: 'STANDARD',
      Initiated: new Date(uploadBegan(id)).toISOString(),
    })),
  });
};

const partNumber = (call: S3Request): number => {
  const number = Number(call.query.get('partNumber'));
  const most = limits.s3Parts.value;
  if (Number.isInteger(number) && number >= 1 && number <= most) return number;
  throw invalidArgument(`Part number must be an integer between 1 and ${most}, inclusive`);
};

export const uploadPart = async (store: ObjectStore, call: S3Request): Promise<void> => {
  const upload = requireUpload(store, call);
  const { id } = upload;
  const number = partNumber(call);
  checkAlgorithm(upload, call);
  const file = store.newFile();
  const { size, md5, checksum } = await receiveBody(call.request, store.path(file));
  await store.addPart(id, { number, file, size, etag: `"${md5}"` });
  sendEmpty(call.response, 200, { etag: `"${md5}"`, ...checksum });
};

/** A part that is a copy of a stored object, or of a range of it. */
export const uploadPartCopy = async (store: ObjectStore, call: S3Request): Promise<void> => {
  const { id } = requireUpload(store, call);
  const number = partNumber(call);
  const source = copySource(store, call);
  const range = call.header('x-amz-copy-source-range');
  const { start, end } = range === undefined ? { start: 0, end: source.size - 1 } : parseRange(range, source.size);
  const file = store.newFile();
  const md5 = createHash('md5');
  await pipeline(
    await openRange(store, source, start, end),
    async function* (bytes: AsyncIterable<Buffer>) {
      for await (const chunk of bytes) {
        md5.update(chunk);
        yield chunk;
      }
    },
    createWriteStream(store.path(file)),
  );
  const etag = `"${md5.digest('hex')}"`;
  await store.addPart(id, { number, file, size: end - start + 1, etag });
  sendXml(call.response, 'CopyPartResult', { ETag: etag, LastModified: new Date(source.modifiedAt).toISOString() });
};

const partsPerPage = 1_000;

/** The parts that have arrived, in order. */
export const listParts = async (store: ObjectStore, call: S3Request): Promise<void> => {
  const { id, bucket, key } = requireUpload(store, call);
  const after = Number(call.query.get('part-number-marker') ?? 0);
  const parts = store
    .parts(id)
    .filter(({ number }) => number > after)
    .sort((one, other) => one.number - other.number);
  const page = parts.slice(0, partsPerPage);
  sendXml(call.response, 'ListPartsResult', {
    Bucket: bucket,
    Key: key,
    UploadId: id,
    IsTruncated: parts.length > page.length,
    NextPartNumberMarker: page.at(-1)?.number ?? after,
    Part: page.map(({ number, etag, size }) => ({ PartNumber: number, ETag: etag, Size: size })),
  });
};

/** The parts that the client lists, in order. Each must exist with the ETag that the client was given. */
const chooseParts = (xml: string, stored: readonly Part[]): Part[] => {
  const byNumber = new Map(stored.map((part) => [part.number, part]));
  const chosen = elements(xml, 'Part').map((element) => {
    const part = byNumber.get(Number(elementText(element, 'PartNumber')));
    const etag = elementText(element, 'ETag')?.replaceAll('"', '');
    if (part === undefined || part.etag !== `"${etag}"`) {
      throw new S3Error(
        400,
        'InvalidPart',
        'One or more of the specified parts could not be found, or has another ETag',
      );
    }
    return part;
  });
  if (chosen.some((part, index) => index > 0 && part.number <= (chosen[index - 1]?.number ?? 0))) {
    throw new S3Error(400, 'InvalidPartOrder', 'The list of parts was not in ascending order');
  }
  if (chosen.slice(0, -1).some(({ size }) => size < limits.s3PartBytes.value)) {
    throw new S3Error(400, 'EntityTooSmall', 'Every part but the last must have at least 5 MiB');
  }
  return chosen;
};

export const completeUpload = async (store: ObjectStore, call: S3Request, created: ObjectCreated): Promise<void> => {
  const upload = requireUpload(store, call);
  const stored = store.parts(upload.id);
  const list = await receiveText(call.request);
  const chosen = chooseParts(list, stored);
  if (chosen.length === 0) throw new S3Error(400, 'MalformedXML', 'The list of parts is empty');
  checkPartChecksums(upload, list);
  checkWriteConditions(store, call);
  const { [algorithmHeader]: _, [typeHeader]: __, ...headers } = upload.headers;
  const digests = Buffer.concat(chosen.map(({ etag }) => Buffer.from(etag.replaceAll('"', ''), 'hex')));
  const object = await store.addObject({
    bucket: upload.bucket,
    key: upload.key,
    headers,
    etag: `"${createHash('md5').update(digests).digest('hex')}-${chosen.length}"`,
    size: chosen.reduce((sum, { size }) => sum + size, 0),
    segments: chosen.map(({ file, size }) => ({ file, size })),
  });
  store.removeUpload(upload.id);
  await store.removeFiles(stored.filter((part) => !chosen.includes(part)));
  await created(object, 'CompleteMultipartUpload');
  for (const [name, value] of Object.entries(versionHeader(object))) call.response.setHeader(name, value);
  sendXml(call.response, 'CompleteMultipartUploadResult', {
    // The MinIO client treats an answer without it as an error.
    Location: `http://${call.request.headers.host}${call.request.url?.split('?')[0]}`,
    Bucket: object.bucket,
    Key: object.key,
    ETag: object.etag,
  });
};

export const abortUpload = async (store: ObjectStore, call: S3Request): Promise<void> => {
  const { id } = requireUpload(store, call);
  const parts = store.parts(id);
  store.removeUpload(id);
  await store.removeFiles(parts);
  sendEmpty(call.response, 204);
};
