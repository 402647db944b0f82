// Imports that another delivery of the same event has begun and not completed: the next delivery continues them.
import { expect, test } from 'vitest';
import { csvOf, goodRows, type IngestBench, inbox, ingestBench } from '../../support/rows-ingest.ts';

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
    plan = bench.files.text('work', `imports/${importId}/plan.ndjson`);
    return get(importId);
  };
  const { read } = bench.files;
  bench.files.read = async (ref) => {
    bench.time += day;
    return read(ref);
  };
  const item = await bench.upload(auto);
  expect(plan).toContain('"rows":[');
  expect(bench.files.text('work', `imports/${item?.importId}/plan.ndjson`)).toBe(plan);
});

test('a plan is released even if the answer to its completion was lost and the repetition failed', async () => {
  const bench = ingestBench();
  const { update } = bench.ledger.imports;
  bench.ledger.imports.update = async (importId, changes, expected) => {
    const written = await update(importId, changes, expected);
    return changes.state === 'planned' ? update(importId, changes, expected) : written;
  };
  expect(await bench.upload(file)).toMatchObject({ state: 'submitting' });
  expect(sent(bench)).toEqual([1]);
});

test('a plan that waits for approval is not released by another delivery', async () => {
  const bench = ingestBench();
  const { update } = bench.ledger.imports;
  bench.ledger.imports.update = async (importId, changes, expected) => {
    await update(importId, changes, expected);
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
