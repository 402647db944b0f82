// The findings of an import in groups, and a message in words for a page.
import type { ImportItem } from '#shared/import/import.ts';
import { savedLimits } from '#shared/import/saved-settings.ts';
import { operations } from '#shared/operations/registry.ts';
import type { RowResult } from '#shared/outcome/row-result.ts';
import { nameKey } from '#shared/row/did-you-mean.ts';
import type { Issue, Severity } from '#shared/row/issue.ts';
import type { ResultFiles } from '#shared/store/account.ts';
import { columnLabel } from '#shared/text/wording.ts';
import { readIssues } from './read-issues.ts';
import { correctedLinesOf, openIndexedResults } from './row-page.ts';

// The findings of an import in groups: by code and column, and within a group by message. Findings with the same
// message can be fixed alike.

/** More findings are not read. */
const maxIssues = 200_000;
/** Values beyond these are not counted: a file of other things has as many as rows. */
const mostUnknown = 10_000;
const shownMessages = 20;
/** Lines named with a message. */
const shownLines = 100;

interface MessageGroup {
  readonly message: string;
  readonly rows: number;
  readonly lines: number[];
}

interface ProblemGroup<Messages> extends Omit<Issue, 'line' | 'message'> {
  readonly rows: number;
  readonly messages: Messages;
}

/** A list in a cell may have a finding for each of its entries, and the row counts once. */
interface CountedRows {
  rows: number;
  lastLine: number;
}

type OpenMessage = MessageGroup & CountedRows;
type OpenGroup = ProblemGroup<Map<string, OpenMessage>> & CountedRows;

/** A text that no list of the service has, however its messages differ. */
interface UnknownValue {
  readonly column: string;
  readonly value: string;
  readonly rows: number;
}

type OpenValue = UnknownValue & CountedRows;

export interface ProblemGroups {
  readonly groups: ProblemGroup<MessageGroup[]>[];
  /** The most rows first. */
  readonly unknownValues: readonly UnknownValue[];
  readonly isIncomplete: boolean;
}

const ranks: Readonly<Record<Severity, number>> = { error: 0, warning: 1, notice: 2 };

/** Errors before warnings before notices, the most rows first. Rows that a correction has sent have no findings. */
export async function readProblemGroups(
  reader: ResultFiles,
  item: ImportItem,
  severity?: Severity,
): Promise<ProblemGroups> {
  const groups = new Map<string, OpenGroup>();
  const unknown = new Map<string, OpenValue>();
  const corrected = correctedLinesOf(await openIndexedResults(reader, item.importId));
  let read = 0;
  for await (const issue of readIssues(reader, item)) {
    if (read >= maxIssues) break;
    read += 1;
    const isWanted = severity === undefined || issue.severity === severity;
    if (!isWanted || corrected.has(issue.line)) continue;
    addIssue(groups, issue);
    addUnknown(unknown, issue);
  }
  const sorted = [...groups.values()].sort(
    (one, other) => ranks[one.severity] - ranks[other.severity] || other.rows - one.rows,
  );
  return {
    groups: sorted.map(({ messages, lastLine: _, ...group }) => ({
      ...group,
      messages: most(messages, shownMessages),
    })),
    unknownValues: most(unknown, savedLimits.entries),
    isIncomplete: read >= maxIssues,
  };
}

/** Those with the most rows first. */
const most = <Counted extends CountedRows>(found: ReadonlyMap<string, Counted>, count: number) =>
  [...found.values()]
    .sort((one, other) => other.rows - one.rows)
    .slice(0, count)
    .map(({ lastLine: _, ...counted }) => counted);

/** @param line those of the findings ascend */
function countRow(counted: CountedRows, line: number): boolean {
  if (counted.lastLine === line) return false;
  counted.rows += 1;
  counted.lastLine = line;
  return true;
}

/** The first spelling is shown. */
function addUnknown(found: Map<string, OpenValue>, { column, unknownValue: value, line }: Issue): void {
  if (column === null || value === undefined) return;
  const key = JSON.stringify([column, nameKey(value)]);
  const known = found.get(key) ?? { column, value, rows: 0, lastLine: -1 };
  countRow(known, line);
  if (found.has(key) || found.size < mostUnknown) found.set(key, known);
}

function addIssue(groups: Map<string, OpenGroup>, { code, column, severity, message, line }: Issue): void {
  const key = JSON.stringify([severity, code, column]);
  const none = { rows: 0, lastLine: -1 };
  const group = groups.get(key) ?? { code, column, severity, ...none, messages: new Map<string, OpenMessage>() };
  groups.set(key, group);
  countRow(group, line);
  const alike = group.messages.get(message) ?? { message, ...none, lines: [] };
  group.messages.set(message, alike);
  if (countRow(alike, line) && alike.lines.length < shownLines) alike.lines.push(line);
}

// A message as a page shows it: it names screens and the words of the field, where the command line names its options
// and the columns of an operation.

const value = String.raw`(?:"[^"]*"|\S+)`;
const choice = String.raw`--(?:visible-rows-only|[a-z][a-z-]{0,40} ${value}(?: \([^)]*\))?)`;
/** One option or several, and how the sentence leads to them. */
const lead = '((?:Name|Choose) [^:.;"]{0,80}): |name it: |or add |: |';
const options = new RegExp(`(?:${lead})${choice}(?:(?:,? or | )${choice})*`, 'g');
const under = 'under "Columns and formats"';
const screen = `say so ${under}`;

const columnNames = new Set([...operations.values()].flatMap(({ columns }) => columns.map(({ name }) => name)));
/** Other names of columns are also ordinary words, such as `tariff`. */
const isCodeName = (text: string): boolean => /[a-z][A-Z]|^msisdn$|^pac$/.test(text);
const word = /(?<![\w"])(column )?([a-z]\w*)(?![\w"=])/g;

export function messageForPage(message: string): string {
  const text = message
    .replaceAll(options, (found, what: string | undefined) => {
      if (what !== undefined) return `${what} ${under}`;
      if (found.startsWith('or ')) return `or ${screen}`;
      return found.startsWith(': ') ? `: ${screen}` : screen;
    })
    .replaceAll(word, (found, column: string | undefined, name: string) =>
      columnNames.has(name) && (column !== undefined || isCodeName(name))
        ? `${column ?? ''}"${columnLabel(name)}"`
        : found,
    );
  return text.charAt(0).toUpperCase() + text.slice(1);
}

export const forPage = <Finding extends { readonly message: string }>(finding: Finding): Finding => ({
  ...finding,
  message: messageForPage(finding.message),
});

/** The message of a result. Only that of a row that never had a request is a finding, and names columns. */
export const resultMessageForPage = ({ outcome, message }: Pick<RowResult, 'outcome' | 'message'>): string =>
  outcome === 'rejected' || outcome === 'duplicate' ? messageForPage(message) : message;
