// Which files are read with the saved settings of their header.
import { expect, test } from 'vitest';
import { headerIdOf } from '#shared/files/open-upload.ts';
import { consoleUpload } from '#shared/import/approval.ts';
import type { SavedSettings } from '#shared/import/saved-settings.ts';
import { double } from '../../../support/double.ts';
import { workbookFile } from '../../../support/files/workbook-file.ts';
import { validCells } from '../../../support/ingest/catalogue.ts';
import { ingestBench } from '../../../support/ingest/ingest.ts';

const header = Object.keys(validCells);
const cells = Object.values(validCells).map(String);
const saved = (settings: SavedSettings['settings'], ofHeader = header): SavedSettings => ({
  savedId: headerIdOf('create-port', ofHeader) ?? '',
  operation: 'create-port',
  name: 'Acme weekly',
  by: 'anna@example.com',
  savedAt: '2026-07-03T09:00:00.000Z',
  settings,
});
const benchWith = (...all: readonly SavedSettings[]) =>
  ingestBench({
    savedSettings: double({ get: async (savedId) => all.find((one) => one.savedId === savedId) }),
  });
const book = (...names: readonly string[]) => workbookFile(names.map((name) => ({ name, rows: [header, cells] })));

test('the sheet of a workbook is chosen as before, unless the next workbook does not have it', async () => {
  const bench = benchWith(saved({ sheet: 'New' }));
  const upload = (name: string, ...sheets: readonly string[]) =>
    bench.upload(book(...sheets), { key: `plan/create-port/${name}.xlsx`, metadata: consoleUpload });
  const second = await upload('august', 'New', 'Old');
  expect(second).toMatchObject({ state: 'planned', accepted: 1, readWith: { name: 'Acme weekly' } });
  const third = await upload('september', 'Now', 'Old');
  expect(third?.state).toBe('rejected');
  expect(third?.readWith).toBeUndefined();
});

test('a file that was not uploaded in the console is read as detected', async () => {
  const own = header.map((name) => (name === 'msisdn' ? 'My phones' : name));
  const bench = benchWith(saved({ mapping: { 'My phones': 'msisdn' } }, own));
  const text = [own, cells].map((row) => row.join(',')).join('\n');
  const metadata = consoleUpload;
  expect((await bench.upload(text, { key: 'plan/create-port/a.csv', metadata }))?.state).toBe('planned');
  expect((await bench.upload(text, { key: 'create-port/b.csv' }))?.state).toBe('rejected');
  expect((await bench.upload(text, { key: 'plan/create-port/c.csv' }))?.state).toBe('rejected');
});

test('a second attempt reads the file as the first one, although the settings were changed meanwhile', async () => {
  const own = header.map((name) => (name === 'msisdn' ? 'My phones' : name));
  const all = [saved({ mapping: { 'My phones': 'msisdn' } }, own)];
  const bench = ingestBench({ savedSettings: double({ get: async () => all.pop() }) });
  const text = [own, cells].map((row) => row.join(',')).join('\n');
  const { files } = bench;
  const open = files.open.bind(files);
  files.open = () => {
    files.open = open;
    throw new Error('the bucket does not answer');
  };
  const upload = () => bench.upload(text, { key: 'plan/create-port/a.csv', metadata: consoleUpload });
  await expect(upload()).rejects.toThrow('the bucket does not answer');
  expect(await upload()).toMatchObject({ state: 'planned', readWith: { name: 'Acme weekly' } });
});
