// Imports that another delivery of the same event has begun and not completed: the next delivery continues them.
import { hash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { planIndexKey } from '#shared/store/object-keys.ts';
import { type IngestBench, inbox, ingestBench } from '../../../support/ingest/ingest.ts';
import { csvOf, goodRows } from '../../../support/ingest/valid-rows.ts';

describe('an import that is not finished', () => {
  const day = 86_400_000;
  const file = csvOf(goodRows(3));

  /** While the file is read, another delivery completes the plan and fails before the release. */
  function plannedMeanwhile(bench: IngestBench): void {
    const { files } = bench;
    const { read } = files;
    files.read = async (ref) => {
      if (ref.bucket !== inbox) return read(ref);
      files.read = read;
      const { notifications } = bench.dependencies;
      const { set } = notifications;
      notifications.set = () => Promise.reject(new Error('killed'));
      await bench.upload(file).catch(() => undefined);
      notifications.set = set;
      return read(ref);
    };
  }

  const sent = (bench: IngestBench) => bench.messages.map(({ request }) => request);

  test('a plan that another delivery has completed is released', async () => {
    const bench = ingestBench();
    plannedMeanwhile(bench);
    expect(await bench.upload(file)).toMatchObject({ state: 'submitting', requestCount: 1 });
    expect(sent(bench)).toEqual([1]);
  });

  test('the completed plan is not changed, because submit reads its bytes', async () => {
    const auto = csvOf([{ connectionDate: 'auto' }]);
    const bench = ingestBench();
    const { get } = bench.ledger.imports;
    let plan = '';
    // Called first when the whole file is read: by then a day has passed, and another delivery has completed its plan.
    bench.ledger.imports.get = async (importId) => {
      bench.ledger.imports.get = get;
      await bench.upload(auto);
      plan = bench.planText({ importId });
      return get(importId);
    };
    const { read } = bench.files;
    bench.files.read = async (ref) => {
      bench.time += day;
      return read(ref);
    };
    const item = await bench.upload(auto);
    expect(plan).toContain('"rows":[');
    expect(bench.planText(item)).toBe(plan);
  });

  test('a delivery that completes another plan later does not change what submit reads', async () => {
    const bench = ingestBench();
    const { open } = bench.files;
    let isFirst = true;
    // The slow delivery has checked that the import is not planned, and writes its files after the other one.
    bench.files.open = (...place) => {
      const writer = open(...place);
      if (!isFirst || !place[1].endsWith('plan.ndjson')) return writer;
      isFirst = false;
      const close = async () => {
        bench.time += day;
        await bench.upload(csvOf([{ connectionDate: 'auto' }]));
        return writer.close();
      };
      return { ...writer, write: (chunk) => writer.write(chunk), abort: () => writer.abort(), close };
    };
    const item = await bench.upload(csvOf([{ connectionDate: 'auto' }]));
    for (const { plan } of bench.ledger.planned.values()) {
      const text = bench.files.text('work', plan.key).slice(plan.start, plan.end);
      expect(hash('sha256', text)).toBe(plan.digest);
    }
    expect([item?.state, bench.ledger.planned.size]).toEqual(['submitting', 1]);
  });

  describe('a plan that changed before its release', () => {
    const planIn = async (bench: IngestBench, fail: () => void): Promise<string> => {
      fail();
      await bench.upload(file).catch(() => undefined);
      const [[importId = '', item] = []] = [...bench.ledger.items];
      expect(item?.state).toBe('planned');
      bench.files.put('work', planIndexKey({ importId }), '');
      return importId;
    };

    test('is rejected, because no repetition would release it', async () => {
      const bench = ingestBench();
      const { plan } = bench.ledger.requests;
      await planIn(bench, () => {
        bench.ledger.requests.plan = () => Promise.reject(new Error('killed'));
      });
      bench.ledger.requests.plan = plan;
      expect(await bench.upload(file)).toMatchObject({ state: 'rejected', issues: [{ code: 'PLAN_CHANGED' }] });
      expect(bench.ledger.planned.size).toBe(0);
    });

    test('is not rejected if some of its requests are in the ledger, because sync sends those', async () => {
      const bench = ingestBench();
      const { notifications } = bench.dependencies;
      const importId = await planIn(bench, () => {
        notifications.set = () => Promise.reject(new Error('killed'));
      });
      await expect(bench.upload(file)).rejects.toMatchObject({ name: 'PlanChanged' });
      expect(bench.ledger.items.get(importId)?.state).toBe('planned');
    });
  });

  test('deliveries that begin again at once write different plans', async () => {
    const bench = ingestBench();
    const { read, open } = bench.files;
    bench.files.read = () => Promise.reject(new Error('killed'));
    await bench.upload(file).catch(() => undefined);
    bench.files.read = read;
    const plans: string[] = [];
    bench.files.open = (...place) => {
      if (place[1].endsWith('plan.ndjson')) plans.push(place[1]);
      return open(...place);
    };
    await Promise.all([bench.upload(file), bench.upload(file), bench.upload(file)]);
    expect([plans.length, new Set(plans).size]).toEqual([3, 3]);
  });

  test('a plan is released even if the answer to its completion was lost and the repetition failed', async () => {
    const bench = ingestBench();
    const { updateReading } = bench.ledger.imports;
    let completions = 0;
    bench.ledger.imports.updateReading = async (item, changes, expected) => {
      const written = await updateReading(item, changes, expected);
      if (changes.state !== 'planned') return written;
      completions += 1;
      return updateReading(item, changes, expected);
    };
    expect(await bench.upload(file)).toMatchObject({ state: 'submitting' });
    expect([completions, sent(bench)]).toEqual([1, [1]]);
  });

  test('a plan that waits for approval is not released by another delivery', async () => {
    const bench = ingestBench();
    const { updateReading } = bench.ledger.imports;
    bench.ledger.imports.updateReading = async (item, changes, expected) => {
      await updateReading(item, changes, expected);
      return undefined;
    };
    expect(await bench.upload(file, { key: 'plan/create-port/file.csv' })).toMatchObject({ state: 'planned' });
    expect(sent(bench)).toEqual([]);
  });

  test('report is notified of an import from its release on', async () => {
    const bench = ingestBench();
    const { update } = bench.ledger.imports;
    bench.ledger.imports.update = async (importId, changes, expected) => {
      if (changes.state === 'submitting') expect(bench.renotified).toEqual([importId]);
      return update(importId, changes, expected);
    };
    const item = await bench.upload(file);
    expect(bench.renotified).toEqual([item?.importId]);
  });
});
