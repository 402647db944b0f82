import { expect, test } from 'vitest';
import { isObjectGone, ObjectGone, readAgainIfReplaced } from '#shared/store/object-keys.ts';

const gone = new ObjectGone({ bucket: 'results', key: 'results.csv' }, undefined);

/** Throws one error after another, then answers. */
function failing(...errors: readonly Error[]) {
  let reads = 0;
  const read = async (): Promise<string> => {
    reads += 1;
    const error = errors[reads - 1];
    if (error !== undefined) throw error;
    return 'rows';
  };
  return { read, reads: () => reads };
}

test('a file that was replaced while it was read is read again, once', async () => {
  const replaced = failing(gone);
  expect(await readAgainIfReplaced(replaced.read)).toBe('rows');
  expect(replaced.reads()).toBe(2);
  const expired = failing(gone, gone, gone);
  await expect(readAgainIfReplaced(expired.read)).rejects.toBe(gone);
  expect(expired.reads()).toBe(2);
});

test('is recognised by its name: a separately loaded part of a function has another class', () => {
  const ofAnotherBundle = Object.assign(new Error('gone'), { name: 'ObjectGone' });
  expect([gone, ofAnotherBundle, new Error('gone'), 'ObjectGone'].map(isObjectGone)).toEqual([
    true,
    true,
    false,
    false,
  ]);
});

test('another error is not repeated', async () => {
  const timeout = new Error('timeout');
  const failed = failing(timeout);
  await expect(readAgainIfReplaced(failed.read)).rejects.toBe(timeout);
  expect(failed.reads()).toBe(1);
});
