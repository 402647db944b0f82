import { describe, expect, it } from 'vitest';
import { createIssueDigest, formatIssueCodes, formatIssues } from '#cli/views/issues-view.ts';
import type { Issue } from '#shared/row/issue.ts';
import { memoryTerminal } from '../../support/cli/terminal.ts';

const issue = (line: number, changes: Partial<Issue> = {}): Issue => ({
  line,
  column: 'pac',
  code: 'PAC_SHAPE',
  message: 'a PAC is 3 letters and 6 digits',
  severity: 'error',
  ...changes,
});

describe('the digest of issues', () => {
  it('keeps the first issues and counts all', () => {
    const digest = createIssueDigest(2);
    for (let line = 2; line <= 1001; line++) digest.add(issue(line));
    expect(digest.first.map(({ line }) => line)).toEqual([2, 3]);
    expect(digest.byCode()).toMatchObject([{ code: 'PAC_SHAPE', issues: 1000, lines: [2, 3, 4, 5, 6] }]);
  });

  it('names a line once, however many issues it has', () => {
    const digest = createIssueDigest(1);
    for (const line of [2, 2, 2, 3]) digest.add(issue(line));
    const [summary] = digest.byCode();
    expect(summary).toMatchObject({ issues: 4, lines: [2, 3] });
    expect(formatIssueCodes(digest.byCode(), memoryTerminal().terminal)[1]).toMatch(/ 4 {2}2, 3 {2,}a PAC/);
  });

  it('sorts errors before warnings, even when they are fewer', () => {
    const digest = createIssueDigest(10);
    for (const line of [2, 3, 4]) digest.add(issue(line, { code: 'TARIFF_LEGACY', severity: 'warning' }));
    digest.add(issue(5));
    expect(digest.byCode().map(({ code }) => code)).toEqual(['PAC_SHAPE', 'TARIFF_LEGACY']);
  });
});

it('the table of codes shows the first lines and an example', () => {
  const digest = createIssueDigest(10);
  for (let line = 2; line <= 10; line++) digest.add(issue(line));
  expect(formatIssueCodes(digest.byCode(), memoryTerminal().terminal)[1]).toBe(
    'error     PAC_SHAPE      9  2, 3, 4, 5, 6, …  a PAC is 3 letters and 6 digits',
  );
});

it('an issue of the whole file is shown as "file"', () => {
  const lines = formatIssues([issue(0, { column: null, code: 'FILE_EMPTY' })], memoryTerminal().terminal);
  expect(lines[1]).toMatch(/^file /);
});

it('names the page about spreadsheets below questions about the file, and not below those about the service', () => {
  const linesOf = (code: Issue['code']) => {
    const digest = createIssueDigest(1);
    digest.add(issue(1, { code }));
    return formatIssueCodes(digest.byCode(), memoryTerminal().terminal).join('\n');
  };
  for (const code of ['FILE_SHEET_AMBIGUOUS', 'HEADER_NEAR_MISS', 'DATE_ORDER_AMBIGUOUS', 'MSISDN_ROUNDED'] as const) {
    expect(linesOf(code)).toContain('docs/guides/my-spreadsheet.md');
  }
  expect(linesOf('TARIFF_UNKNOWN')).not.toContain('docs/');
});
