// The service's credentials from Secrets Manager: read once for all callers, kept for a while, and read afresh when the
// service refuses the kept ones (a secret can rotate while a warm environment runs).
import { GetSecretValueCommand, type SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import * as z from 'zod/mini';
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
  /** Milliseconds a value is used before it is read again. @default 5 minutes */
  readonly maximumAgeMs?: number;
  /** @default wall time */
  readonly clock?: Clock;
}

/** `fresh` bypasses what is kept. Rejects with the SDK's error, or with one that names the secret and never its text. */
export type CredentialsReader = (options?: { readonly fresh?: boolean }) => Promise<ClientCredentials>;

export function createCredentialsReader(settings: SecretSettings): CredentialsReader {
  const { maximumAgeMs = 5 * 60_000, clock = wallClock } = settings;
  let kept: { readonly credentials: ClientCredentials; readonly until: number } | undefined;
  let flight: Promise<ClientCredentials> | undefined;

  const read = async (): Promise<ClientCredentials> => {
    const credentials = await readSecret(settings);
    kept = { credentials, until: clock() + maximumAgeMs };
    return credentials;
  };

  return async ({ fresh = false } = {}) => {
    if (!fresh && kept !== undefined && clock() < kept.until) return kept.credentials;
    flight ??= read().finally(() => {
      flight = undefined;
    });
    return flight;
  };
}

async function readSecret({ client, secretId }: SecretSettings): Promise<ClientCredentials> {
  const { SecretString: text } = await client.send(new GetSecretValueCommand({ SecretId: secretId }));
  const read = clientCredentials.safeParse(jsonOf(text ?? ''));
  if (read.success) return read.data;
  throw new Error(`secret ${secretId}: expected {"clientId", "clientSecret"}: ${z.prettifyError(read.error)}`);
}

/** The parser's own error would quote the secret. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
