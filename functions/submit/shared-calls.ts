// The requests of a batch take the same steps at the same time. What they read and claim at one moment is one call of
// AWS instead of one for each.
import type { NumberItem } from '#shared/request/number-claim.ts';
import type { RequestItem } from '#shared/request/request.ts';
import { gatherCalls } from '#shared/store/gather-calls.ts';
import type { RequestNumber } from '#shared/text/identity.ts';
import type { SubmitPipeline } from './attempt.ts';

type Shared = Pick<SubmitPipeline, 'requests' | 'plans' | 'numbers' | 'client'>;

/** For one batch. Each request is still claimed, recorded and sent by itself, and fails by itself. */
export function shareCalls({ requests, plans, numbers, client }: Shared): Shared {
  const getRequest = gatherCalls(
    ({ importId, request }: RequestNumber) => requests.get(importId, request),
    async (numbersOfBatch) => {
      const find = await requests.getMany(numbersOfBatch);
      return (one) => find(one);
    },
  );
  const readPlan = gatherCalls(plans.read, async (items: readonly RequestItem[]) => plans.readMany(items));
  const claim = gatherCalls(numbers.claim, async (lists: readonly (readonly NumberItem[])[]) => {
    const claims = lists.flat();
    // Requests that claim the same number do so one after another.
    if (new Set(claims.map(({ number }) => number)).size < claims.length) return undefined;
    const held = await numbers.claim(claims);
    return (own) => held.filter(({ number }) => own.some((claim) => claim.number === number));
  });
  let check: Promise<void> | undefined;
  return {
    requests: { ...requests, get: (importId, request) => getRequest({ importId, request }) },
    plans: { ...plans, read: readPlan },
    numbers: { ...numbers, claim },
    client: {
      ...client,
      throwIfDeferred: () => {
        check ??= client.throwIfDeferred();
        return check;
      },
    },
  };
}
