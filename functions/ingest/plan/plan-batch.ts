// Plans the records of one batch: each is accepted into a group, or rejected with its issues.

import type { RootLineOf } from '#shared/files/added-columns.ts';
import { writtenText } from '#shared/files/csv/csv-row.ts';
import type { RecordBatch } from '#shared/files/csv/record-batch.ts';
import type { FindHeader } from '#shared/files/header-words.ts';
import { asksForApproval } from '#shared/import/approval.ts';
import { lookUpOnce } from '#shared/operations/catalogue.ts';
import { readNumber } from '#shared/operations/validate-row.ts';
import { type NumberPrediction, predictNumbers } from '#shared/request/number-claim.ts';
import { errorAt, type Issue, isDuplicate, notice } from '#shared/row/issue.ts';
import { redactText } from '#shared/row/redact.ts';
import { counted, truncate } from '#shared/text/wording.ts';
import type { Correction } from '../correction.ts';
import type { IngestPipeline } from '../ingest-pipeline.ts';
import type { RowValidator } from '../validate/row-validator.ts';
import type { Grouping } from './grouping.ts';
import type { RejectedWriter } from './plan-files.ts';
import type { RowJson } from './row-json.ts';

export interface BatchPlanner {
  readonly correction: Correction | undefined;
  readonly rootLineOf: RootLineOf;
  /** Of the file, by canonical name. */
  readonly columnIndexes: Readonly<Record<string, number>>;
  readonly validator: RowValidator;
  readonly grouping: Grouping;
  readonly rowJson: RowJson;
  readonly rejected: RejectedWriter;
  readonly counter: RowCounter;
  readonly locate: (issue: Issue) => Issue;
  /** Absent where the table is not read. */
  readonly predictions: NumberPredictions | undefined;
  readonly findHeader: FindHeader;
  /** The columns whose cells no message quotes. */
  readonly secret: ReadonlySet<number>;
}

/** A row of totals, or the header again: it is reported and not counted as a row of the file. */
function addOther(line: number, record: readonly string[], what: Other, planner: BatchPlanner): void {
  const { counter, rejected, locate, secret } = planner;
  const shown = record.filter((cell, index) => cell.trim() !== '' && !secret.has(index));
  const text = truncate(redactText(shown.join(' ')), 60);
  const { code, is } = others[what];
  const issue = locate({ line, column: null, ...notice(code, `${is}, which was not read: "${text}"`) });
  counter.addIssue(issue);
  rejected.addIssue(issue);
}

const others = {
  totals: { code: 'RECORD_IS_TOTALS', is: 'a row of totals' },
  header: { code: 'RECORD_IS_HEADER', is: 'the header again' },
} as const;
type Other = keyof typeof others;

/** @returns why the file cannot be read any further: a second header */
export async function planBatch(batch: RecordBatch, planner: BatchPlanner): Promise<Issue | undefined> {
  const { correction, validator, predictions, columnIndexes } = planner;
  await predictions?.readBatch(batch);
  await correction?.readBatch(batch, columnIndexes);
  for (let record = 0; record < batch.lines.length; record += 1) {
    const line = batch.lines[record] as number;
    const issue = batch.rejected.get(record) ?? correction?.check(batch.cellsOf(record), line);
    let found = issue && [issue];
    if (found === undefined) {
      const lookup = validator.prepare(batch, record);
      // `await` costs time even without a promise, so it is left out for most rows.
      if (lookup !== undefined) await lookup;
      found = planRecord(batch, record, planner);
      if (found !== undefined && validator.renew()) {
        await validator.prepare(batch, record);
        found = planRecord(batch, record, planner);
      }
    }
    const second = found && rejectRecord(line, found, batch.cellsOf(record), planner);
    if (second !== undefined) return second;
  }
  return undefined;
}

/** Returns what is wrong with an invalid row; undefined: it is planned. */
function planRecord(batch: RecordBatch, record: number, planner: BatchPlanner): Issue[] | undefined {
  const { correction, rootLineOf, validator, grouping, rowJson, counter, rejected, locate } = planner;
  const line = batch.lines[record] as number;
  const { issues: found, accepted } = validator.validate(line);
  if (accepted === undefined) return [...found];
  const issues = found.length === 0 ? found : found.map(locate);
  counter.addRow(true, issues);
  if (issues.length > 0) rejected.add(line, batch.cellsOf(record), issues);
  const corrected = correction && batch.cellsOf(record);
  rowJson.write(line, accepted.row, corrected && correction.accept(corrected));
  const known = corrected === undefined ? line : rootLineOf(line, corrected);
  grouping.add(grouping.shapeFor(accepted.shape, accepted.row), rowJson, known);
  return undefined;
}

/** A row that is invalid, or that a person left out. @returns the issue of a second header, which ends the reading */
function rejectRecord(
  line: number,
  found: readonly Issue[],
  record: readonly string[],
  planner: BatchPlanner,
): Issue | undefined {
  const { counter, rejected, locate, findHeader } = planner;
  const isInvalid = found.some(({ severity }) => severity === 'error');
  const header = isInvalid ? findHeader(record) : undefined;
  if (header === 'other') return secondHeader(line, record);
  if (isInvalid && (header === 'same' || isTotalsRow(record))) {
    addOther(line, record, header === 'same' ? 'header' : 'totals', planner);
    return undefined;
  }
  const issues = found.map(locate);
  if (isInvalid) counter.addRow(false, issues);
  else for (const issue of issues) counter.addLeftOut(issue);
  rejected.add(line, record, issues);
  return undefined;
}

function secondHeader(line: number, record: readonly string[]): Issue {
  const shown = truncate(record.filter((cell) => cell.trim() !== '').join(', '), 60);
  const message =
    `line ${line} is another header: "${shown}". Import its table as a separate file, or remove the line and put ` +
    'the cells below it into the columns of the first header';
  return errorAt(line, 'HEADER_SECOND', message);
}

/** All words of a label such as "Grand total", "Sum of rows" or "Total SIMs:". */
const totalsLabel =
  /^(?:(?:grand|sub|total|sum|count|of|the|all|number|row|line|sim|port|record|entrie|mobile)s?\b[\s:=-]*)+$/i;
const totalsWord = /\b(?:sub)?-?(?:total|sum|count)s?\b/i;
/** An amount, and no number of a phone or a SIM. */
const figure = /^[£€$]? ?-?\d{0,3}(?:[., ]?\d{3}){0,2}(?:[.,]\d{1,2})? ?[%£€$]?$/;

/**
 * Recognises the row of totals below a table: "Total", "Grand total: 400", "Sum,,,12". A customer may be named "Total
 * Energies": any other word is of a row.
 */
function isTotalsRow(cells: readonly string[]): boolean {
  const [first, ...rest] = cells.map(writtenText).filter((cell) => cell !== '');
  if (first === undefined || first.length > longestLabel) return false;
  const [, label = '', amount = ''] = /^(.{0,60}?)(\d[\d.,]{0,59})?$/.exec(first) ?? [];
  const isLabel = (text: string) => totalsLabel.test(text.trim());
  return (
    totalsWord.test(label) && isLabel(label) && [amount, ...rest].every((cell) => figure.test(cell) || isLabel(cell))
  );
}
const longestLabel = 60;

// Counts the rows of a file while it is read, and keeps the first issues to show.

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
      const number = readNumber(batch.cellAt(index, this.#column), this.#source.settings);
      if (number === undefined) continue;
      const rows = rowsByNumber.get(number);
      if (rows === undefined) rowsByNumber.set(number, [index]);
      else rows.push(index);
    }
    return rowsByNumber;
  }
}
