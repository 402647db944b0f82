// Who used the content of a file, or the name of an order, first.
import { describe, expect, test } from 'vitest';
import { createContents, createIsFirstUse } from '#shared/store/first-uses.ts';
import { createTableTwin } from '../../support/in-memory/table.ts';
import { noon } from '../../support/steps/ledger-items.ts';

describe('the content of a file', () => {
  const day = 86_400_000;
  const contents = () => createContents(createTableTwin({ now: () => noon }) as never, 'results');
  const content = (importId: string, now = noon) => ({ account: '1001@service', contentHash: 'abc', importId, now });

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
});

describe('the name of an order', () => {
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

  test('names that are asked for at the same moment take one call, and each has one first user', async () => {
    const table = createTableTwin({ now: () => noon });
    const commands: string[] = [];
    const noting = {
      send: (command: { input: object }) => {
        commands.push(command.constructor.name);
        return table.send(command as never);
      },
    };
    const firstUse = createIsFirstUse(noting as never, 'results', () => noon);
    const use = (names: readonly string[], importId: string) =>
      Promise.all(names.map((name, index) => firstUse(name, 20, { importId, request: index + 1 })));
    expect(await use(['Depot 1', 'Depot 2', 'Depot 3'], 'import-a')).toEqual([true, true, true]);
    expect(commands).toEqual(['BatchExecuteStatementCommand']);
    // Delivered again, and asked for by another import.
    expect(await use(['Depot 1', 'Depot 2', 'Depot 4'], 'import-a')).toEqual([true, true, true]);
    expect(await use(['Depot 1', 'Depot 5'], 'import-b')).toEqual([false, true]);
    expect((await use(['Depot 6', 'Depot 6'], 'import-b')).filter(Boolean)).toHaveLength(1);
  });
});
