// Decodes a tick of the schedule, or a person's call: either way one run, whatever the event holds.
import type { Context } from 'aws-lambda';
import type { Log } from '#shared/runtime/logger.ts';
import type { Metrics } from '#shared/runtime/metrics.ts';
import type { SyncResult } from './sync.ts';

export interface SyncHandlerParts {
  readonly runSync: (runId: string, remainingMs: () => number) => Promise<SyncResult>;
  readonly log: Log;
  readonly metrics: Pick<Metrics, 'flush'>;
}

export type SyncHandler = (
  event: unknown,
  context: Pick<Context, 'awsRequestId' | 'getRemainingTimeInMillis'>,
) => Promise<SyncResult>;

export function createSyncHandler({ runSync, log, metrics }: SyncHandlerParts): SyncHandler {
  return async (_event, context) => {
    try {
      const result = await runSync(context.awsRequestId, () => context.getRemainingTimeInMillis());
      log.info('synced', { ...result });
      return result;
    } finally {
      metrics.flush();
    }
  };
}
