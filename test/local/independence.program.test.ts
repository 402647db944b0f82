// The emulator runs any project: what it needs to know of simporter, the command line hands it.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const folder = fileURLToPath(new URL('../../local', import.meta.url));
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));

test('no file of the emulator has a name of simporter in it', () => {
  expect(files.length).toBeGreaterThan(40);
  const names =
    /simporter|simulator|porting|msisdn|\bpac\b|\b(ingest|submit|sync|report|announce)Function\b|`(ingest|sync)`/i;
  const found = files.filter((name) => names.test(readFileSync(join(folder, name), 'utf8')));
  expect(found).toEqual([]);
});

test('no statement of SQL numbers its parameters: Node before 24.7 cannot bind one twice', () => {
  const found = files.filter((name) => /[=<>+(,] ?\?\d/.test(readFileSync(join(folder, name), 'utf8')));
  expect(found).toEqual([]);
});
