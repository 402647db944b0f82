import { describe, expect, it } from 'vitest';
import { createIssueDigest, issueCodesTable, issuesTable } from '#cli/show-issues.ts';
import type { Issue } from '#shared/domain/issue.ts';
import { memoryTerminal } from '../support/cli-terminal.ts';

const issue = (line: number, changes: Partial<Issue> = {}): Issue => ({
  line,
  column: 'pac',
  code: 'PAC_SHAPE',
  message: 'a PAC is 3 letters and 6 digits',
  severity: 'error',
  ...changes,
});

describe('the digest of issues', () => {
  it('keeps the first ones and counts all', () => {
    const digest = createIssueDigest(2);
    for (let line = 2; line <= 1001; line++) digest.add(issue(line));
    expect(digest.first.map(({ line }) => line)).toEqual([2, 3]);
    expect(digest.byCode()).toMatchObject([{ code: 'PAC_SHAPE', many: 1000, lines: [2, 3, 4, 5, 6] }]);
  });

  it('puts errors before warnings, however few', () => {
    const digest = createIssueDigest(10);
    for (const line of [2, 3, 4]) digest.add(issue(line, { code: 'TARIFF_LEGACY', severity: 'warning' }));
    digest.add(issue(5));
    expect(digest.byCode().map(({ code }) => code)).toEqual(['PAC_SHAPE', 'TARIFF_LEGACY']);
  });
});

it('shows where a code was met first, and an example of it', () => {
  const digest = createIssueDigest(10);
  for (let line = 2; line <= 10; line++) digest.add(issue(line));
  expect(issueCodesTable(digest, memoryTerminal().terminal)[1]).toBe(
    'error     PAC_SHAPE      9  2, 3, 4, 5, 6, …  a PAC is 3 letters and 6 digits',
  );
});

it('calls a finding about the whole file so', () => {
  const lines = issuesTable([issue(0, { column: null, code: 'FILE_EMPTY' })], memoryTerminal().terminal);
  expect(lines[1]).toMatch(/^file /);
});
