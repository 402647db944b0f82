// What was found in a file, and what would be sent of it, as tables. Issues are grouped by code, or one by one.

import type { ImportItem } from '#shared/import/import.ts';
import type { PlanGroup } from '#shared/results/answers.ts';
import { afterPassedDays } from '#shared/row/booking-window.ts';
import type { Issue, IssueCode } from '#shared/row/issue.ts';
import { columnLabel, count, counted } from '#shared/text/wording.ts';
import { formatTable, type TableColumn } from '../output/table.ts';
import type { Terminal } from '../output/terminal.ts';
import { plain, wrap } from '../output/text.ts';

const shownLines = 5;

interface CodeSummary {
  readonly code: IssueCode;
  readonly severity: Issue['severity'];
  /** The first lines, each once. */
  readonly lines: number[];
  hasMoreLines: boolean;
  readonly example: string;
  issues: number;
}

export interface IssueDigest {
  add(issue: Issue): void;
  /** The first issues, in the order of the file. */
  readonly first: readonly Issue[];
  /** Errors before warnings before notices, the most frequent first. */
  byCode(): readonly Readonly<CodeSummary>[];
}

/** Summarises any number of issues in little memory: the first `limit`, and a summary of each code. */
export function createIssueDigest(limit: number): IssueDigest {
  const first: Issue[] = [];
  const codes = new Map<IssueCode, CodeSummary>();
  return {
    add(issue) {
      if (first.length < limit) first.push(issue);
      const known = codes.get(issue.code);
      if (known === undefined) {
        const { code, severity, line, message } = issue;
        codes.set(code, { code, severity, lines: [line], hasMoreLines: false, example: message, issues: 1 });
        return;
      }
      known.issues += 1;
      if (known.lines.includes(issue.line)) return;
      if (known.lines.length < shownLines) known.lines.push(issue.line);
      else known.hasMoreLines = true;
    },
    first,
    byCode: () => [...codes.values()].sort((one, other) => rank(one) - rank(other) || other.issues - one.issues),
  };
}

const rank = ({ severity }: CodeSummary): number => ['error', 'warning', 'notice'].indexOf(severity);

const severityColumn: TableColumn = {
  header: 'severity',
  style: (cell) => (cell === 'error' ? 'red' : cell === 'warning' ? 'yellow' : 'dim'),
};

export function formatIssueCodes(codes: readonly Readonly<CodeSummary>[], { width, paint }: Terminal): string[] {
  const columns: TableColumn[] = [
    severityColumn,
    { header: 'code' },
    { header: 'count', align: 'right' },
    { header: 'first lines', secondary: true },
    { header: 'example', wraps: true },
  ];
  const rows = codes.map(({ severity, code, issues, lines, hasMoreLines, example }) => [
    severity,
    code,
    count(issues),
    lines.map(formatLine).join(', ') + (hasMoreLines ? ', …' : ''),
    example,
  ]);
  return [...formatTable(columns, rows, { width, paint }), ...spreadsheetPage(codes.map(({ code }) => code))];
}

/** How the file was read, not what it names at the service. */
const isAboutFile = (code: IssueCode): boolean =>
  /^(?:FILE|HEADER|RECORD|DATE_ORDER|DATE_SERIAL)_|EXCEL|ROUNDED|LEADING_ZERO/.test(code);
/** Where to read on, if one of the issues is about the file. */
export const spreadsheetPage = (codes: readonly IssueCode[]): string[] =>
  codes.some(isAboutFile)
    ? ['', 'How simporter reads spreadsheets, and the options: docs/guides/my-spreadsheet.md']
    : [];

export function formatIssues(issues: readonly Issue[], { width, paint }: Terminal): string[] {
  const columns: TableColumn[] = [
    { header: 'line', align: 'right' },
    { header: 'column' },
    severityColumn,
    { header: 'problem', wraps: true },
  ];
  const rows = issues.map(({ line, column, severity, message }) => [formatLine(line), column ?? '', severity, message]);
  return formatTable(columns, rows, { width, paint });
}

