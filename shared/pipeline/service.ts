// The connection to the porting service that every function has which calls it: one secret, one rate limit for all. The
// credentials come from Secrets Manager.
import { setTimeout as sleep } from 'node:timers/promises';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import * as z from 'zod/mini';
import type { CallPriority, RateLimitEvent } from '#shared/request/rate-limit.ts';
import { clocksOf } from '#shared/runtime/calendar-file.ts';
import { type Clock, wallClock } from '#shared/runtime/clock.ts';
import type { Environment, EnvironmentName } from '#shared/runtime/config.ts';
import { createLog, type Log } from '#shared/runtime/logger.ts';
import { createMetrics, type Metrics } from '#shared/runtime/metrics.ts';
import type { FunctionSettings } from '#shared/runtime/settings.ts';
import { createPortingClient, type PortingClient, type PortingClientSettings } from '#shared/service/client.ts';
import { createRateLimiter } from '#shared/service/rate-limiter.ts';
import { clientTimeouts } from '#shared/store/client-timeouts.ts';
import { type AwsClients, createAwsClients } from '#shared/store/clients.ts';
import { createRateLimitStore } from '#shared/store/leases.ts';
import { parseJson } from '#shared/text/stored-values.ts';

export const callingVariables = [
  'RESULTS_TABLE',
  'SERVICE_SECRET_ARN',
  'CALENDAR_FILE',
] as const satisfies readonly EnvironmentName[];

/** For a function that opens the few stores that it needs itself. */
export function wireCallingFunction(
  { RESULTS_TABLE, SERVICE_SECRET_ARN, CALENDAR_FILE }: Pick<Environment, (typeof callingVariables)[number]>,
  settings: FunctionSettings,
  step: string,
) {
  const log = createLog({ service: step });
  const clients = createAwsClients(process.env);
  const connection = { step, log, clients, resultsTable: RESULTS_TABLE, secretId: SERVICE_SECRET_ARN };
  return { log, clients, clocks: clocksOf(CALENDAR_FILE), ...connectService(connection, settings) };
}

interface Connection {
  readonly step: string;
  readonly log: Log;
  readonly clients: Pick<AwsClients, 'table'>;
  readonly resultsTable: string;
  readonly secretId: string;
}

/** @param settings those of the service, `callsPerSecond`, and how long a call may take */
export function connectService(
  { step, log, clients, resultsTable, secretId }: Connection,
  { service: { accountId, baseUrl, authUrl }, submit, callsPerSecond }: FunctionSettings,
  priority?: CallPriority,
) {
  const metrics = createMetrics({ service: step });
  const store = createRateLimitStore(clients.table, resultsTable, accountId);
  const rateLimiter = createRateLimiter({
    store,
    callsPerSecond,
    priority,
    clock: wallClock,
    random: Math.random,
    wait: async (milliseconds) => {
      if (milliseconds > 0) await sleep(milliseconds);
    },
    notify: (news) => reportNews(news, log, metrics),
    onFailure: (error) => log.warn('the state of the rate limiter could not be written', { error }),
  });
  /** Creates a client that has not read the secret yet, and has no token. */
  const openClient = (settings: Partial<PortingClientSettings> = {}): PortingClient =>
    createPortingClient({
      baseUrl,
      authUrl,
      accountId,
      rateLimiter,
      credentials: createCredentialsReader({ client: new SecretsManagerClient(clientTimeouts), secretId }),
      timeoutMs: submit.callTimeoutSeconds * 1000,
      ...settings,
    });
  return { metrics, openClient, client: openClient(), rateLimiter: { get: store.get, ...rateLimiter } };
}

/** Logged once, by the environment that recorded the change; the others read it from the table. */
function reportNews(news: RateLimitEvent, log: Log, metrics: Metrics): void {
  if (news.kind === 'outage') {
    log.error('the service is down: calls are deferred', { since: news.since, because: news.because });
  } else if (news.kind === 'recovered') {
    log.warn('the service is back', { since: news.since, lastedSeconds: Math.round(news.lastedMs / 1000) });
  } else {
    metrics.count('pauses');
    log.warn('the service asked for fewer calls: all calls pause', { waitMs: Math.round(news.waitMs) });
  }
}

// The credentials of the porting service from Secrets Manager: cached for some minutes, and read again when the service
// rejects them, because a secret can be rotated while a warm environment runs.

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
