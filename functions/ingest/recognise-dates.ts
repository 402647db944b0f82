// Recognises the order of day, month and year in the date columns of a file, from dates that have only one meaning.
import type { HeaderMap } from '#shared/csv/map-header.ts';
import type { CsvContents, RecordBatch } from '#shared/csv/record-batch.ts';
import { type DateOrder, DateOrderEvidence } from '#shared/domain/dates/date-order.ts';
import { error, type Issue, notice } from '#shared/domain/imports/issue.ts';
import { redactText } from '#shared/domain/text/redact.ts';
import type { Column } from '#shared/operations/kit/operation.ts';

export type DateOrders = Readonly<Record<string, DateOrder>>;

export interface RecognisedDates {
  readonly orders: DateOrders;
  /** A notice for each order that was recognised, an error for each column of which every date needs an answer. */
  readonly issues: readonly Issue[];
  /** Whether a date of a later row may change the orders. Then they must be recognised from all rows. */
  readonly isContradictedBy: (column: string, text: string) => boolean;
}

/** Which rows are read to recognise the orders; `first`: the first batch, and all where it has no answer. */
export type RowsForDates = 'first' | 'all';

interface DateColumn {
  readonly name: string;
  readonly index: number;
  readonly written: string;
  readonly evidence: DateOrderEvidence;
}

/**
 * @param given what the user named, for all columns or by column
 * @param rows the rows that show the order
 * @param reread opens the file again
 */
export async function recogniseDates(
  columns: readonly Column[],
  file: { readonly header: HeaderMap; readonly contents: CsvContents; readonly first: RecordBatch | undefined },
  given: DateOrder | DateOrders | undefined,
  rows: RowsForDates,
  reread: () => Promise<CsvContents | undefined>,
): Promise<RecognisedDates> {
  const { header, contents, first } = file;
  const dates = columns.flatMap(({ name, isDate }): DateColumn[] => {
    const index = header.indexes.get(name);
    if (!isDate || index === undefined) return [];
    return [{ name, index, written: contents.header[index]?.trim() ?? name, evidence: new DateOrderEvidence() }];
  });
  if (typeof given === 'string') {
    const orders = Object.fromEntries(dates.map(({ name }) => [name, given]));
    return { orders, issues: [], isContradictedBy: () => false };
  }
  const unknown = dates.filter(({ name }) => given?.[name] === undefined);
  if (first !== undefined) addBatch(first, unknown);
  const readsAll = rows === 'all' || unknown.some(({ evidence }) => evidence.isOpen);
  if (readsAll) await readOn(await reread(), unknown);
  for (const { written, evidence } of unknown) addHint(written, contents.headerLine, evidence);
  const found = unknown.flatMap(({ name, evidence: { order } }) =>
    order === undefined ? [] : [[name, order] as const],
  );
  const issues = unknown.flatMap((column) => issueOf(column, contents.headerLine));
  const watched = new Map(readsAll ? [] : unknown.map(({ name, evidence }) => [name, evidence]));
  const isContradictedBy = (column: string, text: string) => watched.get(column)?.isContradictedBy(text) ?? false;
  return { orders: { ...Object.fromEntries(found), ...given }, issues, isContradictedBy };
}

/** `PAC expiry (DD/MM/YYYY)` states the order, for dates that need one. */
function addHint(header: string, line: number, { ambiguous, proofs }: DateOrderEvidence): void {
  const hint = /\b(?:dd?([/.\- ])mm?|mm?[/.\- ]dd?)[/.\- ]yy/i.exec(header);
  if (hint && ambiguous) proofs[hint[1] === undefined ? 'mdy' : 'dmy'] ??= { line, text: header };
}

function addBatch({ lines, rejected, cellsOf }: RecordBatch, columns: readonly DateColumn[]): void {
  if (columns.length === 0) return;
  for (const [at, line] of lines.entries()) {
    if (rejected.has(at)) continue;
    const cells = cellsOf(at);
    for (const { index, evidence } of columns) evidence.add(cells[index] ?? '', line);
  }
}

async function readOn(contents: CsvContents | undefined, columns: readonly DateColumn[]): Promise<void> {
  if (contents === undefined) return;
  for await (const batch of contents.batches) addBatch(batch, columns);
  await contents.close();
}

const orderWords: Readonly<Record<DateOrder, string>> = {
  dmy: 'day, month, year',
  mdy: 'month, day, year',
  ymd: 'year, month, day',
};

function issueOf({ name, written, evidence }: DateColumn, line: number): Issue[] {
  const { ambiguous, ambiguousYear, order, proofs } = evidence;
  const { dmy, mdy } = proofs;
  const answer = 'Name the order: --dates dmy (day first) or --dates mdy (month first)';
  const errorOf = (message: string): Issue => ({ line, column: name, ...error('DATE_ORDER_AMBIGUOUS', message) });
  const place = (example: { text: string; line: number }) => `${redactText(example.text)} on line ${example.line}`;
  if (dmy && mdy) {
    const message = `"${written}" has both ${place(dmy)} and ${place(mdy)}. Write the dates of a column in one order`;
    return ambiguous === undefined ? [] : [errorOf(message)];
  }
  if (ambiguousYear !== undefined) {
    const message = `"${written}" has ${place(ambiguousYear)}, which begins or ends with its year`;
    return [errorOf(`${message}. ${answer}, or --dates ymd (year first)`)];
  }
  const proof = order && proofs[order];
  if (order !== undefined && proof !== undefined) {
    const message = `"${written}" is read as ${orderWords[order]}, because of ${place(proof)}`;
    return [{ line, column: name, ...notice('DATE_ORDER_DETECTED', message) }];
  }
  // Only the rows with such a date are invalid: each has a finding with both of its meanings.
  if (ambiguous === undefined || evidence.hasOtherDates) return [];
  const message = `"${written}" has ${place(ambiguous)}, and no date of the column shows which number is the month`;
  return [errorOf(`${message}. ${answer}`)];
}
