// Every link of the package's README leads to a file of the package.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { packageReadme } from '../../packages/readme.ts';

test('links name examples of the package, and no other file of the repository', () => {
  expect(packageReadme('| the [command line](cli.md) | [app](../examples/packages/cdk-app.mjs), [a](#b) |')).toBe(
    '| the command line | [app](examples/packages/cdk-app.mjs), [a](#b) |',
  );
  const page = readFileSync(new URL('../../docs/packages.md', import.meta.url), 'utf8');
  const paths = [...packageReadme(page).matchAll(/\]\(([^)]+)\)/g)].map(([, path]) => path);
  expect(paths.filter((path) => !/^(?:https:|#|examples\/packages\/)/.test(path ?? ''))).toEqual([]);
  expect(paths).toContain('examples/packages/client.test.mjs');
});
