// Publishes events, ten in a call, and sends again what the bus did not take.
import { type EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { type Backoff, chunksOf, defaultBackoff, sendUntilTaken } from './backoff.ts';

/** Events that EventBridge takes in one call. */
const batchSize = 10;

export interface BusEvent {
  readonly name: string;
  readonly at: string;
  readonly detail: unknown;
}

export interface EventBus {
  /**
   * Sends every event, a few times if necessary. Returns the events that the bus still did not take, by their index.
   * @throws what the bus throws when it does not take a call at all
   */
  publish(events: readonly BusEvent[]): Promise<readonly number[]>;
}

export function createEventBus(
  client: Pick<EventBridgeClient, 'send'>,
  { bus, source }: { readonly bus: string; readonly source: string },
  backoff: Backoff = defaultBackoff,
): EventBus {
  const put = async (batch: readonly (readonly [number, BusEvent])[]) => {
    const Entries = batch.map(([, { name, at, detail }]) => ({
      EventBusName: bus,
      Source: source,
      DetailType: name,
      Time: new Date(at),
      Detail: JSON.stringify(detail),
    }));
    const { Entries: answers = [] } = await client.send(new PutEventsCommand({ Entries }));
    return batch.filter((_, index) => answers[index]?.EventId === undefined);
  };
  return {
    publish: async (events) => {
      const left: number[] = [];
      for (const batch of chunksOf([...events.entries()], batchSize)) {
        const untaken = await sendUntilTaken(batch, put, backoff);
        left.push(...untaken.map(([index]) => index));
      }
      return left;
    },
  };
}
