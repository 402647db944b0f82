// A proxy in front of a service that records every request.
import { request as send } from 'node:http';
import { serveOnLoopback } from '#local/http/loopback.ts';

export interface Recorder {
  readonly url: string;
  /** The body of each request, in the order of arrival. */
  readonly bodies: readonly string[];
  close(): Promise<void>;
}

export async function recordInFrontOf(target: string): Promise<Recorder> {
  const bodies: string[] = [];
  const { url, close } = await serveOnLoopback((incoming, outgoing) => {
    const chunks: Buffer[] = [];
    // The host stays as requested: the address of a queue contains it.
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
