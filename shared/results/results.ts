// The results of an import at this moment: every row of the file with its outcome so far.
import { readCsv } from '#shared/files/csv/read-csv.ts';
import type { RecordBatch } from '#shared/files/csv/record-batch.ts';
import { findSecretColumns } from '#shared/files/secret-columns.ts';
import type { ImportItem } from '#shared/import/import.ts';
import { type Outcome, outcomeOrder } from '#shared/outcome/outcome.ts';
import type { RowResult } from '#shared/outcome/row-result.ts';
import { unpackLines } from '#shared/request/packed-lines.ts';
import { redactName } from '#shared/row/redact.ts';
import type { ResultsReader } from '#shared/store/account.ts';
import { isObjectGone } from '#shared/store/object-keys.ts';
import { parseJson } from '#shared/text/stored-values.ts';
import type { ResultRow } from './answers.ts';
import type { FileOutcomes } from './file-rows.ts';
import { openFoldedOutcomes, readFirst, readRowParts } from './parts.ts';
import {
  columnsForPeople,
  columnsToMask,
  csvText,
  layoutForPeople,
  ownOf,
  readWrittenRow,
  resultsCsv,
} from './results-csv.ts';
import { openIndexedResults } from './row-page.ts';

/**
 * The rows of the first import, each folded over the parts, as report writes them. Where an upload has expired, or was
 * deleted because a person is forgotten, they are as report wrote them last.
 * @throws ObjectGone where there are no results either
 */
export async function openResults(reader: ResultsReader, item: ImportItem): Promise<FileOutcomes> {
  const first = await readFirst(reader.imports, item);
  try {
    return await openFoldedOutcomes(first, await readRowParts(first, reader.imports), reader);
  } catch (error) {
    const written = isObjectGone(error) ? await openWrittenResults(reader, first) : undefined;
    if (written === undefined) throw error;
    return written;
  }
}

/** undefined: there is no results.csv. Its codes are masked, so the cells to send again have none. */
async function openWrittenResults(reader: ResultsReader, first: ImportItem): Promise<FileOutcomes | undefined> {
  const { importId, operation } = first;
  const opened = await openIndexedResults(reader, importId);
  if (opened === undefined) return undefined;
  const { bucket, key, etag, lastModified } = opened.head;
  const csv = await readCsv(await reader.files.read({ bucket, key, etag }), layoutForPeople(first));
  // One that only has a header is no CSV with rows: all of them were forgotten.
  const header = csv.ok ? ownOf(csv.value.header) : [];
  const removed = new Set(unpackLines(opened.index.removed));
  const secret = findSecretColumns(columnsToMask(first, header));
  const masked = new WeakMap<readonly string[], string[]>();
  const withoutCodes = (own: string[]): readonly string[] => {
    const cells = own.map((cell, index) => (secret.has(index) ? '' : cell));
    masked.set(cells, own);
    return cells;
  };
  return {
    importId,
    operation,
    header,
    delimiter: first.layout?.delimiter ?? ',',
    columnIndexes: columnsForPeople(first),
    secret,
    maskCells: (cells) => masked.get(cells) ?? [...cells],
    writtenAt: lastModified,
    batches: csv.ok ? writtenRows(csv.value.batches, removed, withoutCodes) : (async function* () {})(),
  };
}

async function* writtenRows(
  batches: AsyncIterable<RecordBatch>,
  removed: ReadonlySet<number>,
  withoutCodes: (own: string[]) => readonly string[],
): FileOutcomes['batches'] {
  for await (const { lines, cellsOf } of batches) {
    yield lines.map((_, index) => {
      const { line, cells, result } = readWrittenRow(cellsOf(index), removed);
      return { line, rootLine: line, cells: withoutCodes(cells), result };
    });
  }
}

/** The text of results.csv, in pieces. */
export async function* streamResultsCsv(reader: ResultsReader, item: ImportItem): AsyncIterable<string> {
  const outcomes = await openResults(reader, item);
  yield* csvText(resultsCsv(outcomes), outcomes);
}

export async function* readResults(reader: ResultsReader, item: ImportItem): AsyncIterable<ResultRow> {
  const outcomes = await openResults(reader, item);
  const csv = resultsCsv(outcomes);
  for await (const rows of outcomes.batches) {
    for (const row of rows) {
      const columns = toColumns(csv.header.slice(0, csv.ownCount), csv.cellsOf(row));
      const { isRemoved: _, ...result } = row.result;
      yield { line: row.line, ...result, columns };
    }
  }
}

/** Cells by the name of their column. */
export const toColumns = (header: readonly string[], cells: readonly string[] = []): Record<string, string> =>
  Object.fromEntries(header.map((name, index) => [name, cells[index] ?? '']));

export interface OutcomeCount {
  readonly outcome: Outcome;
  readonly status: string;
  rows: number;
}

export interface OutcomeTally {
  add(result: RowResult): void;
  /** In an order that does not depend on the counts. */
  counts(): readonly Readonly<OutcomeCount>[];
}

const rank = ({ outcome }: OutcomeCount): number => outcomeOrder.indexOf(outcome);
const compare = (one: string, other: string): number => (one < other ? -1 : 1);

/** Counts rows by outcome and status. */
export function createOutcomeTally(): OutcomeTally {
  const tally = new Map<string, OutcomeCount>();
  return {
    add({ outcome, status }) {
      const key = JSON.stringify([outcome, status]);
      const known = tally.get(key);
      if (known === undefined) tally.set(key, { outcome, status, rows: 1 });
      else known.rows += 1;
    },
    counts: () =>
      [...tally.values()].sort((one, other) => rank(one) - rank(other) || compare(one.status, other.status)),
  };
}

// Which state of an import its files show. Report stores a new state first, and then writes the files.

/** What the files show, as text to compare, with the state as its first member. */
export const describeFiles = (item: ImportItem, ...others: readonly unknown[]): string =>
  JSON.stringify([stateInFiles(item), ...others]);

/** The state, and from the second reading of a draft on which reading it was. */
const stateInFiles = ({ state, reading }: ImportItem): string =>
  reading === undefined ? state : `${state} ${reading.count}`;

/** Whether the files show that the import is in its state. Until then report may be writing them. */
export function showsItsState(item: ImportItem): boolean {
  const shown = parseJson(item.reported ?? '');
  return Array.isArray(shown) && shown[0] === stateInFiles(item);
}

/** The name of the user's file for people: the last part of its key in the inbox, without codes and numbers. */
export const fileNameOf = (key: string): string => redactName(key.slice(key.lastIndexOf('/') + 1));
