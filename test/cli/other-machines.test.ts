// What differs on Windows and macOS and can be tested anywhere: separators of folders, line ends, byte order marks, and
// the advice where Node 24 is missing.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, win32 } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { fileOfRequest } from '#cli/console/serve-console.ts';
import { formatMappingFile, parseMappingFile } from '#cli/options/upload-options.ts';
import { uploadKey } from '#shared/store/object-keys.ts';
import { readCatalogue } from '#simulator/catalogue/catalogue.ts';
import defaultCatalogue from '#simulator/catalogue/default.json' with { type: 'json' };

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'simporter-windows-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** As Notepad saves a file. */
const asOnWindows = (text: string) => `\uFEFF${text.replaceAll('\n', '\r\n')}`;

describe('the console', () => {
  test.each([
    ['/', '/index.html'],
    ['/assets/index-C8xamdOQ.js', '/assets/index-C8xamdOQ.js'],
    ['/assets//index.css', '/assets/index.css'],
  ])('%s is the file %s, with slashes on every machine', (path, file) => {
    expect(fileOfRequest(path)).toBe(file);
    expect(win32.join('C:\\console', file)).toBe(`C:\\console${file.replaceAll('/', '\\')}`);
  });

  test.each([
    '/..%5C..%5Csecret.json',
    '/%5C%5Cserver%5Cshare%5Cfile.json',
    '/C:%5Csecret.json',
    '/C:/secret.json',
    '/index.html::$DATA.html',
    '/../secret.json%00.html',
    '/.aws/config.json',
    '/%',
    '/assets/program.exe',
  ])('%s is no file of it', (path) => {
    const file = fileOfRequest(path);
    expect(file).toBeUndefined();
  });

  test('no path leads out of its folder', () => {
    for (const path of ['/../../secret.json', '/assets/../../secret.json', '/%2e%2e/secret.json']) {
      const file = fileOfRequest(path) ?? '/index.html';
      expect(win32.join('C:\\console', file)).toMatch(/^C:\\console\\/);
    }
  });
});

describe('files with CRLF and a byte order mark are read like others', () => {
  test('a mapping file', () => {
    const settings = {
      mapping: { Datum: 'connectionDate' },
      defaults: { pac: 'ABC123456' },
      dateOrder: undefined,
      layout: { headerLine: 3, sheet: undefined, encoding: undefined, delimiter: ';' },
    } as const;
    const text = formatMappingFile(settings);
    expect(parseMappingFile(asOnWindows(text))).toEqual(parseMappingFile(text));
    expect(parseMappingFile(text)).toMatchObject({ settings: { mapping: settings.mapping } });
  });

  test('a catalogue of the simulator', async () => {
    const path = join(folder, 'catalogue.json');
    await writeFile(path, asOnWindows(JSON.stringify(defaultCatalogue, null, 2)));
    expect(readCatalogue(path).data).toEqual(readCatalogue().data);
  });
});

test('the key of an upload is the name of its file, wherever the file is', () => {
  const fileName = win32.basename('C:\\Users\\anna\\July files\\july.csv');
  expect(uploadKey({ operation: 'create-port', fileName, planOnly: false })).toBe('create-port/july.csv');
});

test('where npm installed no Node, one line names what is missing', async () => {
  const { missingNode } = await import(String(new URL('../../cli/launch.mjs', import.meta.url)));
  expect(missingNode('20.20.2')).toMatch(
    /^error: simporter needs Node 24 or newer, and this is Node 20\.20\.2\. Install .*$/,
  );
});
