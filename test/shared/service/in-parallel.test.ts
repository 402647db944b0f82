import { setImmediate as settled } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createSerialQueue } from '#shared/service/in-parallel.ts';

/** Work that takes a while, and notes its start and end. */
const workOf = (events: string[], name: string) => async () => {
  events.push(`${name} starts`);
  await settled();
  events.push(`${name} ends`);
  return name;
};

test('work runs one after the other, in the order in which it was added', async () => {
  const events: string[] = [];
  const queue = createSerialQueue();
  const results = await Promise.all(['a', 'b', 'c'].map((name) => queue(workOf(events, name))));
  expect(results).toEqual(['a', 'b', 'c']);
  expect(events).toEqual(['a', 'b', 'c'].flatMap((name) => [`${name} starts`, `${name} ends`]));
});

test('work that fails rejects, and the next work runs', async () => {
  const queue = createSerialQueue();
  const failing = queue(() => Promise.reject(new Error('down')));
  const next = queue(async () => 'next');
  await expect(failing).rejects.toThrow('down');
  expect(await next).toBe('next');
});

test('two queues do not wait for one another', async () => {
  const [one, other] = [createSerialQueue(), createSerialQueue()];
  const { promise: isDone, resolve: done } = Promise.withResolvers<void>();
  await Promise.all([one(() => isDone), other(async () => done())]);
});
