// Findings as tables: by code, and the first of them one by one.
import type { Issue, IssueCode } from '#shared/domain/issue.ts';
import { formatTable, type TableColumn } from './output/table.ts';
import type { Terminal } from './output/terminal.ts';
import { count } from './output/text.ts';

const firstLines = 5;

interface CodeSummary {
  readonly code: IssueCode;
  readonly severity: Issue['severity'];
  readonly lines: number[];
  readonly example: string;
  many: number;
}

export interface IssueDigest {
  add(issue: Issue): void;
  /** The first issues, as they came. */
  readonly first: readonly Issue[];
  /** Errors before warnings before notices, the most frequent first. */
  byCode(): readonly Readonly<CodeSummary>[];
}

/** Keeps a handful of any number of issues: the first `keep`, and a line for each code. */
export function createIssueDigest(keep: number): IssueDigest {
  const first: Issue[] = [];
  const codes = new Map<IssueCode, CodeSummary>();
  return {
    add(issue) {
      if (first.length < keep) first.push(issue);
      const known = codes.get(issue.code);
      if (known === undefined) {
        const { code, severity, line, message } = issue;
        codes.set(code, { code, severity, lines: [line], example: message, many: 1 });
        return;
      }
      known.many += 1;
      if (known.lines.length < firstLines) known.lines.push(issue.line);
    },
    first,
    byCode: () => [...codes.values()].sort((one, other) => rank(one) - rank(other) || other.many - one.many),
  };
}

const rank = ({ severity }: CodeSummary): number => ['error', 'warning', 'notice'].indexOf(severity);

const severityColumn: TableColumn = {
  header: 'severity',
  style: (cell) => (cell === 'error' ? 'red' : cell === 'warning' ? 'yellow' : 'dim'),
};

/** code, how often, where first, an example of what is said about it. */
export function issueCodesTable(digest: IssueDigest, { width, paint }: Terminal): string[] {
  const columns: TableColumn[] = [
    severityColumn,
    { header: 'code' },
    { header: 'times', align: 'right' },
    { header: 'first lines', shrinks: true },
    { header: 'for example', shrinks: true },
  ];
  const rows = digest
    .byCode()
    .map(({ severity, code, many, lines, example }) => [
      severity,
      code,
      count(many),
      lines.map(lineText).join(', ') + (many > lines.length ? ', …' : ''),
      example,
    ]);
  return formatTable(columns, rows, { width, paint });
}

export function issuesTable(issues: readonly Issue[], { width, paint }: Terminal): string[] {
  const columns: TableColumn[] = [
    { header: 'line', align: 'right' },
    { header: 'column' },
    severityColumn,
    { header: 'what is wrong', shrinks: true },
  ];
  const rows = issues.map(({ line, column, severity, message }) => [lineText(line), column ?? '', severity, message]);
  return formatTable(columns, rows, { width, paint });
}

const lineText = (line: number): string => (line === 0 ? 'file' : String(line));
