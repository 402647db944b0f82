// Events out: ten a call, and only what was not taken is sent again.
import { type EventBridgeClient, PutEventsCommand, type PutEventsRequestEntry } from '@aws-sdk/client-eventbridge';
import { type Backoff, defaultBackoff } from './backoff.ts';

/** What EventBridge takes in one call. */
const batchSize = 10;

export interface BusEvent {
  readonly name: string;
  readonly at: string;
  readonly detail: unknown;
}

export interface EventBus {
  /**
   * Sends every event; entries that the bus did not take are sent again, a few times. Answers, by their places in `events`, those
   * that were still not taken.
   * @throws what the bus throws when it does not take a call at all
   */
  publish(events: readonly BusEvent[]): Promise<readonly number[]>;
}

export function createEventBus(
  client: Pick<EventBridgeClient, 'send'>,
  { bus, source }: { readonly bus: string; readonly source: string },
  backoff: Backoff = defaultBackoff,
): EventBus {
  const entryOf = ({ name, at, detail }: BusEvent): PutEventsRequestEntry => ({
    EventBusName: bus,
    Source: source,
    DetailType: name,
    Time: new Date(at),
    Detail: JSON.stringify(detail),
  });

  /** Answers the places of those that were not taken. */
  const putOnce = async (events: readonly BusEvent[], places: readonly number[]): Promise<number[]> => {
    const Entries = places.flatMap((place) => events[place] ?? []).map(entryOf);
    const { Entries: answers = [] } = await client.send(new PutEventsCommand({ Entries }));
    return places.filter((_, index) => answers[index]?.EventId === undefined);
  };

  const publish = async (events: readonly BusEvent[]): Promise<readonly number[]> => {
    const left: number[] = [];
    for (let start = 0; start < events.length; start += batchSize) {
      let places = [...events.keys()].slice(start, start + batchSize);
      for (let attempt = 1; places.length > 0; attempt += 1) {
        places = await putOnce(events, places);
        if (places.length === 0) break;
        if (attempt >= backoff.attempts) {
          left.push(...places);
          break;
        }
        await backoff.pause(attempt);
      }
    }
    return left;
  };
  return { publish };
}
