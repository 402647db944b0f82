// The envelope: S3's notifications in SQS messages, decoded once, and which messages are to be delivered again.
import { describe, expect, test } from 'vitest';
import { readMessage } from '#functions/ingest/handler.ts';
import { ContractBroken, Rejected, Unavailable } from '#shared/porting/errors.ts';
import { csvOf, goodRows, handle, inbox, ingestBench, notification } from '../../support/rows-ingest.ts';

describe('a notification', () => {
  test('fault 4: the key is decoded once', async () => {
    const key = 'create-port/a+b%20ü c.csv';
    expect(readMessage(notification(key)).uploaded).toMatchObject([{ bucket: inbox, key, etag: 'etag-1' }]);
    const bench = ingestBench();
    bench.files.put(inbox, key, csvOf(goodRows(2)));
    expect(await handle(bench, [notification(key)])).toEqual({ batchItemFailures: [] });
    expect([...bench.ledger.items.values()]).toMatchObject([{ key, state: 'submitting', accepted: 2 }]);
  });

  test('carries version and sequencer where the bucket has them, and its ETag without quotes', () => {
    const body = notification('x.csv', { versionId: 'v1', sequencer: '0A', eTag: '"abc"' });
    expect(readMessage(body).uploaded).toEqual([
      { bucket: inbox, key: 'x.csv', etag: 'abc', versionId: 'v1', sequencer: '0A' },
    ]);
  });

  test('fault 5: of a new subscription is ignored', async () => {
    const bench = ingestBench();
    const body = JSON.stringify({ Service: 'Amazon S3', Event: 's3:TestEvent', Bucket: inbox });
    expect(await handle(bench, [body])).toEqual({ batchItemFailures: [] });
    expect(bench.ledger.items.size).toBe(0);
  });
});

describe('a batch', () => {
  test('fault 29: a message that is no notification is to be delivered again, and so ends in the DLQ; others are done', async () => {
    const bench = ingestBench();
    bench.files.put(inbox, 'create-port/x.csv', csvOf(goodRows(1)));
    const answer = await handle(bench, ['not json', notification('create-port/x.csv'), '{"Records":[{}]}']);
    expect(answer.batchItemFailures.map(({ itemIdentifier }) => itemIdentifier)).toEqual(['message-0', 'message-2']);
    expect(bench.messages).toHaveLength(1);
  });

  test('fault 7: an object that was deleted before it was read needs no second look', async () => {
    const bench = ingestBench();
    expect(await handle(bench, [notification('create-port/x.csv')])).toEqual({ batchItemFailures: [] });
    expect(bench.logged[0]).toMatch(/nothing to import/);
  });

  test('fault 7: a refused read is repeated', async () => {
    const bench = ingestBench();
    bench.files.put(inbox, 'create-port/x.csv', csvOf(goodRows(1)));
    bench.files.read = () => Promise.reject(new Error('403'));
    expect((await handle(bench, [notification('create-port/x.csv')])).batchItemFailures).toHaveLength(1);
    expect(bench.messages).toEqual([]);
  });
});

describe('report', () => {
  test('is told of a file that is refused, only planned, or on its way', async () => {
    const bench = ingestBench();
    bench.files.put(inbox, 'create-port/x.csv', csvOf(goodRows(1)));
    bench.files.put(inbox, 'plan/create-port/x.csv', csvOf(goodRows(1)));
    bench.files.put(inbox, 'unknown/x.csv', csvOf(goodRows(1)));
    await handle(
      bench,
      ['create-port/x.csv', 'plan/create-port/x.csv', 'unknown/x.csv'].map((key) => notification(key)),
    );
    const states = bench.told.map((importId) => bench.ledger.items.get(importId)?.state);
    expect(states).toEqual(['submitting', 'planned', 'refused']);
  });

  test('is told again by the next delivery when its queue did not answer', async () => {
    const bench = ingestBench();
    const { send } = bench.dependencies.queues;
    const queues = { send: () => Promise.reject(new Error('queue is down')) };
    bench.files.put(inbox, 'unknown/x.csv', csvOf(goodRows(1)));
    const failing = { ...bench, dependencies: { ...bench.dependencies, queues } };
    expect((await handle(failing, [notification('unknown/x.csv')])).batchItemFailures).toHaveLength(1);
    expect(bench.givenBack).toEqual(['message-0']);
    await handle({ ...bench, dependencies: { ...bench.dependencies, queues: { send } } }, [
      notification('unknown/x.csv'),
    ]);
    expect(bench.told).toHaveLength(1);
  });
});

describe('fault 42: a service that cannot be asked', () => {
  const details = { call: 'GET /api/company' };
  const failing = (error: Error) => {
    const bench = ingestBench();
    bench.files.put(inbox, 'create-port/x.csv', csvOf(goodRows(1)));
    const sent: { readonly url: string; readonly bodies: readonly unknown[]; readonly delay: number | undefined }[] =
      [];
    Object.assign(bench.dependencies, {
      openCatalogue: () => {
        throw error;
      },
      queues: {
        send: async (url: string, bodies: readonly unknown[], options?: { readonly delaySeconds?: number }) =>
          void sent.push({ url, bodies, delay: options?.delaySeconds }),
      },
    });
    return { bench, sent };
  };

  test('is waited for by a new message with a delay: the delivery is not counted as a failed one', async () => {
    const { bench, sent } = failing(new Unavailable('answered 503', details, 300_000));
    const body = notification('create-port/x.csv');
    expect(await handle(bench, [body])).toEqual({ batchItemFailures: [] });
    expect(sent).toEqual([{ url: 'https://queue.example/ingest', bodies: [JSON.parse(body)], delay: 300 }]);
  });

  test('is waited for also where its answer makes no sense, such as a redirect to a page of maintenance', async () => {
    const { bench, sent } = failing(new ContractBroken('answered 302', details));
    expect(await handle(bench, [notification('create-port/x.csv')])).toEqual({ batchItemFailures: [] });
    expect(sent).toMatchObject([{ url: 'https://queue.example/ingest', delay: 60 }]);
  });

  test('is no excuse for a refusal: that one is repeated, and put aside in the end', async () => {
    const { bench, sent } = failing(new Rejected({ message: 'no', fieldErrors: [], msisdns: [] }, details));
    expect((await handle(bench, [notification('create-port/x.csv')])).batchItemFailures).toHaveLength(1);
    expect(sent).toEqual([]);
  });
});
