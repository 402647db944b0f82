// The commands that stop an import and resume it.
import { expect, test } from 'vitest';
import type { CalendarDate } from '#shared/domain/dates/calendar-date.ts';
import { rollUp } from '#shared/domain/imports/roll-up.ts';
import { activeStop, isStopped, stopOf } from '#shared/domain/imports/stop.ts';
import { scheduleRequest, stopRequest } from '#shared/domain/requests/stopped-request.ts';
import type { ImportItem } from '#shared/items/import.ts';
import type { RequestItem } from '#shared/items/request.ts';
import { csvOf, goodRows, handle, type IngestBench, ingestBench } from '../../support/rows-ingest.ts';

interface SentImport {
  readonly bench: IngestBench;
  readonly item: ImportItem;
  /** The requests for which a message was sent. */
  readonly sentRequests: readonly number[];
  readonly give: (command: object) => Promise<void>;
}

/** An import of 150 rows. */
async function sent(metadata: Record<string, string> = {}): Promise<SentImport> {
  const bench = ingestBench();
  const { requests, planned } = bench.ledger;
  requests.replace = async (seen: RequestItem, next: RequestItem) => {
    planned.set(`${seen.importId}/${seen.request}`, next);
    return next;
  };
  const item = await bench.upload(csvOf(goodRows(150)), { metadata });
  if (item === undefined) throw new Error('no import');
  const sentRequests = bench.messages.splice(0).map(({ request }) => request);
  const give = async (command: object) => {
    const body = JSON.stringify({ at: new Date(bench.time).toISOString(), by: 'Sam', ...command });
    expect(await handle(bench, [body])).toEqual({ batchItemFailures: [] });
  };
  return { bench, item, sentRequests, give };
}

const itemOf = ({ ledger }: IngestBench, { importId }: ImportItem) => ledger.items.get(importId);
const hold = ({ ledger, time }: IngestBench, request: RequestItem): void => {
  ledger.planned.set(`${request.importId}/${request.request}`, stopRequest(request, time));
};

test('the first rows are sent before the others, which wait until the import is resumed', async () => {
  const { bench, item, sentRequests, give } = await sent({ 'send-first': '30' });
  expect(item.issues).toMatchObject([
    {
      code: 'FILE_FIRST_ROWS',
      message: 'The first 30 valid rows are sent. The other 120 wait until the import is resumed',
    },
  ]);
  expect(activeStop(item)).toMatchObject({ kind: 'after-first', by: 'simporter' });
  const requests = () => [...bench.ledger.planned.values()];
  const [first] = requests().filter(({ label }) => label.endsWith(', sent first'));
  const others = requests().filter((request) => request !== first);
  expect(first?.rowCount).toBe(30);
  expect(sentRequests).toEqual([first?.request]);
  expect(others.map((request) => isStopped(request))).toEqual([true, true]);
  const created = { ...(first as RequestItem), state: 'created' } as const;
  expect((await rollUp([created, ...others], requests().length, stopOf(item))).state).toBe('stopped');
  const progressOf = (unansweredFirstRows: number) =>
    ({ state: 'stopped', progress: { outcomes: {}, unansweredFirstRows } }) as const;
  bench.ledger.items.set(item.importId, { ...(itemOf(bench, item) as ImportItem), ...progressOf(30) });
  await give({ resume: item.importId });
  expect(bench.messages).toEqual([]);
  expect(itemOf(bench, item)?.declinedApproval?.reason).toMatch(/has not answered all of the first rows/);
  bench.ledger.items.set(item.importId, { ...(itemOf(bench, item) as ImportItem), ...progressOf(0) });
  await give({ resume: item.importId });
  expect(bench.messages.map(({ request }) => request)).toEqual(requests().map(({ request }) => request));
  expect(requests().some((request) => isStopped(request))).toBe(false);
});

test('after a stop of a person, a resume continues the first rows, and the others wait for a further one', async () => {
  const { bench, item, give } = await sent({ 'send-first': '30' });
  const [first] = [...bench.ledger.planned.values()].filter(({ isFirst }) => isFirst) as [RequestItem];
  await give({ stop: item.importId });
  hold(bench, first);
  bench.time += 1_000;
  const resume = { resume: item.importId, at: new Date(bench.time).toISOString() };
  await give(resume);
  await give(resume);
  expect(bench.messages.map(({ request }) => request)).toEqual([first.request, first.request]);
  expect(stopOf(itemOf(bench, item) as ImportItem)).toBe('after-first');
  expect(itemOf(bench, item)?.declinedApproval).toBeUndefined();
});

test('a stop that comes while such an import is released also holds its first rows', async () => {
  const { bench, item, give } = await sent({ 'send-first': '30', 'plan-only': 'true' });
  const stop = { kind: 'until-resumed', by: 'Sam', at: new Date(bench.time).toISOString() } as const;
  const { get } = bench.ledger.imports;
  // Ingest read the import before the stop.
  bench.ledger.imports.get = async (importId) => {
    const read = await get(importId);
    if (read?.state === 'planned') bench.ledger.items.set(importId, { ...read, approvedAt: stop.at, stop });
    return read;
  };
  await give({ approve: item.importId, plan: item.planHash });
  bench.ledger.imports.get = get;
  const released = itemOf(bench, item) as ImportItem;
  expect(released.state).toBe('submitting');
  expect(stopOf(released)).toBe('until-resumed');
  await give({ resume: item.importId });
  expect(stopOf(itemOf(bench, item) as ImportItem)).toBe('after-first');
});

test('such an import that was stopped for good before its release is ended as a whole', async () => {
  const { bench, item, give } = await sent({ 'send-first': '30', 'plan-only': 'true' });
  const at = new Date(bench.time).toISOString();
  const stop = { kind: 'for-good', by: 'Sam', at } as const;
  const approvedAt = at;
  bench.ledger.items.set(item.importId, { ...(itemOf(bench, item) as ImportItem), approvedAt, stop });
  await give({ approve: item.importId, plan: item.planHash });
  expect(bench.messages.map(({ request }) => request)).toEqual([1, 2, 3]);
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
