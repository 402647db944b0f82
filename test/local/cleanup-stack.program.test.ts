// Undoing a start, also where a step fails.
import { expect, test } from 'vitest';
import { createCleanupStack } from '#local/cleanup-stack.ts';

const recording = () => {
  const done: string[] = [];
  const cleanup = createCleanupStack();
  const add = (name: string, error?: Error) =>
    cleanup.add(async () => {
      done.push(name);
      if (error) throw error;
    });
  return { done, cleanup, add };
};

test('the steps run last first, and only once', async () => {
  const { done, cleanup, add } = recording();
  add('first');
  add('second');

  await cleanup.run();
  await cleanup.run();

  expect(done).toEqual(['second', 'first']);
});

test('a step that fails stops no other step, and is thrown at the end', async () => {
  const { done, cleanup, add } = recording();
  add('first');
  add('second', new Error('stuck'));
  add('third');

  await expect(cleanup.run()).rejects.toThrow('stuck');
  expect(done).toEqual(['third', 'second', 'first']);
});

test('a step that throws before it returns a promise is a step that fails', async () => {
  const { done, cleanup, add } = recording();
  add('first');
  cleanup.add(() => {
    throw new Error('at once');
  });

  await expect(cleanup.run()).rejects.toThrow('at once');
  expect(done).toEqual(['first']);
});

test('several failures are thrown together', async () => {
  const { cleanup, add } = recording();
  const [one, two] = [new Error('one'), new Error('two')];
  add('first', one);
  add('second', two);

  await expect(cleanup.run()).rejects.toMatchObject({ message: '2 parts could not be stopped', errors: [two, one] });
});

test('a second call while it runs waits for the same end', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const cleanup = createCleanupStack();
  let runs = 0;
  cleanup.add(() => {
    runs += 1;
    return promise;
  });
  const both = Promise.all([cleanup.run(), cleanup.run()]);
  resolve();
  await both;

  expect(runs).toBe(1);
});
