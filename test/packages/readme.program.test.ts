// Every link of the package's README leads somewhere: to a file of the package, or to the documentation of its version.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { packageReadme } from '../../packages/readme.ts';

const line =
  '| the [command line](../reference/cli.md) | [types](../../test/a.ts) | [app](../../examples/packages/cdk-app.mjs), [a](#b) |';

test('where the repository is unknown, links name examples of the package and nothing else', () => {
  expect(packageReadme(line, undefined)).toBe(
    '| the command line | types | [app](examples/packages/cdk-app.mjs), [a](#b) |',
  );
  const page = readFileSync(new URL('../../docs/guides/package.md', import.meta.url), 'utf8');
  const paths = [...packageReadme(page, undefined).matchAll(/\]\(([^)]+)\)/g)].map(([, path]) => path);
  expect(paths.filter((path) => !/^(?:https:|#|examples\/packages\/)/.test(path ?? ''))).toEqual([]);
  expect(paths).toContain('examples/packages/client.test.mjs');
});

test('a release links to the documentation of its version', () => {
  expect(packageReadme(line, 'https://code.example/simporter/blob/v1.0.0/docs/guides/')).toBe(
    '| the [command line](https://code.example/simporter/blob/v1.0.0/docs/reference/cli.md) | ' +
      '[types](https://code.example/simporter/blob/v1.0.0/test/a.ts) | ' +
      '[app](examples/packages/cdk-app.mjs), [a](#b) |',
  );
});
