// Comments and pages are at most 120 columns wide, as code is: the formatter wraps code, and nothing else wraps them.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const maxColumns = 120;

/** The lines of comments and prose that are too wide. Tables and fenced blocks cannot be wrapped. */
function findLongLines(file: string, text: string): string[] {
  const isPage = file.endsWith('.md');
  let fenced = false;
  return text.split('\n').flatMap((line, index) => {
    if (/^\s*(```|~~~)/.test(line)) fenced = !fenced;
    const counts = isPage ? !fenced && !/^\s*(\||```| {4})/.test(line) : /^\s*(\/\/|\/?\*)/.test(line);
    return counts && line.length > maxColumns ? [`${file}:${index + 1}: ${line.length} columns`] : [];
  });
}

const long = 'word '.repeat(25);

test.each([
  ['in documentation', 'docs/sample.md', long, 1],
  ['in a comment', 'cli/sample.ts', `// ${long}`, 1],
  ['but not in a table', 'docs/sample.md', `| ${long} |`, 0],
  ['but not in a fenced block', 'docs/sample.md', `\`\`\`\n${long}\n\`\`\``, 0],
  ['but not in code, which the formatter wraps', 'cli/sample.ts', `const a = '${long}';`, 0],
])('a line above 120 columns is found %s', (_where, file, text, count) => {
  expect(findLongLines(file, text)).toHaveLength(count);
});

test('the project has none of them', () => {
  const known = ['ls-files', '--cached', '--others', '--exclude-standard', '*.md', '*.ts', '*.tsx'];
  const files = execFileSync('git', known, { encoding: 'utf8' }).trim().split('\n').filter(existsSync);
  expect(files.length).toBeGreaterThan(1000);
  expect(files.flatMap((file) => findLongLines(file, readFileSync(file, 'utf8')))).toEqual([]);
});
