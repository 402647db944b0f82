// Ingest keeps the lists of the catalogue for the next file. A kept list may accept a row or a column; nothing is
// rejected or left out before it was looked up again.
import { beforeEach, expect, test } from 'vitest';
import { createCatalogue, keepLists } from '#shared/operations/catalogue.ts';
import { type CountedLookups, countedLookups, validCells } from '../../support/ingest/catalogue.ts';
import { type IngestBench, ingestBench } from '../../support/ingest/ingest.ts';
import { csvOf, numberAt, simAt } from '../../support/ingest/valid-rows.ts';

let lookups: CountedLookups;
let bench: IngestBench;
let files = 0;

beforeEach(() => {
  lookups = countedLookups();
  const listsForNow = keepLists(
    lookups,
    () => 0,
    () => '',
  );
  bench = ingestBench({
    openCatalogue: () => createCatalogue(lookups, { lists: listsForNow() }),
  });
});

/** The codes of the file, and the lookups that it made. */
async function upload(cells: Record<string, string>) {
  lookups.calls.clear();
  files += 1;
  const row = { ...validCells, msisdn: numberAt(files), serialNo: simAt(files), boltOns: '101', ...cells };
  const file = csvOf([row], Object.keys(row));
  const item = await bench.upload(file, { key: `create-port/file-${files}.csv` });
  const codes = bench.issues(item).flatMap(({ code, severity }) => (severity === 'error' ? [code] : []));
  return { codes, looked: [...lookups.calls.keys()].sort() };
}

const usual = ['boltOns 2001', 'networks', 'orders 101', 'tariffs 101'];

test('the second file looks up nothing', async () => {
  expect(await upload({})).toEqual({ codes: [], looked: usual });
  expect(await upload({})).toEqual({ codes: [], looked: [] });
});

test('a bolt-on that was added a second ago is found, and one that never was is not', async () => {
  await upload({});
  const { boltOns } = lookups;
  lookups.boltOns = async (tariff) => [...(await boltOns(tariff)), { number: 777, name: 'Added a second ago' }];
  expect(await upload({ boltOns: 'Added a second ago' })).toEqual({ codes: [], looked: usual });
  expect(await upload({ boltOns: 'Never added' })).toMatchObject({
    codes: expect.arrayContaining(['BOLT_ON_UNKNOWN']),
  });
});

test('a day that was offered a second ago is found', async () => {
  await upload({});
  const { networks } = lookups;
  lookups.networks = async () => {
    const types = structuredClone(await networks());
    for (const network of types.flatMap(({ targetNetworks }) => targetNetworks)) network.maxPortDays = 60;
    return types;
  };
  expect((await upload({ connectionDate: '2026-08-20' })).codes).toEqual([]);
});

test('a column that is a service which was added a second ago asks', async () => {
  await upload({ Gold: 'Y' });
  const { networkServices } = lookups;
  lookups.networkServices = async (network, tariff) => {
    const groups = await networkServices(network, tariff);
    const gold = { name: 'Gold', type: 'Service', readOnly: false, availableOptions: ['true', 'false'] };
    return [...groups, { groupName: 'New', services: [gold] }];
  };
  expect((await upload({ Gold: 'Y' })).codes).toEqual(['HEADER_NEAR_MISS']);
});
