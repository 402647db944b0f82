// Delivery of a stream: in order, retried from the first failure on, halved, and dead-lettered in the end.
import { afterEach, describe, expect, test } from 'vitest';
import type { Outcome } from '#local/lambda/environment.ts';
import { createFilter } from '#local/stream/filter.ts';
import { type StreamSourceOptions, startStreamSource } from '#local/stream/stream-source.ts';

interface Delivered {
  readonly Records: readonly {
    readonly dynamodb: { readonly Keys: { pk: { S: string } }; readonly SequenceNumber: string };
  }[];
}
const done: Outcome = { ok: true, payload: { batchItemFailures: [] } };
const failed: Outcome = { ok: false, reason: 'error', error: { name: 'Error', message: 'no' } };

let source: ReturnType<typeof startStreamSource> | undefined;
afterEach(() => source?.stop());

function follow(
  answer: (names: readonly string[], event: Delivered) => Outcome,
  more: Partial<StreamSourceOptions> = {},
) {
  const batches: string[][] = [];
  const deadLetters: unknown[] = [];
  const started = startStreamSource({
    streamArn: 'stream',
    region: 'eu-west-2',
    filter: createFilter([]),
    batchSize: 4,
    windowMs: 0,
    retryAttempts: 3,
    retryPauseMs: 0,
    bisects: true,
    reportsFailures: true,
    clock: () => 1_000,
    log: () => {},
    invoke: async (event) => {
      const names = (event as Delivered).Records.map(({ dynamodb }) => dynamodb.Keys.pk.S);
      batches.push(names);
      return answer(names, event as Delivered);
    },
    sendToDeadLetters: async (message) => void deadLetters.push(message),
    ...more,
  });
  source = started;
  const offer = (...names: string[]) => {
    for (const name of names) {
      started.offer({ streamArn: 'stream', eventName: 'INSERT', dynamodb: { Keys: { pk: { S: name } } } });
    }
  };
  return { offer, batches, deadLetters };
}

describe('a stream', () => {
  test('is delivered in order, in batches', async () => {
    const { offer, batches } = follow(() => done);
    offer('a', 'b', 'c', 'd', 'e', 'f');
    await expect.poll(() => batches.flat()).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
    expect(Math.max(...batches.map((batch) => batch.length))).toBe(4);
  });

  test('is retried from the record that the function names, and later records wait', async () => {
    let failures = 1;
    const { offer, batches } = follow((names, { Records }) => {
      const at = names.indexOf('b');
      if (at < 0 || failures-- <= 0) return done;
      return { ok: true, payload: { batchItemFailures: [{ itemIdentifier: Records[at]?.dynamodb.SequenceNumber }] } };
    });
    offer('a', 'b', 'c', 'd', 'e');
    await expect.poll(() => batches.flat().includes('e')).toBe(true);
    expect(batches).toEqual([['a', 'b', 'c', 'd'], ['b', 'c'], ['d'], ['e']]);
  });

  test('dead-letters a record that always fails, and no other', async () => {
    const { offer, batches, deadLetters } = follow((names) => (names.includes('c') ? failed : done));
    offer('a', 'b', 'c', 'd', 'e');
    await expect.poll(() => batches.flat().includes('e')).toBe(true);
    expect(deadLetters).toMatchObject([{ DDBStreamBatchInfo: { batchSize: 1, streamArn: 'stream' } }]);
    const taken = batches.filter((batch) => !batch.includes('c')).flat();
    expect(taken).toEqual(['a', 'b', 'd', 'e']);
  });

  test('is dead-lettered after the attempts of its mapping where the function always fails', async () => {
    const { offer, batches, deadLetters } = follow(() => failed, { bisects: false });
    offer('a', 'b');
    await expect.poll(() => deadLetters.length).toBe(1);
    expect(batches).toHaveLength(4);
    expect(deadLetters).toMatchObject([
      { requestContext: { approximateInvokeCount: 4 }, DDBStreamBatchInfo: { batchSize: 2 } },
    ]);
  });

  test('is retried as a whole after an answer that cannot be read', async () => {
    let answers = 0;
    const { offer, batches } = follow(
      () => {
        answers += 1;
        return answers === 1 ? { ok: true, payload: { batchItemFailures: 'all' } } : done;
      },
      { bisects: false },
    );
    offer('a', 'b');
    await expect.poll(() => batches.length).toBe(2);
    expect(batches[1]).toEqual(['a', 'b']);
  });

  test('delivers only what passes the filter, and nothing of other streams', async () => {
    const filter = createFilter(['{"dynamodb":{"Keys":{"pk":{"S":["b"]}}}}']);
    const { offer, batches } = follow(() => done, { filter });
    source?.offer({ streamArn: 'another', eventName: 'INSERT', dynamodb: { Keys: { pk: { S: 'b' } } } });
    offer('a', 'b', 'c');
    await expect.poll(() => batches).toEqual([['b']]);
  });
});
