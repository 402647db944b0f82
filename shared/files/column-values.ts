// Reads the first batch of a file before the others, without losing it.

import { valuesOf } from '#shared/csv/column-values.ts';
import { flagBits, type RecordBatch } from '#shared/csv/record-batch.ts';
import { withFirst } from '#shared/domain/text/with-first.ts';
import { unguardFormula, writtenText } from './csv/csv-row.ts';
import { decodeCells } from './csv/record-batch.ts';
import type { WatchedColumn } from './map-header.ts';

/** Rows that decide what the columns of a file are. */
export const sampledRows = 50;

/** The first records of a batch without the apostrophe that guards a formula. @param most @default all */
export const recordsOf = (batch: RecordBatch | undefined, most?: number): readonly (readonly string[])[] =>
  batch?.lines.slice(0, most).map((_, record) => batch.cellsOf(record).map(unguardFormula)) ?? [];

/** The rows that show what the columns of a file are: those that have as many cells as the header. */
export const samplesOf = (batch: RecordBatch | undefined): readonly (readonly string[])[] =>
  batch?.lines
    .flatMap((_, record) => (batch.rejected.has(record) ? [] : [record]))
    .slice(0, sampledRows)
    .map((record) => batch.cellsOf(record).map(writtenText)) ?? [];

export async function peekBatch(batches: AsyncIterable<RecordBatch>) {
  const iterator = batches[Symbol.asyncIterator]();
  const next = await iterator.next();
  const first: RecordBatch | undefined = next.done ? undefined : next.value;
  return { first, batches: withFirst(first, iterator) };
}

/** The first record that asks about one of these columns. Their cells are read alone: most have nothing to ask. */
export function findRecordThatAsks(
  batch: RecordBatch,
  watched: readonly WatchedColumn[],
): readonly string[] | undefined {
  if (watched.length === 0) return undefined;
  const { bytes, bounds, starts } = batch.spans;
  const cellAt = (record: number, index: number): string => {
    const start = starts[record] as number;
    if (start < 0) return batch.cellsOf(record)[index] ?? '';
    const bound = start + 2 * index;
    if (bounds[bound] === (bounds[bound + 1] as number) >> flagBits) return '';
    return decodeCells(bytes, bounds, bound, 1)[0] ?? '';
  };
  const found = starts.findIndex(
    (_, record) =>
      !batch.rejected.has(record) &&
      watched.some(({ index, asks }) => valuesOf([[writtenText(cellAt(record, index))]], 0).some(asks)),
  );
  return found < 0 ? undefined : batch.cellsOf(found).map(writtenText);
}
