// What the pace of calls needs of its process: time, chance, and ears for its news.
import { setTimeout as sleep } from 'node:timers/promises';
import type { PaceNews } from '#shared/domain/pace.ts';
import { wallClock } from './clock.ts';
import type { Log } from './logger.ts';
import type { Metrics } from './metrics.ts';

export const paceSurroundings = (log: Log, metrics: Pick<Metrics, 'count'>) => ({
  clock: wallClock,
  random: Math.random,
  wait: async (milliseconds: number): Promise<void> => {
    if (milliseconds > 0) await sleep(milliseconds);
  },
  tell: tellTo(log, metrics),
  onFailure: (error: unknown): void => log.warn('the pace of calls was not changed', { error }),
});

/** Once for the whole stage: by the environment that wrote the change. */
export const tellTo =
  (log: Log, metrics: Pick<Metrics, 'count'>) =>
  (news: PaceNews): void => {
    if (news.kind === 'down') {
      log.error('the service is down: calls are held back', { since: news.since, because: news.because });
    } else if (news.kind === 'back') {
      log.warn('the service is back', { since: news.since, lastedSeconds: Math.round(news.lastedMs / 1000) });
    } else {
      metrics.count('pauses');
      log.warn('the service asked for fewer calls: the stage waits', { waitMs: Math.round(news.waitMs) });
    }
  };
