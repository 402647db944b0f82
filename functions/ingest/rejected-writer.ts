// The files for the user about rows with issues: rejected.csv, the invalid rows with their errors, to fix and import
// again; and issues.ndjson, every issue of every row in file order.

import type { Delimiter } from '#shared/csv/delimiter.ts';
import {
  type CorrectionMark,
  correctionColumnsBeside,
  findCorrectionMark,
  originalLine,
  ownColumns,
} from '#shared/files/correction-columns.ts';
import { csvHeader, csvRow, unguardFormula } from '#shared/files/csv/csv-row.ts';
import { describeIssue, type Issue } from '#shared/row/issue.ts';
import type { Files } from '#shared/store/files.ts';
import { issuesKey, rejectedKey } from '#shared/store/object-keys.ts';
import { BufferedWriter } from './plan/utf8-buffer.ts';

export class RejectedWriter {
  readonly #rejected: BufferedWriter;
  readonly #issues: BufferedWriter;
  readonly #importId: string;
  #ownColumns: readonly number[] = [];
  #mark: CorrectionMark | undefined;
  #width = 0;
  #delimiter: Delimiter = ',';

  constructor(files: Files, bucket: string, importId: string) {
    this.#importId = importId;
    this.#rejected = new BufferedWriter(files.open(bucket, rejectedKey(importId), 'text/csv; charset=utf-8'));
    this.#issues = new BufferedWriter(files.open(bucket, issuesKey(importId), 'application/x-ndjson'));
  }

  /** Must be called before the first record. */
  begin(header: readonly string[], delimiter: Delimiter): void {
    this.#delimiter = delimiter;
    this.#width = header.length;
    this.#ownColumns = ownColumns(header);
    this.#mark = findCorrectionMark(header);
    const own = this.#ownColumns.map((index) => header[index] ?? '');
    this.#rejected.add(csvHeader([...own, ...correctionColumnsBeside(own)], delimiter));
  }

  /** One record and its issues; only an error makes it a rejected row. */
  add(line: number, cells: readonly string[], issues: readonly Issue[]): void {
    for (const issue of issues) this.addIssue(issue);
    const errors = issues.filter((issue) => issue.severity === 'error').map(describeIssue);
    if (errors.length === 0) return;
    const row = this.#ownColumns.map((index) => unguardFormula(cells[index] ?? ''));
    const original = (this.#mark && originalLine(this.#mark, cells)) ?? line;
    // Cells beyond the header go behind the errors: nothing is lost, and nothing is shifted.
    const beyond = cells.slice(this.#width).map(unguardFormula);
    // Empty ones have nothing to lose, and the fixed row would have as many too many.
    const surplus = beyond.slice(0, beyond.findLastIndex((cell) => cell.trim() !== '') + 1);
    const added = [this.#importId, String(original), errors.join('; ')];
    this.#rejected.add(csvRow([...row, ...added, ...surplus], this.#delimiter));
  }

  addIssue(issue: Issue): void {
    this.#issues.add(`${JSON.stringify(issue)}\n`);
  }

  async drain(): Promise<void> {
    await this.#rejected.drain();
    await this.#issues.drain();
  }

  async close(): Promise<void> {
    // Without a header there are no rows to return.
    await Promise.all([this.#width === 0 ? this.#rejected.abort() : this.#rejected.close(), this.#issues.close()]);
  }

  async abort(): Promise<void> {
    await Promise.all([this.#rejected.abort(), this.#issues.abort()]);
  }
}
