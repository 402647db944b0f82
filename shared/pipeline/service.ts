// Adds to the pipeline what a step needs that calls the porting service: one secret, one rate limit for all. In a
// separate file, because a bundle with it has the operations and the client of the service.
import { setTimeout as sleep } from 'node:timers/promises';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { operationNamed } from '#shared/operations/registry.ts';
import type { CallPriority, RateLimitEvent } from '#shared/request/rate-limit.ts';
import { wallClock } from '#shared/runtime/clock.ts';
import type { Log } from '#shared/runtime/logger.ts';
import { createMetrics, type Metrics } from '#shared/runtime/metrics.ts';
import { createCredentialsReader } from '#shared/runtime/secret.ts';
import { createPortingClient, type PortingClient, type PortingClientSettings } from '#shared/service/client.ts';
import { createRateLimiter } from '#shared/service/rate-limiter.ts';
import { clientTimeouts } from '#shared/store/client-timeouts.ts';
import { createNumbers } from '#shared/store/numbers.ts';
import { createPlans } from '#shared/store/plans.ts';
import { createPortSnapshots } from '#shared/store/tables/port-snapshots.ts';
import { createRateLimitStore } from '#shared/store/tables/rate-limit-state.ts';
import type { OpenedPipeline } from './pipeline.ts';

export function openService(pipeline: OpenedPipeline, priority?: CallPriority) {
  const { clients, resultsTable, files, ports, comparisons, resources, log } = pipeline;
  const { service, callsPerSecond } = pipeline.all;
  const metrics = createMetrics({ service: pipeline.step });
  const store = createRateLimitStore(clients.table, resultsTable, service.accountId);
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
      baseUrl: service.baseUrl,
      authUrl: service.authUrl,
      accountId: service.accountId,
      rateLimiter,
      credentials: createCredentialsReader({
        client: new SecretsManagerClient(clientTimeouts),
        secretId: pipeline.secretId,
      }),
      timeoutMs: pipeline.settings.callTimeoutMs,
      ...settings,
    });
  const numbers = createNumbers(clients.table, resultsTable);
  return {
    ...pipeline,
    openClient,
    client: openClient(),
    rateLimiter: { get: store.get, ...rateLimiter },
    operationNamed,
    numbers,
    snapshots: createPortSnapshots(ports, numbers, comparisons),
    plans: createPlans(files, resources.workBucket),
    wait: (milliseconds: number) => sleep(milliseconds, undefined, { ref: false }),
    metrics,
  };
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
