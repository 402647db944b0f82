// A text object written as a stream: one plain PUT while it is small, a multipart upload once it is not.
import {
  AbortMultipartUploadCommand,
  type CompletedPart,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  PutObjectCommand,
  type S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';

/** Above S3's least part of 5 MiB; 10,000 such parts are 80 GB. */
const partBytes = 8 * 1024 * 1024;
/** Enough for a part and the chunk that fills it. */
const roomOfPart = partBytes + 256 * 1024;

/** A `FileWriter` of files.ts. */
export function openWriter(client: S3Client, bucket: string, key: string, contentType: string) {
  const object = { Bucket: bucket, Key: key };
  const parts: CompletedPart[] = [];
  let uploadId: string | undefined;
  let waiting: Buffer = Buffer.alloc(0);
  let waitingBytes = 0;
  let totalBytes = 0;
  /** The part on its way: one at a time, while the next one fills. */
  let sending: Promise<void> = Promise.resolve();

  const makeRoom = (bytes: number): void => {
    const grown = Buffer.allocUnsafeSlow(Math.max(waitingBytes + bytes, Math.min(2 * waiting.length, roomOfPart)));
    waiting.copy(grown, 0, 0, waitingBytes);
    waiting = grown;
  };

  const take = (): Buffer => {
    const body = waiting.subarray(0, waitingBytes);
    waiting = Buffer.alloc(0);
    waitingBytes = 0;
    return body;
  };

  const sendPart = async (body: Buffer): Promise<void> => {
    uploadId ??= (await client.send(new CreateMultipartUploadCommand({ ...object, ContentType: contentType })))
      .UploadId;
    const PartNumber = parts.length + 1;
    const sent = await client.send(new UploadPartCommand({ ...object, UploadId: uploadId, PartNumber, Body: body }));
    parts.push({ ETag: sent.ETag, PartNumber });
  };

  const startPart = async (): Promise<void> => {
    await sending;
    sending = sendPart(take());
    // The failure is met at the next await of `sending`; until then it is not unhandled.
    sending.catch(() => {});
  };

  const write = async (chunk: string | Uint8Array): Promise<void> => {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk, 'utf8') : chunk;
    if (waitingBytes + bytes.length > waiting.length) makeRoom(bytes.length);
    waiting.set(bytes, waitingBytes);
    waitingBytes += bytes.length;
    totalBytes += bytes.length;
    if (waitingBytes >= partBytes) await startPart();
  };

  const close = async (): Promise<{ bytes: number }> => {
    await sending;
    if (uploadId === undefined) {
      await client.send(new PutObjectCommand({ ...object, ContentType: contentType, Body: take() }));
    } else {
      if (waitingBytes > 0) await sendPart(take());
      await client.send(
        new CompleteMultipartUploadCommand({ ...object, UploadId: uploadId, MultipartUpload: { Parts: parts } }),
      );
    }
    return { bytes: totalBytes };
  };

  const abort = async (): Promise<void> => {
    take();
    await sending.catch(() => {});
    if (uploadId !== undefined) await client.send(new AbortMultipartUploadCommand({ ...object, UploadId: uploadId }));
  };

  return { write, close, abort };
}
