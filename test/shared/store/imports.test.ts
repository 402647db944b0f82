import { randomUUID } from 'node:crypto';
import { CreateTableCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { ImportItem } from '#shared/import/import.ts';
import { createImports, eachImport, type Imports } from '#shared/store/imports.ts';
import { type ResultsServices, startResultsServices } from '../../support/embedded/services.ts';
import { tableDefinition } from '../../support/embedded/table.ts';
import { importItemOf } from '../../support/steps/submit-and-sync.ts';

let services: ResultsServices;
let imports: Imports;

beforeAll(async () => {
  services = await startResultsServices();
});
afterAll(() => services.stop());
beforeEach(async () => {
  const table = `results-${randomUUID()}`;
  await services.table.send(new CreateTableCommand(tableDefinition(table)));
  imports = createImports(services.table, table);
});

test('fault 1: an import that is begun many times at once is written once, and all callers get the same item', async () => {
  const begun = await Promise.all(
    Array.from({ length: 5 }, (_, index) => imports.begin(importItemOf('a', { rows: index }))),
  );
  expect(begun.filter(({ isNew }) => isNew)).toHaveLength(1);
  const first = begun.find(({ isNew }) => isNew)?.item;
  expect(begun.map(({ item }) => item)).toEqual(Array(5).fill(first));
});

test('an update is made in an expected state only', async () => {
  await imports.begin(importItemOf('a', { state: 'planning' }));
  expect(await imports.update('a', { state: 'planned', rows: 7 }, ['planning'])).toMatchObject({
    state: 'planned',
    rows: 7,
  });
  expect(await imports.update('a', { state: 'rejected' }, ['planning'])).toBeUndefined();
  expect(await imports.get('a')).toMatchObject({ state: 'planned' });
});

test('an update does not create an import', async () => {
  expect(await imports.update('none', { rows: 1 })).toBeUndefined();
  expect(await imports.get('none')).toBeUndefined();
});

test('a roll-up is not overwritten by an older one, and not written before the release', async () => {
  await imports.begin(importItemOf('a'));
  expect(await imports.rollUp(importItemOf('a'), { actionRequired: 2 }, 10)).toMatchObject({ actionRequired: 2 });
  expect(await imports.rollUp(importItemOf('a'), { actionRequired: 1 }, 9)).toBeUndefined();
  await imports.begin(importItemOf('b', { state: 'planned' }));
  expect(await imports.rollUp(importItemOf('b'), { actionRequired: 1 }, 1)).toBeUndefined();
});

test('imports are listed, newest first, page after page, whatever their account', async () => {
  for (const day of ['01', '02', '03']) {
    await imports.begin(importItemOf(day, { receivedAt: `2026-07-${day}T09:00:00.000Z` }));
  }
  await imports.begin(importItemOf('04', { account: '1002@service', receivedAt: '2026-07-04T09:00:00.000Z' }));
  const newest = await imports.list({ limit: 2 });
  expect(newest.map(({ importId }) => importId)).toEqual(['04', '03']);
  const before = newest.at(-1)?.receivedAt;
  expect(await imports.list(before === undefined ? {} : { before })).toMatchObject([
    { importId: '02' },
    { importId: '01' },
  ]);
});

test('each import is read once, also of many that came in the same millisecond', async () => {
  const at = (index: number) => (index < 150 ? '2026-07-06T09:00:00.000Z' : '2026-07-06T08:00:00.000Z');
  const all = Array.from({ length: 320 }, (_, index) => ({ importId: `import-${index}`, receivedAt: at(index) }));
  const list = async ({ before = '~', limit = 50 }: { before?: string; limit?: number } = {}) =>
    all.filter(({ receivedAt }) => receivedAt < before).slice(0, limit) as ImportItem[];
  const read = await Array.fromAsync(eachImport({ list, get: async () => undefined, parts: async () => [] }));
  expect(read.map(({ importId }) => importId)).toEqual(all.map(({ importId }) => importId));
});
