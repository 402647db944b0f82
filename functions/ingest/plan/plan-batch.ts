// Plans the records of one batch: each is accepted into a group, or rejected with its issues.
import type { RootLineOf } from '#shared/files/added-columns.ts';
import { writtenText } from '#shared/files/csv/csv-row.ts';
import type { RecordBatch } from '#shared/files/csv/record-batch.ts';
import type { FindHeader } from '#shared/files/header-words.ts';
import { errorAt, type Issue, notice } from '#shared/row/issue.ts';
import { redactText } from '#shared/row/redact.ts';
import { truncate } from '#shared/text/wording.ts';
import type { Correction } from '../correction.ts';
import type { RowValidator } from '../validate/row-validator.ts';
import type { Grouping } from './grouping.ts';
import type { NumberPredictions } from './number-predictions.ts';
import type { RejectedWriter } from './plan-files.ts';
import type { RowCounter } from './row-counter.ts';
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
