// Recognises the order of day, month and year in the date columns of a file, from dates that have only one meaning.
import { type DateOrder, DateOrderEvidence, type Example } from '#shared/row/date-order.ts';
import { error, type Issue, notice } from '#shared/row/issue.ts';
import { redactText } from '#shared/row/redact.ts';
import { writtenText } from './csv/csv-row.ts';
import type { CsvContents, RecordBatch } from './csv/record-batch.ts';
import type { ColumnNames, HeaderMap } from './map-header.ts';

export type DateOrders = Readonly<Record<string, DateOrder>>;

export interface RecognisedDates {
  readonly orders: DateOrders;
  /** A notice for each order that was recognised, an error for each column of which every date needs an answer. */
  readonly issues: readonly Issue[];
  /** The first date with two meanings of each column that has one. */
  readonly ambiguous: Readonly<Record<string, Example>>;
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
  readonly given: DateOrder | undefined;
}

/**
 * @param given what the user named, for all columns or by column
 * @param rows the rows that show the order
 * @param reread opens the file again
 */
export async function recogniseDates(
  columns: readonly ColumnNames[],
  file: {
    readonly indexes: HeaderMap['indexes'];
    readonly contents: CsvContents;
    readonly first: RecordBatch | undefined;
  },
  given: DateOrder | DateOrders | undefined,
  rows: RowsForDates,
  reread: () => Promise<CsvContents | undefined>,
): Promise<RecognisedDates> {
  const { indexes, contents, first } = file;
  const orderGiven = (name: string) => (typeof given === 'string' ? given : given?.[name]);
  const ofDates = columns.filter(({ isDate }) => isDate);
  const dates = ofDates.flatMap(({ name }): DateColumn[] => {
    const index = indexes.get(name);
    if (index === undefined) return [];
    const written = contents.header[index]?.trim() ?? name;
    return [{ name, index, written, evidence: new DateOrderEvidence(), given: orderGiven(name) }];
  });
  const isWorkbook = contents.sheet !== undefined;
  if (first !== undefined) addBatch(first, dates);
  const isOpen = ({ given, evidence }: DateColumn) =>
    given === undefined && (evidence.isOpen || (isWorkbook && evidence.order !== undefined));
  const readsAll = rows === 'all' || dates.some(isOpen);
  if (readsAll) await readOn(await reread(), dates);
  const issues = dates.flatMap((column) => swappedDates(column, contents));
  for (const { given, written, evidence } of dates) {
    if (given === undefined) addHint(written, contents.headerLine, evidence);
  }
  if (issues.length === 0) issues.push(...dates.flatMap((column) => issueOf(column, contents.headerLine)));
  const found = dates.flatMap(({ name, evidence: { order } }) => (order === undefined ? [] : [[name, order] as const]));
  const ambiguous = dates.flatMap(({ name, evidence }) => {
    const example = evidence.ambiguous ?? evidence.ambiguousYear;
    return example === undefined ? [] : [[name, example] as const];
  });
  // A value for all rows may be a date, too.
  const named = ofDates.flatMap(({ name }) => [[name, orderGiven(name)] as const]).filter(([, order]) => order);
  const watched = new Map(readsAll ? [] : dates.map((column) => [column.name, column]));
  const isContradictedBy = (column: string, text: string) => {
    const date = watched.get(column);
    return date?.evidence.isContradictedBy(text, date.given, isWorkbook) === true;
  };
  const orders = { ...Object.fromEntries(found), ...(Object.fromEntries(named) as DateOrders) };
  return { orders, issues, ambiguous: Object.fromEntries(ambiguous), isContradictedBy };
}

/** `PAC expiry (DD/MM/YYYY)` states the order, for dates that need one. */
function addHint(header: string, line: number, evidence: DateOrderEvidence): void {
  const { ambiguous, proofs } = evidence;
  const hint = /\b(?:dd?([/.\- ])mm?|mm?[/.\- ]dd?)[/.\- ]yy/i.exec(header);
  if (!hint) return;
  evidence.ambiguousYear = undefined;
  if (ambiguous) proofs[hint[1] === undefined ? 'mdy' : 'dmy'] ??= { line, text: header };
}

function addBatch({ lines, rejected, cellsOf, dateCells }: RecordBatch, columns: readonly DateColumn[]): void {
  if (columns.length === 0) return;
  for (const [at, line] of lines.entries()) {
    if (rejected.has(at)) continue;
    const cells = cellsOf(at);
    const dates = dateCells?.get(at);
    for (const { index, evidence } of columns)
      evidence.add(writtenText(cells[index] ?? ''), line, dates?.includes(index));
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

const placeOf = (example: Example) => `${redactText(example.text)} on line ${example.line}`;

/** Texts and dates in one column: the program could not read the texts, and may have read the others the wrong way. */
function swappedDates({ name, written, evidence, given }: DateColumn, { sheet, headerLine }: CsvContents): Issue[] {
  const { order, swappable, proofs } = evidence;
  const proof = order && proofs[order];
  if (given !== undefined || sheet === undefined || proof === undefined || swappable === undefined) return [];
  const message =
    `"${written}" has the text ${placeOf(proof)} and the date ${placeOf(swappable)}: the spreadsheet program may have ` +
    `swapped day and month of the dates. Compare them with their source. If they are right: --dates ${order}`;
  return [{ line: headerLine, column: name, ...error('DATE_ORDER_AMBIGUOUS', message) }];
}

/** How such a finding is answered. */
export const orderAnswer = 'Name the order: --dates dmy (day first) or --dates mdy (month first)';

function issueOf({ name, written, evidence, given }: DateColumn, line: number): Issue[] {
  const { ambiguous, ambiguousYear, order, proofs } = evidence;
  const { dmy, mdy } = proofs;
  const errorOf = (message: string): Issue => ({ line, column: name, ...error('DATE_ORDER_AMBIGUOUS', message) });
  if (given !== undefined) {
    const other = evidence.proofAgainst(given);
    if (other === undefined || ambiguous === undefined) return [];
    const message = `"${written}" is to be read as ${orderWords[given]}, and has ${placeOf(other)}`;
    return [errorOf(`${message}. Write the dates of a column in one order`)];
  }
  if (dmy && mdy) {
    const message = `"${written}" has both ${placeOf(dmy)} and ${placeOf(mdy)}. Write the dates of a column in one order`;
    return ambiguous === undefined ? [] : [errorOf(message)];
  }
  if (ambiguousYear !== undefined) {
    const message = `"${written}" has ${placeOf(ambiguousYear)}, which begins or ends with its year`;
    return [errorOf(`${message}. ${orderAnswer}, or --dates ymd (year first)`)];
  }
  const proof = order && proofs[order];
  if (order !== undefined && proof !== undefined) {
    const message = `"${written}" is read as ${orderWords[order]}, because of ${placeOf(proof)}`;
    return [{ line, column: name, ...notice('DATE_ORDER_DETECTED', message) }];
  }
  // Only the rows with such a date are invalid: each has a finding with both of its meanings.
  if (ambiguous === undefined || evidence.hasOtherDates) return [];
  const message = `"${written}" has ${placeOf(ambiguous)}, and no date of the column shows which number is the month`;
  return [errorOf(`${message}. ${orderAnswer}`)];
}
