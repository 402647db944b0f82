// Plans the records of one batch: each is accepted into a group, or rejected with its issues.
import { writtenText } from '#shared/files/csv/csv-row.ts';
import type { RecordBatch } from '#shared/files/csv/record-batch.ts';
import { asksForApproval } from '#shared/import/approval.ts';
import { lookUpOnce } from '#shared/operations/catalogue.ts';
import { isPortId } from '#shared/operations/change-port.ts';
import type { CombinationFinding } from '#shared/operations/operation.ts';
import { readNumber } from '#shared/operations/validate-row.ts';
import { type NumberPrediction, predictNumbers } from '#shared/request/number-claim.ts';
import { type Issue, isDuplicate, notice } from '#shared/row/issue.ts';
import { isCertainlyPac } from '#shared/row/pac.ts';
import { redactText } from '#shared/row/redact.ts';
import { counted, truncate } from '#shared/text/wording.ts';
import type { Correction } from '../correction.ts';
import type { IngestPipeline } from '../ingest-pipeline.ts';
import type { RowValidator } from '../validate/row-validator.ts';
import type { FastPath } from './fast-path.ts';
import type { Grouping } from './grouping.ts';
import type { RejectedWriter } from './plan-files.ts';

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
  /** The columns whose cells no message quotes. */
  readonly secret: ReadonlySet<number>;
}

const noIssues: readonly Issue[] = [];

/** A row of totals is reported and not counted as a row of the file. */
function addTotals(line: number, record: readonly string[], { counter, rejected, locate, secret }: BatchPlanner): void {
  const shown = record.filter((cell, index) => cell.trim() !== '' && !secret.has(index));
  const text = truncate(redactText(shown.join(' ')), 60);
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
const longNumber = /\d{9}/;
/** As people write a number or a SIM, and no time of day. */
const separatedDigits = /^\+?[\d\s()/\-\u2010-\u2013]+$/;

/** A number, a SIM, a PAC or a port: such a row has data. */
function isOfRow(cell: string): boolean {
  const text = writtenText(cell);
  const digits = text.replace(separatedDigits.test(text) ? /\D/g : /\s/g, '');
  return longNumber.test(digits) || isCertainlyPac(text) || isPortId(text);
}

/** Recognises the row of totals below a table: "Total", "Grand total: 400", "Sum,,,12". */
function isTotalsRow(cells: readonly string[]): boolean {
  const first = cells.find((cell) => cell.trim() !== '');
  if (first === undefined || !totalsWord.test(first.trim())) return false;
  const filled = cells.filter((cell) => cell.trim() !== '');
  // A customer may be named "Total Energies".
  return filled.length <= Math.max(2, cells.length / 2) && !filled.some(isOfRow);
}

// Counts the rows of a file while it is read, and keeps the first issues to show.

export interface Counts {
  readonly rows: number;
  readonly accepted: number;
  readonly rejected: number;
  /** Those of the rejected rows that only repeat an earlier row. */
  readonly duplicates: number;
  /** Warnings and notices. */
  readonly warnings: number;
}

export class RowCounter {
  readonly #shownIssues: number;
  #rows = 0;
  #accepted = 0;
  #duplicates = 0;
  #warnings = 0;
  /** Whether a person must approve the plan before it is sent. */
  needsApproval = false;
  readonly #ofFile: Issue[] = [];
  readonly #errors: Issue[] = [];
  readonly #others: Issue[] = [];

  /** @param shownIssues how many issues are kept */
  constructor(shownIssues: number) {
    this.#shownIssues = shownIssues;
  }

  get counts(): Counts {
    const [rows, accepted] = [this.#rows, this.#accepted];
    return { rows, accepted, rejected: rows - accepted, duplicates: this.#duplicates, warnings: this.#warnings };
  }

  /** Issues of the file first, then errors of rows, then warnings and notices of rows. */
  get firstIssues(): readonly Issue[] {
    return [...this.#ofFile, ...this.#errors, ...this.#others].slice(0, this.#shownIssues);
  }

  addRow(isAccepted: boolean, issues: readonly Issue[]): void {
    this.#rows += 1;
    if (isAccepted) this.#accepted += 1;
    else if (isDuplicate(errorCodes(issues))) this.#duplicates += 1;
    for (const issue of issues) this.#keep(issue, issue.severity === 'error' ? this.#errors : this.#others);
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

// What would happen to the numbers of a batch of records if they were sent now. The table is read in batches, within a
// budget of calls and time, so that a large file does not wait for it. Submit checks every number again when it claims
// it.

export interface PredictionBudget {
  readonly numbers: number;
  readonly milliseconds: number;
}

/** A thousand calls of a hundred numbers, four seconds of a usual table. */
const defaultBudget: PredictionBudget = { numbers: 100_000, milliseconds: 30_000 };
/** Requests that hold numbers; each holds about a hundred. */
const mostHolders = 10_000;

export class NumberPredictions {
  readonly #source: IngestPipeline;
  readonly #column: number;
  readonly #budget: PredictionBudget;
  readonly #findHolder: IngestPipeline['requests']['get'];
  #predictions: ReadonlyMap<string, NumberPrediction> = new Map<string, NumberPrediction>();
  readonly #rows = new Set<number>();
  #read = 0;
  #milliseconds = 0;
  #unread = 0;

  /** @param column the index of the cell with the number */
  constructor(source: IngestPipeline, column: number, budget = defaultBudget) {
    this.#source = source;
    this.#findHolder = lookUpOnce((importId, request) => source.requests.get(importId, request), mostHolders);
    this.#column = column;
    this.#budget = budget;
  }

  /** Must be called for each batch before its rows are validated. */
  async readBatch(batch: RecordBatch): Promise<void> {
    this.#predictions = new Map();
    this.#rows.clear();
    if (this.#read >= this.#budget.numbers || this.#milliseconds >= this.#budget.milliseconds) {
      this.#unread += batch.lines.length;
      return;
    }
    const rowsByNumber = this.#numbersOf(batch);
    const begun = this.#source.clocks.wall();
    const claims = await this.#source.numbers.getMany([...rowsByNumber.keys()]);
    this.#predictions = await predictNumbers(claims, this.#findHolder);
    this.#read += rowsByNumber.size;
    for (const number of this.#predictions.keys())
      for (const row of rowsByNumber.get(number) ?? []) this.#rows.add(row);
    this.#milliseconds += this.#source.clocks.wall() - begun;
  }

  /** Of a number of the current batch. */
  readonly get = (number: string): NumberPrediction | undefined => this.#predictions.get(number);

  /** Whether there is a finding about the number of the record with this index in the current batch. */
  hasRow(index: number): boolean {
    return this.#rows.has(index);
  }

  /** The notice for a file whose numbers were not all looked up. */
  get notice(): Issue | undefined {
    if (this.#unread === 0) return undefined;
    const rows = `${counted(this.#unread, 'row')} of this large file`;
    const message = `${rows} were not checked for numbers that are ported, in progress or cancelled. Submit checks the first two`;
    return { line: 0, column: null, ...notice('FILE_NUMBERS_NOT_CHECKED', message) };
  }

  #numbersOf(batch: RecordBatch): Map<string, number[]> {
    const rowsByNumber = new Map<string, number[]>();
    for (let index = 0; index < batch.lines.length; index += 1) {
      const number = readNumber(batch.cellsOf(index)[this.#column] ?? '', this.#source.settings);
      if (number === undefined) continue;
      const rows = rowsByNumber.get(number);
      if (rows === undefined) rowsByNumber.set(number, [index]);
      else rows.push(index);
    }
    return rowsByNumber;
  }
}
