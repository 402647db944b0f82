// Counts the rows of a file while it is read, and keeps the first few issues to show.
import type { Issue } from '#shared/domain/issue.ts';

export interface Counts {
  readonly rows: number;
  readonly accepted: number;
  readonly rejected: number;
  /** Warnings and notices. */
  readonly warnings: number;
}

export interface Tally {
  addRow(accepted: boolean, issues: readonly Issue[]): void;
  /** An issue of the header or of the whole file. */
  addIssue(issue: Issue): void;
  counts(): Counts;
  /** The first issues: those of the file, and before all others the errors of its rows. */
  readonly shown: readonly Issue[];
}

/** @param shownIssues how many issues are kept */
export function createTally(shownIssues: number): Tally {
  let rows = 0;
  let accepted = 0;
  let warnings = 0;
  const ofFile: Issue[] = [];
  const errors: Issue[] = [];
  const remarks: Issue[] = [];

  const keep = (issue: Issue): void => {
    if (issue.severity !== 'error') warnings += 1;
    const kept = issue.severity === 'error' ? errors : remarks;
    if (kept.length < shownIssues) kept.push(issue);
  };

  return {
    addRow: (isAccepted, issues) => {
      rows += 1;
      if (isAccepted) accepted += 1;
      for (const issue of issues) keep(issue);
    },
    addIssue: (issue) => {
      if (issue.severity !== 'error') warnings += 1;
      if (ofFile.length < shownIssues) ofFile.push(issue);
    },
    counts: () => ({ rows, accepted, rejected: rows - accepted, warnings }),
    get shown() {
      return [...ofFile, ...errors, ...remarks].slice(0, shownIssues);
    },
  };
}
