// The tests that are skipped on macOS or Windows are listed with their reason.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { globFiles } from '../support/glob-files.ts';

const repository = join(import.meta.dirname, '..', '..');
const files = globFiles('test/**/{*.test,steps/*}.ts', { cwd: repository })
  .sort()
  .map((path) => ({ path, code: readFileSync(join(repository, path), 'utf8') }));
const call = /\bnotOn\(\s*\[([^\]]+)\],\s*'([^']+)',?\s*\)/g;

test('docs/contributing/other-systems.md lists the skipped tests', async () => {
  const skipped = files.flatMap(({ path, code }) =>
    [...code.matchAll(call)].map(([, systems = '', reason]) => {
      const row = `| ${reason} | ${systems.replaceAll("'", '').trim()} |`;
      return { row, path: `\`${path}\`` };
    }),
  );
  const rows = [...Map.groupBy(skipped, ({ row }) => row)].map(
    ([row, tests]) => `${row} ${[...new Set(tests.map(({ path }) => path))].join(', ')} |`,
  );
  const page = `# Other systems

Tests that assume Linux are skipped on macOS or Windows. Browser tests use the Chrome of such a machine.
[Versions](../reference/versions.md#supported-machines) states what was run where. A test writes this page from the
calls of \`notOn\` in \`test/support/not-on.ts\`: \`npx vitest run test/docs/other-systems.test.ts -u\`.

| reason | not on | tests in |
|---|---|---|
${rows.join('\n')}
`;
  await expect(page).toMatchFileSnapshot(join(repository, 'docs', 'contributing', 'other-systems.md'));
});

/** What exists on one system only, or has another form there. */
const assumptions: Readonly<Record<string, RegExp>> = {
  'a device or a list of Linux': /['"`]\/(?:dev\/full|proc\/)/,
  'a list of processes': /support\/processes\.ts'|\bkillAll\(/,
  'the environment of a process': /'\.\/emulator-process\.ts'/,
  'a signal that a program handles': /\.kill\('SIG(?:INT|TERM)'\)|kill\(-/,
  'mode bits of a file': /\bmode\b.{0,9}& 0o/,
  'a shell': /'(?:bash|sh)', \['-c'|execFileSync\(join\(folder, '\.ci'/,
};
/** They have a form for other systems. */
const elsewhere = ['test/docs/other-systems.test.ts'];

test.each(Object.entries(assumptions))('a file that assumes %s skips tests on another system', (_, pattern) => {
  const assuming = files.filter(({ path, code }) => pattern.test(code) && !elsewhere.includes(path));
  expect(assuming.length).toBeGreaterThan(0);
  expect(assuming.filter(({ code }) => !code.includes('notOn(')).map(({ path }) => path)).toEqual([]);
});

test.each([
  ['globSync, whose paths have backslashes on Windows: use globFiles', /\bglobSync\b/],
  ['TMPDIR without TEMP, which Windows reads', /\bTMPDIR\b(?![\s\S]*\bTEMP\b)/],
  ['npm without a shell, which does not start on Windows: use runNpm', /execFileSync\('npm'/],
])('no test uses %s', (_, pattern) => {
  expect(
    files.filter(({ path, code }) => pattern.test(code) && !elsewhere.includes(path)).map(({ path }) => path),
  ).toEqual([]);
});
