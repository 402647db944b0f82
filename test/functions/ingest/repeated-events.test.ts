// Events that come twice, late or after a crash, and files that change meanwhile.
import { describe, expect, test, vi } from 'vitest';
import { ingest } from '#functions/ingest/ingest.ts';
import { PlanningTimeout } from '#functions/ingest/plan/reject-import.ts';
import { deadlineOf, type IngestBench, inbox, ingestBench } from '../../support/ingest/ingest.ts';
import { csvOf, goodRows } from '../../support/ingest/valid-rows.ts';

describe('a repeated event', () => {
  test('fault 1: leads to one import that is planned once', async () => {
    const bench = ingestBench();
    const first = await bench.upload(csvOf(goodRows(3)));
    await bench.ledger.imports.update(first?.importId ?? '', { state: 'in-progress' });
    const open = vi.spyOn(bench.files, 'open');
    const second = await bench.upload(csvOf(goodRows(3)));
    expect(second?.importId).toBe(first?.importId);
    expect(open).not.toHaveBeenCalled();
    expect([bench.ledger.items.size, bench.messages.length]).toEqual([1, 1]);
  });

  test('fault 24: sends messages only for requests that still wait', async () => {
    const bench = ingestBench();
    await bench.upload(csvOf(goodRows(250)));
    for (const [key, request] of bench.ledger.planned) {
      if (request.request !== 2) bench.ledger.planned.set(key, { ...request, state: 'created' });
    }
    bench.messages.length = 0;
    await bench.upload(csvOf(goodRows(250)));
    expect(bench.messages.map(({ request }) => request)).toEqual([2]);
  });

  test('fault 1: that arrives at the same time leads to one import with one set of requests', async () => {
    const bench = ingestBench();
    await Promise.all([bench.upload(csvOf(goodRows(250))), bench.upload(csvOf(goodRows(250)))]);
    expect([bench.ledger.items.size, bench.ledger.planned.size]).toEqual([1, 3]);
    expect(new Set(bench.messages.map(({ request }) => request))).toEqual(new Set([1, 2, 3]));
  });

  test('fault 2: of another version leads to another import', async () => {
    const bench = ingestBench();
    const first = await bench.upload(csvOf(goodRows(1)), { sequencer: '1' });
    const second = await bench.upload(csvOf(goodRows(1)), { sequencer: '2' });
    expect(second?.importId).not.toBe(first?.importId);
  });

  test('fault 24: after a crash at any step completes the import: every request is planned once and sent', async () => {
    const steps = ['plan', 'update', 'updateReading', 'send', 'head', 'read', 'open'] as const;
    const reference = ingestBench();
    const expected = await reference.upload(csvOf(goodRows(350)));
    for (const step of steps) {
      for (let call = 1; call <= 4; call += 1) {
        const bench = ingestBench();
        crashAt(bench, step, call);
        const attempt = () => bench.upload(csvOf(goodRows(350))).catch(() => undefined);
        for (let delivery = 0; delivery < call; delivery += 1) await attempt();
        const item = await attempt();
        expect(item?.state, `${step} ${call}`).toBe('submitting');
        expect(bench.plan(item), `${step} ${call}`).toEqual(reference.plan(expected));
        expect(new Set(bench.messages.map(({ request }) => request))).toEqual(new Set([1, 2, 3, 4]));
      }
    }
  });

  test('after midnight releases the existing plan unchanged', async () => {
    const bench = ingestBench();
    crashAt(bench, 'plan', 1);
    await bench.upload(csvOf([{ connectionDate: 'auto' }])).catch(() => undefined);
    bench.time += 86_400_000;
    const item = await bench.upload(csvOf([{ connectionDate: 'auto' }]));
    expect(bench.plan(item)[0]?.head).toMatchObject({ connectionDate: '2026-07-01' });
  });
});

