// A release that takes longer than one invocation: every delivery continues where the previous one stopped.
import { describe, expect, test } from 'vitest';
import type { SubmitMessage } from '#shared/domain/imports/plan.ts';
import { accountSettings } from '../../support/rows-catalogue.ts';
import {
  csvOf,
  goodRows,
  handle,
  type IngestBench,
  inbox,
  ingestBench,
  notification,
} from '../../support/rows-ingest.ts';

const requestCount = 250;
const body = notification('create-port/x.csv');

interface Stretches {
  readonly bench: IngestBench;
  /** Requests written to the ledger and messages sent, call by call. */
  readonly written: number[][];
  readonly sent: number[][];
  /** The messages in the ingest queue. */
  readonly waiting: unknown[];
  /** Handles messages until the queue is empty; returns how many. */
  run(): Promise<number>;
}

/** A file of 250 requests, and invocations whose time runs out as soon as they begin to release it. */
function shortOfTime(): Stretches {
  const settings = { ...accountSettings, maxRowsPerRequest: 1 };
  const bench = ingestBench({ settings });
  const { ingestQueueUrl, submitQueueUrl, queues } = bench.dependencies;
  const { plan } = bench.ledger.requests;
  const stretches: Stretches = { bench, written: [], sent: [], waiting: [JSON.parse(body)], run };
  bench.files.put(inbox, 'create-port/x.csv', csvOf(goodRows(requestCount)));
  bench.ledger.requests.plan = async (items) => {
    stretches.written.push(items.map(({ request }) => request));
    bench.remainingMs = 14_999;
    await plan(items);
  };
  Object.assign(bench.dependencies, {
    queues: {
      send: async (url: string, bodies: readonly unknown[], options?: { readonly delaySeconds?: number }) => {
        if (url === ingestQueueUrl) {
          expect(options?.delaySeconds).toBe(0);
          stretches.waiting.push(...bodies);
        } else if (url === submitQueueUrl) {
          stretches.sent.push((bodies as SubmitMessage[]).map(({ request }) => request));
          bench.remainingMs = 14_999;
        } else await queues.send(url, bodies);
      },
    },
  });
  async function run(): Promise<number> {
    let taken = 0;
    for (let next = stretches.waiting.shift(); next !== undefined; next = stretches.waiting.shift()) {
      bench.remainingMs = 900_000;
      expect(await handle(bench, [JSON.stringify(next)])).toEqual({ batchItemFailures: [] });
      taken += 1;
      if (taken > 9) throw new Error('it never ends');
    }
    return taken;
  }
  return stretches;
}

const firstAndLast = (batches: readonly (readonly number[])[]) => batches.map((batch) => [batch[0], batch.at(-1)]);
const hundreds = [
  [1, 100],
  [101, 200],
  [201, 250],
];

describe('a release without enough time', () => {
  test('continues with further messages until each request is written once and sent once', async () => {
    const { bench, written, sent, run } = shortOfTime();
    expect(await run()).toBe(5);
    expect(firstAndLast(written)).toEqual(hundreds);
    expect(firstAndLast(sent)).toEqual(hundreds);
    expect([...bench.ledger.items.values()]).toMatchObject([{ state: 'submitting', requestCount }]);
    expect(bench.notifiedReports).toHaveLength(1);
    expect(bench.logged.join()).toContain('100 of 250 requests of import');
  });

  test('keeps its message when the next one cannot be sent, and continues', async () => {
    const { bench, sent, run } = shortOfTime();
    const { queues } = bench.dependencies;
    Object.assign(bench.dependencies, { queues: { send: () => Promise.reject(new Error('queue is down')) } });
    expect((await handle(bench, [body])).batchItemFailures).toHaveLength(1);
    expect(bench.retried).toEqual(['message-0']);
    Object.assign(bench.dependencies, { queues });
    await run();
    expect(firstAndLast(sent)).toEqual(hundreds);
  });

  test('stores no progress when another delivery is further', async () => {
    const { bench, sent, run } = shortOfTime();
    const { imports, planned } = bench.ledger;
    const { update } = imports;
    imports.update = async (importId, changes, expected) => {
      const [request] = planned.values();
      if (changes.releasedTo === 200 && planned.size === 200 && request !== undefined) {
        for (let rest = 201; rest <= requestCount; rest += 1) planned.set(String(rest), { ...request, request: rest });
        await update(importId, { state: 'submitting', releasedTo: 0 });
      }
      return update(importId, changes, expected);
    };
    await run();
    expect(firstAndLast(sent)).toEqual(hundreds);
  });

  test('of an approved plan continues with the approval message', async () => {
    const { bench, sent, waiting, run } = shortOfTime();
    const key = 'plan/create-port/x.csv';
    bench.files.put(inbox, key, csvOf(goodRows(requestCount)));
    await handle(bench, [notification(key)]);
    const [item] = [...bench.ledger.items.values()];
    waiting.splice(0, 1, { approve: item?.importId, plan: item?.planHash });
    expect(await run()).toBe(5);
    expect(firstAndLast(sent)).toEqual(hundreds);
  });
});
