// The rest of a large import between two looks. A look reads all of its requests, so the more it has the less often it is
// looked at: telling takes no more than about a tenth of one environment's time, whatever the import's size. What changes
// meanwhile is told by one message that waits for the end of the rest.
import type { Imports } from '#shared/aws/imports.ts';
import type { Queues } from '#shared/aws/queues.ts';
import type { ImportItem } from '#shared/domain/ledger.ts';
import type { ReportMessage } from '#shared/domain/plan.ts';
import type { Clock } from '#shared/runtime/clock.ts';

/** To read a request and to count it takes 0.1 ms of a core (docs/performance.md): of the third that 512 MB buy, a tenth of this. */
const restOfRequestMs = 3;
/** A shorter one would change nothing: the queue's window (infra/config.ts) gathers messages for as long. */
const leastRestMs = 5_000;
/** As long as SQS can delay a message. */
const mostRestMs = 15 * 60_000;
/** The clocks of two environments never differ by more: the message that waits is not taken for one that has another behind it. */
const clocksDifferMs = 2_000;

/** Milliseconds: none up to 1,666 requests, half a minute for 10,000. */
export function restOf(requestCount: number): number {
  const rest = requestCount * restOfRequestMs;
  return rest < leastRestMs ? 0 : Math.min(rest, mostRestMs);
}

export interface RestParts {
  readonly imports: Pick<Imports, 'update'>;
  readonly queues: Queues;
  readonly reportQueueUrl: string;
  readonly restOf: (requestCount: number) => number;
  /** Wall time. */
  readonly wall: Clock;
}

/**
 * Answers whether the import may be looked at now; then its next rest has begun. Where it may not, a message that waits looks
 * at it in the place of this one.
 * @param cameBack this message failed before, or whoever had it died: were it put off, nothing would ever be put aside
 */
export async function mayLook(item: ImportItem, cameBack: boolean, parts: RestParts): Promise<boolean> {
  const { importId, requestCount, restsUntil = '', putOffTo = '' } = item;
  const now = parts.wall();
  if (!cameBack && restsUntil > iso(now)) {
    if (putOffTo <= iso(now + clocksDifferMs)) await putOff(importId, restsUntil, parts);
    return false;
  }
  const rest = parts.restOf(requestCount);
  if (rest > 0) await parts.imports.update(importId, { restsUntil: iso(now + rest) });
  return true;
}

/** The message first: a note without one would let others go for nothing. */
async function putOff(importId: string, putOffTo: string, parts: RestParts): Promise<void> {
  const { imports, queues, reportQueueUrl, wall } = parts;
  const message: ReportMessage = { importId };
  await queues.send(reportQueueUrl, [message], { delaySeconds: (Date.parse(putOffTo) - wall()) / 1000 });
  await imports.update(importId, { putOffTo });
}

const iso = (epochMs: number): string => new Date(epochMs).toISOString();
