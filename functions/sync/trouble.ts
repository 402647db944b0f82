// Tells the trouble of one thing from the service's own. A port that always answers 500 must not end every run for all that
// stands behind it, and a service that is down must not be asked port by port.
import { type OnUnreadable, UnreadableItem } from '#shared/domain/unreadable-item.ts';
import { endOfCall } from '#shared/porting/call-end.ts';
import { HeldBack, isPortingFailure, isRefusal, type PortingFailure } from '#shared/porting/errors.ts';
import { createInTurn } from '#shared/porting/in-turn.ts';
import type { SyncParts } from './parts.ts';

export interface Trouble {
  /**
   * Whether nothing follows from the failure for any other thing: the service said no to this one, nobody understands its
   * answer or its item, or it failed while the service answers. That costs one call, once the service is down none.
   */
  concernsOnlyIt(error: unknown): Promise<boolean>;
  /** What failed is left for later: counts it. */
  noteLeft(error: unknown): void;
  /** The service could not be asked: the first failure is what a person is told. */
  noteServiceFailure(error: PortingFailure): void;
  serviceFailure(): string | undefined;
  /** Names an item of the table that cannot be read, and counts it. */
  noteUnreadable: OnUnreadable;
}

/** What the steps of one run work with. */
export interface RunParts extends SyncParts {
  readonly trouble: Trouble;
}

/** So many in a row that the service fails to show are left for later; from the next one on it is the service's trouble. */
const mostInARow = 5;

/** The parts of a run that begins. */
export function beginRun(parts: SyncParts): RunParts {
  const { client, pace, metrics, log } = parts;
  const inTurn = createInTurn();
  const underWay = new Set<Promise<unknown>>();
  let inARow = 0;
  let isDown = false;
  let serviceFailure: string | undefined;

  /** By now its failures may pass for an outage: then this is the probe. */
  const seeWhetherDown = async (): Promise<void> => {
    if (isDown) return;
    // Those that fail meanwhile would prolong the outage for which they pass.
    await Promise.allSettled(underWay);
    try {
      await pace.probeNow();
      await client.networks();
    } catch (error) {
      if (!isPortingFailure(error)) throw error;
      isDown = true;
    }
  };

  const concernsOnlyIt = async (error: unknown): Promise<boolean> => {
    if (error instanceof UnreadableItem || isRefusal(error)) return true;
    const failure = answerIn(error);
    if (failure === undefined) return false;
    if (endOfCall(failure).kind === 'alive') return true;
    if (inARow >= mostInARow) return false;
    await inTurn(seeWhetherDown);
    return !isDown;
  };

  const noteLeft = (error: unknown): void => {
    metrics.count(error instanceof UnreadableItem ? 'unreadableItems' : 'leftForLater');
    if (endOfCall(answerIn(error)).kind === 'sick') inARow += 1;
  };

  const noteServiceFailure = ({ message }: PortingFailure): void => {
    serviceFailure ??= message;
  };

  const noteUnreadable = (error: UnreadableItem): void => {
    metrics.count('unreadableItems');
    log.error('an item of the table cannot be read, so nobody looks after it', { item: error.place, error });
  };

  /** A thing that the service does show ends the row. */
  const hearing =
    <Given extends unknown[], Shown>(read: (...given: Given) => Promise<Shown>) =>
    async (...given: Given): Promise<Shown> => {
      const reading = read(...given).finally(() => underWay.delete(reading));
      underWay.add(reading);
      const shown = await reading;
      inARow = 0;
      return shown;
    };

  const heard = { ...client, port: hearing(client.port), simServices: hearing(client.simServices) };
  const told = { noteServiceFailure, serviceFailure: () => serviceFailure };
  return { ...parts, client: heard, trouble: { concernsOnlyIt, noteLeft, noteUnreadable, ...told } };
}

/** Whether a call about the thing itself came to nothing, be that the thing's trouble or the service's. */
export const hasFailedItself = (error: unknown): boolean => answerIn(error) !== undefined;

/** How the thing itself was answered, if it was: a call that was held back, or never left us, tells nothing of it. */
function answerIn(error: unknown): PortingFailure | undefined {
  const failure = error instanceof HeldBack ? error.cause : error;
  if (!isPortingFailure(failure)) return undefined;
  return ['unavailable', 'ambiguous', 'contract-broken'].includes(failure.kind) ? failure : undefined;
}
