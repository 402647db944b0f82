// The credentials of the porting service from Secrets Manager: cached for some minutes, and read again when the service
// rejects them, because a secret can be rotated while a warm environment runs.
import { GetSecretValueCommand, type SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import * as z from 'zod/mini';
import { parseJson } from '#shared/domain/text/parse-json.ts';
import { type Clock, wallClock } from './clock.ts';

const clientCredentials = z.object({
  clientId: z.string().check(z.minLength(1)),
  clientSecret: z.string().check(z.minLength(1)),
});
export type ClientCredentials = z.infer<typeof clientCredentials>;

export interface SecretSettings {
  readonly client: Pick<SecretsManagerClient, 'send'>;
  /** Name or ARN of a secret whose text is `{"clientId": "…", "clientSecret": "…"}`. */
  readonly secretId: string;
  /** Milliseconds until a cached value is read again. @default 5 minutes */
  readonly maximumAgeMs?: number;
  /** @default wall time */
  readonly clock?: Clock;
}

/**
 * `fresh` bypasses the cache. Rejects with the error of the SDK, or with one that names the secret and never its text.
 */
export type CredentialsReader = (options?: { readonly fresh?: boolean }) => Promise<ClientCredentials>;

export function createCredentialsReader(settings: SecretSettings): CredentialsReader {
  const { maximumAgeMs = 5 * 60_000, clock = wallClock } = settings;
  let cached: { readonly credentials: ClientCredentials; readonly until: number } | undefined;
  let flight: Promise<ClientCredentials> | undefined;

  const read = async (): Promise<ClientCredentials> => {
    const credentials = await readSecret(settings);
    cached = { credentials, until: clock() + maximumAgeMs };
    return credentials;
  };

  return async ({ fresh = false } = {}) => {
    if (!fresh && cached !== undefined && clock() < cached.until) return cached.credentials;
    flight ??= read().finally(() => {
      flight = undefined;
    });
    return flight;
  };
}

async function readSecret({ client, secretId }: SecretSettings): Promise<ClientCredentials> {
  const { SecretString: text } = await client.send(new GetSecretValueCommand({ SecretId: secretId }));
  const read = clientCredentials.safeParse(parseJson(text ?? ''));
  if (read.success) return read.data;
  throw new Error(`secret ${secretId}: expected {"clientId", "clientSecret"}: ${z.prettifyError(read.error)}`);
}
