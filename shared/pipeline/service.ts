// The pipeline of a step that calls the porting service: one secret, one rate limit for all steps. The credentials come
// from Secrets Manager. A bundle with this file contains the operations.
import { setTimeout as sleep } from 'node:timers/promises';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import * as z from 'zod/mini';
import { operationNamed } from '#shared/operations/registry.ts';
import type { CallPriority, RateLimitEvent } from '#shared/request/shared-rate-limit.ts';
import { type Clock, wallClock } from '#shared/runtime/clock.ts';
import { parseEnvironment } from '#shared/runtime/config.ts';
import type { Log } from '#shared/runtime/logger.ts';
import { createMetrics, type Metrics } from '#shared/runtime/metrics.ts';
import { createPortingClient, type PortingClient, type PortingClientSettings } from '#shared/service/client.ts';
import { createRateLimiter } from '#shared/service/rate-limiter.ts';
import { clientTimeouts } from '#shared/store/client-timeouts.ts';
import { createRateLimitStore } from '#shared/store/leases.ts';
import { createNumbers } from '#shared/store/numbers.ts';
import { createPlans } from '#shared/store/plans.ts';
import { createPortSnapshots } from '#shared/store/ports.ts';
import { parseJson } from '#shared/text/stored-values.ts';
import { type OpenedPipeline, openPipeline } from './pipeline.ts';

/** For a step that calls the service. @throws Error that names every variable which is missing or wrong */
export function openService(env: Readonly<Record<string, string | undefined>>, step: string, priority?: CallPriority) {
  const pipeline = openPipeline(env, step);
  const { SERVICE_SECRET_ARN: secretId } = parseEnvironment(env, ['SERVICE_SECRET_ARN']);
  const { clients, resultsTable, files, ports, comparisons, resources } = pipeline;
  const numbers = createNumbers(clients.table, resultsTable);
  return {
    ...pipeline,
    ...connect(pipeline, { secretId, priority }),
    operationNamed,
    numbers,
    snapshots: createPortSnapshots(ports, numbers, comparisons),
    plans: createPlans(files, resources.workBucket),
    wait: (milliseconds: number) => sleep(milliseconds, undefined, { ref: false }),
  };
}

function connect(
  { step, log, clients, resultsTable, resources, all }: OpenedPipeline,
  { secretId, priority }: { readonly secretId: string; readonly priority: CallPriority | undefined },
) {
  const { service, submit, callsPerSecond } = all;
  const { accountId, baseUrl, authUrl } = service;
  const metrics = createMetrics({ service: step });
  const store = createRateLimitStore(clients.table, resultsTable, resources.account);
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
export function reportNews(news: RateLimitEvent, log: Log, metrics: Metrics): void {
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
