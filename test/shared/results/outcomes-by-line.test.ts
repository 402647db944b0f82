// The outcomes of some rows are those that every reader of all rows sees, and cost the requests of these rows only.
import { beforeEach, expect, test } from 'vitest';
import type { ImportItem } from '#shared/import/import.ts';
import { partsOf } from '#shared/request/packed-lines.ts';
import type { RequestItem } from '#shared/request/request.ts';
import { openOutcomes } from '#shared/results/file-rows.ts';
import { openOutcomesByLine } from '#shared/results/outcomes-by-line.ts';
import { issuesKey, planIndexKey } from '#shared/store/object-keys.ts';
import type { RequestNumber } from '#shared/text/identity.ts';
import { current, sourcesOf } from '../../support/ingest/corrections.ts';
import { type IngestBench, ingestBench } from '../../support/ingest/ingest.ts';
import { csvOf, numberAt } from '../../support/ingest/valid-rows.ts';
import { requestItemOf } from '../../support/steps/ledger-items.ts';

let bench: IngestBench;
let item: ImportItem;
let asked: number[];

/** Rows 2 to 15, two of them in each request. */
const plain = {};
const cells: Record<string, string>[] = [
  plain,
  { tariff: '9999' },
  { msisdn: numberAt(0) },
  plain,
  plain,
  plain,
  plain,
  { pac: 'nonsense' },
  plain,
  plain,
  plain,
  plain,
  plain,
  plain,
];
const lines = cells.map((_, index) => index + 2);
const endedAt = '2026-06-29T11:00:00.000Z';
const no = { kind: 'invalid', message: 'no' };
/** What happened to the requests, in the order of the plan. The last one waits. */
const happened: Partial<RequestItem>[] = [
  {
    state: 'accepted',
    lines: '2,5',
    excludedRows: [{ line: 5, subject: numberAt(3), code: 'MSISDN_IN_LIVE_IMPORT', message: 'no' }],
  },
  { state: 'declined', lines: '6,7', error: { ...no, lines: [6] } },
  { state: 'declined', lines: '8,10', parts: ['8', '10'], error: no },
  { state: 'skipped', lines: '11,12', excludedRows: [] },
  { state: 'declined', error: { kind: 'plan-expired', message: 'gone' } },
];

const reader = () => {
  const sources = sourcesOf(bench);
  const getMany = async (requests: readonly RequestNumber[]) => {
    asked.push(...requests.map(({ request }) => request));
    return bench.ledger.requests.getMany(requests);
  };
  return { ...sources, requests: { ...sources.requests, getMany } };
};

async function ofAllRows(): Promise<Map<number, string>> {
  const outcomes = new Map<number, string>();
  const { batches } = await openOutcomes(item, reader());
  for await (const batch of batches) for (const { line, result } of batch) outcomes.set(line, result.outcome);
  return outcomes;
}

const ofLines = async (some: readonly number[]) => new Map(await openOutcomesByLine(item, reader()).of(some));

beforeEach(async () => {
  bench = ingestBench();
  asked = [];
  const uploaded = current(bench, await bench.upload(csvOf(cells), { metadata: { 'max-rows-per-port': '2' } }));
  const { importId, expiresAt } = uploaded;
  const requests = happened.map((changes, index) =>
    requestItemOf({ importId, expiresAt, request: index + 1, attempt: 1, endedAt, ...changes }),
  );
  const waiting = requestItemOf({ importId, expiresAt, request: happened.length + 1 });
  await bench.ledger.requests.plan([...requests.flatMap(partsOf), waiting]);
  for (const request of requests) bench.ledger.planned.set(`${importId}/${request.request}`, request);
  bench.ledger.items.set(importId, { ...uploaded, state: 'submitting' });
  const leftOut = { line: 9, column: null, code: 'ROW_LEFT_OUT', severity: 'notice', message: 'left out' };
  const issues = bench.files
    .text('results', issuesKey(uploaded))
    .split('\n')
    .filter((text) => !text.includes('"line":9'));
  bench.files.put('results', issuesKey(uploaded), [...issues, JSON.stringify(leftOut)].join('\n'));
  item = current(bench, uploaded);
});

test('some rows have the outcomes that a reader of all rows sees', async () => {
  const all = await ofAllRows();
  const seen = ['accepted', 'declined', 'duplicate', 'not-sent', 'rejected', 'skipped', 'waiting'];
  expect([...new Set(all.values())].sort()).toEqual(seen);
  expect(await ofLines(lines)).toEqual(all);
  for (const line of lines) expect(await ofLines([line])).toEqual(new Map([[line, all.get(line)]]));
  expect(await ofLines([1, 99])).toEqual(new Map());
});

test('a row whose plan expired before its request was sent is declined once nothing else waits', async () => {
  bench.ledger.planned.delete(`${item.importId}/${happened.length + 1}`);
  item = { ...item, state: 'finished' };
  expect((await ofLines([13])).get(13)).toBe('declined');
  expect((await ofAllRows()).get(13)).toBe('declined');
});

test('some rows have the same outcomes once the index of the plan is gone', async () => {
  const all = await ofAllRows();
  bench.files.remove('work', planIndexKey(item));
  expect(await ofLines(lines)).toEqual(all);
});

test('only the requests of the rows are read, and none for rows that were not planned', async () => {
  await ofLines([3, 4, 9]);
  expect(asked).toEqual([]);
  await ofLines([2, 11]);
  expect(asked).toEqual([1, 4]);
  await ofLines([8]);
  expect(asked).toEqual([1, 4, 3, 10000003, 20000003]);
  asked.length = 0;
  const outcomes = openOutcomesByLine(item, reader());
  for (const line of [2, 5, 6, 11]) await outcomes.of([line]);
  expect(asked).toEqual([1, 2, 4]);
});

test('rows that were not planned need neither the index of the plan nor the upload', async () => {
  const all = await ofAllRows();
  bench.files.remove('work', planIndexKey(item));
  bench.files.remove(item.bucket, item.key);
  const unplanned = [3, 4, 9];
  expect(await ofLines(unplanned)).toEqual(new Map(unplanned.map((line) => [line, all.get(line)])));
  await expect(ofLines([2])).rejects.toThrow();
});
