// A server that receives requests unparsed, exactly as they were sent.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { foreignPage, isForeignPage, type Listening, listen } from '../start-simulator.ts';

export interface Place {
  readonly port: number;
  readonly host: string;
}

type Handle = (incoming: IncomingMessage, body: Buffer, outgoing: ServerResponse) => void | Promise<void>;

export const jsonHeaders = { 'content-type': 'application/json;charset=UTF-8' };

/** The call without its body. */
export const callOf = ({ method = '', url = '', headers }: IncomingMessage) => ({ method, path: url, headers });

/** @throws Error for a TCP port that is in use */
export function serve({ port, host }: Place, handle: Handle): Promise<Listening> {
  const handleOwn = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    if (isForeignPage(incoming.headers, host)) {
      outgoing.writeHead(foreignPage.status, jsonHeaders).end(JSON.stringify({ message: foreignPage.message }));
      return;
    }
    await handle(incoming, await buffer(incoming), outgoing);
  };
  const server = createServer((incoming, outgoing) => {
    handleOwn(incoming, outgoing).catch((error: Error) => {
      console.error(`A call failed: ${error.message}`);
      outgoing.destroy();
    });
  });
  return listen(server, port, host);
}
