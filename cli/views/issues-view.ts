// Issues as tables: grouped by code, and one by one.

import type { Issue, IssueCode } from '#shared/row/issue.ts';
import { count } from '#shared/text/wording.ts';
import { formatTable, type TableColumn } from '../output/table.ts';
import type { Terminal } from '../output/terminal.ts';

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
  return [...formatTable(columns, rows, { width, paint }), ...spreadsheetPage(codes)];
}

/** How the file was read, not what it names at the service. */
const isAboutFile = (code: IssueCode): boolean =>
  /^(?:FILE|HEADER|RECORD|DATE_ORDER|DATE_SERIAL)_|EXCEL|ROUNDED|LEADING_ZERO/.test(code);
/** Where to read on, if one of the issues is about the file. */
export const spreadsheetPage = (issues: readonly Pick<Issue, 'code'>[]): string[] =>
  issues.some(({ code }) => isAboutFile(code))
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
