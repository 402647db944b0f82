// The commands that stop an import and resume it.
import { describe, expect, test } from 'vitest';
import type { ImportItem } from '#shared/import/import.ts';
import { partItemOf } from '#shared/import/part.ts';
import { rollUp } from '#shared/outcome/rows-of-requests.ts';
import type { RequestItem } from '#shared/request/request.ts';
import { scheduleRequest, stopRequest } from '#shared/request/waiting-request.ts';
import type { CalendarDate } from '#shared/row/calendar-date.ts';
import type { PartKind } from '#shared/text/identity.ts';
import { correct, uploadFirst } from '../../../support/ingest/corrections.ts';
import { handle, type IngestBench, ingestBench } from '../../../support/ingest/ingest.ts';
import { csvOf, goodRows } from '../../../support/ingest/valid-rows.ts';

interface SentImport {
  readonly bench: IngestBench;
  readonly item: ImportItem;
  readonly give: (command: object) => Promise<void>;
}

/** An import of 150 rows. */
async function sent(): Promise<SentImport> {
  const bench = ingestBench();
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

test('a scheduled request gets a message when its import is stopped, so that submit leaves it', async () => {
  const { bench, item, give } = await sent();
  const [first] = [...bench.ledger.planned.values()] as [RequestItem];
  const schedule = { sendOn: '2026-08-03' as CalendarDate, zone: 'Europe/London', lines: '2-101', excludedRows: [] };
  const scheduled = scheduleRequest(first, schedule, bench.time);
  bench.ledger.planned.set(`${first.importId}/${first.request}`, scheduled);
  expect(await rollUp([scheduled], 1)).toMatchObject({ state: 'scheduled', sendOn: '2026-08-03' });
  await give({ stop: item.importId });
  expect(bench.messages.map(({ request }) => request)).toEqual([first.request]);
  const [now] = [...bench.ledger.planned.values()];
  expect(now?.state).toBe('planned');
  expect(now).not.toHaveProperty('sendOn');
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
  expect(same).toEqual(planned);
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

// A stop of an import is one of all its parts, by the id of any of them.
describe('an import with parts', () => {
  /** An import of which three rows were sent, and a correction of the other two. */
  async function sent() {
    const bench = ingestBench();
    const { item: first, rejected } = await uploadFirst(bench);
    const fixed = rejected.replace('9999', '2001').replace('nonsense', 'ABC123456');
    const give = async (command: object) => {
      bench.time += 1_000;
      const body = JSON.stringify({ at: new Date(bench.time).toISOString(), by: 'Sam', ...command });
      expect(await handle(bench, [body])).toEqual({ batchItemFailures: [] });
    };
    const sendFixed = (name = 'fixed') => correct(bench, fixed, name);
    return { bench, first: first as ImportItem, sendFixed, give };
  }

  const kindOf = ({ ledger }: IngestBench, item: ImportItem | undefined) =>
    ledger.items.get(item?.importId ?? '')?.stop?.kind;

  test.each(['first', 'part'] as const)(
    'by the id of the %s, the import and its correction are stopped and resumed',
    async (by) => {
      const { bench, first, sendFixed, give } = await sent();
      const part = await sendFixed();
      const importId = by === 'first' ? first.importId : (part?.importId ?? '');
      await give({ stop: importId });
      expect([first, part].map((item) => kindOf(bench, item))).toEqual(['until-resumed', 'until-resumed']);
      bench.messages.length = 0;
      await give({ resume: importId });
      expect([first, part].map((item) => kindOf(bench, item))).toEqual(['none', 'none']);
      expect(new Set(bench.messages.map((message) => message.importId))).toEqual(
        new Set([first.importId, part?.importId]),
      );
    },
  );

  test('an import that has finished is stopped where a part is still sent', async () => {
    const { bench, first, sendFixed, give } = await sent();
    const part = await sendFixed();
    bench.ledger.items.set(first.importId, {
      ...(bench.ledger.items.get(first.importId) as ImportItem),
      state: 'finished',
    });
    await give({ stop: first.importId, end: true });
    expect(kindOf(bench, part)).toBe('for-good');
    expect(bench.ledger.items.get(first.importId)).toMatchObject({ state: 'finished', stop: { kind: 'for-good' } });
  });

  test('a correction that is sent while its import is stopped waits with it, and is sent after an end for good', async () => {
    const { bench, first, sendFixed, give } = await sent();
    await give({ stop: first.importId });
    const part = await sendFixed();
    expect(kindOf(bench, part)).toBe('until-resumed');
    await give({ stop: first.importId, end: true });
    expect(kindOf(bench, part)).toBe('for-good');
    // As submit does.
    for (const [key, request] of bench.ledger.planned) {
      const ended = { state: 'declined', lines: '2-3', error: { kind: 'stopped', message: 'ended' } } as const;
      if (request.importId === part?.importId) bench.ledger.planned.set(key, { ...request, ...ended });
    }
    const later = await sendFixed('later');
    expect(kindOf(bench, later)).toBeUndefined();
    await give({ stop: first.importId });
    await give({ resume: first.importId });
    expect([first, part, later].map((item) => kindOf(bench, item))).toEqual(['for-good', 'for-good', undefined]);
    await give({ stop: first.importId, end: true });
    expect(kindOf(bench, later)).toBe('for-good');
  });

  test.each<[PartKind, boolean]>([
    ['correction', true],
    ['move', true],
    ['pacs', true],
    ['cancel', false],
  ])('a part that is a %s is stopped with the import: %s', async (kind, isStopped) => {
    const { bench, first, sendFixed, give } = await sent();
    const part = (await sendFixed()) as ImportItem;
    bench.ledger.items.set(part.importId, { ...part, partOf: { importId: first.importId, kind } });
    await bench.ledger.imports.addPart(partItemOf(part, first.importId), first);
    await give({ stop: first.importId });
    expect(kindOf(bench, part)).toBe(isStopped ? 'until-resumed' : undefined);
  });
});
