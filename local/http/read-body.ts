// The body of a request, as far as the service behind it takes one.
import type { IncomingMessage } from 'node:http';

export class BodyTooLargeError extends Error {
  override readonly name = 'BodyTooLargeError';
}

const kept = new WeakMap<object, Buffer>();

/** Reads the body before the service does. DynamoDB takes 16 MB; JSON escapes may double that. */
export const keepBody = async (request: IncomingMessage): Promise<Buffer> => {
  const body = await readBody(request, 33_554_432);
  kept.set(request, body);
  return body;
};

/** @throws BodyTooLargeError once the whole body has arrived: a client that still sends would not see the answer. */
export const readBody = async (request: AsyncIterable<Buffer>, limitBytes: number): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of kept.has(request) ? [kept.get(request) as Buffer] : request) {
    size += chunk.length;
    if (size <= limitBytes) chunks.push(chunk);
  }
  if (size > limitBytes) throw new BodyTooLargeError(`The body has more than ${limitBytes} bytes`);
  return Buffer.concat(chunks);
};

/** The operation that a request of AWS's JSON protocols names: `AmazonSQS.SendMessage` is `SendMessage`. */
export const operationOf = ({ headers }: IncomingMessage): string =>
  headers['x-amz-target']?.toString().split('.').at(-1) ?? '';
