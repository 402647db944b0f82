// The commands that stop an import and resume it.
import { expect, test } from 'vitest';
import type { ImportItem } from '#shared/import/import.ts';
import { rollUp } from '#shared/outcome/rows-of-requests.ts';
import type { RequestItem } from '#shared/request/request.ts';
import { isStopped } from '#shared/request/request-state.ts';
import { scheduleRequest, stopRequest } from '#shared/request/waiting-request.ts';
import type { CalendarDate } from '#shared/row/calendar-date.ts';
import { csvOf, goodRows, handle, type IngestBench, ingestBench } from '../../../support/ingest/ingest.ts';

interface SentImport {
  readonly bench: IngestBench;
  readonly item: ImportItem;
  readonly give: (command: object) => Promise<void>;
}

/** An import of 150 rows. */
async function sent(): Promise<SentImport> {
  const bench = ingestBench();
  const { requests, planned } = bench.ledger;
  requests.replace = async (seen: RequestItem, next: RequestItem) => {
    planned.set(`${seen.importId}/${seen.request}`, next);
    return next;
  };
  const item = await bench.upload(csvOf(goodRows(150)));
  if (item === undefined) throw new Error('no import');
  bench.messages.length = 0;
  const give = async (command: object) => {
    const body = JSON.stringify({ at: new Date(bench.time).toISOString(), by: 'Sam', ...command });
    expect(await handle(bench, [body])).toEqual({ batchItemFailures: [] });
  };
  return { bench, item, give };
}

const itemOf = ({ ledger }: IngestBench, { importId }: ImportItem) => ledger.items.get(importId);
const hold = ({ ledger, time }: IngestBench, request: RequestItem): void => {
  ledger.planned.set(`${request.importId}/${request.request}`, stopRequest(request, time));
};

test('requests that version 0.1 held behind the rows that it sent first are sent by a resume', async () => {
  const { bench, item, give } = await sent();
  const [held] = [...bench.ledger.planned.values()] as [RequestItem];
  hold(bench, held);
  const { state } = await rollUp(bench.ledger.planned.values(), 2);
  expect(state).toBe('submitting');
  const created = { ...held, request: 2, state: 'created' } as const;
  expect((await rollUp([stopRequest(held, bench.time), created], 2)).state).toBe('stopped');
  bench.ledger.items.set(item.importId, { ...(itemOf(bench, item) as ImportItem), state: 'stopped' });
  await give({ resume: item.importId });
  expect(bench.messages.map(({ request }) => request)).toEqual([1, 2]);
  expect([...bench.ledger.planned.values()].some((request) => isStopped(request))).toBe(false);
});

test('a scheduled request gets a message when its import is stopped, so that submit leaves it', async () => {
  const { bench, item, give } = await sent();
  const [first] = [...bench.ledger.planned.values()] as [RequestItem];
  const schedule = { sendOn: '2026-08-03' as CalendarDate, zone: 'Europe/London', lines: '2', excludedRows: [] };
  const scheduled = scheduleRequest(first, schedule, bench.time);
  bench.ledger.planned.set(`${first.importId}/${first.request}`, scheduled);
  expect(await rollUp([scheduled], 1)).toMatchObject({ state: 'scheduled', sendOn: '2026-08-03' });
  await give({ stop: item.importId });
  expect(bench.messages.map(({ request }) => request)).toEqual([first.request]);
  const [now] = [...bench.ledger.planned.values()];
  expect(now).toMatchObject({ state: 'planned', sendOn: undefined });
  expect((await rollUp([stopRequest(first, bench.time), scheduled], 2, 'until-resumed')).state).toBe('stopped');
});

test('a stop is recorded with its author, and sends no message', async () => {
  const { bench, item, give } = await sent();
  await give({ stop: item.importId, because: 'wrong tariff' });
  expect(itemOf(bench, item)?.stop).toMatchObject({ by: 'Sam', because: 'wrong tariff', kind: 'until-resumed' });
  expect(itemOf(bench, item)?.stop?.principal).toBe('AROAX:anna');
  expect(bench.messages).toEqual([]);
  expect(bench.notifiedReports).toContain(item.importId);
});

test('resume sends a message for every planned request, and only what was held changes', async () => {
  const { bench, item, give } = await sent();
  await give({ stop: item.importId });
  const [held, planned] = [...bench.ledger.planned.values()] as [RequestItem, RequestItem];
  hold(bench, held);
  bench.ledger.items.set(item.importId, { ...(itemOf(bench, item) as ImportItem), state: 'stopped' });
  bench.time += 1_000;
  await give({ resume: item.importId });
  expect(itemOf(bench, item)).toMatchObject({ state: 'submitting', stop: { kind: 'none' } });
  expect(bench.messages.map(({ request }) => request)).toEqual([1, 2]);
  const [now, same] = [...bench.ledger.planned.values()];
  expect(now?.error).toBeUndefined();
  expect(now?.dueAt).toEqual(expect.any(String));
  expect(same).toBe(planned);
});

test('a request that waits for the cancellation of a port is due at once when its import resumes', async () => {
  const { bench, item, give } = await sent();
  await give({ stop: item.importId });
  const [held] = [...bench.ledger.planned.values()] as [RequestItem];
  hold(bench, { ...held, replaces: { importId: 'old', request: 1, portId: 'p' } });
  bench.time += 1_000;
  await give({ resume: item.importId });
  const [now] = [...bench.ledger.planned.values()];
  expect(now?.dueAt).toBe(new Date(bench.time).toISOString());
});

test('a stop for good sends a message for what is held, so that submit ends it; it cannot be resumed', async () => {
  const { bench, item, give } = await sent();
  await give({ stop: item.importId });
  for (const request of [...bench.ledger.planned.values()]) hold(bench, request);
  bench.time += 1_000;
  await give({ stop: item.importId, end: true });
  expect(bench.messages).toHaveLength(2);
  bench.time += 1_000;
  await give({ resume: item.importId });
  expect(itemOf(bench, item)?.stop?.kind).toBe('for-good');
});

test('an older command that is delivered last changes nothing', async () => {
  const { bench, item, give } = await sent();
  const at = new Date(bench.time).toISOString();
  bench.time += 5_000;
  await give({ stop: item.importId });
  await give({ resume: item.importId, at });
  expect(itemOf(bench, item)?.stop?.kind).toBe('until-resumed');
});

test('a command that was cut off after it was recorded is finished when it is delivered again', async () => {
  const { bench, item, give } = await sent();
  await give({ stop: item.importId });
  bench.time += 1_000;
  const resume = { resume: item.importId, at: new Date(bench.time).toISOString() };
  await give(resume);
  bench.messages.length = 0;
  await give(resume);
  expect(bench.messages).toHaveLength(2);
});

test('nothing is stopped that is not being sent, and an unknown import does not fail', async () => {
  const { bench, give } = await sent();
  const waiting = await bench.upload(csvOf(goodRows(1)), { key: 'plan/create-port/later.csv' });
  await give({ stop: waiting?.importId });
  await give({ stop: 'gone' });
  expect(bench.ledger.items.get(waiting?.importId ?? '')?.stop).toBeUndefined();
});
