// The catalogue asks the service as seldom as it can.
import { describe, expect, test } from 'vitest';
import { createCatalogue } from '#shared/operations/catalogue.ts';
import { operationNamed, operations } from '#shared/operations/registry.ts';
import { countedLookups, judgeCells, rowsContext } from '../../support/rows-catalogue.ts';

describe('a catalogue', () => {
  test('looks each list up once, also when many ask at the same time', async () => {
    const context = rowsContext();
    const rows = Array.from({ length: 20 }, () => judgeCells({ boltOns: '101', services: 'Roaming=on' }, context));
    await Promise.all(rows);
    expect(Object.fromEntries(context.lookups.calls)).toEqual({
      networks: 1,
      'tariffs 101': 1,
      'boltOns 2001': 1,
      'services 101 2001': 1,
      'orders 101': 1,
    });
  });

  test('does not keep a lookup that failed', async () => {
    const lookups = countedLookups();
    const { networks } = lookups;
    lookups.networks = () => Promise.reject(new Error('unavailable'));
    const catalogue = createCatalogue(lookups);
    await expect(catalogue.networks()).rejects.toThrow('unavailable');
    lookups.networks = networks;
    await expect(catalogue.networks()).resolves.toHaveLength(3);
  });

  test('keeps a port until a hundred others were asked for; one that is not there is an answer, too', async () => {
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

  test('infers Type-B from the tariffs or from the refused order lookup (decision 5)', async () => {
    const lookups = countedLookups();
    const catalogue = createCatalogue(lookups);
    expect(await catalogue.isTypeB(101)).toBe(false);
    expect(await catalogue.isTypeB(201)).toBe(true);
    lookups.tariffs = async () => ({ tariffs: [], typeB: false });
    expect(await createCatalogue(lookups).isTypeB(201)).toBe(true);
    expect(await createCatalogue(lookups).provisioningOrders(201)).toEqual([]);
  });
});

describe('the registry', () => {
  test('finds an operation by its folder, and nothing by a name of the language', () => {
    expect(operationNamed('create-port')?.name).toBe('create-port');
    expect(operationNamed('__proto__')).toBeUndefined();
    expect([...operations.values()].every((operation) => operations.get(operation.name) === operation)).toBe(true);
  });

  test('every operation says of each of its columns what it is for, with an example, and names it once', () => {
    for (const { columns } of operations.values()) {
      const plain = columns
        .flatMap(({ name, aliases }) => [name, ...aliases])
        .map((name) => name.toLowerCase().replaceAll(' ', ''));
      expect(new Set(plain).size).toBe(plain.length);
      for (const { help, example } of columns) expect(help !== '' && example !== '').toBe(true);
    }
  });
});
