// Decodes a tick of the schedule, or a person's call: a decision about a request, or one run, whatever else the event holds.
import type { Context } from 'aws-lambda';
import { type Decide, type DecisionAnswer, decisionWish } from '#shared/domain/decision.ts';
import { syncWish } from '#shared/domain/sync-wish.ts';
import type { Log } from '#shared/runtime/logger.ts';
import type { Metrics } from '#shared/runtime/metrics.ts';
import type { SyncResult } from './sync.ts';

export interface SyncHandlerParts {
  readonly runSync: (runId: string, remainingMs: () => number, checkSecret: boolean) => Promise<SyncResult>;
  readonly decide: (wish: Decide, runId: string, remainingMs: () => number) => Promise<DecisionAnswer>;
  readonly log: Log;
  readonly metrics: Pick<Metrics, 'flush'>;
}

export type SyncHandler = (
  event: unknown,
  context: Pick<Context, 'awsRequestId' | 'getRemainingTimeInMillis'>,
) => Promise<SyncResult | DecisionAnswer>;

export function createSyncHandler({ runSync, decide, log, metrics }: SyncHandlerParts): SyncHandler {
  return async (event, context) => {
    const remainingMs = () => context.getRemainingTimeInMillis();
    try {
      if (isDecision(event)) {
        const wish = decisionWish.safeParse(event);
        return wish.success ? await decide(wish.data.decide, context.awsRequestId, remainingMs) : notUnderstood;
      }
      const result = await runSync(context.awsRequestId, remainingMs, syncWish.safeParse(event).success);
      log.info('synced', { ...result });
      return result;
    } finally {
      metrics.flush();
    }
  };
}

const isDecision = (event: unknown): boolean => typeof event === 'object' && event !== null && 'decide' in event;

const notUnderstood: DecisionAnswer = {
  decided: false,
  why: 'the decision cannot be read',
  advice: 'use the simporter of the version that is deployed',
};
