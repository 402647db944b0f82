// Fair queues: SQS delivers the messages of quiet groups before those of groups that keep its consumers busy. The rule
// is that of AWS, whose thresholds are approximate; what "recent" means is not documented, and five minutes here.
// docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-fair-queues-detailed.html
import type { Clock } from '../clock.ts';

/** The share of the messages in flight, or of the processing time. */
const noisyShare = 0.1;
const noisyInFlight = 30;
/** A noisy group without a message in flight is quiet after this time. */
const quietMs = 300_000;
const recentMinutes = 5;
const minuteMs = 60_000;

/** Numbers by group. A message without a group is a group of its own, so those of undefined are never noisy. */
type ByGroup = ReadonlyMap<string | undefined, number>;

const totalOf = (numbers: ByGroup): number => numbers.values().reduce((sum, number) => sum + number, 0);

/** The groups of one queue. */
export class FairQueue {
  readonly #clock: Clock;
  /** When each noisy group last had a message in flight. */
  readonly #noisy = new Map<string, number>();
  /** How long messages were in flight, by the minute in which that ended. */
  readonly #processed = new Map<number, Map<string | undefined, number>>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** A message is no longer in flight: it was deleted, or is visible again. */
  ended(group: string | undefined, inFlightMs: number): void {
    const minute = Math.floor(this.#clock() / minuteMs);
    const processed = this.#processed.get(minute) ?? new Map<string | undefined, number>();
    this.#processed.set(minute, processed.set(group, (processed.get(group) ?? 0) + inFlightMs));
  }

  /**
   * The groups whose messages wait for those of all others, and among them for the group with the fewest in flight.
   * @param inFlight the messages in flight
   * @param hasMessages whether a message of the group is in the queue
   */
  noisyGroups(inFlight: ByGroup, hasMessages: (group: string) => boolean): ReadonlySet<string> {
    const now = this.#clock();
    const processed = this.#recentlyProcessed(now);
    const [allInFlight, allProcessed] = [totalOf(inFlight), totalOf(processed)];
    for (const group of new Set([...inFlight.keys(), ...processed.keys(), ...this.#noisy.keys()])) {
      if (group === undefined) continue;
      const own = inFlight.get(group) ?? 0;
      const isBusy = own >= noisyInFlight && own > noisyShare * allInFlight;
      const isSlow = (processed.get(group) ?? 0) > noisyShare * allProcessed;
      if (isBusy || isSlow || (own > 0 && this.#noisy.has(group))) this.#noisy.set(group, now);
      if (!hasMessages(group) || now - (this.#noisy.get(group) ?? now) >= quietMs) this.#noisy.delete(group);
    }
    return new Set(this.#noisy.keys());
  }

  #recentlyProcessed(now: number): ByGroup {
    const since = Math.floor(now / minuteMs) - recentMinutes;
    const sums = new Map<string | undefined, number>();
    for (const [minute, processed] of this.#processed) {
      if (minute <= since) this.#processed.delete(minute);
      else for (const [group, ms] of processed) sums.set(group, (sums.get(group) ?? 0) + ms);
    }
    return sums;
  }
}
