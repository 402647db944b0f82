// What is known of each row of the grid at this moment.

import { count } from '#shared/text/wording.ts';
import type { Answer, ImportRow } from '../../api/answers.ts';

export type RowIssue = ImportRow['issues'][number];

export interface ChangedRow {
  readonly row: ImportRow;
  readonly cells: Readonly<Record<string, string>>;
  readonly text: string;
  /** The first column with a longer text than the API takes: one would keep all rows of a call unchecked. */
  readonly longColumn: string | undefined;
}

export interface RowCheck {
  /** The cells that were checked, so that an older answer is not taken for a newer row. */
  readonly checked: string;
  readonly issues: readonly RowIssue[];
  /** What no other valid row of the file may have. */
  readonly unique: Answer<'validateRows'>['rows'][number]['unique'];
}

/** `sent`: a correction has the row. */
type RowProgress = 'invalid' | 'checking' | 'fixed' | 'sent';

export const progressWords: Readonly<Record<RowProgress, string>> = {
  invalid: 'invalid',
  checking: 'checking',
  fixed: 'fixed',
  sent: 'fixed in a correction',
};

export interface RowState {
  readonly progress: RowProgress;
  readonly issues: readonly RowIssue[];
}

export function rowStates(
  rows: readonly ImportRow[],
  changed: readonly ChangedRow[],
  checks: ReadonlyMap<number, RowCheck>,
  sent: ReadonlySet<number>,
): ReadonlyMap<number, RowState> {
  const states = new Map<number, RowState>(
    rows.map(({ line, issues }) => [
      line,
      sent.has(line)
        ? { progress: 'sent', issues: [] }
        : { progress: 'invalid', issues: issues.filter(({ severity }) => severity === 'error') },
    ]),
  );
  for (const { row, text } of changed) {
    const check = checks.get(row.line);
    if (check === undefined || check.checked !== text) {
      states.set(row.line, { progress: 'checking', issues: states.get(row.line)?.issues ?? [] });
    } else {
      states.set(row.line, { progress: hasError(check.issues) ? 'invalid' : 'fixed', issues: check.issues });
    }
  }
  addDuplicates(states, checks);
  return states;
}

const hasError = (issues: readonly RowIssue[]): boolean => issues.some(({ severity }) => severity === 'error');

/** By the column of the number; every other column is that of a SIM. */
export const duplicateCodes = { number: 'MSISDN_DUPLICATE_IN_FILE', sim: 'ICCID_DUPLICATE_IN_FILE' } as const;

/** @param lines of all rows that have it */
const sameAs = (value: string, lines: readonly number[], line: number) => {
  const others = lines.slice(0, 6).filter((other) => other !== line);
  const more = lines.length - 1 - others.length;
  const all = [...others.map(count), ...(more > 0 ? [`and ${count(more)} more`] : [])].join(', ');
  return `${value} is also on ${others.length === 1 ? 'line' : 'lines'} ${all}`;
};

/** Fixed rows that have the same number or SIM: each of them says so, as only a person knows which one is right. */
function addDuplicates(states: Map<number, RowState>, checks: ReadonlyMap<number, RowCheck>): void {
  for (const [key, same] of linesByValue(states, checks)) {
    if (same.length < 2) continue;
    const [column = '', value = ''] = JSON.parse(key) as string[];
    const code = column === 'msisdn' ? duplicateCodes.number : duplicateCodes.sim;
    for (const line of same) {
      const message = sameAs(value, same, line);
      const issue = { column, code, severity: 'error', message } as const;
      states.set(line, { progress: 'invalid', issues: [issue, ...(states.get(line)?.issues ?? [])] });
    }
  }
}

function linesByValue(states: ReadonlyMap<number, RowState>, checks: ReadonlyMap<number, RowCheck>) {
  const lines = new Map<string, number[]>();
  for (const [line, { progress }] of states) {
    if (progress !== 'fixed') continue;
    for (const { column, value } of checks.get(line)?.unique ?? []) {
      const key = JSON.stringify([column, value]);
      const known = lines.get(key) ?? [];
      known.push(line);
      lines.set(key, known);
    }
  }
  return lines;
}

/** A finding about `services` is about the column of the service that it names. */
export const issueOfColumn = (
  state: RowState | undefined,
  { name, option }: Answer<'listRows'>['columns'][number],
): RowIssue | undefined =>
  state?.issues.find(
    ({ column, severity, message }) =>
      severity === 'error' &&
      column !== null &&
      (column === name || (name?.startsWith(`${column}: `) && message.includes(option ?? ''))),
  );
