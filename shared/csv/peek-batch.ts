// Reads the first batch of a file before the others, without losing it.
import { withFirst } from '#shared/domain/text/with-first.ts';
import { valuesOf } from './column-values.ts';
import { unguardFormula } from './csv-row.ts';
import { flagBits, type RecordBatch } from './record-batch.ts';

/** Rows that decide what the columns of a file are. */
export const sampledRows = 50;

/** The first records of a batch without the apostrophe that guards a formula. @param most @default all */
export const recordsOf = (batch: RecordBatch | undefined, most?: number): readonly (readonly string[])[] =>
  batch?.lines.slice(0, most).map((_, record) => batch.cellsOf(record).map(unguardFormula)) ?? [];

export async function peekBatch(batches: AsyncIterable<RecordBatch>) {
  const iterator = batches[Symbol.asyncIterator]();
  const next = await iterator.next();
  const first: RecordBatch | undefined = next.done ? undefined : next.value;
  return { first, batches: withFirst(first, iterator) };
}

/** The first record with a value in one of these columns. It is read from the bounds of its cells: most are empty. */
export function findRecordWith(batch: RecordBatch, indexes: readonly number[]): readonly string[] | undefined {
  if (indexes.length === 0) return undefined;
  const { bounds, starts } = batch.spans;
  const isEmpty = (bound: number) => bounds[bound] === (bounds[bound + 1] as number) >> flagBits;
  const found = starts.findIndex((start, record) => {
    if (batch.rejected.has(record) || (start >= 0 && indexes.every((index) => isEmpty(start + 2 * index))))
      return false;
    const cells = batch.cellsOf(record);
    return indexes.some((index) => valuesOf([cells], index).length > 0);
  });
  return found < 0 ? undefined : batch.cellsOf(found).map(unguardFormula);
}
