// issues.ndjson of any size, read from any line: its findings in the order of their lines, and no byte twice.
import { expect, test } from 'vitest';
import { readIssues } from '#shared/results/read-issues.ts';
import { type Issue, warning } from '#shared/row/issue.ts';
import type { ByteRange } from '#shared/store/files.ts';
import { issuesKey } from '#shared/store/object-keys.ts';
import { someImport } from '../../support/cli/imports.ts';
import { memoryFiles } from '../../support/in-memory/files.ts';

const issueAt = (line: number, message = 'the number may be rounded'): Issue => ({
  line,
  column: 'msisdn',
  ...warning('MSISDN_ROUNDED', message),
});

/** Two findings of each second line. */
const inOrder = (lines: number): Issue[] =>
  Array.from({ length: lines }, (_, index) => issueAt(2 + 2 * Math.floor(index / 2), `finding ${index}`));

function store(issues: readonly Issue[]) {
  const files = memoryFiles();
  const item = someImport();
  const ranges: ByteRange[] = [];
  const text = issues.map((issue) => `${JSON.stringify(issue)}\n`).join('');
  files.put('results', issuesKey(item), text);
  const reader = {
    resources: { resultsBucket: 'results' },
    files: {
      ...files,
      read: (...[ref, range]: Parameters<typeof files.read>) => {
        ranges.push(range ?? { start: 0, end: text.length });
        return files.read(ref, range);
      },
    },
  };
  const readFrom = (line?: number) => Array.fromAsync(readIssues(reader, item, line));
  return { ranges, readFrom, bytes: text.length };
}

test.each([
  ['a small file', 100, 1],
  ['a small file from a line', 100, 60],
  ['the last lines of a large file', 5_000, 4_800],
])('%s is read with one read', async (_, lines, line) => {
  const { ranges, readFrom } = store(inOrder(lines));
  const found = await readFrom(line);
  expect([found[0]?.line, found.at(-1)?.line, ranges.length]).toEqual([Math.max(2, line), lines, 1]);
});

test('no byte of a large file is read twice', async () => {
  const { ranges, readFrom, bytes } = store(inOrder(5_000));
  expect((await readFrom()).map(({ message }) => message)).toEqual(inOrder(5_000).map(({ message }) => message));
  expect(ranges).toEqual([
    { start: bytes - 64 * 1024, end: bytes },
    { start: 0, end: expect.any(Number) },
  ]);
  const behind = (ranges[1]?.end ?? 0) - (ranges[0]?.start ?? 0);
  expect(behind).toBeGreaterThanOrEqual(0);
  expect(behind).toBeLessThan(200);
});

test.each([0, 1, 2, 50, 499, 500, 501, 700, 2_000])(
  'of %i findings in order, also with late ones, those from a line on are read in the order of their lines',
  async (lines) => {
    const late = [issueAt(42, 'late'), issueAt(2, 'late'), issueAt(0, 'late')];
    for (const last of [[], late]) {
      const issues = [...inOrder(lines), ...last];
      const sorted = issues.toSorted((one, other) => one.line - other.line);
      const { readFrom } = store(issues);
      for (const line of [0, 1, 2, 3, 41, 42, 43, lines - 30, lines, lines + 2]) {
        const linesOf = (some: readonly Issue[]) => some.map((issue) => issue.line);
        expect(linesOf(await readFrom(line))).toEqual(linesOf(sorted.filter((issue) => issue.line >= line)));
      }
    }
  },
);

test('every finding is read, wherever in one the last bytes begin', async () => {
  for (let length = 0; length < 120; length += 1) {
    const issues = [
      issueAt(2, 'x'.repeat(length)),
      ...inOrder(700).map((issue) => ({ ...issue, line: issue.line + 2 })),
    ];
    expect((await store(issues).readFrom(1)).length).toBe(701);
  }
});
