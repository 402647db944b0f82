// The catalogue: the default one, and the errors of one that is wrong.
import { expect, test } from 'vitest';
import { createCatalogue, readCatalogue } from '#simulator/catalogue/catalogue.ts';

const { data } = readCatalogue();

test('there are two accounts with a client each', () => {
  expect(data.accounts.map(({ accountId }) => accountId)).toEqual([1001, 1002]);
  expect(new Set(data.accounts.map(({ clientId }) => clientId)).size).toBe(2);
});

test('numbers can be ported to two Type-A and two Type-B networks at least', () => {
  const catalogue = readCatalogue();
  const targets = new Set(data.porting.flatMap((type) => type.targets.map(({ networkNumber }) => networkNumber)));
  const types = [...targets].map((number) => catalogue.network(number)?.type);
  expect(types.filter((type) => type === 'A').length).toBeGreaterThanOrEqual(2);
  expect(types.filter((type) => type === 'B').length).toBeGreaterThanOrEqual(2);
});

test('tariffs are legacy, pooled and in need of a data bolt-on, bolt-ons are legacy, temporal and of IP groups', () => {
  const tariffs = data.networks.flatMap((network) => network.tariffs);
  expect(tariffs.some(({ isLegacy }) => isLegacy)).toBe(true);
  expect(tariffs.some(({ supportsFullPooling }) => supportsFullPooling)).toBe(true);
  expect(tariffs.some(({ requiresDataBoltOn }) => requiresDataBoltOn)).toBe(true);
  expect(data.boltOns.some(({ isLegacy }) => isLegacy)).toBe(true);
  expect(data.boltOns.some(({ isTemporal }) => isTemporal)).toBe(true);
  expect(new Set(data.boltOns.flatMap(({ needs }) => needs ?? []))).toEqual(
    new Set(['publicIpGroupId', 'staticIpGroupId']),
  );
});

test('a tariff number, a network number or a serial belongs to one thing', () => {
  const tariffs = data.networks.flatMap((network) => network.tariffs.map(({ number }) => number));
  const networks = data.networks.map(({ number }) => number);
  const serials = data.stock.map(({ serialNumber }) => serialNumber);
  expect(new Set(tariffs).size).toBe(tariffs.length);
  expect(new Set(networks).size).toBe(networks.length);
  expect(new Set(serials).size).toBe(serials.length);
});

test('every mistake in a catalogue is named with its place', () => {
  const broken = { ...data, accounts: [{ ...data.accounts[0], zone: 7 }], colour: 'blue' };
  const complaint = (() => {
    try {
      createCatalogue(broken);
    } catch (error) {
      return String(error);
    }
  })();
  expect(complaint).toContain('accounts[0].zone');
  expect(complaint).toContain('colour');
});

test('a reference that leads nowhere is named', () => {
  const [type] = data.porting;
  const [target] = type?.targets ?? [];
  const broken = { ...data, porting: [{ ...type, targets: [{ ...target, networkNumber: 9, sources: [77] }] }] };
  expect(() => createCatalogue(broken)).toThrow('target 11 of Port: no network 9\ntarget 11 of Port: no source 77');
});
