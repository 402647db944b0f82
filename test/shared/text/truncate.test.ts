import { expect, test } from 'vitest';
import { oneLine, truncate } from '#shared/text/wording.ts';

test.each([
  ['a text of the very length stays whole', 'abc', 3, 'abc'],
  ['a longer one ends at the limit', 'abcd', 3, 'abc'],
  ['a character is not cut in half', 'ab😀', 3, 'ab'],
  ['one that fits is kept', 'a😀b', 3, 'a😀'],
  ['one before the end does no harm', '😀abc', 4, '😀ab'],
  ['nothing fits into nothing', 'abc', 0, ''],
  ['nor into less', 'abc', -2, ''],
])('%s', (_rule, text, limit, clipped) => {
  expect(truncate(text, limit)).toBe(clipped);
});

test('a text of several lines becomes one line: breaks and invisible characters become single spaces', () => {
  expect(oneLine(' Field \r\n\t team\u0000\u200B 1 ')).toBe('Field team 1');
  expect(oneLine('a\u0007b')).toBe('a b');
});
