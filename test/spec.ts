// Prints what the tests of a folder state, as sentences, from the reports of the last runs:
// `npm run spec -- shared/request`.
import { existsSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';
import * as z from 'zod';

const report = z.object({
  testResults: z.array(
    z.object({
      name: z.string(),
      assertionResults: z.array(
        z.object({ ancestorTitles: z.array(z.string()), title: z.string(), status: z.string() }),
      ),
    }),
  ),
});

const [folder = ''] = process.argv.slice(2);
const results = ['reports/tests.json', 'reports/slow-tests.json']
  .filter((path) => existsSync(path))
  .flatMap((path) => report.parse(JSON.parse(readFileSync(path, 'utf8'))).testResults)
  .map(({ name, assertionResults }) => ({
    path: relative('test', name).replaceAll('\\', '/'),
    tests: assertionResults,
  }))
  .filter(({ path }) => path.startsWith(folder.replace(/^test\//, '')))
  .sort((one, other) => one.path.localeCompare(other.path));

for (const { path, tests } of results) {
  console.log(`\n${path}`);
  let above: readonly string[] = [];
  for (const { ancestorTitles, title, status } of tests) {
    const same = ancestorTitles.findIndex((name, depth) => name !== above[depth]);
    for (const [depth, name] of ancestorTitles.entries()) {
      if (same !== -1 && depth >= same) console.log(`${'  '.repeat(depth + 1)}${name}`);
    }
    console.log(`${'  '.repeat(ancestorTitles.length + 1)}${status === 'passed' ? '-' : status} ${title}`);
    above = ancestorTitles;
  }
}
if (results.length === 0) {
  console.error(`No test of "${folder}" has run. Run npm test first, or npx vitest run and the folder.`);
  process.exitCode = 1;
}
