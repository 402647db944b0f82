// Fair queues: which groups are noisy, by the rule of AWS, and whose messages come next.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { FairQueue } from '#local/sqs/fair-queues.ts';
import { MessageStore } from '#local/sqs/message-store.ts';

const minute = 60_000;
let now: number;
let store: MessageStore;
beforeEach(() => {
  now = 0;
  store = new MessageStore(undefined, () => now);
});
afterEach(() => store.close());

const send = (group: string | undefined, count: number): void => {
  const systemAttributes: Record<string, string> = group === undefined ? {} : { MessageGroupId: group };
  for (let sent = 0; sent < count; sent += 1) {
    store.send('work', { body: String(group), delayMs: 0, attributes: {}, systemAttributes });
  }
};
const receive = (limit: number) => store.receive('work', { limit, visibilityMs: 100 * minute, redrive: undefined });
const groupsOf = (messages: ReturnType<typeof receive>): string => messages.map(({ body }) => body).join(' ');
const next = (limit: number): string => groupsOf(receive(limit));
/** Receives messages and deletes them after this time. */
const work = (count: number, milliseconds: number): void => {
  const messages = receive(count);
  now += milliseconds;
  for (const { receipt } of messages) store.delete('work', receipt ?? '');
};

describe('a group is noisy', () => {
  test('with 30 messages in flight, and not with 29', () => {
    send('large', 100);
    receive(29);
    send('small', 1);
    expect(next(1)).toBe('large');
    expect(next(1)).toBe('small');
  });

  test('with more than a tenth of all messages in flight, and not with a tenth', () => {
    const noisyBeside = (others: number) => {
      const inFlight = new Map([
        ['large', 30],
        [undefined, others],
      ]);
      return [...new FairQueue(() => now).noisyGroups(inFlight, () => true)];
    };
    expect(noisyBeside(270)).toEqual([]);
    expect(noisyBeside(269)).toEqual(['large']);
  });

  test('with more than a tenth of the recent processing time', () => {
    send('large', 10);
    work(1, 1_000);
    send('small', 1);
    expect(next(2)).toBe('small large');
  });

  test('not after the processing time is no longer recent', () => {
    send('large', 10);
    work(1, 1_000);
    now += 6 * minute;
    send('small', 1);
    expect(next(2)).toBe('large large');
  });
});

describe('a noisy group', () => {
  const makeNoisy = (group: string): void => {
    send(group, 50);
    receive(30);
  };

  test('gets what no other group takes', () => {
    makeNoisy('large');
    send('small', 2);
    send(undefined, 1);
    expect(next(6)).toBe('small small undefined large large large');
  });

  test('with the fewest messages in flight comes first', () => {
    makeNoisy('large');
    send('larger', 200);
    receive(60);
    expect(next(21)).toBe([...Array(20).fill('large'), 'larger'].join(' '));
  });

  test('stays noisy until no message of it was in flight for five minutes', () => {
    const queue = new FairQueue(() => now);
    const noisyWith = (count: number) => [...queue.noisyGroups(new Map([['large', count]]), () => true)];
    expect(noisyWith(30)).toEqual(['large']);
    now = minute;
    expect(noisyWith(1)).toEqual(['large']);
    now = 6 * minute - 1;
    expect(noisyWith(0)).toEqual(['large']);
    now = 6 * minute;
    expect(noisyWith(0)).toEqual([]);
    expect(noisyWith(29)).toEqual([]);
  });

  test('is quiet when the queue has no more messages of it', () => {
    send('large', 30);
    for (const { receipt } of receive(30)) store.delete('work', receipt ?? '');
    send('large', 1);
    send('small', 1);
    expect(next(2)).toBe('large small');
  });
});
