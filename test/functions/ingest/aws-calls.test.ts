// What a small file asks of AWS: hundreds of them are dropped at once, and each call is a round trip and a cost.
import { describe, expect, test } from 'vitest';
import { ingest } from '#functions/ingest/ingest.ts';
import type { IngestPipeline } from '#functions/ingest/ingest-pipeline.ts';
import { createCatalogue } from '#shared/operations/catalogue.ts';
import { countedLookups } from '../../support/ingest/catalogue.ts';
import { deadlineOf, handle, inbox, ingestBench, notification } from '../../support/ingest/ingest.ts';
import { csvOf, goodRows } from '../../support/ingest/valid-rows.ts';

const key = 'create-port/x.csv';

describe('a small file', () => {
  test('asks DynamoDB and S3 for nothing that its invocation has just read or written', async () => {
    const bench = ingestBench({}, { isVersioned: true });
    bench.files.put(inbox, key, csvOf(goodRows(5)));
    const { versionId = '' } = (await bench.files.head({ bucket: inbox, key })) ?? {};
    bench.calls.splice(0);
    await handle(bench, [notification(key, { versionId })]);
    expect([...bench.ledger.items.values()]).toMatchObject([{ state: 'submitting', versionId }]);
    expect(bench.calls).toEqual([
      // The newest version of the object, which is that of the event.
      'HeadObject x.csv',
      // Of two deliveries of the event, one begins the import.
      'Put import',
      'GetObject x.csv',
      // Numbers that another request holds.
      'BatchGet',
      // Of two files with the same rows, one has the content. Another delivery may have planned the import meanwhile.
      'Put content',
      'Get import',
      // The index is written after the plan that it names.
      'PutObject plan.ndjson',
      'PutObject plan-index.ndjson',
      // Of two deliveries that have planned the import, one releases its plan.
      'Update import',
      'Put notification',
      'BatchExecuteStatement',
      'Update import',
    ]);
    expect(bench.messages).toHaveLength(1);
  });

  test('has no files without findings, unless an earlier attempt had some', async () => {
    const bench = ingestBench();
    const etag = bench.files.put(inbox, key, csvOf(goodRows(1)));
    const attempt = (changes: Partial<IngestPipeline> = {}) =>
      ingest({ bucket: inbox, key, etag }, deadlineOf(bench), { ...bench.dependencies, ...changes });
    const withoutTariffs = { ...countedLookups(), tariffs: async () => ({ tariffs: [], hasAttributes: true }) };
    const imports = { ...bench.dependencies.imports, updateReading: () => Promise.reject(new Error('killed')) };
    const killed = attempt({ imports, openCatalogue: () => createCatalogue(withoutTariffs) });
    await expect(killed).rejects.toThrow('killed');
    const item = await attempt();
    expect(bench.files.keys().filter((name) => name.startsWith('results/'))).toHaveLength(2);
    expect([bench.rejected(item).trim().split('\n').length, bench.issues(item)]).toEqual([1, []]);

    const other = ingestBench();
    await other.upload(csvOf(goodRows(1)));
    expect(other.files.keys().filter((name) => name.startsWith('results/'))).toEqual([]);
  });
});
