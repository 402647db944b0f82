// Undoing what was started, whatever fails on the way.
import { expect, test } from 'vitest';
import { createUndo } from '#local/undo.ts';

const recording = () => {
  const done: string[] = [];
  const undo = createUndo();
  const add = (name: string, error?: Error) =>
    undo.add(async () => {
      done.push(name);
      if (error) throw error;
    });
  return { done, undo, add };
};

test('what was started last is undone first, and once only', async () => {
  const { done, undo, add } = recording();
  add('first');
  add('second');

  await undo.run();
  await undo.run();

  expect(done).toEqual(['second', 'first']);
});

test('a step that fails keeps no other from being undone, and is told in the end', async () => {
  const { done, undo, add } = recording();
  add('first');
  add('second', new Error('stuck'));
  add('third');

  await expect(undo.run()).rejects.toThrow('stuck');
  expect(done).toEqual(['third', 'second', 'first']);
});

test('a step that throws before it returns a promise is a step that fails', async () => {
  const { done, undo, add } = recording();
  add('first');
  undo.add(() => {
    throw new Error('at once');
  });

  await expect(undo.run()).rejects.toThrow('at once');
  expect(done).toEqual(['first']);
});

test('several failures are told together', async () => {
  const { undo, add } = recording();
  const [one, two] = [new Error('one'), new Error('two')];
  add('first', one);
  add('second', two);

  await expect(undo.run()).rejects.toMatchObject({ message: '2 things could not be stopped', errors: [two, one] });
});

test('whoever asks while it runs waits for the same end', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const undo = createUndo();
  let runs = 0;
  undo.add(() => {
    runs += 1;
    return promise;
  });
  const both = Promise.all([undo.run(), undo.run()]);
  resolve();
  await both;

  expect(runs).toBe(1);
});
