// Writes the files of an import that people fetch: results.csv, the correction files and the mismatches.

import type { ImportItem } from '#shared/import/import.ts';
import { correctionKindsOf, correctionOf } from '#shared/outcome/row-result.ts';
import type { Pipeline } from '#shared/pipeline/pipeline.ts';
import { correctionCsv, mismatchesCsv } from '#shared/results/correction-files.ts';
import { type FileOutcomes, openOutcomes } from '#shared/results/file-rows.ts';
import type { Part } from '#shared/results/parts.ts';
import { latestExpectedDate } from '#shared/results/progress.ts';
import {
  createResultsIndex,
  headerText,
  type OutcomeCsv,
  type ResultsIndex,
  resultsCsv,
  rowsText,
} from '#shared/results/results-csv.ts';
import type { FileWriter } from '#shared/store/files.ts';
import { correctionKey, isObjectGone, mismatchesKey, resultsIndexKey, resultsKey } from '#shared/store/object-keys.ts';
import type { ComparisonReader } from '#shared/store/ports.ts';
import type { OperationName } from '#shared/text/identity.ts';
import type { Tally } from '#shared/text/stored-values.ts';

export interface WrittenFiles {
  readonly corrections: Tally;
  readonly outcomes: Tally;
  readonly merged: ImportItem['merged'];
}

/**
 * Returns what the files contain; undefined when an upload has expired: the files stay as they were.
 * @param parts those of the import that send rows
 * @param checkTime called after each batch of rows; what it throws leaves the files as they were
 */
export async function writeFiles(
  item: ImportItem,
  parts: readonly Part[],
  checkTime: () => void,
  pipeline: Pipeline,
): Promise<WrittenFiles | undefined> {
  const { importId } = item;
  const { files, comparisons, log } = pipeline;
  const { resultsBucket } = pipeline.resources;
  const open = (key: string) => files.open(resultsBucket, key, 'text/csv; charset=utf-8');
  const results = open(resultsKey(importId));
  const toCorrect = correctionKindsOf(item.operation).map((kind) => ({
    kind,
    writer: open(correctionKey(importId, kind)),
  }));
  try {
    const outcomes =
      parts.length === 0
        ? await openOutcomes(item, pipeline)
        : await (await import('#shared/results/parts.ts')).openFoldedOutcomes(item, parts, pipeline);
    const outputs = toCorrect.map(({ kind, writer }) => ({ kind, csv: correctionCsv(kind, outcomes), writer }));
    const { tally, index } = await writeRows(
      outcomes,
      { csv: resultsCsv(outcomes), writer: results },
      outputs,
      checkTime,
    );
    await results.close();
    await writeIndex(files.open(resultsBucket, resultsIndexKey(importId), 'application/json'), index);
    for (const { kind, writer } of toCorrect) {
      // An existing file is overwritten when no row is left to correct: its rows must not be submitted twice.
      const isNeeded = (tally[kind] ?? 0) > 0 || (item.corrections?.[kind] ?? 0) > 0;
      await (isNeeded ? writer.close() : writer.abort());
    }
    await writeMismatches(item, open, comparisons);
    log.info('results written', { importId, state: item.state, rows: item.rows, corrections: tally });
    const hidden = outcomes.hidden && Object.fromEntries(outcomes.hidden);
    const expectedDate = latestExpectedDate(parts.map(({ progress }) => progress?.expectedDate));
    const merged = hidden && { parts: parts.length, hidden, expectedDate };
    return { corrections: tally, outcomes: { ...index.outcomes }, merged };
  } catch (error) {
    await Promise.all([results, ...toCorrect.map(({ writer }) => writer)].map((writer) => writer.abort()));
    // The upload may expire before the longest port has ended.
    if (!isObjectGone(error)) throw error;
    log.warn('an upload has expired: results.csv stays as it is', { importId });
    return undefined;
  }
}

interface Output {
  readonly csv: OutcomeCsv;
  readonly writer: FileWriter;
}

interface CorrectionOutput extends Output {
  readonly kind: OperationName;
}

/** Writes all files in one pass over the rows. */
async function writeRows(
  { batches, operation }: FileOutcomes,
  results: Output,
  corrections: readonly CorrectionOutput[],
  checkTime: () => void,
) {
  const tally: Record<string, number> = Object.fromEntries(corrections.map(({ kind }) => [kind, 0]));
  for (const { csv, writer } of corrections) await writer.write(headerText(csv));
  const header = Buffer.from(headerText(results.csv));
  await results.writer.write(header);
  const index = createResultsIndex(header.length);
  for await (const rows of batches) {
    checkTime();
    const bytes = Buffer.from(rowsText(results.csv, rows));
    await results.writer.write(bytes);
    index.add(rows, bytes.length);
    for (const { csv, writer } of corrections) await writer.write(rowsText(csv, rows));
    for (const { result } of rows) {
      const kind = correctionOf(result, operation);
      if (kind !== null) tally[kind] = (tally[kind] ?? 0) + 1;
    }
  }
  return { tally, index: index.build() };
}

/** Written after results.csv: in between the index has another number of bytes, and is not used. */
async function writeIndex(writer: FileWriter, index: ResultsIndex): Promise<void> {
  await writer.write(JSON.stringify(index));
  await writer.close();
}

/** The file is kept, and empty, when no mismatch is left, so that no service is set twice. */
async function writeMismatches(
  { importId, mismatches, layout }: ImportItem,
  open: (key: string) => FileWriter,
  comparisons: ComparisonReader,
): Promise<void> {
  if (mismatches === undefined) return;
  const writer = open(mismatchesKey(importId));
  try {
    for await (const text of mismatchesCsv(comparisons.ofImport(importId), layout?.delimiter)) await writer.write(text);
    await writer.close();
  } catch (error) {
    await writer.abort();
    throw error;
  }
}
