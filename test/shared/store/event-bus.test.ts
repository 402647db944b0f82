import type { EventBridgeClient, PutEventsRequestEntry } from '@aws-sdk/client-eventbridge';
import { expect, test } from 'vitest';
import { createEventBus } from '#shared/store/event-bus.ts';

const patient = { attempts: 3, pause: async () => {} };
const at = '2026-07-06T12:00:00.000Z';

function busThat(refuses: (name: string, call: number) => boolean) {
  const calls: string[][] = [];
  const send = async ({ input }: { input: { Entries: PutEventsRequestEntry[] } }) => {
    const names = input.Entries.map(({ DetailType = '' }) => DetailType);
    calls.push(names);
    return {
      Entries: names.map((name) => (refuses(name, calls.length) ? { ErrorCode: 'Throttled' } : { EventId: 'e' })),
    };
  };
  const client = { send } as unknown as Pick<EventBridgeClient, 'send'>;
  return { bus: createEventBus(client, { bus: 'bus', source: 'simporter.prod' }, patient), calls };
}
const named = (...names: string[]) => names.map((name) => ({ name, at, detail: { id: name } }));

test('only the entries that the bus did not take are sent again', async () => {
  const { bus, calls } = busThat((name, call) => name === 'b' && call === 1);
  expect(await bus.publish(named('a', 'b', 'c'))).toEqual([]);
  expect(calls).toEqual([['a', 'b', 'c'], ['b']]);
});

test('entries that are never taken are returned by index, and the next ten are sent nevertheless', async () => {
  const { bus, calls } = busThat((name) => name === '3' || name === '11');
  expect(await bus.publish(named(...Array.from({ length: 12 }, (_, index) => String(index))))).toEqual([3, 11]);
  expect(calls.map((names) => names.length)).toEqual([10, 1, 1, 2, 1, 1]);
});
