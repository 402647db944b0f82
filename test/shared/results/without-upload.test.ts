// The results of an import whose upload is gone: it has expired, or one of its numbers was forgotten.
import { expect, test } from 'vitest';
import { writeFiles } from '#functions/report/write-files.ts';
import type { ImportItem } from '#shared/import/import.ts';
import type { Pipeline } from '#shared/pipeline/pipeline.ts';
import { packLines } from '#shared/request/packed-lines.ts';
import type { RequestItem } from '#shared/request/request.ts';
import { streamCorrectionCsv } from '#shared/results/correction-rows.ts';
import { readFirst, readRowParts } from '#shared/results/parts.ts';
import { readOpenRows } from '#shared/results/rejected-rows.ts';
import { openResults, readResults, streamResultsCsv } from '#shared/results/results.ts';
import { double } from '../../support/double.ts';
import { correct, current, progressOf, sourcesOf, uploadFirst } from '../../support/ingest/corrections.ts';
import { type IngestBench, inbox, ingestBench } from '../../support/ingest/ingest.ts';
import { silentLog } from '../../support/steps/test-pipeline.ts';

const textOf = async (pieces: AsyncIterable<string>) => (await Array.fromAsync(pieces)).join('');

/** Five rows, of which 3 and 5 were invalid. Row 3 was corrected. @param ended how the request of the others ended */
async function writtenImport(bench: IngestBench, ended: Partial<RequestItem> = {}) {
  const { item, rejected } = await uploadFirst(bench);
  const key = `${item?.importId}/1`;
  bench.ledger.planned.set(key, { ...(bench.ledger.planned.get(key) as RequestItem), ...ended });
  await correct(bench, rejected.replace('9999', '2001'), 'corrected');
  const sources = sourcesOf(bench);
  const root = await readFirst(sources.imports, current(bench, item));
  const parts = await readRowParts(root, sources.imports);
  const pipeline = double<Pipeline>({ ...sources, log: silentLog });
  const { outcomes, merged } = (await writeFiles(root, parts, () => undefined, pipeline)) ?? {};
  bench.ledger.items.set(root.importId, { ...root, outcomes, merged });
  return item;
}

async function shown(bench: IngestBench, importId: string) {
  const item = bench.ledger.items.get(importId);
  const root = current(bench, item);
  const { item: open, sentLines } = await readOpenRows(sourcesOf(bench), root);
  return {
    rows: await Array.fromAsync(readResults(sourcesOf(bench), root)),
    csv: await textOf(streamResultsCsv(sourcesOf(bench), root)),
    toCorrect: await textOf(streamCorrectionCsv(sourcesOf(bench), root, 'create-port')),
    progress: await progressOf(bench, item),
    open: [open.rejected, open.duplicates, [...sentLines]],
  };
}

const writtenAt = async (bench: IngestBench, item: ImportItem | undefined) =>
  (await openResults(sourcesOf(bench), current(bench, item))).writtenAt;

test.each([
  ['the first file', 'file'],
  ['a correction', 'corrected'],
])('are as report wrote them, without %s', async (_, name) => {
  const bench = ingestBench();
  const item = await writtenImport(bench);
  const before = await shown(bench, item?.importId ?? '');
  expect(before.rows.map(({ outcome }) => outcome)).toEqual(['waiting', 'waiting', 'waiting', 'rejected', 'waiting']);
  expect(await writtenAt(bench, item)).toBeUndefined();
  bench.files.remove(inbox, `create-port/${name}.csv`);
  expect(await shown(bench, item?.importId ?? '')).toEqual(before);
  expect(await writtenAt(bench, item)).toBeInstanceOf(Date);
});

test('have no code in the rows to correct: results.csv has only a part of it', async () => {
  const bench = ingestBench();
  const error = { kind: 'rejected', message: 'no' };
  const item = await writtenImport(bench, { state: 'declined', lines: packLines([2, 4, 6]), error });
  const before = await shown(bench, item?.importId ?? '');
  bench.files.remove(inbox, 'create-port/file.csv');
  const { rows, csv, toCorrect } = await shown(bench, item?.importId ?? '');
  expect({ rows, csv }).toEqual({ rows: before.rows, csv: before.csv });
  expect(before.toCorrect).toContain(',ABC123456,');
  expect(toCorrect).toBe(before.toCorrect.replaceAll(',ABC123456,', ',,'));
});

test('are none where report wrote none', async () => {
  const bench = ingestBench();
  const { item } = await uploadFirst(bench);
  bench.files.remove(inbox, 'create-port/file.csv');
  await expect(Array.fromAsync(readResults(sourcesOf(bench), current(bench, item)))).rejects.toThrow('is gone');
});
