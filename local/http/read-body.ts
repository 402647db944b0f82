// The body of a request, as far as the service behind it takes one.
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';

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
export const readBody = async (request: Readable, limitBytes: number): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  let size = 0;
  const take = (chunk: Buffer): void => {
    size += chunk.length;
    if (size <= limitBytes) chunks.push(chunk);
  };
  const body = kept.get(request);
  // Events take a fraction of the time of an async iterator.
  if (body === undefined) await finished(request.on('data', take), { writable: false });
  else take(body);
  if (size > limitBytes) throw new BodyTooLargeError(`The body has more than ${limitBytes} bytes`);
  return Buffer.concat(chunks);
};

/** The operation that a request of AWS's JSON protocols names: `AmazonSQS.SendMessage` is `SendMessage`. */
export const operationOf = ({ headers }: IncomingMessage): string =>
  headers['x-amz-target']?.toString().split('.').at(-1) ?? '';
