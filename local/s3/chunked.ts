// The framing that AWS clients put around a streamed body: `size;signature CRLF data CRLF`, then headers at the end.
import { S3Error } from './errors.ts';

interface Framing {
  pending: Buffer;
  /** Bytes of the current chunk that are still to come. */
  remaining: number;
  state: 'size' | 'data' | 'data-end' | 'trailers';
}

export const incompleteBody = (): S3Error =>
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
export async function* unchunk(source: AsyncIterable<Buffer>, trailers: Map<string, string>): AsyncGenerator<Buffer> {
  const framing: Framing = { pending: Buffer.alloc(0), remaining: 0, state: 'size' };
  for await (const chunk of source) {
    framing.pending = framing.pending.length === 0 ? chunk : Buffer.concat([framing.pending, chunk]);
    yield* takeAll(framing, trailers);
  }
  if (framing.state !== 'trailers') throw incompleteBody();
}
