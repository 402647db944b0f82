// A plan that waits, and the message by which a person lets it go.
import { describe, expect, test } from 'vitest';
import { approve } from '#functions/ingest/approve.ts';
import { csvOf, goodRows, handle, ingestBench, notification } from '../../support/rows-ingest.ts';

const always = () => 900_000;
const planOnly = { key: 'plan/create-port/x.csv' };
const approval = (importId = ''): string => JSON.stringify({ approve: importId });

describe('an approval', () => {
  test('releases the requests of a plan, and says when it came', async () => {
    const bench = ingestBench();
    const planned = await bench.drop(csvOf(goodRows(150)), planOnly);
    expect(planned).toMatchObject({ state: 'planned', requestCount: 2 });
    expect(bench.messages).toEqual([]);
    bench.time += 60_000;
    expect(await handle(bench, [approval(planned?.importId)])).toEqual({ batchItemFailures: [] });
    expect(bench.ledger.items.get(planned?.importId ?? '')).toMatchObject({
      state: 'submitting',
      approvedAt: new Date(bench.time).toISOString(),
      asked: { by: 'unknown' },
    });
    expect(bench.messages.map(({ request }) => request)).toEqual([1, 2]);
  });

  test('says who gave it and why, without a code that stands there by mistake; the first one counts', async () => {
    const bench = ingestBench();
    const planned = await bench.drop(csvOf(goodRows(1)), planOnly);
    const { plan } = bench.ledger.requests;
    const give = (by: string, because: string) =>
      approve({ approve: planned?.importId ?? '', by, because }, always, bench.dependencies);
    bench.ledger.requests.plan = () => Promise.reject(new Error('down'));
    await expect(give('anna', 'agreed with\nBen, PAC ABC123456')).rejects.toThrow('down');
    bench.ledger.requests.plan = plan;
    await give('carl', 'me too');
    expect(bench.ledger.items.get(planned?.importId ?? '')).toMatchObject({
      state: 'submitting',
      asked: { by: 'anna', because: 'agreed with Ben, PAC [redacted]' },
    });
  });

  test('that comes twice sends nothing that was sent already', async () => {
    const bench = ingestBench();
    const planned = await bench.drop(csvOf(goodRows(1)), planOnly);
    await handle(bench, [approval(planned?.importId)]);
    for (const request of bench.ledger.planned.values()) {
      bench.ledger.planned.set(`${request.importId}/${request.request}`, { ...request, state: 'in-flight' });
    }
    const sent = bench.messages.length;
    await handle(bench, [approval(planned?.importId)]);
    expect(bench.messages).toHaveLength(sent);
  });

  test('leaves a refused import alone', async () => {
    const bench = ingestBench();
    const refused = await bench.drop('msisdn\n', planOnly);
    expect(refused?.state).toBe('refused');
    expect(await approve({ approve: refused?.importId ?? '' }, always, bench.dependencies)).toEqual(refused);
  });

  test('of an import that is not there is not repeated', async () => {
    const bench = ingestBench();
    expect(await handle(bench, [approval('0123456789abcdef')])).toEqual({ batchItemFailures: [] });
    expect(bench.logged.join()).toContain('no such import');
  });

  test('survives a crash between the two halves, by its own repetition or by that of the upload', async () => {
    const bench = ingestBench();
    const planned = await bench.drop(csvOf(goodRows(1)), planOnly);
    const send = bench.dependencies.queues.send;
    bench.dependencies.queues.send = () => Promise.reject(new Error('down'));
    expect((await handle(bench, [approval(planned?.importId)])).batchItemFailures).toHaveLength(1);
    bench.dependencies.queues.send = send;
    await handle(bench, [notification(planOnly.key, { sequencer: '1' })]);
    expect(bench.messages).toHaveLength(1);
  });

  test('of a plan that has expired refuses the import, and says what to do', async () => {
    const bench = ingestBench();
    const planned = await bench.drop(csvOf(goodRows(1)), planOnly);
    bench.files.remove('work', `imports/${planned?.importId}/plan-index.ndjson`);
    expect(await approve({ approve: planned?.importId ?? '' }, always, bench.dependencies)).toMatchObject({
      state: 'refused',
      issues: [{ code: 'FILE_GONE', message: expect.stringContaining('drop the file again') }],
    });
    expect(bench.messages).toEqual([]);
  });
});
