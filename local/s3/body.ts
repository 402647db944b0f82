// Writes the body of a PUT to a file, plain or in AWS's signed chunks, and checks it against the client's checksums.
// It holds one chunk in memory whatever the object's size.
import { createHash, type Hash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { crc32 } from 'node:zlib';
import { readBody } from '../http/loopback.ts';
import { S3Error } from './request.ts';

interface ReceivedBody {
  readonly size: number;
  /** Hex MD5 of the bytes. */
  readonly md5: string;
  /** The client's own checksum header (`x-amz-checksum-...`), which readers can ask for. */
  readonly checksum: Readonly<Record<string, string>>;
}

/** The checksums that Node can compute; the others (CRC32C, CRC64NVME) are kept unchecked. */
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

export const announcedChecksum = (request: IncomingMessage): string | undefined => {
  const trailer = request.headers['x-amz-trailer']?.toString().toLowerCase();
  if (trailer?.startsWith('x-amz-checksum-')) return trailer;
  return Object.keys(request.headers).find((name) => /^x-amz-checksum-(crc|sha)/.test(name));
};

/** S3 takes no body whose length is unknown, such as one that curl reads from a pipe. */
const requireLength = ({ headers }: IncomingMessage): void => {
  if (headers['transfer-encoding'] === undefined || headers['x-amz-decoded-content-length'] !== undefined) return;
  const message = 'A header you provided implies functionality that is not implemented: Transfer-Encoding';
  throw new S3Error(501, 'NotImplemented', message);
};

/**
 * Writes a request's body to `path`.
 * @throws S3Error NotImplemented, BadDigest, IncompleteBody. The file is then removed, also if the client disconnected.
 */
export const receiveBody = async (request: IncomingMessage, path: string): Promise<ReceivedBody> => {
  requireLength(request);
  const trailers = new Map<string, string>();
  const chunked =
    request.headers['content-encoding']?.includes('aws-chunked') === true ||
    request.headers['x-amz-content-sha256']?.toString().startsWith('STREAMING-') === true;
  const checksumName = announcedChecksum(request);
  const checker = checksumName === undefined ? undefined : checkers[checksumName]?.();
  const md5 = createHash('md5');
  let size = 0;
  // Where the file cannot be written the client is still to be answered.
  const received: AsyncIterable<Buffer> = request.iterator({ destroyOnReturn: false });
  try {
    await pipeline(
      chunked ? unchunk(received, trailers) : received,
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

/** S3 takes a list of a thousand keys, each of at most a kilobyte. */
const largestDocumentBytes = 4_194_304;

/** The whole body as text, for S3's own small documents. */
export const receiveText = async (request: IncomingMessage): Promise<string> => {
  const chunked = request.headers['content-encoding']?.includes('aws-chunked') === true;
  return (
    await readBody(chunked ? Readable.from(unchunk(request, new Map())) : request, largestDocumentBytes)
  ).toString('utf8');
};

/** What AWS clients put around a streamed body: `size;signature CRLF data CRLF`, then headers at the end. */
interface Framing {
  pending: Buffer;
  /** Bytes of the current chunk that are still to come. */
  remaining: number;
  state: 'size' | 'data' | 'data-end' | 'trailers';
}

const incompleteBody = (): S3Error =>
  new S3Error(400, 'IncompleteBody', 'You did not provide the number of bytes specified by the headers');

/** A chunk's size with its signature, or a header at the end. */
const longestLine = 8_192;

const takeLine = (framing: Framing): string | undefined => {
  const end = framing.pending.indexOf('\r\n');
  if (end < 0 && framing.pending.length > longestLine) throw incompleteBody();
  if (end < 0) return undefined;
  const line = framing.pending.toString('latin1', 0, end);
  framing.pending = framing.pending.subarray(end + 2);
  return line;
};

const takeData = (framing: Framing): Buffer => {
  const data = framing.pending.subarray(0, framing.remaining);
  framing.pending = framing.pending.subarray(data.length);
  framing.remaining -= data.length;
  if (framing.remaining === 0) framing.state = 'data-end';
  return data;
};

const readLine = (framing: Framing, line: string, trailers: Map<string, string>): void => {
  if (framing.state === 'data-end') {
    framing.state = 'size';
  } else if (framing.state === 'size') {
    if (!/^[0-9a-f]{1,8}(;|$)/i.test(line)) throw incompleteBody();
    framing.remaining = Number.parseInt(line, 16);
    framing.state = framing.remaining === 0 ? 'trailers' : 'data';
  } else {
    const [name = '', value = ''] = line.split(/:(.*)/);
    if (name !== '') trailers.set(name.trim().toLowerCase(), value.trim());
  }
};

function* takeAll(framing: Framing, trailers: Map<string, string>): Generator<Buffer> {
  while (framing.pending.length > 0) {
    if (framing.state === 'data') {
      yield takeData(framing);
      continue;
    }
    const line = takeLine(framing);
    if (line === undefined) return;
    readLine(framing, line, trailers);
  }
}

/**
 * Removes the framing. The headers at the end go to `trailers`, with names in lower case.
 *
 * @throws S3Error IncompleteBody where the last chunk is missing or a size is not a number.
 */
async function* unchunk(source: AsyncIterable<Buffer>, trailers: Map<string, string>): AsyncGenerator<Buffer> {
  const framing: Framing = { pending: Buffer.alloc(0), remaining: 0, state: 'size' };
  for await (const chunk of source) {
    framing.pending = framing.pending.length === 0 ? chunk : Buffer.concat([framing.pending, chunk]);
    yield* takeAll(framing, trailers);
  }
  if (framing.state !== 'trailers') throw incompleteBody();
}
