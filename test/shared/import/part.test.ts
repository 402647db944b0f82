// What is done to a file after its import is a part of the import.
import { expect, test } from 'vitest';
import { createReadDayCycle, firstImportOf, partItemOf, partKey, partKindOf, sendsRows } from '#shared/import/part.ts';
import { someImport } from '../../support/cli/imports.ts';

const part = someImport({ importId: 'part', partOf: { importId: 'first', kind: 'move' } });

test.each([
  ['create-port', 'create-port', 'correction'],
  ['send-sms', 'send-sms', 'correction'],
  ['create-port', 'update-port', 'pacs'],
  ['create-port', 'cancel-port', 'cancel'],
  ['create-port', 'send-sms', undefined],
  ['provision', 'cancel-port', undefined],
  [null, 'create-port', undefined],
] as const)('rows of %s that return in a file of %s are: %s', (first, operation, kind) => {
  expect(partKindOf(first, operation)).toBe(kind);
});

test('only corrections and moves send rows of the file', () => {
  expect((['correction', 'move', 'pacs', 'cancel'] as const).filter(sendsRows)).toEqual(['correction', 'move']);
});

test('the rows of a part belong to its first import', () => {
  expect([firstImportOf(part), firstImportOf(someImport({ importId: 'first' }))]).toEqual(['first', 'first']);
});

test('the first import names its parts in the order in which they came, each once', () => {
  const item = partItemOf(part, 'first');
  expect(item).toEqual({
    importId: 'first',
    partId: 'part',
    at: '2026-07-01T10:00:00.000Z',
    expiresAt: 1_850_000_000,
  });
  expect(partKey(item)).toEqual({ pk: 'import#first', sk: 'part#2026-07-01T10:00:00.000Z#part' });
});

test('the limit of numbers a day is that of the first import', async () => {
  const first = someImport({ importId: 'first', dayCycle: 3 });
  const get = async (importId: string) => [first, part].find((item) => item.importId === importId);
  const read = createReadDayCycle({ get });
  expect([await read('first'), await read('part'), await read('unknown')]).toEqual([3, 3, undefined]);
});
