// Single services of the emulator, each at its own address, for tests that need no more.
import { createEventBridge } from '#local/aws/event-bridge.ts';
import { serveOnLoopback } from '#local/http/loopback.ts';
import { openS3, type S3Options } from '#local/s3/server.ts';
import { type EmbeddedSqs, openSqs } from '#local/sqs/server.ts';

export interface Served {
  readonly url: string;
  stop(): Promise<void>;
}

const region = 'eu-west-2';

export type ServedSqs = Served & Pick<EmbeddedSqs, 'store' | 'call'>;

export const serveSqs = async (directory?: string): Promise<ServedSqs> => {
  let sqs: EmbeddedSqs | undefined;
  const server = await serveOnLoopback((request, response) => sqs?.handle(request, response));
  const opened = openSqs({ region, accountId: '000000000000', endpoint: server.url, directory });
  sqs = opened;
  return {
    url: server.url,
    store: opened.store,
    call: opened.call,
    stop: async () => {
      await server.close();
      opened.stop();
    },
  };
};

export const serveS3 = async (
  options: Omit<S3Options, 'region'>,
): Promise<Served & { readonly missing: readonly string[] }> => {
  const s3 = openS3({ ...options, region });
  const server = await serveOnLoopback(s3.handle);
  return {
    url: server.url,
    missing: s3.missing,
    stop: async () => {
      await server.close();
      s3.stop();
    },
  };
};

/** Takes events at its address, and shows them below it at `/_emulator/events`. */
export const serveEventBridge = async (clock: () => number): Promise<Served> => {
  const bus = createEventBridge({ region, accountId: '000000000000', clock });
  const server = await serveOnLoopback((request, response) =>
    request.method === 'GET' ? bus.show(request, response) : bus.handle(request, response),
  );
  return { url: server.url, stop: server.close };
};
