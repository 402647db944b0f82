// Plans that wait for approval, and the message that approves them.
import { describe, expect, test } from 'vitest';
import { approve } from '#functions/ingest/approve.ts';
import type { ImportItem } from '#shared/domain/requests/ledger.ts';
import { createDeadline } from '#shared/runtime/deadline.ts';
import { csvOf, goodRows, handle, ingestBench, notification } from '../../support/rows-ingest.ts';

const ample = createDeadline(() => 900_000);
const planOnly = { key: 'plan/create-port/x.csv' };
const approval = (item: Partial<ImportItem> | undefined): string =>
  JSON.stringify({ approve: item?.importId ?? '', plan: item?.planHash });

describe('an approval', () => {
  test('releases the requests of a plan and is stored with its time', async () => {
    const bench = ingestBench();
    const planned = await bench.upload(csvOf(goodRows(150)), planOnly);
    expect(planned).toMatchObject({ state: 'planned', requestCount: 2 });
    expect(bench.messages).toEqual([]);
    bench.time += 60_000;
    expect(await handle(bench, [approval(planned)])).toEqual({ batchItemFailures: [] });
    expect(bench.ledger.items.get(planned?.importId ?? '')).toMatchObject({
      state: 'submitting',
      approvedAt: new Date(bench.time).toISOString(),
      requestedBy: { by: 'unknown' },
    });
    expect(bench.messages.map(({ request }) => request)).toEqual([1, 2]);
  });

  test('is stored with its author and reason, redacted; only the first approval counts', async () => {
    const bench = ingestBench();
    const planned = await bench.upload(csvOf(goodRows(1)), planOnly);
    const { plan } = bench.ledger.requests;
    const give = (by: string, because: string) =>
      approve({ approve: planned?.importId ?? '', plan: planned?.planHash, by, because }, ample, bench.dependencies);
    bench.ledger.requests.plan = () => Promise.reject(new Error('down'));
    await expect(give('anna', 'agreed with\nBen, PAC ABC123456')).rejects.toThrow('down');
    bench.ledger.requests.plan = plan;
    await give('carl', 'me too');
    expect(bench.ledger.items.get(planned?.importId ?? '')).toMatchObject({
      state: 'submitting',
      requestedBy: { by: 'anna', because: 'agreed with Ben, PAC [redacted]' },
    });
  });

  test('that is repeated sends no message for a request that is in flight', async () => {
    const bench = ingestBench();
    const planned = await bench.upload(csvOf(goodRows(1)), planOnly);
    await handle(bench, [approval(planned)]);
    for (const request of bench.ledger.planned.values()) {
      bench.ledger.planned.set(`${request.importId}/${request.request}`, { ...request, state: 'in-flight' });
    }
    const sent = bench.messages.length;
    await handle(bench, [approval(planned)]);
    expect(bench.messages).toHaveLength(sent);
  });

  test('does not change a rejected import', async () => {
    const bench = ingestBench();
    const declined = await bench.upload('msisdn\n', planOnly);
    expect(declined?.state).toBe('rejected');
    expect(await approve({ approve: declined?.importId ?? '' }, ample, bench.dependencies)).toEqual(declined);
  });

  test.each([
    ['no plan', () => undefined],
    ['another plan', () => 'a'.repeat(64)],
    ['the plan of another version of the file', (other: string | undefined) => other],
  ])('that names %s releases nothing, and is not repeated', async (_what, planOf) => {
    const bench = ingestBench();
    const planned = await bench.upload(csvOf(goodRows(2)), planOnly);
    const other = await bench.upload(csvOf(goodRows(1)), { ...planOnly, sequencer: '2' });
    expect(other?.planHash).toMatch(/^[0-9a-f]{64}$/);
    const result = await handle(bench, [approval({ ...planned, planHash: planOf(other?.planHash) })]);
    expect(result).toEqual({ batchItemFailures: [] });
    expect(bench.ledger.items.get(planned?.importId ?? '')).toMatchObject({ state: 'planned' });
    expect([bench.messages, [...bench.ledger.planned]]).toEqual([[], []]);
    expect(bench.logged.join()).toContain('approve it again');
  });

  test('of a plan whose files changed rejects the import, and nothing is in the ledger', async () => {
    const bench = ingestBench();
    const planned = await bench.upload(csvOf(goodRows(150)), planOnly);
    const index = `imports/${planned?.importId}/plan-index.ndjson`;
    bench.files.put('work', index, bench.files.text('work', index).split('\n').slice(0, 1).join('\n'));
    await handle(bench, [approval(planned)]);
    expect(bench.ledger.items.get(planned?.importId ?? '')).toMatchObject({
      state: 'rejected',
      issues: [{ code: 'PLAN_CHANGED' }],
    });
    expect([bench.messages, [...bench.ledger.planned]]).toEqual([[], []]);
  });

  test('of an unknown import is not repeated', async () => {
    const bench = ingestBench();
    expect(await handle(bench, [approval({ importId: '0123456789abcdef' })])).toEqual({ batchItemFailures: [] });
    expect(bench.logged.join()).toContain('no such import');
  });

  test('that crashed before the release is completed by its repetition or by that of the upload', async () => {
    const bench = ingestBench();
    const planned = await bench.upload(csvOf(goodRows(1)), planOnly);
    const send = bench.dependencies.queues.send;
    bench.dependencies.queues.send = () => Promise.reject(new Error('down'));
    expect((await handle(bench, [approval(planned)])).batchItemFailures).toHaveLength(1);
    bench.dependencies.queues.send = send;
    await handle(bench, [notification(planOnly.key, { sequencer: '1' })]);
    expect(bench.messages).toHaveLength(1);
  });

  test('of an expired plan rejects the import and advises to import the file again', async () => {
    const bench = ingestBench();
    const planned = await bench.upload(csvOf(goodRows(1)), planOnly);
    bench.files.remove('work', `imports/${planned?.importId}/plan-index.ndjson`);
    expect(
      await approve({ approve: planned?.importId ?? '', plan: planned?.planHash }, ample, bench.dependencies),
    ).toMatchObject({
      state: 'rejected',
      issues: [{ code: 'FILE_GONE', message: expect.stringContaining('import the file again') }],
    });
    expect(bench.messages).toEqual([]);
  });
});