const formatLine = (line: number): string => (line === 0 ? 'file' : String(line));

// The requests that a plan would send.

const shownGroups = 20;

const columns: readonly TableColumn[] = [
  { header: 'group', wraps: true },
  { header: 'requests', align: 'right' },
  { header: 'rows', align: 'right' },
  { header: 'rows in each', wraps: true },
];

/** A table of the groups, and below it the reasons for the dates that were chosen. */
export function formatPlan(
  groups: readonly PlanGroup[],
  { width, paint }: Terminal,
  onInvalidPac?: ImportItem['onInvalidPac'],
): string[] {
  const rows = groups
    .slice(0, shownGroups)
    .map(({ group, rows, requestRows }) => [group, count(requestRows.length), count(rows), formatSizes(requestRows)]);
  const reasons = new Set(groups.flatMap(({ dateReason }) => dateReason ?? []));
  const more = groups.length - rows.length;
  return [
    ...formatTable(columns, rows, { width, paint }),
    ...(more > 0 ? [`and ${counted(more, 'more group')}`] : []),
    ...[...reasons].flatMap((reason) => wrap(`Date chosen: ${reason}`, width)),
    ...wrap([describeBlocking(groups), onInvalidPac && choices[onInvalidPac]].filter(Boolean).join(' '), width),
  ];
}

/** What the approval of a plan that waited too long does. */
export function formatPassedDays(days: readonly string[], { width, paint }: Terminal): string[] {
  const shown = days.slice(0, shownDays).join(', ');
  const more = days.length > shownDays ? ', …' : '';
  const what = `${counted(days.length, 'day')} of the plan can no longer be booked: ${shown}${more}.`;
  return wrap(`${what} ${afterPassedDays}`, width).map((line) => paint('yellow', line));
}

const shownDays = 5;

/** As many as the page of the plan. */
const shownSamples = 3;

/**
 * With what exactly the first rows of each group are sent: the whole text of a message, the order, the tariff, the day
 * and the SIMs.
 */
export function formatSamples(groups: readonly PlanGroup[], width: number): string[] {
  return groups.slice(0, shownGroups).flatMap(({ group, samples }) => {
    const more = samples.length - shownSamples;
    const shown = samples.slice(0, shownSamples).flatMap(({ values, rows }) => {
      const content = values.map(({ name, value }) => `${columnLabel(name)}: ${plain(value)}`).join(' · ');
      const lines = rows.map(({ line, subject }) => `line ${count(line)}: ${plain(subject)}`).join(' · ');
      // A text is not wrapped: its own spaces are sent, too.
      return [content, ...wrap(lines, width - 2)].map((line) => `  ${line}`);
    });
    return [...wrap(plain(group), width), ...shown, ...(more > 0 ? [`  and ${counted(more, 'other content')}`] : [])];
  });
}

const choices: Readonly<Record<'wait' | 'remove', string>> = {
  wait: 'Its rows wait until a person acts.',
  remove: 'It is removed from its port after some time, and the others go on.',
};

/** What an invalid PAC can cost: no row of a port is submitted while another one has an invalid PAC. */
function describeBlocking(groups: readonly PlanGroup[]): string {
  const ports = groups.filter(({ group }) => group.startsWith('Port to ')).flatMap(({ requestRows }) => requestRows);
  const most = Math.max(0, ...ports.map((rows) => rows - 1));
  if (most === 0) return '';
  const others = most === 1 ? '1 other number' : `up to ${count(most)} other numbers`;
  return `An invalid PAC blocks its whole port: ${others}. --max-rows-per-port makes smaller ports.`;
}

/** `3 x 100, 42`: equal sizes together, the largest first. */
export function formatSizes(sizes: readonly number[]): string {
  const times = new Map<number, number>();
  for (const size of sizes) times.set(size, (times.get(size) ?? 0) + 1);
  return [...times]
    .sort(([one], [other]) => other - one)
    .map(([size, many]) => (many === 1 ? count(size) : `${count(many)} x ${count(size)}`))
    .join(', ');
}
