// Delivery of a stream: in order, again from the first failure on, halved, and put aside in the end.
import { afterEach, describe, expect, test } from 'vitest';
import type { Outcome } from '#local/lambda/environment.ts';
import { createFilter } from '#local/stream/filter.ts';
import { type StreamSource, type StreamSourceOptions, startStreamSource } from '#local/stream/stream-source.ts';

interface Delivered {
  readonly Records: readonly {
    readonly dynamodb: { readonly Keys: { pk: { S: string } }; readonly SequenceNumber: string };
  }[];
}
const done: Outcome = { ok: true, payload: { batchItemFailures: [] } };
const crashed: Outcome = { ok: false, reason: 'error', error: { name: 'Error', message: 'no' } };

let source: StreamSource | undefined;
afterEach(() => source?.stop());

function follow(
  answer: (names: readonly string[], event: Delivered) => Outcome,
  more: Partial<StreamSourceOptions> = {},
) {
  const batches: string[][] = [];
  const aside: unknown[] = [];
  const started = startStreamSource({
    ...{ streamArn: 'stream', region: 'eu-west-2', filter: createFilter([]), batchSize: 4, windowMs: 0 },
    ...{ retryAttempts: 3, retryPauseMs: 0, bisects: true, reportsFailures: true, clock: () => 1_000, log: () => {} },
    invoke: async (event) => {
      const names = (event as Delivered).Records.map(({ dynamodb }) => dynamodb.Keys.pk.S);
      batches.push(names);
      return answer(names, event as Delivered);
    },
    putAside: async (message) => void aside.push(message),
    ...more,
  });
  source = started;
  const offer = (...names: string[]) => {
    for (const name of names) {
      started.offer({ streamArn: 'stream', eventName: 'INSERT', dynamodb: { Keys: { pk: { S: name } } } });
    }
  };
  return { offer, batches, aside };
}

describe('a stream', () => {
  test('comes in order, in batches', async () => {
    const { offer, batches } = follow(() => done);
    offer('a', 'b', 'c', 'd', 'e', 'f');
    await expect.poll(() => batches.flat()).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
    expect(Math.max(...batches.map((batch) => batch.length))).toBe(4);
  });

  test('comes again from the record on that the function names, and what follows waits for it', async () => {
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

  test('parts a record that always crashes the function from the others, and puts it aside', async () => {
    const { offer, batches, aside } = follow((names) => (names.includes('c') ? crashed : done));
    offer('a', 'b', 'c', 'd', 'e');
    await expect.poll(() => batches.flat().includes('e')).toBe(true);
    expect(aside).toMatchObject([{ DDBStreamBatchInfo: { batchSize: 1, streamArn: 'stream' } }]);
    const taken = batches.filter((batch) => !batch.includes('c')).flat();
    expect(taken).toEqual(['a', 'b', 'd', 'e']);
  });

  test('whose function never works is put aside after the tries of its mapping', async () => {
    const { offer, batches, aside } = follow(() => crashed, { bisects: false });
    offer('a', 'b');
    await expect.poll(() => aside.length).toBe(1);
    expect(batches).toHaveLength(4);
    expect(aside).toMatchObject([
      { requestContext: { approximateInvokeCount: 4 }, DDBStreamBatchInfo: { batchSize: 2 } },
    ]);
  });

  test('comes again as a whole after an answer that cannot be read', async () => {
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

  test('shows only what passes the filter, and nothing of other streams', async () => {
    const filter = createFilter(['{"dynamodb":{"Keys":{"pk":{"S":["b"]}}}}']);
    const { offer, batches } = follow(() => done, { filter });
    source?.offer({ streamArn: 'another', eventName: 'INSERT', dynamodb: { Keys: { pk: { S: 'b' } } } });
    offer('a', 'b', 'c');
    await expect.poll(() => batches).toEqual([['b']]);
  });
});
