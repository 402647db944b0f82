// The wall clock steps back: what was written before is due so much later, and waits no longer than others of its kind.
import { beforeEach, expect, test } from 'vitest';
import { limitWaits } from '#functions/sync/upkeep/limit-waits.ts';
import { startAttempt } from '#shared/domain/requests/request-state.ts';
import { createLeases } from '#shared/store/tables/leases.ts';
import { createPorts } from '#shared/store/tables/ports.ts';
import { createReportNotifications } from '#shared/store/tables/report-notifications.ts';
import { createRequests } from '#shared/store/tables/requests.ts';
import { createWaitLimits } from '#shared/store/tables/wait-limits.ts';
import { iso, noon, portItemOf, requestItemOf } from '../../../support/results-ledger.ts';
import { silentLog } from '../../../support/results-rig.ts';
import { day, hour, minute } from '../../../support/simulator.ts';
import { createTableTwin } from '../../../support/twin-table.ts';

const name = 'results';
const quietMs = 4 * minute;
let now: number;
let table: never;
beforeEach(() => {
  now = noon;
  // Its index shows what was written by its own clock.
  table = createTableTwin({ now: () => noon }) as never;
});

let runs = 0;
const run = () => {
  runs += 1;
  const [leases, limitWait, clocks] = [
    createLeases(table, name),
    createWaitLimits(table, name),
    { wall: () => now, calendar: () => now },
  ];
  return limitWaits({ leases, limitWait, clocks, runId: `run-${runs}`, quietMs, log: silentLog });
};

/** A request in flight, a planned one, a notification, and a port that is locked. */
async function write(): Promise<void> {
  const requests = createRequests(table, name);
  await requests.plan([requestItemOf({ request: 1 }), requestItemOf({ request: 2, token: 'sim1-0000000000000001' })]);
  const item = await requests.get('import-a', 1);
  if (item === undefined) throw new Error('the request was not planned');
  await requests.replace(
    item,
    startAttempt(item, { lines: '2', excludedRows: [], now, submittedAt: now, leaseMs: 4 * minute, quietMs }),
  );
  await createReportNotifications(table, name).set('import-a', now + hour);
  const port = portItemOf({ dueAt: iso(now + 4 * day) });
  await createPorts(table, name).record({ next: port, rows: [] });
}

/** What is due within these waits: requests, planned requests, notifications, ports. */
async function dueWithin(waits: readonly [number, number, number, number]): Promise<number[]> {
  const [requests, notifications] = [createRequests(table, name), createReportNotifications(table, name)];
  const [request, planned, notification, port] = waits.map((wait) => now + wait) as [number, number, number, number];
  return [
    (await requests.due(iso(request), 100)).length,
    (await requests.lost(iso(planned), 100)).length,
    (await notifications.due(notification, 100)).length,
    (await createPorts(table, name).due(iso(port), 100)).length,
  ];
}

test.each([
  ['an hour', hour, [65 * minute, 65 * minute, hour, 0]],
  ['a day', day, [5 * minute, 5 * minute, 0, 0]],
  ['a year', 365 * day, [5 * minute, 5 * minute, 0, 0]],
] as const)('by %s: everything is due within the longest wait of its kind', async (_, step, waits) => {
  await run();
  await write();
  now -= step;
  await run();
  expect(await dueWithin(waits)).toEqual([1, 1, 1, 1]);
});

test('without it, everything would wait for a day and longer', async () => {
  await write();
  now -= day;
  expect(await dueWithin([23 * hour, 23 * hour, 23 * hour, 4 * day])).toEqual([0, 0, 0, 0]);
});

test('nothing changes while the clock is right, and once an hour is enough', async () => {
  await write();
  expect([await run(), await run()]).toEqual([0, 0]);
  const { dueAt, revision } = (await createRequests(table, name).get('import-a', 1)) ?? {};
  expect([dueAt, revision]).toEqual([iso(noon + 8 * minute), 1]);
});

test('a request that changes at the same time is not overwritten', async () => {
  await write();
  const requests = createRequests(table, name);
  const seen = await requests.get('import-a', 1);
  if (seen === undefined) throw new Error('the request was not planned');
  now -= day;
  await run();
  expect(await requests.replace(seen, { ...seen, label: 'changed' })).toBeUndefined();
});
