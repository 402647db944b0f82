// The findings of an import in groups: by code and column, and within a group by message. Findings with the same
// message can be fixed alike.

import type { ImportItem } from '#shared/import/import.ts';
import { readIssues } from '#shared/results/findings.ts';
import { correctedLinesOf, openIndexedResults } from '#shared/results/row-page.ts';
import type { Issue, Severity } from '#shared/row/issue.ts';
import type { ResultFiles } from './sources.ts';

/** More findings are not read. */
const maxIssues = 200_000;
const shownMessages = 20;
/** Lines named with a message. */
const shownLines = 100;

interface MessageGroup {
  readonly message: string;
  rows: number;
  readonly lines: number[];
}

interface ProblemGroup<Messages> extends Omit<Issue, 'line' | 'message'> {
  rows: number;
  readonly messages: Messages;
}

type OpenGroup = ProblemGroup<Map<string, MessageGroup>>;

export interface ProblemGroups {
  readonly groups: ProblemGroup<MessageGroup[]>[];
  readonly isIncomplete: boolean;
}

const ranks: Readonly<Record<Severity, number>> = { error: 0, warning: 1, notice: 2 };

/** Errors before warnings before notices, the most rows first. Rows that a correction has sent have no findings. */
export async function readProblemGroups(
  sources: ResultFiles,
  item: ImportItem,
  severity?: Severity,
): Promise<ProblemGroups> {
  const groups = new Map<string, OpenGroup>();
  const corrected = correctedLinesOf(await openIndexedResults(sources, item.importId));
  let read = 0;
  for await (const issue of readIssues(sources, item)) {
    if (read >= maxIssues) break;
    read += 1;
    const isWanted = severity === undefined || issue.severity === severity;
    if (isWanted && !corrected.has(issue.line)) addIssue(groups, issue);
  }
  const sorted = [...groups.values()].sort(
    (one, other) => ranks[one.severity] - ranks[other.severity] || other.rows - one.rows,
  );
  return {
    groups: sorted.map(({ messages, ...group }) => ({
      ...group,
      messages: [...messages.values()].sort((one, other) => other.rows - one.rows).slice(0, shownMessages),
    })),
    isIncomplete: read >= maxIssues,
  };
}

function addIssue(groups: Map<string, OpenGroup>, { code, column, severity, message, line }: Issue): void {
  const key = JSON.stringify([severity, code, column]);
  const group = groups.get(key) ?? { code, column, severity, rows: 0, messages: new Map<string, MessageGroup>() };
  groups.set(key, group);
  group.rows += 1;
  const alike = group.messages.get(message) ?? { message, rows: 0, lines: [] };
  group.messages.set(message, alike);
  alike.rows += 1;
  if (alike.lines.length < shownLines) alike.lines.push(line);
}
