// Writes a text object as a stream: one PUT if it is small, a multipart upload otherwise.
import {
  AbortMultipartUploadCommand,
  type CompletedPart,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  PutObjectCommand,
  type S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';

/** More than S3's minimum of 5 MiB. 10,000 such parts are 80 GB. */
const partBytes = 8 * 1024 * 1024;
/** A part and the chunk that completes it. */
const roomOfPart = partBytes + 256 * 1024;

/** A `FileWriter` of files.ts. */
export function openWriter(
  client: S3Client,
  object: { readonly Bucket: string; readonly Key: string },
  contentType: string,
  metadata: Readonly<Record<string, string>> = {},
) {
  const created = { ...object, ContentType: contentType, Metadata: { ...metadata } };
  const parts: CompletedPart[] = [];
  const waiting = createPartBuffer();
  let uploadId: string | undefined;
  /** The part that is being uploaded, one at a time, while the next one fills. */
  let sending: Promise<void> = Promise.resolve();

  const sendPart = async (body: Buffer): Promise<void> => {
    uploadId ??= (await client.send(new CreateMultipartUploadCommand(created))).UploadId;
    const PartNumber = parts.length + 1;
    const sent = await client.send(new UploadPartCommand({ ...object, UploadId: uploadId, PartNumber, Body: body }));
    parts.push({ ETag: sent.ETag, PartNumber });
  };

  const write = async (chunk: string | Uint8Array): Promise<void> => {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk, 'utf8') : chunk;
    if (waiting.append(bytes) < partBytes) return;
    await sending;
    sending = sendPart(waiting.take());
    // The next await of `sending` throws the failure. Until then it must not count as unhandled.
    sending.catch(() => {});
  };

  const close = async (): Promise<void> => {
    await sending;
    const last = waiting.take();
    if (uploadId === undefined) {
      await client.send(new PutObjectCommand({ ...created, Body: last }));
    } else {
      if (last.length > 0) await sendPart(last);
      const upload = { UploadId: uploadId, MultipartUpload: { Parts: parts } };
      await client.send(new CompleteMultipartUploadCommand({ ...object, ...upload }));
    }
  };

  const abort = async (): Promise<void> => {
    waiting.take();
    await sending.catch(() => {});
    if (uploadId !== undefined) await client.send(new AbortMultipartUploadCommand({ ...object, UploadId: uploadId }));
  };

  return { write, close, abort };
}

/** Bytes that are copied into one growing buffer. */
function createPartBuffer() {
  let buffer: Buffer = Buffer.alloc(0);
  let length = 0;
  return {
    /** Returns how many bytes wait then. */
    append: (bytes: Uint8Array): number => {
      if (length + bytes.length > buffer.length) {
        const grown = Buffer.allocUnsafeSlow(Math.max(length + bytes.length, Math.min(2 * buffer.length, roomOfPart)));
        buffer.copy(grown, 0, 0, length);
        buffer = grown;
      }
      buffer.set(bytes, length);
      length += bytes.length;
      return length;
    },
    take: (): Buffer => {
      const taken = buffer.subarray(0, length);
      buffer = Buffer.alloc(0);
      length = 0;
      return taken;
    },
  };
}
