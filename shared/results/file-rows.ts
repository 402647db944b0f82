// Every row of an uploaded file with its outcome so far. The file is read again as a stream (docs/decisions/0019).

import { createRootLineOf, findCorrectionMark, ownColumns, type RootLineOf } from '#shared/files/added-columns.ts';
import { peekBatch, recordsOf } from '#shared/files/column-values.ts';
import type { Delimiter, RecordBatch } from '#shared/files/csv/record-batch.ts';
import { findSecretColumns, type ReadColumns, secretPlaces } from '#shared/files/secret-columns.ts';
import { secretReadingsOf } from '#shared/files/upload-settings.ts';
import type { ImportItem } from '#shared/import/import.ts';
import { hasRowsOfFirst } from '#shared/import/part.ts';
import type { Outcome } from '#shared/outcome/outcome.ts';
import {
  duplicateResult,
  expiredResult,
  explainWaiting,
  leftOutResult,
  notSentResult,
  type RowResult,
  rejectedResult,
  waitingResult,
} from '#shared/outcome/row-result.ts';
import { collectResults, type ResultsByLine } from '#shared/outcome/rows-of-requests.ts';
import { describeIssue, type Issue, isDuplicate } from '#shared/row/issue.ts';
import type { ResultsReader } from '#shared/store/account.ts';
import { type ObjectReader, splitLines } from '#shared/store/files.ts';
import { issuesKey, unlessGone } from '#shared/store/object-keys.ts';
import { openFile } from './changed-file.ts';
import { createCellMask, type MaskCells } from './mask-cells.ts';

export interface RowOutcome {
  /** 0: the whole file. */
  readonly line: number;
  /** As many as the header has; a record of another length is cut or filled. */
  readonly cells: readonly string[];
  /** The line of the row in the first file of a chain of corrections; its own line otherwise. */
  readonly rootLine: number;
  readonly result: RowResult;
  /** The outcome in this import itself, where the row is shown as a correction sent it. */
  readonly ownOutcome?: Outcome;
}

export interface FileOutcomes {
  readonly importId: string;
  readonly operation: ImportItem['operation'];
  readonly header: readonly string[];
  /** The separator of the file: those for people have it, too. A workbook has the comma. */
  readonly delimiter: Delimiter;
  /** Canonical column name to the index of its cell. */
  readonly columnIndexes: Readonly<Record<string, number>>;
  /** The columns whose cells are codes. */
  readonly secret: ReadonlySet<number>;
  /** What people see of a row. */
  readonly maskCells: MaskCells;
  /** With corrections: rows of all these imports that are not shown, by outcome. Complete after the last batch. */
  readonly hidden?: ReadonlyMap<Outcome, number>;
  /** When report wrote them, where the upload is gone. @default - they are as they are now */
  readonly writtenAt?: Date;
  /** In file order. */
  readonly batches: AsyncIterable<readonly RowOutcome[]>;
}

/**
 * The rows of one import, without what its corrections did. A file whose header ingest has not read has one outcome,
 * for line 0.
 * @throws ObjectGone when the file has expired
 */
export async function openOutcomes(item: ImportItem, reader: ResultsReader): Promise<FileOutcomes> {
  const { files, requests, ports, comparisons, resources } = reader;
  const { importId, columnIndexes, layout, issues } = item;
  if (columnIndexes === undefined)
    return wholeFile(
      item,
      issues.map(({ message }) => message),
    );
  const results = await collectResults(requests.ofImport(importId), ports, comparisons.ofImport(importId));
  const errors = await openRowErrors(files, resources.resultsBucket, item);
  const opened = await openFile(item, files, layout);
  if (!opened.ok) return wholeFile(item, [opened.issue.message]);
  const { header } = opened.value;
  const { first, batches } = await peekBatch(opened.value.batches);
  const columns = { header, columnIndexes, earlier: secretCells(item, header) };
  return {
    importId,
    operation: item.operation,
    header,
    // As its readers know it.
    delimiter: layout?.delimiter ?? ',',
    columnIndexes,
    secret: findSecretColumns(columns, recordsOf(first)),
    maskCells: createCellMask(columns, recordsOf(first)),
    batches: joinBatches(batches, {
      width: header.length,
      rootLineOf: createRootLineOf(hasRowsOfFirst(item) ? findCorrectionMark(header) : undefined),
      results,
      errors,
      item,
    }),
  };
}

/**
 * The columns of a file, without its rows: no connection waits until they are read.
 * @throws ObjectGone when the file has expired
 */
export async function readFileHead(item: ImportItem, files: ObjectReader): Promise<ReadColumns> {
  const { columnIndexes, layout } = item;
  if (columnIndexes === undefined) return { header: [], columnIndexes: {} };
  const opened = await openFile(item, files, layout);
  if (!opened.ok) return { header: [], columnIndexes };
  await opened.value.close();
  return { header: opened.value.header, columnIndexes };
}

/** The cells of its records that some reading called secret. */
function secretCells(item: ImportItem, header: readonly string[]): number[] {
  const own = ownColumns(header);
  const places = item.layout === undefined ? [] : secretPlaces(secretReadingsOf(item), item.layout, own.length);
  return places.flatMap((place) => own[place] ?? []);
}

