// What every function that calls the porting service is wired with: one secret, one rate limit for all.
import { setTimeout as sleep } from 'node:timers/promises';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import type { CallPriority, RateLimitEvent } from '#shared/request/rate-limit.ts';
import { calendarFromFile } from '#shared/runtime/calendar-file.ts';
import { wallClock } from '#shared/runtime/clock.ts';
import type { Environment, EnvironmentName } from '#shared/runtime/config.ts';
import { createLog, type Log } from '#shared/runtime/logger.ts';
import { createMetrics, type Metrics } from '#shared/runtime/metrics.ts';
import type { FunctionSettings } from '#shared/runtime/settings.ts';
import { createPortingClient, type PortingClientSettings } from '#shared/service/client.ts';
import { createRateLimiter } from '#shared/service/rate-limiter.ts';
import { clientTimeouts } from '#shared/store/client-timeouts.ts';
import { createAwsClients } from '#shared/store/clients.ts';
import { createRateLimitStore } from '#shared/store/leases.ts';
import { createCredentialsReader } from './service.ts';

export const callingVariables = [
  'RESULTS_TABLE',
  'SERVICE_SECRET_ARN',
  'CALENDAR_FILE',
] as const satisfies readonly EnvironmentName[];

export function wireCallingFunction(
  environment: Pick<Environment, (typeof callingVariables)[number]>,
  { service: { accountId, baseUrl, authUrl }, submit, callsPerSecond }: FunctionSettings,
  name: string,
  priority?: CallPriority,
) {
  const log = createLog({ service: name });
  const metrics = createMetrics({ service: name });
  const clients = createAwsClients(process.env);
  const store = createRateLimitStore(clients.table, environment.RESULTS_TABLE, accountId);
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
  const openClient = (settings: Pick<PortingClientSettings, 'fetch' | 'retry'> = {}) =>
    createPortingClient({
      baseUrl,
      authUrl,
      accountId,
      rateLimiter,
      credentials: createCredentialsReader({
        client: new SecretsManagerClient(clientTimeouts),
        secretId: environment.SERVICE_SECRET_ARN,
      }),
      timeoutMs: submit.callTimeoutSeconds * 1000,
      ...settings,
    });
  const { CALENDAR_FILE: file } = environment;
  const clocks = { wall: wallClock, calendar: file === undefined ? wallClock : calendarFromFile(file) };
  return {
    log,
    metrics,
    clients,
    clocks,
    openClient,
    client: openClient(),
    rateLimiter: { get: store.get, ...rateLimiter },
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
