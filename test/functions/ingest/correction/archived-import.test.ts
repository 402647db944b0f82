// A correction of an import that was archived is listed with it: nothing is sent unseen.
import { expect, test } from 'vitest';
import { archiveImport } from '#functions/ingest/commands/approve-and-stop.ts';
import type { IngestPipeline } from '#functions/ingest/ingest-pipeline.ts';
import { isArchived, putAway } from '#shared/import/import-state.ts';
import { double } from '../../../support/double.ts';
import { correct, current, uploadFirst } from '../../../support/ingest/corrections.ts';
import { ingestBench } from '../../../support/ingest/ingest.ts';

test('an archived import is listed again once a correction of it is sent', async () => {
  const bench = ingestBench();
  const { item, rejected } = await uploadFirst(bench);
  const first = { ...current(bench, item), state: 'finished' } as const;
  const mark = putAway(first, 'import', { by: 'Sam', at: new Date(bench.time).toISOString() });
  bench.ledger.items.set(first.importId, { ...first, ...mark });
  expect(isArchived(current(bench, item))).toBe(true);
  const part = await correct(bench, rejected.replace('9999', '2001'), 'corrected');
  expect(part).toMatchObject({ state: 'submitting', partOf: { importId: first.importId } });
  expect(isArchived(current(bench, item))).toBe(false);
});

test('an import is not archived while a correction of it is being sent', async () => {
  const bench = ingestBench();
  const { item, rejected } = await uploadFirst(bench);
  const { importId } = current(bench, item);
  expect(await correct(bench, rejected.replace('9999', '2001'), 'corrected')).toMatchObject({ state: 'submitting' });
  bench.ledger.items.set(importId, { ...current(bench, item), state: 'finished' });
  const clocks = { wall: () => bench.time, calendar: () => bench.time };
  const pipeline = double<IngestPipeline>({ imports: bench.ledger.imports, clocks });
  const at = new Date(bench.time).toISOString();
  await archiveImport({ archive: importId, what: 'import', at, by: 'Sam' }, pipeline);
  expect(isArchived(current(bench, item))).toBe(false);
});
