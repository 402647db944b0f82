import { describe, expect, it } from 'vitest';
import type { Terminal } from '#cli/output/terminal.ts';
import {
  createIssueDigest,
  formatIssueCodes,
  formatIssues,
  formatPassedDays,
  formatPlan,
  formatSamples,
  formatSizes,
} from '#cli/views/file-view.ts';
import type { PlanGroup } from '#shared/results/answers.ts';
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

it('groups requests of equal size, the largest first', () => {
  expect(formatSizes([100, 42, 100, 100, 7])).toBe('3 x 100, 42, 7');
  expect(formatSizes([1])).toBe('1');
});

describe('a plan shows how many numbers an invalid PAC can block', () => {
  const terminal = { width: 200, paint: (_: string, text: string) => text } as unknown as Terminal;
  const group = (name: string, requestRows: number[]) => ({
    group: name,
    dateReason: null,
    rows: 1,
    requestRows,
    samples: [],
  });
  const blocking = (...groups: PlanGroup[]) =>
    formatPlan(groups, terminal).filter((line) => line.startsWith('An invalid'));

  it.each([
    [[100, 42], 'up to 99 other numbers'],
    [[2], '1 other number'],
  ])('%j: %s', (requestRows, numbers) => {
    expect(blocking(group('Port to UK Mobile A', requestRows), group('MigrateIn to UK Mobile A', [500]))).toEqual([
      `An invalid PAC blocks its whole port: ${numbers}. --max-rows-per-port makes smaller ports.`,
    ]);
  });

  it('and what happens to its rows, where the import has the setting', () => {
    const [line] = formatPlan([group('Port to UK Mobile A', [2])], terminal, 'remove').slice(-1);
    expect(line).toMatch(/1 other number\. .* It is removed from its port after some time, and the others go on\.$/);
  });

  it('and nothing where it can block none', () => {
    expect(blocking(group('Port to UK Mobile A', [1, 1]), group('MigrateIn to UK Mobile A', [500]))).toEqual([]);
  });
});

it('shows with what the first rows of a group are sent, the whole text of a message included', () => {
  const text = `Dear  customer, ${'your number moves to the new network. '.repeat(10)}\u001b[2J`;
  const sample = (line: number) => ({
    values: [
      { name: 'message', value: `${line} ${text}` },
      { name: 'connectionDate', value: '2026-12-01' },
    ],
    rows: [
      { line, subject: '447700900001' },
      { line: line + 1, subject: '447700900002' },
    ],
  });
  const group = { group: 'Text to UK Mobile A', dateReason: null, rows: 9, requestRows: [9] };
  const samples = [2, 20, 30, 40].map(sample);
  expect(formatSamples([{ ...group, samples }], 60)).toEqual([
    'Text to UK Mobile A',
    ...[2, 20, 30].flatMap((line) => [
      `  Message: ${line} ${text.replace('\u001b[2J', '')} · Port date: 2026-12-01`,
      `  line ${line}: 447700900001 · line ${line + 1}: 447700900002`,
    ]),
    '  and 1 other content',
  ]);
});

it('days of a plan that can no longer be booked are named, the first ones of many, with what the approval does', () => {
  const { terminal } = memoryTerminal();
  const days = [1, 2, 3, 4, 5, 6].map((day) => `2026-12-0${day}`);
  expect(formatPassedDays(days.slice(0, 1), terminal).join(' ')).toBe(
    '1 day of the plan can no longer be booked: 2026-12-01. After the approval, numbers with the date "auto" are ' +
      'booked for the next possible day. Numbers with such a fixed date are declined.',
  );
  expect(formatPassedDays(days, terminal).join(' ')).toMatch(/^6 days of the plan .*, 2026-12-05, …\. After/);
});
