import { expect, test } from 'vitest';
import { createContents } from '#shared/store/first-uses.ts';
import { createTableTwin } from '../../support/in-memory/table.ts';
import { noon } from '../../support/steps/ledger-items.ts';

const day = 86_400_000;
const contents = () => createContents(createTableTwin({ now: () => noon }) as never, 'results');
const content = (importId: string, now = noon) => ({ account: 1001, contentHash: 'abc', importId, now });

test('a content belongs to the first import that claims it, and to nobody after seven days', async () => {
  const { find, claim } = contents();
  expect(await find(content('a'))).toBeUndefined();
  expect(await claim(content('a'), undefined)).toBe(true);
  expect(await claim(content('b'), undefined)).toBe(false);
  expect(await claim(content('a'), undefined)).toBe(true);
  expect(await find(content('a'))).toBeUndefined();
  expect(await find(content('b'))).toBe('a');
  expect(await find(content('b', noon + 7 * day))).toBeUndefined();
  expect(await claim(content('b', noon + 7 * day), undefined)).toBe(true);
});

test('a content is taken over only from the import that was seen', async () => {
  const { claim } = contents();
  await claim(content('a'), undefined);
  expect(await claim(content('b'), 'other')).toBe(false);
  expect(await claim(content('b'), 'a')).toBe(true);
  expect(await claim(content('c'), 'a')).toBe(false);
});
