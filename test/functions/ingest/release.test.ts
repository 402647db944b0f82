// A release that takes longer than one invocation: every delivery continues where the previous one stopped.
import { describe, expect, test } from 'vitest';
import { release } from '#functions/ingest/release.ts';
import type { ImportItem } from '#shared/import/import.ts';
import type { SubmitMessage } from '#shared/request/messages.ts';
import { createDeadline } from '#shared/runtime/clock.ts';
import { planIndexKey } from '#shared/store/object-keys.ts';
import { handle, type IngestBench, inbox, ingestBench, notification } from '../../support/ingest/ingest.ts';
import { csvOf, goodRows } from '../../support/ingest/valid-rows.ts';

const body = notification('create-port/x.csv');

interface Stretches {
  readonly bench: IngestBench;
  /** Requests written to the ledger and messages sent, call by call. */
  readonly written: number[][];
  readonly sent: number[][];
  /** The messages in the queues of ingest. */
  readonly waiting: unknown[];
  /** Handles messages until the queue is empty; returns how many. */
  run(): Promise<number>;
}

/** A file of so many requests, and invocations whose time runs out as soon as they begin to release it. */
function shortOfTime(requestCount = 250): Stretches {
  const settings = { maxRowsPerRequest: 1 };
  const bench = ingestBench({ settings });
  const { queues, resources } = bench.dependencies;
  const { ingestQueueUrl, commandQueueUrl, submitQueueUrl } = resources;
  const { plan } = bench.ledger.requests;
  const stretches: Stretches = { bench, written: [], sent: [], waiting: [JSON.parse(body)], run };
  bench.files.put(inbox, 'create-port/x.csv', csvOf(goodRows(requestCount)));
  bench.ledger.requests.plan = async (items) => {
    stretches.written.push(items.map(({ request }) => request));
    bench.remainingMs = 14_999;
    return plan(items);
  };
  Object.assign(bench.dependencies, {
    queues: {
      send: async (url: string, bodies: readonly unknown[], options?: { readonly delaySeconds?: number }) => {
        if (url === ingestQueueUrl || url === commandQueueUrl) {
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
  test.each([
    [250, 5, hundreds],
    [200, 3, hundreds.slice(0, 2)],
  ])('for %i requests continues with further messages until each is written once and sent once', async (...given) => {
    const [requestCount, deliveries, batches] = given;
    const { bench, written, sent, run } = shortOfTime(requestCount);
    expect(await run()).toBe(deliveries);
    expect(firstAndLast(written)).toEqual(batches);
    expect(firstAndLast(sent)).toEqual(batches);
    expect([...bench.ledger.items.values()]).toMatchObject([
      { state: 'submitting', requestCount, requests: { planned: requestCount } },
    ]);
    const halted = new RegExp(`100 of ${requestCount} requests of import .* were (.*) when time ran out`);
    const logged = bench.logged.flatMap((text) => halted.exec(text)?.[1] ?? []);
    expect(logged).toEqual(['written to the ledger', 'sent']);
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
        for (let rest = 201; rest <= 250; rest += 1) planned.set(String(rest), { ...request, request: rest });
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
    bench.files.put(inbox, key, csvOf(goodRows(250)));
    await handle(bench, [notification(key)]);
    const [item] = [...bench.ledger.items.values()];
    waiting.splice(0, 1, { approve: item?.importId, plan: item?.planHash });
    expect(await run()).toBe(5);
    expect(firstAndLast(sent)).toEqual(hundreds);
  });
});

describe('a plan', () => {
  const planned = async (requestCount: number) => {
    const bench = ingestBench({ settings: { maxRowsPerRequest: 1 } });
    const item = await bench.upload(csvOf(goodRows(requestCount)), { key: 'plan/create-port/x.csv' });
    const releasing = (changes: Partial<ImportItem> = {}, remainingMs = 900_000) =>
      release(
        { ...item, ...changes } as ImportItem,
        createDeadline(() => remainingMs),
        bench.dependencies,
      );
    return { bench, item, releasing };
  };

  test.each([
    ['has no operation', { operation: null }, { message: expect.stringContaining('has a plan but no operation') }],
    ['is not that of its import', { planHash: undefined }, { name: 'PlanChanged' }],
  ])('that %s is not released', async (_why, changes, error) => {
    const { bench, releasing } = await planned(1);
    await expect(releasing(changes)).rejects.toMatchObject(error);
    expect([bench.messages, [...bench.ledger.planned]]).toEqual([[], []]);
  });

  test('whose index was changed to cancel a port is not released', async () => {
    const { bench, item, releasing } = await planned(1);
    const key = planIndexKey({ importId: item?.importId ?? '' });
    const replaces = { importId: 'another', request: 1, portId: '0f8fad5b-d9cb-469f-a165-70867728950e' };
    const changed = { ...JSON.parse(bench.files.text('work', key)), replaces, lines: '2' };
    bench.files.put('work', key, JSON.stringify(changed));
    await expect(releasing()).rejects.toMatchObject({ name: 'PlanChanged' });
    expect([...bench.ledger.planned]).toEqual([]);
  });

  test('that another delivery overwrites while it is read is not released', async () => {
    const { bench, item, releasing } = await planned(101);
    const { files, resources } = bench.dependencies;
    const index = [resources.workBucket, planIndexKey({ importId: item?.importId ?? '' })] as const;
    const { read } = files;
    files.read = async (ref, range) => {
      const content = await read(ref, range);
      bench.files.put(...index, bench.files.text(...index).replaceAll('"rowCount":1', '"rowCount":2'));
      return content;
    };
    await expect(releasing()).rejects.toMatchObject({ name: 'ObjectGone' });
    expect([...bench.ledger.planned]).toEqual([]);
  });

  test('is halted after a batch when there is no time', async () => {
    const { releasing } = await planned(101);
    await expect(releasing({}, 0)).rejects.toMatchObject({ name: 'ReleaseHalted' });
  });

  test('is in state submitting once it is released', async () => {
    const { releasing } = await planned(1);
    expect(await releasing()).toMatchObject({ state: 'submitting', requests: { planned: 1 } });
  });

  test('keeps the progress of another delivery that is further', async () => {
    const { bench, item, releasing } = await planned(1);
    const further = { ...item, state: 'submitting', releasedTo: 7 } as ImportItem;
    bench.dependencies.notifications.set = async () => void bench.ledger.items.set(further.importId, further);
    await releasing();
    expect(bench.ledger.items.get(further.importId)).toEqual(further);
  });
});
