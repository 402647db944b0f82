// The catalogue makes as few lookups as possible.
import { describe, expect, test } from 'vitest';
import { createCatalogue, keepLists } from '#shared/operations/catalogue.ts';
import { operationNamed, operations } from '#shared/operations/registry.ts';
import { type CountedLookups, checkCells, countedLookups, rowsContext } from '../../support/ingest/catalogue.ts';

const keptLists = (lookups: CountedLookups) =>
  keepLists(
    lookups,
    () => 0,
    () => '',
  )();

describe('a catalogue', () => {
  test('looks up each list once, also for parallel callers', async () => {
    const context = rowsContext();
    const rows = Array.from({ length: 20 }, () => checkCells({ boltOns: '101', services: 'Roaming=on' }, context));
    await Promise.all(rows);
    expect(Object.fromEntries(context.lookups.calls)).toEqual({
      networks: 1,
      'tariffs 101': 1,
      'boltOns 2001': 1,
      'services 101 2001': 1,
      'orders 101': 1,
    });
  });

  test('does not cache a failed lookup', async () => {
    const lookups = countedLookups();
    const { networks } = lookups;
    lookups.networks = () => Promise.reject(new Error('unavailable'));
    const catalogue = createCatalogue(lookups);
    await expect(catalogue.networks()).rejects.toThrow('unavailable');
    lookups.networks = networks;
    await expect(catalogue.networks()).resolves.toHaveLength(3);
  });

  test('shares kept lists with the next catalogue for five minutes of the same day', async () => {
    const lookups = countedLookups();
    let [now, day] = [0, 'Monday'];
    const listsForNow = keepLists(
      lookups,
      () => now,
      () => day,
    );
    const lookUp = async (count: number) => {
      const catalogue = createCatalogue(lookups, { lists: listsForNow() });
      await catalogue.networks();
      await catalogue.port('first');
      expect([lookups.calls.get('networks'), lookups.calls.get('port first')]).toEqual([count, portReads++]);
    };
    let portReads = 1;
    await lookUp(1);
    now = 299_999;
    await lookUp(1);
    now = 300_000;
    await lookUp(2);
    day = 'Tuesday';
    await lookUp(3);
  });

  test('looks up kept networks again at most once, and its own lists never', async () => {
    const lookups = countedLookups();
    const lists = keptLists(lookups);
    await createCatalogue(lookups, { lists }).networks();
    const catalogue = createCatalogue(lookups, { lists });
    for (let time = 0; time < 3; time += 1) await catalogue.networks('fresh');
    expect(lookups.calls.get('networks')).toBe(2);
    const own = createCatalogue(lookups);
    await own.networks();
    await own.networks('fresh');
    expect(lookups.calls.get('networks')).toBe(3);
  });

  test('nothing is from an earlier catalogue where it was looked up by this one, or renewed', async () => {
    const lookups = countedLookups();
    const lists = keptLists(lookups);
    const first = createCatalogue(lookups, { lists });
    await first.tariffs(101);
    expect(first.renew()).toBe(false);
    const second = createCatalogue(lookups, { lists });
    expect([second.renew(), second.renew()]).toEqual([true, false]);
    await second.tariffs(101);
    expect(lookups.calls.get('tariffs 101')).toBe(2);
  });

  test('caches a port until a hundred others are looked up, also one that does not exist', async () => {
    const lookups = countedLookups();
    const catalogue = createCatalogue(lookups);
    const asked = (portId: string) => lookups.calls.get(`port ${portId}`);
    for (const portId of ['first', 'first']) expect(await catalogue.port(portId)).toBeUndefined();
    expect(asked('first')).toBe(1);
    await catalogue.port('first', 'fresh');
    expect(asked('first')).toBe(2);
    for (let other = 0; other < 100; other += 1) await catalogue.port(`other ${other}`);
    await catalogue.port('first');
    expect(asked('first')).toBe(3);
  });

  test('infers the family from the tariffs and the declined order lookup (spec gap 5)', async () => {
    const typeA = { family: 'A', tariffAttributes: true, provisioningOrders: true, boltOns: true, ipGroups: true };
    const typeB = { family: 'B', tariffAttributes: false, provisioningOrders: false, boltOns: false, ipGroups: false };
    const lookups = countedLookups();
    const catalogue = createCatalogue(lookups);
    expect(await catalogue.capabilities(101)).toEqual(typeA);
    expect(await catalogue.capabilities(201)).toEqual(typeB);
    lookups.tariffs = async () => ({ tariffs: [], hasAttributes: true });
    expect(await createCatalogue(lookups).capabilities(201)).toEqual(typeB);
    expect(await createCatalogue(lookups).provisioningOrders(201)).toEqual([]);
  });
});

describe('the registry', () => {
  test('finds an operation by its folder, and nothing by a property name of JavaScript', () => {
    expect(operationNamed('create-port')?.name).toBe('create-port');
    expect(operationNamed('__proto__')).toBeUndefined();
    expect([...operations.values()].every((operation) => operations.get(operation.name) === operation)).toBe(true);
  });

  test('every column of every operation has help and an example, and is declared once', () => {
    for (const { columns } of operations.values()) {
      const plain = columns
        .flatMap(({ name, aliases }) => [name, ...aliases])
        .map((name) => name.toLowerCase().replaceAll(' ', ''));
      expect(new Set(plain).size).toBe(plain.length);
      for (const { help, example } of columns) expect(help !== '' && example !== '').toBe(true);
    }
  });
});