describe('while a file is read', () => {
  test('fault 26: a timeout releases nothing, and the next delivery starts from the beginning', async () => {
    const bench = ingestBench();
    bench.remainingMs = 1000;
    await expect(bench.upload(csvOf(goodRows(3)))).rejects.toThrow(PlanningTimeout);
    expect([bench.messages, bench.ledger.planned.size]).toEqual([[], 0]);
    expect(bench.files.keys()).toEqual([`${inbox}/create-port/file.csv`]);
    bench.remainingMs = 900_000;
    expect(await bench.upload(csvOf(goodRows(3)))).toMatchObject({ state: 'submitting', accepted: 3 });
  });

  test('fault 3: an overwritten object is never mixed with the newer version, which has its own event', async () => {
    const bench = ingestBench();
    const read = bench.files.read;
    bench.files.read = async (ref) => {
      if (ref.bucket === inbox) bench.files.put(inbox, ref.key, csvOf(goodRows(9)));
      return read(ref);
    };
    await expect(bench.upload(csvOf(goodRows(3)))).rejects.toThrow('gone');
    const { ingest } = await import('#functions/ingest/ingest.ts');
    const [{ etag } = {}] = [...bench.ledger.items.values()];
    const object = { bucket: inbox, key: 'create-port/file.csv', etag, sequencer: '1' };
    const item = await ingest(object, deadlineOf(bench), bench.dependencies);
    expect(item).toMatchObject({ state: 'rejected', issues: [{ code: 'FILE_GONE' }] });
    expect(bench.messages).toEqual([]);
  });

  test('fault 7: a read that fails leaves no files and is repeated', async () => {
    const bench = ingestBench();
    const read = bench.files.read;
    bench.files.read = async (ref) => broken(await read(ref), ref.bucket === inbox);
    bench.files.chunkBytes = 200;
    await expect(bench.upload(csvOf(goodRows(30)))).rejects.toThrow('reset');
    expect(bench.files.keys()).toEqual([`${inbox}/create-port/file.csv`]);
    bench.files.read = read;
    expect(await bench.upload(csvOf(goodRows(30)))).toMatchObject({ accepted: 30 });
  });

  test('the import shows how many rows were read', async () => {
    const clocks = { wall: () => (bench.time += 6_000), calendar: () => bench.time };
    const bench: IngestBench = ingestBench({ clocks });
    const update = vi.spyOn(bench.ledger.imports, 'updateReading');
    await bench.upload(csvOf(goodRows(5)));
    const shown = update.mock.calls.filter(([, changes]) => 'rows' in changes && !('state' in changes));
    expect(shown).toMatchObject([[{}, { rows: 5, accepted: 5 }, ['planning']]]);
  });

  test('the import keeps the index of each known column, also when the header has an error', async () => {
    const bench = ingestBench();
    const item = await bench.upload('Note,PAC code,Mobile,Number\n,ABC123456,07700900001,07700900001\n');
    expect(item).toMatchObject({ state: 'rejected', columnIndexes: { pac: 1, msisdn: 2 } });
  });
});

async function* broken(bytes: AsyncIterable<Uint8Array>, breaks: boolean): AsyncIterable<Uint8Array> {
  let chunks = 0;
  for await (const chunk of bytes) {
    chunks += 1;
    if (breaks && chunks === 4) throw new Error('reset');
    yield chunk;
  }
}

/** One call of one effect takes place and then fails. */
function crashAt(bench: ReturnType<typeof ingestBench>, step: string, call: number): void {
  const { files, imports, requests, queues } = bench.dependencies;
  const owners = {
    plan: requests,
    update: imports,
    updateReading: imports,
    send: queues,
    head: files,
    read: files,
    open: files,
  };
  const owner = owners[step as keyof typeof owners] as unknown as Record<string, (...rest: unknown[]) => unknown>;
  const original = owner[step];
  let calls = 0;
  owner[step] = (...rest) => {
    calls += 1;
    const answer = original?.(...rest);
    if (calls !== call) return answer;
    if (step === 'open') throw new Error('crash');
    return Promise.resolve(answer).then(() => {
      throw new Error('crash');
    });
  };
}

describe('fault 2: versions of one file', () => {
  test('are two imports when the older event arrives last, and the older import is marked as superseded', async () => {
    const bench = ingestBench({}, { isVersioned: true });
    const object = { bucket: inbox, key: 'create-port/x.csv' };
    const put = async () => {
      bench.files.put(inbox, object.key, csvOf(goodRows(2)));
      return (await bench.files.head(object))?.versionId;
    };
    const [old, last] = [await put(), await put()];
    const take = (versionId: string | undefined) =>
      ingest({ ...object, versionId }, deadlineOf(bench), bench.dependencies);
    const newer = await take(last);
    const older = await take(old);
    expect(newer?.supersededBy).toBeUndefined();
    expect(older).toMatchObject({ state: 'submitting', versionId: old, supersededBy: newer?.importId });
    expect(bench.ledger.items.size).toBe(2);
  });
});
