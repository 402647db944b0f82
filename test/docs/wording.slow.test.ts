// Documentation, comments, messages and names use the words of the project's glossary.
import { describe, expect, test } from 'vitest';
import { type Finding, findAll, findLongLines, findWords } from './wording.ts';

const textsOf = (findings: readonly Finding[]) => findings.map(({ line, text }) => `${line}: ${text}`);

describe('a word that the project does not use is found', () => {
  test.each([
    ['in documentation', 'docs/sample.md', 'Fix the row.\n\nThe request is in\ndoubt.', ['3: in doubt']],
    ['in a comment', 'cli/sample.ts', 'const a = 1;\n// Mend the row\n// and import it.', ['2: Mend']],
    ['across the lines of a comment', 'cli/sample.ts', '/**\n * The request is in\n * doubt.\n */', ['2: in doubt']],
    ['in a message', 'cli/sample.ts', "throw new Error('mend the row');", ['1: mend']],
    [
      'around a value in a message',
      'cli/sample.ts',
      `const a = (n: number) => \`\${n} rows are put aside\`;`,
      ['1: put aside'],
    ],
    ['in the name of a function', 'cli/sample.ts', 'export const judgeRow = 1;', ['1: judge']],
    ['in the name of a test', 'test/sample.test.ts', "test('a row is mended', () => {});", ['1: mended']],
    ['in the name of a file', 'shared/row/hostages.ts', '', ['0: hostages']],
  ])('%s', (_where, file, text, expected) => {
    expect(textsOf(findWords(file, text))).toEqual(expected);
  });

  test.each([
    ['a module that is imported', 'cli/sample.ts', "import { a } from './judge.ts';"],
    ['a sample in a test', 'test/sample.test.ts', "expect(answer).toBe('refused');"],
    ['a pattern', 'cli/sample.ts', 'const pattern = /mend/;'],
    ['a true use that was reviewed', 'cli/sample.ts', '// A refused connection is safe to retry.'],
  ])('but not in %s', (_where, file, text) => {
    expect(findWords(file, text)).toEqual([]);
  });
});

describe('a line above 120 columns is found', () => {
  const long = 'word '.repeat(25);

  test.each([
    ['in documentation', 'docs/sample.md', long, 1],
    ['in a comment', 'cli/sample.ts', `// ${long}`, 1],
    ['but not in a table', 'docs/sample.md', `| ${long} |`, 0],
    ['but not in a fenced block', 'docs/sample.md', `\`\`\`\n${long}\n\`\`\``, 0],
    ['but not in code, which the formatter wraps', 'cli/sample.ts', `const a = '${long}';`, 0],
  ])('%s', (_where, file, text, count) => {
    expect(findLongLines(file, text)).toHaveLength(count);
  });
});

// It reads every file of the project, which takes long on a busy machine.
test('the project has none of them', { timeout: 240_000 }, () => {
  expect(findAll().map(({ file, line, text, advice }) => `${file}:${line}: "${text}" (${advice})`)).toEqual([]);
});
