// A body of S3 that stops to arrive ends the read while there is time to clean up.
import { readFileSync } from 'node:fs';
import { S3Client } from '@aws-sdk/client-s3';
import { expect, test } from 'vitest';
import { serveOnLoopback } from '#local/http/loopback.ts';
import { timeNeeded } from '#shared/runtime/clock.ts';
import { clientTimeouts } from '#shared/store/client-timeouts.ts';
import { createAwsClients } from '#shared/store/clients.ts';
import { createFiles } from '#shared/store/files.ts';

const projectFiles = [
  'shared/store/clients.ts',
  'shared/pipeline/service.ts',
  'shared/pipeline/service.ts',
  'functions/announce/entry.ts',
  'functions/api-write/entry.ts',
  'cli/target/stack-outputs.ts',
  'cli/target/sync-function.ts',
];

async function stalledServer() {
  return serveOnLoopback((_request, response) => {
    response.writeHead(200, { 'content-length': '1000000' });
    response.write('msisdn,serialNo\n');
  });
}

test('an object whose bytes stop to arrive ends the read', async () => {
  const server = await stalledServer();
  const { requestHandler } = clientTimeouts;
  const s3 = new S3Client({
    endpoint: server.url,
    forcePathStyle: true,
    // The same handler, a hundred times faster.
    requestHandler: { ...requestHandler, socketTimeout: requestHandler.socketTimeout / 100 },
  });
  const received: string[] = [];
  const read = async () => {
    for await (const chunk of await createFiles(s3).read({ bucket: 'inbox', key: 'x.csv' })) {
      received.push(Buffer.from(chunk).toString());
    }
  };
  await expect(read()).rejects.toThrow(/inactivity|aborted|timed out/);
  expect(received.join('')).toBe('msisdn,serialNo\n');
  await server.close();
  s3.destroy();
});

test('the limit is below the time that a step keeps for its end', () => {
  const { connectionTimeout, socketTimeout } = clientTimeouts.requestHandler;
  expect(connectionTimeout + socketTimeout).toBeLessThanOrEqual(timeNeeded.cleanUp);
});

test('every client of a function has the limits', async () => {
  const { s3, sqs, table } = createAwsClients({});
  for (const { config } of [s3, sqs, table]) {
    const handler = config.requestHandler as unknown as { configProvider: Promise<Record<string, unknown>> };
    expect(await handler.configProvider).toMatchObject(clientTimeouts.requestHandler);
  }
  const bare = projectFiles.filter((file) => /new \w+Client\(\{\}\)/.test(readFileSync(file, 'utf8')));
  expect(bare).toEqual([]);
});
