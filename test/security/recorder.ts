// Stands in front of a service and remembers every request that passes: what was written, whatever became of it later.
import { request as send } from 'node:http';
import { serveOnLoopback } from '#local/loopback.ts';

export interface Recorder {
  readonly url: string;
  /** The body of each request, in order of arrival. */
  readonly bodies: readonly string[];
  close(): Promise<void>;
}

export async function recordInFrontOf(target: string): Promise<Recorder> {
  const bodies: string[] = [];
  const { url, close } = await serveOnLoopback((incoming, outgoing) => {
    const chunks: Buffer[] = [];
    // The host stays as it was asked for: a queue's address is made of it.
    const { method, headers, url: path = '/' } = incoming;
    const onward = send(new URL(path, target), { method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    onward.on('error', () => outgoing.destroy());
    outgoing.on('close', () => onward.destroy());
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => void bodies.push(Buffer.concat(chunks).toString()));
    incoming.pipe(onward);
  });
  return { url, bodies, close };
}
