import { expect, test } from 'vitest';
import { createIsFirstUse } from '#shared/store/first-uses.ts';
import { createTableTwin } from '../../support/in-memory/table.ts';
import { noon } from '../../support/steps/ledger-items.ts';

test('a name is used first once an hour, for each network', async () => {
  let now = noon;
  const firstUse = createIsFirstUse(createTableTwin({ now: () => now }) as never, 'results', () => now);
  let request = 0;
  const isFirstUse = (name: string, network: number) => {
    request += 1;
    return firstUse(name, network, { importId: 'import-a', request });
  };
  expect(await isFirstUse('Depot 9', 20)).toBe(true);
  expect(await isFirstUse('Depot 9', 20)).toBe(false);
  expect(await isFirstUse('Depot 9', 21)).toBe(true);
  expect(await isFirstUse('Depot 10', 20)).toBe(true);
  now += 60 * 60_000 - 1;
  expect(await isFirstUse('Depot 9', 20)).toBe(false);
  now += 1;
  expect(await isFirstUse('Depot 9', 20)).toBe(true);
});
