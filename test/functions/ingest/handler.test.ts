// How the messages of the ingest queue are decoded, and which of them are repeated.
import { describe, expect, test } from 'vitest';
import { readMessage } from '#functions/ingest/handler.ts';
import { ContractBroken, Rejected, Unavailable } from '#shared/service/errors.ts';
import { handle, inbox, ingestBench, notification } from '../../support/ingest/ingest.ts';
import { csvOf, goodRows } from '../../support/ingest/valid-rows.ts';

describe('an S3 notification', () => {
  test('fault 4: has its key decoded once', async () => {
    const key = 'create-port/a+b%20ü c.csv';
    expect(readMessage(notification(key, { eTag: 'etag-1' })).uploads).toMatchObject([
      { bucket: inbox, key, etag: 'etag-1' },
    ]);
    const bench = ingestBench();
    bench.files.put(inbox, key, csvOf(goodRows(2)));
    expect(await handle(bench, [notification(key)])).toEqual({ batchItemFailures: [] });
    expect([...bench.ledger.items.values()]).toMatchObject([{ key, state: 'submitting', accepted: 2 }]);
  });

  test('is read with version and sequencer, if present, and with the ETag without quotes', () => {
    const body = notification('x.csv', { versionId: 'v1', sequencer: '0A', eTag: '"abc"' });
    expect(readMessage(body).uploads).toEqual([
      {
        bucket: inbox,
        key: 'x.csv',
        etag: 'abc',
        versionId: 'v1',
        sequencer: '0A',
        uploadedBy: { principal: 'AROAX:anna', sourceIp: '198.51.100.7' },
      },
    ]);
  });

  test('fault 5: that S3 sends for a new configuration is ignored', async () => {
    const bench = ingestBench();
    const body = JSON.stringify({ Service: 'Amazon S3', Event: 's3:TestEvent', Bucket: inbox });
    expect(await handle(bench, [body])).toEqual({ batchItemFailures: [] });
    expect(bench.ledger.items.size).toBe(0);
  });
});

describe('a batch', () => {
  test('fault 29: repeats an unreadable message, which ends in the dead-letter queue, and handles the others', async () => {
    const bench = ingestBench();
    bench.files.put(inbox, 'create-port/x.csv', csvOf(goodRows(1)));
    const answer = await handle(bench, ['not json', notification('create-port/x.csv'), '{"Records":[{}]}']);
    expect(answer.batchItemFailures.map(({ itemIdentifier }) => itemIdentifier)).toEqual(['message-0', 'message-2']);
    expect(bench.messages).toHaveLength(1);
  });

  test('fault 7: ignores an object that was deleted before it was read', async () => {
    const bench = ingestBench();
    expect(await handle(bench, [notification('create-port/x.csv')])).toEqual({ batchItemFailures: [] });
    expect(bench.logged[0]).toMatch(/nothing to import/);
  });

  test('fault 7: repeats a message whose object could not be read', async () => {
    const bench = ingestBench();
    bench.files.put(inbox, 'create-port/x.csv', csvOf(goodRows(1)));
    bench.files.read = () => Promise.reject(new Error('403'));
    expect((await handle(bench, [notification('create-port/x.csv')])).batchItemFailures).toHaveLength(1);
    expect(bench.messages).toEqual([]);
  });
});

describe('the two queues', () => {
  const requeued = async (body: string) => {
    const bench = ingestBench();
    const sent: unknown[] = [];
    const queues = { send: async (url: string, bodies: readonly unknown[]) => void sent.push([url, bodies]) };
    bench.files.put(inbox, 'create-port/x.csv', csvOf(goodRows(1)));
    const openCatalogue = () => {
      throw new Unavailable('down', { call: { method: 'GET', path: '/x' } } as never);
    };
    const waiting = { ...bench, dependencies: { ...bench.dependencies, queues, openCatalogue } };
    await handle(waiting, [body]);
    return sent;
  };

  test('a file that waits for the service stays in its queue, whose events name the uploader', async () => {
    const body = notification('create-port/x.csv');
    const { ingestQueueUrl } = ingestBench().dependencies.resources;
    expect(await requeued(body)).toEqual([[ingestQueueUrl, [JSON.parse(body)]]]);
  });

  test('an event in the queue of commands names no uploader: a person may have written it', async () => {
    const bench = ingestBench();
    bench.files.put(inbox, 'create-port/x.csv', csvOf(goodRows(1)));
    await handle(bench, [notification('create-port/x.csv')], 1, 'AROAX:eve', 'command');
    expect([...bench.ledger.items.values()][0]?.uploadedBy).toBeUndefined();
    await handle(bench, [notification('create-port/x.csv', { sequencer: '2' })], 1, 'AROAX:eve', 'ingest');
    expect([...bench.ledger.items.values()][1]).toHaveProperty('uploadedBy.principal', 'AROAX:anna');
  });
});

describe('report', () => {
  test('is notified of a file that is rejected or planned, and by submit of one that is sent', async () => {
    const bench = ingestBench();
    bench.files.put(inbox, 'create-port/x.csv', csvOf(goodRows(1)));
    bench.files.put(inbox, 'plan/create-port/x.csv', csvOf(goodRows(1)));
    bench.files.put(inbox, 'unknown/x.csv', csvOf(goodRows(1)));
    await handle(
      bench,
      ['create-port/x.csv', 'plan/create-port/x.csv', 'unknown/x.csv'].map((key) => notification(key)),
    );
    const states = bench.notifiedReports.map((importId) => bench.ledger.items.get(importId)?.state);
    expect(states).toEqual(['planned', 'rejected']);
    expect(bench.messages).toHaveLength(1);
  });

  test('is notified by the next delivery when its queue did not answer', async () => {
    const bench = ingestBench();
    const { send } = bench.dependencies.queues;
    const queues = { send: () => Promise.reject(new Error('queue is down')) };
    bench.files.put(inbox, 'unknown/x.csv', csvOf(goodRows(1)));
    const failing = { ...bench, dependencies: { ...bench.dependencies, queues } };
    expect((await handle(failing, [notification('unknown/x.csv')])).batchItemFailures).toHaveLength(1);
    expect(bench.retried).toEqual(['message-0']);
    await handle({ ...bench, dependencies: { ...bench.dependencies, queues: { send } } }, [
      notification('unknown/x.csv'),
    ]);
    expect(bench.notifiedReports).toHaveLength(1);
  });
});

describe('fault 42: an outage of the service', () => {
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

  test('requeues the message with a delay, so that no delivery is used up', async () => {
    const { bench, sent } = failing(new Unavailable('answered 503', details, 300_000));
    const body = notification('create-port/x.csv');
    expect(await handle(bench, [body])).toEqual({ batchItemFailures: [] });
    expect(sent).toEqual([{ url: 'https://queue.example/ingest', bodies: [JSON.parse(body)], delay: 300 }]);
  });

  test('requeues the message also after an invalid answer, such as a redirect to a maintenance page', async () => {
    const { bench, sent } = failing(new ContractBroken('answered 302', details));
    expect(await handle(bench, [notification('create-port/x.csv')])).toEqual({ batchItemFailures: [] });
    expect(sent).toMatchObject([{ url: 'https://queue.example/ingest', delay: 60 }]);
  });

  test('does not include a declined call: its message is repeated until it is dead-lettered', async () => {
    const { bench, sent } = failing(new Rejected({ message: 'no', fieldErrors: [], msisdns: [] }, details));
    expect((await handle(bench, [notification('create-port/x.csv')])).batchItemFailures).toHaveLength(1);
    expect(sent).toEqual([]);
  });
});
