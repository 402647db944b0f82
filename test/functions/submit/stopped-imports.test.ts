// A person stops an import: no further call begins, and what was not sent waits or ends.
import { beforeEach, expect, test } from 'vitest';
import type { ReadStop } from '#functions/submit/attempt.ts';
import { createImportReadings } from '#functions/submit/stopped-imports.ts';
import type { ImportItem, StopKind } from '#shared/import/import.ts';
import { requestResult } from '#shared/outcome/row-result.ts';
import { submitMessage } from '#shared/request/messages.ts';
import type { CalendarDate } from '#shared/row/calendar-date.ts';
import { isoTime } from '#shared/text/wording.ts';
import { someImport } from '../../support/cli/imports.ts';
import { hour } from '../../support/service/simulator.ts';
import { rig, services, useFreshRig } from '../../support/steps/fresh-services.ts';
import { plannedRowOf } from '../../support/steps/submit-and-sync.ts';

useFreshRig();

const rows = [plannedRowOf(1, 2), plannedRowOf(2, 3)];
const posts = () => rig.calls.filter((name) => name === 'createPort').length;
let kind: StopKind;
let readStop: ReadStop;
const stopped = (): ImportItem => someImport({ stop: { by: 'Sam', at: '2026-07-06T09:00:00.000Z', kind } });

beforeEach(() => {
  kind = 'until-resumed';
  ({ readStop } = createImportReadings(async () => stopped(), rig.service.now));
});

/** Sync sends one more message for a request that was left, because a person may have resumed its import meanwhile. */
const lookAgain = async (): Promise<void> => {
  rig.pass(hour);
  expect(await rig.sync()).toMatchObject({ resent: 1 });
  for (const { body } of services.waiting('submit')) await rig.submit(submitMessage.parse(body), { readStop });
  services.emptyQueues();
};

test('a stopped import sends nothing, and sync sends one message more for its requests', async () => {
  const message = await rig.planOne('import-a', rows);
  expect(await rig.submit(message, { readStop })).toBe('planned');
  expect(await rig.request('import-a')).toMatchObject({ state: 'planned', error: { kind: 'stopped' } });
  await lookAgain();
  const request = await rig.request('import-a');
  expect(request.dueAt).toBeUndefined();
  expect(requestResult(request)).toMatchObject({ outcome: 'waiting', whatToDo: 'Resume the import to send the row' });
  rig.pass(2 * hour);
  expect(await rig.sync()).toMatchObject({ resent: 0 });
  const revision = request.revision ?? 0;
  await rig.submit(message, { readStop });
  expect(await rig.request('import-a')).toMatchObject({ revision });
  expect([posts(), services.waiting('submit')]).toEqual([0, []]);
  kind = 'none';
  rig.pass(1_000);
  expect(await rig.submit(message, { readStop })).toBe('created');
});

test.each(['none', 'for-good'] as const)(
  'a request that was left by an old reading of the stop follows the next command (%s), whichever message is lost',
  async (next) => {
    expect(await rig.submit(await rig.planOne('import-a', rows), { readStop })).toBe('planned');
    services.emptyQueues();
    kind = next;
    await lookAgain();
    expect(await rig.request('import-a')).toMatchObject({ state: next === 'none' ? 'created' : 'skipped' });
  },
);

test('a stop that comes while the request waits for the rate limiter keeps its call from being made', async () => {
  kind = 'none';
  const { client } = rig.submitParts();
  const ready = async () => {
    kind = 'until-resumed';
    rig.pass(1_200);
  };
  const message = await rig.planOne('import-a', rows);
  expect(await rig.submit(message, { readStop, client: { ...client, ready } })).toBe('planned');
  expect(posts()).toBe(0);
});

test('a stop for good ends the request: its rows were never sent, and its numbers are free', async () => {
  kind = 'for-good';
  await rig.submit(await rig.planOne('import-a', rows), { readStop });
  const request = await rig.request('import-a');
  expect(request).toMatchObject({ state: 'skipped', lines: '2-3', endedAt: expect.any(String) });
  expect(requestResult(request)).toMatchObject({ outcome: 'not-sent' });
  expect(await rig.submit(await rig.planOne('import-b', rows))).toBe('created');
});

test('a request whose earlier attempt may have created a port is searched for before it ends', async () => {
  kind = 'for-good';
  const message = await rig.planOne('import-a', rows);
  const seen = await rig.request('import-a');
  await rig.requests.replace(seen, { ...seen, hasUnknownAttempt: true });
  await rig.submit(message, { readStop });
  const request = await rig.request('import-a');
  expect(request).toMatchObject({ state: 'unknown', search: { for: 'decline' }, error: { kind: 'stopped' } });
});

test('a request that replaces a cancelled port is sent: its numbers would be in no port', async () => {
  const message = await rig.planOne('import-a', rows);
  const seen = await rig.request('import-a');
  const replaces = { importId: 'old', request: 1, portId: 'old-port', cancelledAt: '2026-07-06T09:00:00.000Z' };
  await rig.requests.replace(seen, { ...seen, replaces });
  expect(await rig.submit(message, { readStop })).toBe('created');
});

test('an import is read twice a second at most', async () => {
  let [now, reads] = [10_000, 0];
  const get = async () => {
    reads += 1;
    return undefined;
  };
  const { readStop: read } = createImportReadings(get, () => now);
  await Promise.all([read('a'), read('a'), read('b')]);
  expect(reads).toBe(2);
  now += 499;
  await read('a');
  expect(reads).toBe(2);
  now += 1;
  await read('a');
  expect(reads).toBe(3);
});

test('an import that could not be read is read again at once', async () => {
  let reads = 0;
  const get = async () => {
    reads += 1;
    if (reads === 1) throw new Error('table is down');
    return undefined;
  };
  const { readStop: read } = createImportReadings(get, () => 10_000);
  await expect(read('a')).rejects.toThrow('table is down');
  expect(await read('a')).toBe(undefined);
});

test('a refresh counts as planned if it comes certainly later than now, by the last reading of the import', async () => {
  let now = Date.parse('2026-07-06T09:00:00Z');
  const refreshAt = isoTime(now + 5_000);
  const { readStop: read, isRefreshPlanned } = createImportReadings(
    async () => ({ refreshAt }),
    () => now,
  );
  expect(isRefreshPlanned('a')).toBe(false);
  await read('a');
  expect(isRefreshPlanned('a')).toBe(true);
  now += 2_999;
  expect(isRefreshPlanned('a')).toBe(true);
  now += 1;
  expect(isRefreshPlanned('a')).toBe(false);
});

test('a stop for good that comes while the request is being scheduled ends it', async () => {
  const [message] = await rig.plan('import-a', [rows], { connectionDate: '2026-08-10' as CalendarDate });
  if (message === undefined) throw new Error('nothing was planned');
  kind = 'none';
  expect(await rig.submit(message, { readStop })).toBe('scheduled');
  expect(await rig.submit(message, { readStop })).toBe('not-mine');
  // The command has found the request planned, so it sends a message, which arrives later.
  kind = 'for-good';
  rig.pass(2_000);
  expect(await rig.submit(message, { readStop })).toBe('skipped');
});