/** Line 0 is a file whose rows were not read. One that is still to be read has no row so far. */
const wholeFile = ({ importId, operation, state }: ImportItem, messages: readonly string[]): FileOutcomes => ({
  importId,
  operation,
  header: [],
  delimiter: ',',
  columnIndexes: {},
  secret: new Set(),
  maskCells: createCellMask({ header: [], columnIndexes: {} }),
  batches: (async function* () {
    if (state === 'planning') return;
    yield [
      {
        line: 0,
        rootLine: 0,
        cells: [],
        result: { ...notSentResult, outcome: 'rejected', message: messages.join('; ') },
      },
    ];
  })(),
});

interface Join {
  readonly rootLineOf: RootLineOf;
  readonly width: number;
  readonly results: ResultsByLine;
  readonly errors: RowErrors;
  readonly item: ImportItem;
}

async function* joinBatches(batches: AsyncIterable<RecordBatch>, join: Join): AsyncIterable<readonly RowOutcome[]> {
  // An import that reschedules ports covers only some rows of another import's file.
  const covers = (line: number): boolean => join.item.reschedules === undefined || join.results.of(line) !== undefined;
  for await (const batch of batches) {
    await join.errors.readTo(batch.lines.at(-1) ?? 0);
    yield outcomesOf(batch, join).filter(({ line }) => covers(line) && !join.errors.isOther(line));
  }
}

function outcomesOf({ lines, rejected, cellsOf }: RecordBatch, join: Join): RowOutcome[] {
  return lines.map((line, index) => {
    const cells = cellsOf(index);
    const fitted = rejected.has(index) ? fitTo(join.width, cells) : cells;
    return { line, rootLine: join.rootLineOf(line, cells), cells: fitted, result: resultOf(line, join) };
  });
}

/** So that the columns behind the file's own stay aligned. */
const fitTo = (width: number, cells: readonly string[]): string[] =>
  Array.from({ length: width }, (_, index) => cells[index] ?? '');

function resultOf(line: number, { results, errors, item }: Join): RowResult {
  const found = errors.take(line);
  if (found !== undefined) return found;
  return item.state === 'rejected' ? notSentResult : resultFromRequests(line, results, item);
}

/** Of a row that is not planned: it is invalid, or a person left it out. undefined: nothing prevented its plan. */
export function resultFromIssues(issues: readonly Issue[]): RowResult | undefined {
  const errors = issues.filter(isError);
  if (errors.length === 0) return issues.some(saysLeftOut) ? leftOutResult : undefined;
  const isRepeated = isDuplicate(errors.map(({ code }) => code));
  return (isRepeated ? duplicateResult : rejectedResult)(errors.map(describeIssue));
}

const isError = ({ severity }: Issue): boolean => severity === 'error';
const saysLeftOut = ({ code }: Issue): boolean => code === 'ROW_LEFT_OUT';

/** Of a planned row. Once every other request was submitted, only those with an expired plan do not know their rows. */
export function resultFromRequests(line: number, results: ResultsByLine, item: ImportItem): RowResult {
  const found = results.of(line);
  if (found !== undefined) return explainWaiting(found, item);
  const isExpired = results.hasExpiredPlans && (item.state === 'in-progress' || item.state === 'finished');
  return isExpired ? expiredResult : explainWaiting(waitingResult, item);
}

/** What prevented the plan of rows, from issues.ndjson. It is in file order, so it is read in step with the rows. */
interface RowErrors {
  /** Reads on until everything up to this line is in memory. */
  readTo(line: number): Promise<void>;
  /** The result of a row that was not planned; undefined for a planned one. The line is then forgotten. */
  take(line: number): RowResult | undefined;
  /** The row has totals, or the header again, so it is not a row of the import. */
  isOther(line: number): boolean;
}

export async function openRowErrors(files: ObjectReader, bucket: string, item: ImportItem): Promise<RowErrors> {
  const found = await unlessGone(files.read({ bucket, key: issuesKey(item) }), undefined);
  const iterator = found && splitLines(found)[Symbol.asyncIterator]();
  const kept = new Map<number, Issue[]>();
  const others = new Set<number>();
  let readUpTo = iterator === undefined ? Number.POSITIVE_INFINITY : 0;

  const add = (issue: Issue): void => {
    const { line, code } = issue;
    readUpTo = Math.max(readUpTo, line);
    if (code === 'RECORD_IS_TOTALS' || code === 'RECORD_IS_HEADER') others.add(line);
    if (line === 0 || !(isError(issue) || saysLeftOut(issue))) return;
    const ofLine = kept.get(line);
    if (ofLine === undefined) kept.set(line, [issue]);
    else ofLine.push(issue);
  };

  const readTo = async (line: number): Promise<void> => {
    while (readUpTo <= line) {
      const next = await iterator?.next();
      if (next === undefined || next.done) readUpTo = Number.POSITIVE_INFINITY;
      else add(JSON.parse(next.value));
    }
  };

  const take = (line: number): RowResult | undefined => {
    const issues = kept.get(line);
    kept.delete(line);
    return issues && resultFromIssues(issues);
  };
  return { readTo, take, isOther: (line) => others.has(line) };
}
