// Plans the records of one batch: each is accepted into a group, or rejected with its issues.

import type { RecordBatch } from '#shared/csv/record-batch.ts';
import { truncate } from '#shared/domain/text/truncate.ts';
import { writtenText } from '#shared/files/csv/csv-row.ts';
import type { CombinationFinding } from '#shared/operations/operation.ts';
import { type Issue, notice } from '#shared/row/issue.ts';
import { isCertainlyPac } from '#shared/row/pac.ts';
import { redactText } from '#shared/row/redact.ts';
import type { Correction } from '../correction.ts';
import type { NumberPredictions } from '../number-predictions.ts';
import type { RejectedWriter } from '../rejected-writer.ts';
import type { RowCounter } from '../row-counts.ts';
import type { RowValidator } from '../validate/row-validator.ts';
import type { FastPath } from './fast-path.ts';
import type { Grouping } from './grouping.ts';

export interface BatchPlanner {
  /** Absent where every row must be validated. */
  readonly fastPath: FastPath | undefined;
  readonly correction: Correction | undefined;
  readonly validator: RowValidator;
  readonly grouping: Grouping;
  readonly rejected: RejectedWriter;
  readonly counter: RowCounter;
  readonly locate: (issue: Issue) => Issue;
  /** Absent where the table is not read. */
  readonly predictions: NumberPredictions | undefined;
}

const noIssues: readonly Issue[] = [];

/** A row of totals is reported and not counted as a row of the file. */
function addTotals(line: number, record: readonly string[], { counter, rejected, locate }: BatchPlanner): void {
  const text = truncate(redactText(record.filter((cell) => cell.trim() !== '').join(' ')), 60);
  const found = notice('RECORD_IS_TOTALS', `a row of totals, which was not read: "${text}"`);
  const issue = locate({ line, column: null, ...found });
  counter.addIssue(issue);
  rejected.addIssue(issue);
}

export async function planBatch(batch: RecordBatch, planner: BatchPlanner): Promise<void> {
  const { fastPath, correction, validator, predictions } = planner;
  await predictions?.readBatch(batch);
  fastPath?.startBatch(batch.spans);
  for (let index = 0; index < batch.lines.length; index += 1) {
    const line = batch.lines[index] as number;
    const warnings = predictions?.hasRow(index) ? undefined : fastPath?.tryRecord(index, line);
    if (warnings !== undefined) {
      addPlanned(line, warnings, planner);
      continue;
    }
    const record = batch.cellsOf(index);
    const issue = batch.rejected.get(index) ?? correction?.check(record, line);
    if (issue !== undefined) {
      rejectRecord(issue, record, planner);
      continue;
    }
    const lookup = validator.prepare(record);
    // `await` costs time even without a promise, so it is left out for most rows.
    if (lookup !== undefined) await lookup;
    planRecord(line, record, planner);
  }
}

/** A record that is not a row of this file. */
function rejectRecord(found: Issue, record: readonly string[], planner: BatchPlanner): void {
  const { counter, rejected, locate } = planner;
  if (isTotalsRow(record)) {
    addTotals(found.line, record, planner);
    return;
  }
  const issue = locate(found);
  counter.addRow(false, [issue]);
  rejected.add(issue.line, record, [issue]);
}

/** A row that the fast path has planned. */
function addPlanned(line: number, warnings: readonly CombinationFinding[], planner: BatchPlanner): void {
  const { counter, rejected, locate } = planner;
  if (warnings.length === 0) {
    counter.addRow(true, noIssues);
    return;
  }
  const issues = warnings.map((warning) => locate({ line, ...warning }));
  counter.addRow(true, issues);
  for (const issue of issues) rejected.addIssue(issue);
}

function planRecord(line: number, record: readonly string[], planner: BatchPlanner): void {
  const { fastPath, correction, validator, grouping, counter, rejected, locate } = planner;
  const { issues: found, accepted } = validator.validate(line);
  if (accepted === undefined && isTotalsRow(record)) {
    addTotals(line, record, planner);
    return;
  }
  const issues = found.length === 0 ? found : found.map(locate);
  counter.addRow(accepted !== undefined, issues);
  if (issues.length > 0) rejected.add(line, record, issues);
  if (accepted === undefined) return;
  const { subject, wire } = accepted.row;
  const shape = grouping.shapeFor(accepted.shape, accepted.row);
  grouping.add(shape, JSON.stringify({ line, subject, wire, ...correction?.accept(record) }));
  // Rows that resemble a row at risk may not be at risk, so the fast path learns from the others only.
  const isUsual = shape === accepted.shape && issues.length === accepted.warnings.length;
  if (isUsual) fastPath?.learn(shape, accepted.warnings, record);
}

const totalsWord = /^(?:grand |sub)?-?\s*(?:totals?|sum|count)\b/i;
/** A number of a SIM or a subscriber: such a row has data. */
const longNumber = /\d{9}/;

/** Recognises the row of totals below a table: "Total", "Grand total: 400", "Sum,,,12". */
function isTotalsRow(cells: readonly string[]): boolean {
  const first = cells.find((cell) => cell.trim() !== '');
  if (first === undefined || !totalsWord.test(first.trim())) return false;
  const filled = cells.filter((cell) => cell.trim() !== '');
  // A customer may be named "Total Energies": its row has a number, a SIM or a PAC.
  const isOfRow = (cell: string) => longNumber.test(cell.replace(/\s/g, '')) || isCertainlyPac(writtenText(cell));
  return filled.length <= Math.max(2, cells.length / 2) && !filled.some(isOfRow);
}
