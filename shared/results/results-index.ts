// The index beside results.csv: where each block of rows is, and which outcomes it has. A page of rows then reads some
// blocks instead of a file of a million rows.
import * as z from 'zod/mini';
import { packLines } from '#shared/domain/imports/packed-lines.ts';
import { count } from '#shared/domain/schemas.ts';
import { type Outcome, outcomes, sendableAgain } from '#shared/outcome/row-result.ts';
import type { RowOutcome } from './file-rows.ts';

const tally = z.partialRecord(z.enum(outcomes), count);

/** Bytes `start` (inclusive) to `end` (exclusive) of results.csv. */
const byteRange = { start: count, end: count };

export const indexedBlock = z.object({
  ...byteRange,
  /** The lowest and the highest line of the block, as results.csv has them. */
  line: count,
  lastLine: count,
  /** Rows by outcome. */
  outcomes: tally,
});
export type IndexedBlock = z.infer<typeof indexedBlock>;

export const resultsIndex = z.object({
  /** Of the whole file: an index that belongs to an older results.csv is not used. */
  bytes: count,
  headerEnd: count,
  outcomes: tally,
  /**
   * Lines of rows that may be sent again, by their outcome in this import itself, packed by `packLines`. Absent in
   * files of earlier releases.
   */
  lines: z.optional(z.partialRecord(z.enum(outcomes), z.string())),
  /** Packed lines of rows that are shown as a correction sent them. */
  corrected: z.optional(z.string()),
  /**
   * Packed lines of rows that were removed from their ports because they blocked others. Of files of earlier releases,
   * which do not name them, no row counts as removed: it can only be corrected with the correction file.
   */
  removed: z.optional(z.string()),
  blocks: z.array(indexedBlock),
});
export type ResultsIndex = z.infer<typeof resultsIndex>;

export interface ResultsIndexBuilder {
  /** The rows of one block and the bytes of their text. */
  add(rows: readonly RowOutcome[], bytes: number): void;
  build(): ResultsIndex;
}

/** @param headerEnd the bytes of the header */
export function createResultsIndex(headerEnd: number): ResultsIndexBuilder {
  const blocks: IndexedBlock[] = [];
  const all: Partial<Record<Outcome, number>> = {};
  const linesOf = new Map<Outcome, number[]>([...sendableAgain].map((outcome) => [outcome, []]));
  const corrected: number[] = [];
  const removed: number[] = [];
  let end = headerEnd;
  return {
    add(rows, bytes) {
      if (rows.length === 0) return;
      const ofBlock: Partial<Record<Outcome, number>> = {};
      for (const { rootLine, result, ownOutcome } of rows) {
        ofBlock[result.outcome] = (ofBlock[result.outcome] ?? 0) + 1;
        all[result.outcome] = (all[result.outcome] ?? 0) + 1;
        linesOf.get(ownOutcome ?? result.outcome)?.push(rootLine);
        if (ownOutcome !== undefined) corrected.push(rootLine);
        if (result.isRemoved) removed.push(rootLine);
      }
      const lines = rows.map(({ rootLine }) => rootLine);
      const [line, lastLine] = [Math.min(...lines), Math.max(...lines)];
      blocks.push({ start: end, end: end + bytes, line, lastLine, outcomes: ofBlock });
      end += bytes;
    },
    build: () => {
      const found = [...linesOf].filter(([, list]) => list.length > 0);
      const lines = Object.fromEntries(found.map(([outcome, list]) => [outcome, packLines(list)]));
      const packed = { corrected: packLines(corrected), removed: packLines(removed) };
      return { bytes: end, headerEnd, outcomes: all, lines, ...packed, blocks };
    },
  };
}
