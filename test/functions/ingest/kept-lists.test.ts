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
async function upload(cells: Record<string, string>, { rows: count = 1, perDay = 'none' } = {}) {
  lookups.calls.clear();
  files += 1;
  const rows = Array.from({ length: count }, (_, index) => {
    const place = 100 * files + index;
    return { ...validCells, msisdn: numberAt(place), serialNo: simAt(place), boltOns: '101', ...cells };
  });
  const metadata: Record<string, string> = perDay === 'none' ? {} : { 'per-day': perDay };
  const file = csvOf(rows, Object.keys(rows[0] ?? {}));
  const item = await bench.upload(file, { key: `create-port/file-${files}.csv`, metadata });
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

/** From now on networks offer these days. */
function offerDays(days: { readonly minPortDays?: number; readonly maxPortDays?: number }) {
  const { networks } = lookups;
  lookups.networks = async () => {
    const types = structuredClone(await networks());
    for (const network of types.flatMap(({ targetNetworks }) => targetNetworks)) Object.assign(network, days);
    return types;
  };
}

test('a day that was offered a second ago is found', async () => {
  await upload({});
  offerDays({ maxPortDays: 60 });
  expect((await upload({ connectionDate: '2026-08-20' })).codes).toEqual([]);
});

test('a PAC that expires before the first day is valid where an earlier day was offered a second ago', async () => {
  const cells = { connectionDate: 'auto', pacExpiry: '2026-07-02' };
  offerDays({ minPortDays: 5 });
  await upload({ connectionDate: 'auto' });
  const rejected = await upload(cells);
  expect(rejected).toEqual({ codes: expect.arrayContaining(['PAC_EXPIRES_BEFORE_DATE']), looked: usual });
  offerDays({ minPortDays: 2 });
  expect(await upload(cells)).toEqual({ codes: [], looked: usual });
});

test('numbers find a day where more days were offered a second ago', async () => {
  offerDays({ maxPortDays: 2 });
  await upload({ connectionDate: 'auto' });
  offerDays({ maxPortDays: 30 });
  expect((await upload({ connectionDate: 'auto' }, { rows: 2, perDay: '1' })).codes).toEqual([]);
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
