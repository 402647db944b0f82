import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readUploadRequest, type UploadOptions } from '#cli/options/upload-options.ts';
import { readUploadSettings, toUploadMetadata } from '#shared/files/upload-settings.ts';
import { double } from '../../support/double.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'simporter-options-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const read = async (options: Partial<UploadOptions> = {}) => {
  const all: UploadOptions = { operation: 'create-port', set: [], map: [], means: [], sheet: [], ...options };
  return (await readUploadRequest(double({ folder }), 'july.csv', all)).settings;
};

const everything: Partial<UploadOptions> = {
  set: ['targetNetwork=UK Mobile A', 'services=Roaming=on'],
  map: ['Porting date=connectionDate', 'a=b=msisdn', 'Line='],
  means: ['targetNetwork:EE Biz=UK Mobile A', 'tariff:Größe: L=Unlimited'],
  planOnly: true,
  tolerate: '2.5',
  maxRowsPerPort: '10',
  onInvalidPac: 'remove',
  perDay: '500',
  separateExpiringPacs: true,
  sheet: ['Zahlen für März', 'Q1, Q2 & Q3', 'Mai'],
  headerRow: '4',
  dates: 'dmy',
  encoding: 'windows-1252',
  separator: ';',
};

test('every option is read', async () => {
  expect(await read(everything)).toEqual({
    planOnly: true,
    toleratedFailurePercentage: 2.5,
    maxRowsPerPort: 10,
    onInvalidPac: 'remove',
    perDay: 500,
    separateExpiringPacs: true,
    defaults: { targetNetwork: 'UK Mobile A', services: 'Roaming=on' },
    mapping: { 'Porting date': 'connectionDate', 'a=b': 'msisdn', Line: '' },
    meanings: { targetNetwork: { 'EE Biz': 'UK Mobile A' }, tariff: { 'Größe: L': 'Unlimited' } },
    dateOrder: 'dmy',
    layout: {
      headerLine: 4,
      sheet: 'Zahlen für März',
      otherSheets: [{ sheet: 'Q1, Q2 & Q3' }, { sheet: 'Mai' }],
      encoding: 'windows-1252',
      delimiter: ';',
    },
  });
});

test('the metadata of the upload carries every option as ASCII', async () => {
  const settings = await read(everything);
  const metadata = toUploadMetadata(settings);
  expect(JSON.stringify(metadata)).toMatch(/^[ -~]+$/);
  const defaults = { targetnetwork: 'UK Mobile A', services: 'Roaming=on' };
  expect(readUploadSettings(metadata)).toEqual({ ...settings, defaults });
});

test.each(['EE Biz=UK Mobile A', 'tariff:=2001', 'tariff:Gold='])('--means "%s" is incomplete', async (means) => {
  await expect(read({ means: [means] })).rejects.toThrow(/^--means ".*" is incomplete/);
});

test('options that are too long for the metadata of an object are declined before the upload', async () => {
  const long = { set: [`message=${'é'.repeat(250)}`], map: [`${'Porting date '.repeat(50)}=connectionDate`] };
  await expect(read(long)).rejects.toThrow(
    /^--set message \([\d,]+ bytes\), --map \(\d+ bytes\): .* together they have [\d,]+ bytes, and an upload takes 2,000/,
  );
  await expect(read({ set: [`message=${'e'.repeat(1_980)}`] })).resolves.toMatchObject({ mapping: {} });
});

test('a saved mapping file gives the same settings again, and options take precedence', async () => {
  const {
    planOnly: _,
    toleratedFailurePercentage: __,
    maxRowsPerPort: ___,
    onInvalidPac: ____,
    perDay: _____,
    separateExpiringPacs: ______,
    ...saved
  } = await read({ ...everything, saveMapping: 'm.json' });
  expect(JSON.parse(readFileSync(join(folder, 'm.json'), 'utf8'))).toMatchObject({
    separator: 'semicolon',
    headerRow: 4,
  });
  expect(await read({ mapping: 'm.json' })).toMatchObject(saved);
  const changed = await read({ mapping: 'm.json', dates: 'mdy', map: ['Line=msisdn'] });
  expect(changed).toMatchObject({ dateOrder: 'mdy', layout: { headerLine: 4 } });
  const { layout } = await read({ mapping: 'm.json', sheet: ['Juni'] });
  expect([layout.sheet, layout.otherSheets]).toEqual(['Juni', undefined]);
  expect(changed.mapping).toMatchObject({ Line: 'msisdn', 'Porting date': 'connectionDate' });
});

test.each<[string, Partial<UploadOptions>, RegExp]>([
  ['a value without "="', { set: ['targetNetwork'] }, /--set "targetNetwork" has no "="/],
  ['a mapping without a name', { map: ['=msisdn'] }, /--map "=msisdn" has no "="/],
  [
    'a PAC for all rows',
    { set: ['PAC code=ABC123456'] },
    /--set PAC code is secret, so it takes no value for all rows/,
  ],
  ['an unknown separator', { separator: 'dot' }, /--separator "dot" is not a separator/],
  ['a mapping file that does not exist', { mapping: 'none.json' }, /no file "none.json"/],
  ['a mapping file with an unknown member', { mapping: 'wrong.json' }, /not a mapping file/],
])('%s is a usage error', async (_what, options, message) => {
  writeFileSync(join(folder, 'wrong.json'), '{"maps":{}}');
  await expect(read(options)).rejects.toThrow(message);
});

test.each([
  ['plan-only', 'yes'],
  ['plan-only', '1'],
  ['plan-only', 'constructor'],
  ['tolerate', 'all'],
  ['max-rows-per-port', '0'],
  ['per-day', '0'],
  ['separate-expiring-pacs', 'some'],
  ['header-row', '0'],
  ['dates', 'dym'],
  ['encoding', 'ebcdic'],
  ['separator', 'dot'],
  ['map', 'msisdn'],
  ['sheet', ''],
])('metadata with %s "%s" is a problem, not the default', (name, value) => {
  expect(readUploadSettings({ [name]: value }).problem).toContain(`${name} "${value}"`);
});

test.each(['plan-only', 'planOnly', 'planonly', 'plan_only', 'Plan-Only'])('metadata may be named %s', (name) => {
  expect(readUploadSettings({ [name]: 'true' }).planOnly).toBe(true);
});

test('metadata for a column may have an underscore', () => {
  expect(readUploadSettings({ set_network: '232' }).defaults).toEqual({ network: '232' });
});

test.each(['plan-only', 'separate-expiring-pacs'])('metadata with %s "False" turns it off', (name) => {
  expect(readUploadSettings({ [name]: 'False' }).problem).toBeUndefined();
  expect(readUploadSettings({ [name]: 'False' }).planOnly).toBe(false);
});

test('metadata that other programs add is left alone', () => {
  const added = { mtime: '1795426634.2', 's3cmd-attrs': 'mode:33188/uid:0', mode: '33188', settings: 'x' };
  expect(readUploadSettings(added).problem).toBeUndefined();
});
