// An import that another delivery of its event began, and did not bring to its end: whoever comes goes on with what stands.
import { expect, test } from 'vitest';
import { csvOf, goodRows, type IngestBench, inbox, ingestBench } from '../../support/rows-ingest.ts';

const day = 86_400_000;
const file = csvOf(goodRows(3));

/** While the file is being read, another delivery plans it, seals the plan and dies before anything is released. */
function plannedMeanwhile(bench: IngestBench): void {
  const { files } = bench;
  const { read } = files;
  files.read = async (ref) => {
    if (ref.bucket !== inbox) return read(ref);
    files.read = read;
    const { reminders } = bench.dependencies;
    const { set } = reminders;
    reminders.set = () => Promise.reject(new Error('killed'));
    await bench.drop(file).catch(() => undefined);
    reminders.set = set;
    return read(ref);
  };
}

const sent = (bench: IngestBench) => bench.messages.map(({ request }) => request);

test('a plan that another delivery sealed meanwhile is released: that delivery may be dead', async () => {
  const bench = ingestBench();
  plannedMeanwhile(bench);
  expect(await bench.drop(file)).toMatchObject({ state: 'submitting', requestCount: 1 });
  expect(sent(bench)).toEqual([1]);
});

test('that plan stays as it was sealed: submit reads it by its bytes', async () => {
  const auto = csvOf([{ connectionDate: 'auto' }]);
  const bench = ingestBench();
  const { get } = bench.ledger.imports;
  let plan = '';
  // Asked for the first time when everything is read: by then a day has passed, and another delivery has sealed its plan.
  bench.ledger.imports.get = async (importId) => {
    bench.ledger.imports.get = get;
    await bench.drop(auto);
    plan = bench.files.text('work', `imports/${importId}/plan.ndjson`);
    return get(importId);
  };
  const { read } = bench.files;
  bench.files.read = async (ref) => {
    bench.time += day;
    return read(ref);
  };
  const item = await bench.drop(auto);
  expect(plan).toContain('"rows":[');
  expect(bench.files.text('work', `imports/${item?.importId}/plan.ndjson`)).toBe(plan);
});

test('a plan is released though the answer that sealed it was lost, and its repetition was refused', async () => {
  const bench = ingestBench();
  const { update } = bench.ledger.imports;
  bench.ledger.imports.update = async (importId, changes, expected) => {
    const written = await update(importId, changes, expected);
    return changes.state === 'planned' ? update(importId, changes, expected) : written;
  };
  expect(await bench.drop(file)).toMatchObject({ state: 'submitting' });
  expect(sent(bench)).toEqual([1]);
});

test('a plan that waits for a person is not released by whoever finds it', async () => {
  const bench = ingestBench();
  const { update } = bench.ledger.imports;
  bench.ledger.imports.update = async (importId, changes, expected) => {
    await update(importId, changes, expected);
    return undefined;
  };
  expect(await bench.drop(file, { key: 'plan/create-port/file.csv' })).toMatchObject({ state: 'planned' });
  expect(sent(bench)).toEqual([]);
});

test('from the moment at which an import is on its way, report is reminded of it', async () => {
  const bench = ingestBench();
  const { update } = bench.ledger.imports;
  bench.ledger.imports.update = async (importId, changes, expected) => {
    if (changes.state === 'submitting') expect(bench.reminded).toEqual([importId]);
    return update(importId, changes, expected);
  };
  const item = await bench.drop(file);
  expect(bench.reminded).toEqual([item?.importId]);
});
