// The client of the porting service, wired alike for every function that calls it: one secret, one rate limit for all.
import { setTimeout as sleep } from 'node:timers/promises';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { CallPriority, RateLimitEvent } from '#shared/domain/requests/rate-limit.ts';
import { createPortingClient, type PortingClient } from '#shared/porting/client.ts';
import { createRateLimiter, type RateLimiter } from '#shared/porting/rate-limiter.ts';
import { clientTimeouts } from '#shared/store/client-timeouts.ts';
import { createRateLimitStore, type RateLimitStore } from '#shared/store/tables/rate-limit-state.ts';
import { wallClock } from '../clock.ts';
import type { Environment, EnvironmentName } from '../config.ts';
import type { Log } from '../logger.ts';
import type { Metrics } from '../metrics.ts';
import { createCredentialsReader } from '../secret.ts';
import type { FunctionSettings } from '../settings.ts';

export const portingVariables = ['RESULTS_TABLE', 'SERVICE_SECRET_ARN'] as const satisfies readonly EnvironmentName[];

export interface PortingAccess {
  readonly client: PortingClient;
  /** A client that has not read the secret yet, and has no token. */
  readonly openClient: () => PortingClient;
  readonly rateLimiter: Pick<RateLimitStore, 'get'> & Pick<RateLimiter, 'probeNow' | 'isSaturated'>;
}

export function wirePortingClient(
  environment: Pick<Environment, (typeof portingVariables)[number]>,
  { service, submit, callsPerSecond }: FunctionSettings,
  table: DynamoDBDocumentClient,
  scope: { readonly log: Log; readonly metrics: Pick<Metrics, 'count'>; readonly priority?: CallPriority },
): PortingAccess {
  const { accountId, baseUrl, authUrl } = service;
  const store = createRateLimitStore(table, environment.RESULTS_TABLE, accountId);
  const rateLimiter = createRateLimiter({
    store,
    callsPerSecond,
    priority: scope.priority,
    clock: wallClock,
    random: Math.random,
    wait: async (milliseconds) => {
      if (milliseconds > 0) await sleep(milliseconds);
    },
    notify: (news) => reportNews(news, scope),
    onFailure: (error) => scope.log.warn('the state of the rate limiter could not be written', { error }),
  });
  const openClient = () =>
    createPortingClient({
      ...{ baseUrl, authUrl, accountId },
      credentials: createCredentialsReader({
        client: new SecretsManagerClient(clientTimeouts),
        secretId: environment.SERVICE_SECRET_ARN,
      }),
      timeoutMs: submit.callTimeoutSeconds * 1000,
      rateLimiter,
    });
  return { client: openClient(), openClient, rateLimiter: { get: store.get, ...rateLimiter } };
}

/** Logged once, by the environment that recorded the change; the others read it from the table. */
function reportNews(
  news: RateLimitEvent,
  { log, metrics }: { readonly log: Log; readonly metrics: Pick<Metrics, 'count'> },
): void {
  if (news.kind === 'outage') {
    log.error('the service is down: calls are deferred', { since: news.since, because: news.because });
  } else if (news.kind === 'recovered') {
    log.warn('the service is back', { since: news.since, lastedSeconds: Math.round(news.lastedMs / 1000) });
  } else {
    metrics.count('pauses');
    log.warn('the service asked for fewer calls: all calls pause', { waitMs: Math.round(news.waitMs) });
  }
}
