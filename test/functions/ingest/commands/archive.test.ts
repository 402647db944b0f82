// An import that waits for its approval is archived, and approved: it is never sent unseen.
import { describe, expect, test } from 'vitest';
import type { ImportItem } from '#shared/import/import.ts';
import { isArchived } from '#shared/import/import-state.ts';
import { csvOf, goodRows, handle, ingestBench } from '../../../support/ingest/ingest.ts';

const planOnly = { key: 'plan/create-port/x.csv' };
const approval = (item: Partial<ImportItem> | undefined): string =>
  JSON.stringify({ approve: item?.importId ?? '', plan: item?.planHash });

describe('an import that is archived and approved', () => {
  const archiveOf = (item: Partial<ImportItem> | undefined, at: number): string =>
    JSON.stringify({ archive: item?.importId, what: 'import', at: new Date(at).toISOString() });
  const stored = (bench: ReturnType<typeof ingestBench>, item: Partial<ImportItem> | undefined) =>
    bench.ledger.items.get(item?.importId ?? '') as ImportItem;

  test('is not sent: the approval is declined with its reason', async () => {
    const bench = ingestBench();
    const planned = await bench.upload(csvOf(goodRows(1)), planOnly);
    await handle(bench, [archiveOf(planned, bench.time)]);
    await handle(bench, [approval(planned)]);
    expect(stored(bench, planned)).toMatchObject({
      state: 'planned',
      declinedApproval: { reason: 'The import is archived. Restore it, then approve it' },
    });
    expect(bench.messages).toEqual([]);
  });

  test('is listed, if its approval was first', async () => {
    const bench = ingestBench();
    const planned = await bench.upload(csvOf(goodRows(1)), planOnly);
    await handle(bench, [approval(planned)]);
    await handle(bench, [archiveOf(planned, bench.time)]);
    expect(stored(bench, planned).state).toBe('submitting');
    expect(isArchived(stored(bench, planned))).toBe(false);
  });

  test('is either sent or archived, if both happen at once', async () => {
    for (const when of ['archived-after-the-read', 'approved-after-the-read'] as const) {
      const bench = ingestBench();
      const planned = await bench.upload(csvOf(goodRows(1)), planOnly);
      const { get } = bench.ledger.imports;
      const [first, second] = [archiveOf(planned, bench.time), approval(planned)];
      const [slow, fast] = when === 'approved-after-the-read' ? [first, second] : [second, first];
      let isRead = false;
      bench.ledger.imports.get = async (importId) => {
        const item = await get(importId);
        if (!isRead) {
          isRead = true;
          await handle(bench, [fast]);
        }
        return item;
      };
      await handle(bench, [slow]);
      const item = stored(bench, planned);
      expect([when, item.state === 'submitting' && isArchived(item)]).toEqual([when, false]);
    }
  });
});
