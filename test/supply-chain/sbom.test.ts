// The software bill of materials: `npm run sbom` lists every dependency as CycloneDX.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runNpm } from '../support/run-npm.ts';

const repository = join(import.meta.dirname, '..', '..');
const manifest = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8'));
const lock: { readonly packages: Readonly<Record<string, { readonly devOptional?: boolean }>> } = JSON.parse(
  readFileSync(join(repository, 'package-lock.json'), 'utf8'),
);

interface Component {
  readonly name: string;
  readonly version: string;
  readonly purl: string;
  readonly hashes?: readonly unknown[];
  readonly properties?: readonly { readonly name: string; readonly value: string }[];
}

// `npm sbom --omit dev` would also omit packages that a development tool needs as well, such as zod.
test('lists every dependency with its version and checksum, and marks those for development only', () => {
  const output = runNpm(['run', '--silent', 'sbom'], repository);
  const sbom: { bomFormat: string; specVersion: string; components: Component[] } = JSON.parse(output);
  expect(sbom).toMatchObject({ bomFormat: 'CycloneDX', specVersion: expect.stringMatching(/^1\.\d$/) });
  const isForDevelopment = ({ properties = [] }: Component): boolean =>
    properties.some(({ name }) => name === 'cdx:npm:package:development');
  const fromTheRegistry = Object.entries<string>(manifest.dependencies).filter(([, version]) => /^\d/.test(version));
  for (const [name, version] of fromTheRegistry) {
    const found = sbom.components.find((one) => one.name === name && one.version === version);
    expect(found, name).toMatchObject({ purl: `pkg:npm/${name.replace('@', '%40')}@${version}` });
    expect([name, found?.hashes?.length, found && isForDevelopment(found)]).toEqual([name, 1, false]);
  }
  // A library may also use one of them where it is installed, such as the types of React.
  const isOptional = (name: string): boolean => lock.packages[`node_modules/${name}`]?.devOptional === true;
  for (const name of Object.keys(manifest.devDependencies).filter((one) => !isOptional(one)))
    expect(sbom.components.filter((one) => one.name === name).some(isForDevelopment), name).toBe(true);
});
