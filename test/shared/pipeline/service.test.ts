// The credentials reader with the real SDK client and a small Secrets Manager (faults 42 and 50).
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { describe, expect, test } from 'vitest';
import { createCredentialsReader } from '#shared/pipeline/service.ts';

/** Answers GetSecretValue with one text after another, and then always with the last one. */
async function secretsManager(...texts: (string | undefined)[]) {
  let reads = 0;
  const server = createServer((_request, response) => {
    const text = texts[Math.min(reads, texts.length - 1)];
    reads += 1;
    response.writeHead(text === undefined ? 400 : 200, { 'content-type': 'application/x-amz-json-1.1' });
    response.end(
      JSON.stringify(
        text === undefined
          ? { __type: 'ResourceNotFoundException', message: 'no such secret' }
          : { SecretString: text },
      ),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = new SecretsManagerClient({
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    region: 'eu-west-2',
    maxAttempts: 1,
  });
  return {
    client,
    secretId: 'porting-service',
    get reads() {
      return reads;
    },
    async [Symbol.asyncDispose]() {
      client.destroy();
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

const textOf = (clientSecret: string) => JSON.stringify({ clientId: 'client-1', clientSecret });

describe('credentials are read', () => {
  test('from the text of the secret', async () => {
    await using secrets = await secretsManager(textOf('one'));

    expect(await createCredentialsReader(secrets)()).toEqual({ clientId: 'client-1', clientSecret: 'one' });
  });

  test('once for simultaneous callers', async () => {
    await using secrets = await secretsManager(textOf('one'));
    const credentials = createCredentialsReader(secrets);

    await Promise.all([credentials(), credentials(), credentials()]);

    expect(secrets.reads).toBe(1);
  });

  test('again when the cached ones are too old', async () => {
    let now = 0;
    await using secrets = await secretsManager(textOf('one'), textOf('two'));
    const { client, secretId } = secrets;
    const credentials = createCredentialsReader({ client, secretId, maximumAgeMs: 1_000, clock: () => now });

    await credentials();
    now = 999;
    expect(await credentials()).toMatchObject({ clientSecret: 'one' });
    now = 1_000;
    expect(await credentials()).toMatchObject({ clientSecret: 'two' });
  });

  test('again when fresh ones are required, which are cached', async () => {
    await using secrets = await secretsManager(textOf('one'), textOf('two'));
    const credentials = createCredentialsReader(secrets);
    await credentials();

    expect(await credentials({ fresh: true })).toMatchObject({ clientSecret: 'two' });
    expect(await credentials()).toMatchObject({ clientSecret: 'two' });
  });

  test('again after a failed read', async () => {
    await using secrets = await secretsManager(undefined, textOf('one'));
    const credentials = createCredentialsReader(secrets);

    await expect(credentials()).rejects.toThrow('no such secret');

    expect(await credentials()).toMatchObject({ clientSecret: 'one' });
  });
});

describe('the error of an invalid secret has its name, and never its text', () => {
  test.each([
    ['no JSON', 'hunter2'],
    ['no secret in it', '{"clientId":"hunter2"}'],
    ['an empty secret', '{"clientId":"hunter2","clientSecret":""}'],
  ])('%s', async (_name, text) => {
    await using secrets = await secretsManager(text);

    const error = await createCredentialsReader(secrets)().catch((thrown: Error) => thrown);

    expect(error).toBeInstanceOf(Error);
    expect(String(error)).toContain('secret porting-service: expected');
    expect(String(error)).not.toContain('hunter2');
  });
});
