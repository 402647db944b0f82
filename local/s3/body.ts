// Bytes into a file: the body of a PUT, plain or in AWS's signed chunks, hashed on its way and checked against what the
// client says about it. Memory stays at one chunk whatever the object's size.
import { createHash, type Hash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { crc32 } from 'node:zlib';
import { incompleteBody, unchunk } from './chunked.ts';
import { S3Error } from './errors.ts';

export interface ReceivedBody {
  readonly size: number;
  /** Hex MD5 of the bytes. */
  readonly md5: string;
  /** The client's own checksum header (`x-amz-checksum-...`), given back to those who ask. */
  readonly checksum: Readonly<Record<string, string>>;
}

/** The checksums that can be recomputed here; the others (CRC32C, CRC64NVME) are kept and given back unchecked. */
const checkers: Readonly<Record<string, () => { update(data: Buffer): void; digest(): string }>> = {
  'x-amz-checksum-crc32': () => {
    let value = 0;
    return {
      update: (data) => {
        value = crc32(data, value);
      },
      digest: () => {
        const bytes = Buffer.alloc(4);
        bytes.writeUInt32BE(value);
        return bytes.toString('base64');
      },
    };
  },
  'x-amz-checksum-sha1': () => base64Hash(createHash('sha1')),
  'x-amz-checksum-sha256': () => base64Hash(createHash('sha256')),
};
const base64Hash = (hash: Hash) => ({
  update: (data: Buffer) => {
    hash.update(data);
  },
  digest: () => hash.digest('base64'),
});

const announcedChecksum = (request: IncomingMessage): string | undefined => {
  const trailer = request.headers['x-amz-trailer']?.toString().toLowerCase();
  if (trailer?.startsWith('x-amz-checksum-')) return trailer;
  return Object.keys(request.headers).find((name) => /^x-amz-checksum-(crc|sha)/.test(name));
};

/**
 * Writes a request's body to `path`.
 *
 * @throws S3Error BadDigest, IncompleteBody; the file is removed then, also when the client goes away.
 */
export const receiveBody = async (request: IncomingMessage, path: string): Promise<ReceivedBody> => {
  const trailers = new Map<string, string>();
  const chunked =
    request.headers['content-encoding']?.includes('aws-chunked') === true ||
    request.headers['x-amz-content-sha256']?.toString().startsWith('STREAMING-') === true;
  const checksumName = announcedChecksum(request);
  const checker = checksumName === undefined ? undefined : checkers[checksumName]?.();
  const md5 = createHash('md5');
  let size = 0;
  try {
    await pipeline(
      chunked ? unchunk(request, trailers) : request,
      async function* (source: AsyncIterable<Buffer>) {
        for await (const data of source) {
          md5.update(data);
          checker?.update(data);
          size += data.length;
          yield data;
        }
      },
      createWriteStream(path, { highWaterMark: 1_048_576 }),
    );
    const digest = md5.digest();
    const expectedMd5 = request.headers['content-md5'];
    const checksum = checksumName && (trailers.get(checksumName) ?? request.headers[checksumName]?.toString());
    const expectedSize = request.headers['x-amz-decoded-content-length'];
    if (expectedSize !== undefined && Number(expectedSize) !== size) throw incompleteBody();
    const wrong =
      (expectedMd5 !== undefined && expectedMd5 !== digest.toString('base64')) ||
      (checksum !== undefined && checker !== undefined && checksum !== checker.digest());
    if (wrong) throw new S3Error(400, 'BadDigest', 'The checksum you specified did not match what we received');
    return {
      size,
      md5: digest.toString('hex'),
      checksum: checksumName && checksum ? { [checksumName]: checksum } : {},
    };
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  }
};

/** The whole body as text, for S3's own small documents. */
export const receiveText = async (request: IncomingMessage, limitBytes = 4_194_304): Promise<string> => {
  const chunks: Buffer[] = [];
  let size = 0;
  const trailers = new Map<string, string>();
  const chunked = request.headers['content-encoding']?.includes('aws-chunked') === true;
  for await (const chunk of chunked ? unchunk(request, trailers) : (request as AsyncIterable<Buffer>)) {
    size += chunk.length;
    if (size > limitBytes) throw new S3Error(400, 'EntityTooLarge', 'The document is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
};
