import { setImmediate as settled } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createSerialQueue } from '#shared/porting/serial-queue.ts';

/** Work that takes a while, and notes its start and end. */
const workOf =
  (events: string[], name: string, inside: () => Promise<unknown> = settled) =>
  async () => {
    events.push(`${name} starts`);
    await inside();
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

test('work that adds work and waits for it does not wait for itself', async () => {
  const events: string[] = [];
  const queue = createSerialQueue();
  const outer = queue(
    workOf(events, 'outer', () => queue(workOf(events, 'inner', () => queue(workOf(events, 'core'))))),
  );
  const other = queue(workOf(events, 'other'));
  await Promise.all([outer, other]);
  expect(events).toEqual([
    'outer starts',
    'inner starts',
    'core starts',
    'core ends',
    'inner ends',
    'outer ends',
    'other starts',
    'other ends',
  ]);
});

test('nested work runs one after the other as well, and before the next work, also where nobody waits for it', async () => {
  const events: string[] = [];
  const queue = createSerialQueue();
  const nested: Promise<string>[] = [];
  const outer = queue(
    workOf(events, 'outer', async () => {
      nested.push(queue(workOf(events, 'first')), queue(workOf(events, 'second')));
    }),
  );
  const other = queue(workOf(events, 'other'));
  await Promise.all([outer, other, ...nested]);
  expect(events).toEqual([
    'outer starts',
    'first starts',
    'outer ends',
    'first ends',
    'second starts',
    'second ends',
    'other starts',
    'other ends',
  ]);
});

test('work that is added after its outer work has ended waits like any other', async () => {
  const events: string[] = [];
  const queue = createSerialQueue();
  const { promise: isOver, resolve: end } = Promise.withResolvers<void>();
  let late: Promise<unknown> = Promise.resolve();
  await queue(
    workOf(events, 'outer', async () => {
      late = isOver.then(() => queue(workOf(events, 'late')));
    }),
  );
  const other = queue(workOf(events, 'other'));
  end();
  await Promise.all([other, late]);
  expect(events.slice(2)).toEqual(['other starts', 'other ends', 'late starts', 'late ends']);
});

test('two queues do not wait for one another', async () => {
  const [one, other] = [createSerialQueue(), createSerialQueue()];
  const { promise: isDone, resolve: done } = Promise.withResolvers<void>();
  await Promise.all([one(() => isDone), other(async () => done())]);
});
