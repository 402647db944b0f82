// Counts the rows of a file while it is read, and keeps the first issues to show.
import { asksForApproval } from '#shared/import/approval.ts';
import { type Issue, isDuplicate } from '#shared/row/issue.ts';

export interface Counts {
  readonly rows: number;
  readonly accepted: number;
  readonly rejected: number;
  /** Those of the rejected rows that only repeat an earlier row. */
  readonly duplicates: number;
  /** Rows that people left out. @default - none */
  readonly leftOut?: number;
  /** Warnings and notices. */
  readonly warnings: number;
}

/** The lines of SIMs that end in zeros and are valid. */
export interface RoundSims {
  readonly lines: number[];
  /** The check digits of others show that they were rounded. */
  areOthersInvalid: boolean;
}

export class RowCounter {
  readonly #shownIssues: number;
  #rows = 0;
  #accepted = 0;
  #duplicates = 0;
  #leftOut = 0;
  #warnings = 0;
  /** Whether a person must approve the plan before it is sent. */
  needsApproval = false;
  readonly roundSims: RoundSims = { lines: [], areOthersInvalid: false };
  readonly #ofFile: Issue[] = [];
  readonly #errors: Issue[] = [];
  readonly #others: Issue[] = [];

  /** @param shownIssues how many issues are kept */
  constructor(shownIssues: number) {
    this.#shownIssues = shownIssues;
  }

  get counts(): Counts {
    const [rows, accepted, leftOut] = [this.#rows, this.#accepted, this.#leftOut];
    const rejected = rows - accepted - leftOut;
    const counts = { rows, accepted, rejected, duplicates: this.#duplicates, warnings: this.#warnings };
    return leftOut === 0 ? counts : { ...counts, leftOut };
  }

  /** Issues of the file first, then errors of rows, then warnings and notices of rows. */
  get firstIssues(): readonly Issue[] {
    return [...this.#ofFile, ...this.#errors, ...this.#others].slice(0, this.#shownIssues);
  }

  addRow(isAccepted: boolean, issues: readonly Issue[]): void {
    this.#rows += 1;
    if (isAccepted) this.#accepted += 1;
    else if (isDuplicate(errorCodes(issues))) this.#duplicates += 1;
    for (const issue of issues) {
      if (issue.isRounded) this.#countRound(issue, isAccepted);
      this.#keep(issue, issue.severity === 'error' ? this.#errors : this.#others);
    }
  }

  #countRound({ line, severity }: Issue, isAccepted: boolean): void {
    if (severity === 'error') this.roundSims.areOthersInvalid = true;
    else if (isAccepted) this.roundSims.lines.push(line);
  }

  /** A row that a person left out: it is neither accepted nor invalid. */
  addLeftOut(issue: Issue): void {
    this.#rows += 1;
    this.#leftOut += 1;
    this.#keep(issue, this.#others);
  }

  /** An issue of the header or of the whole file. */
  addIssue(issue: Issue): void {
    this.#keep(issue, this.#ofFile);
  }

  #keep(issue: Issue, kept: Issue[]): void {
    if (issue.severity !== 'error') this.#warnings += 1;
    if (asksForApproval(issue)) this.needsApproval = true;
    if (kept.length < this.#shownIssues) kept.push(issue);
  }
}

const errorCodes = (issues: readonly Issue[]) =>
  issues.filter(({ severity }) => severity === 'error').map(({ code }) => code);
