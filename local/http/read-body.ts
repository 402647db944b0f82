// The body of a request, as far as the service behind it takes one.
import type { IncomingMessage } from 'node:http';

export class BodyTooLargeError extends Error {
  override readonly name = 'BodyTooLargeError';
}

/** @throws BodyTooLargeError once the whole body has arrived: a client that still sends would not see the answer. */
export const readBody = async (request: AsyncIterable<Buffer>, limitBytes: number): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size <= limitBytes) chunks.push(chunk);
  }
  if (size > limitBytes) throw new BodyTooLargeError(`The body has more than ${limitBytes} bytes`);
  return Buffer.concat(chunks);
};

/** The operation that a request of AWS's JSON protocols names: `AmazonSQS.SendMessage` is `SendMessage`. */
export const operationOf = ({ headers }: IncomingMessage): string =>
  headers['x-amz-target']?.toString().split('.').at(-1) ?? '';
