// The contract of the results table, for each repository.
import { expect, test } from 'vitest';
import type { ComparisonItem } from '#shared/outcome/service-comparison.ts';
import type { PortItem } from '#shared/port/port.ts';
import { createImports, createReportNotifications } from '#shared/store/imports.ts';
import { createLeases } from '#shared/store/leases.ts';
import { createNumbers } from '#shared/store/numbers.ts';
import { createComparisons, createPorts } from '#shared/store/ports.ts';
import { createRequests } from '#shared/store/requests.ts';
import { iso, noon, portItemOf, portRowsOf, requestItemOf } from '../../support/steps/ledger-items.ts';
import { importItemOf } from '../../support/steps/submit-and-sync.ts';
import { all, type OpenSide } from './side.ts';

const comparisonItemOf = (changes: Partial<ComparisonItem> = {}): ComparisonItem => ({
  importId: 'import-a',
  request: 1,
  account: '1001@service',
  portId: 'port-1',
  state: 'due',
  compared: 0,
  sims: [],
  everFound: false,
  rounds: 0,
  dueAt: iso(noon),
  changedAt: iso(noon),
  revision: 0,
  expiresAt: 1_850_000_000,
  ...changes,
});

const rethrow = (error: unknown) => {
  throw error;
};

export function tableContract(open: OpenSide): void {
  test('create an import once, and change it only in the expected state', async () => {
    const { clients, table } = await open();
    const imports = createImports(clients.table, table);
    const item = importItemOf('import-a', { state: 'planning' });
    expect(await imports.begin(item)).toEqual({ item, isNew: true });
    expect(await imports.begin({ ...item, rows: 9 })).toEqual({ item, isNew: false });
    expect(await imports.update('import-a', { rows: 3 }, ['planned', 'rejected'])).toBeUndefined();
    expect(await imports.update('import-a', { rows: 3 }, ['planned', 'planning'])).toEqual({ ...item, rows: 3 });
    expect(await imports.update('import-b', { rows: 3 })).toBeUndefined();
    expect(await imports.rollUp(importItemOf('import-a'), { rows: 4 }, 5)).toBeUndefined();
  });

  test('replace the counts of an import only by newer ones', async () => {
    const { clients, table } = await open();
    const imports = createImports(clients.table, table);
    await imports.begin(importItemOf('import-a'));
    expect(await imports.rollUp(importItemOf('import-a'), { actionRequired: 1 }, 5)).toMatchObject({
      actionRequired: 1,
      ledgerRevision: 5,
    });
    expect(await imports.rollUp(importItemOf('import-a'), { actionRequired: 2 }, 4)).toBeUndefined();
    expect(await imports.rollUp(importItemOf('import-a'), { actionRequired: 2 }, 5)).toMatchObject({
      actionRequired: 2,
    });
  });

  test('count an import only while its stop is the one that was read', async () => {
    const { clients, table } = await open();
    const imports = createImports(clients.table, table);
    const stop = { kind: 'until-resumed', by: 'Sam', at: '2026-07-06T09:00:00.000Z' } as const;
    const resumed = { ...stop, kind: 'none' } as const;
    await imports.begin(importItemOf('import-a', { stop }));
    for (const other of [{}, { stop: resumed }, { stop: { ...stop, at: '2026-07-06T10:00:00.000Z' } }]) {
      expect(await imports.rollUp(importItemOf('import-a', other), { rows: 4 }, 5)).toBeUndefined();
    }
    expect(await imports.rollUp(importItemOf('import-a', { stop }), { rows: 4 }, 5)).toMatchObject({ rows: 4 });
  });

  test('list imports newest first, and before an instant', async () => {
    const { clients, table } = await open();
    const imports = createImports(clients.table, table);
    for (const day of [1, 2, 3]) {
      await imports.begin(importItemOf(`import-${day}`, { receivedAt: `2026-07-0${day}T09:00:00.000Z` }));
    }
    const ids = async (options = {}) => (await imports.list(options)).map(({ importId }) => importId);
    expect(await ids()).toEqual(['import-3', 'import-2', 'import-1']);
    expect(await ids({ limit: 1 })).toEqual(['import-3']);
    expect(await ids({ before: '2026-07-03T09:00:00.000Z' })).toEqual(['import-2', 'import-1']);
  });

  test('keep planned requests, reject stale changes, and list what is due', async () => {
    const { clients, table } = await open();
    const requests = createRequests(clients.table, table);
    const items = [1, 2, 3].map((request) => requestItemOf({ request, token: `sim1-000000000000000${request}` }));
    await requests.plan(items);
    await requests.plan(items.map((item) => ({ ...item, label: 'another' })));
    const stored = await all(requests.ofImport('import-a'));
    expect(stored.map(({ request, label }) => [request, label])).toEqual([1, 2, 3].map((each) => [each, 'Group']));
    const [first] = stored;
    if (first === undefined) throw new Error('nothing was planned');
    expect(await requests.replace(first, { ...first, state: 'unknown', dueAt: undefined })).toMatchObject({
      revision: 1,
    });
    expect(await requests.replace(first, { ...first, state: 'declined' })).toBeUndefined();
    expect(await requests.get('import-a', 1)).toMatchObject({ state: 'unknown', revision: 1 });
    expect((await requests.lost('1001@service', iso(noon), 10)).length).toBe(0);
    expect((await requests.lost('1001@service', '9999', 10)).map(({ request }) => request).sort()).toEqual([2, 3]);
  });

  test('claim a number once, take it over once, and update it with the newest reading', async () => {
    const { clients, table } = await open();
    const numbers = createNumbers(clients.table, table);
    const claimOf = (importId: string, number = '447700900001') => ({
      number,
      importId,
      request: 1,
      line: 2,
      claimedAt: iso(noon),
      expiresAt: 1_850_000_000,
    });
    expect(await numbers.claim([claimOf('import-a'), claimOf('import-a', '447700900002')])).toEqual([]);
    expect(await numbers.claim([claimOf('import-b'), claimOf('import-b', '447700900003')])).toEqual([
      claimOf('import-a'),
    ]);
    expect(await numbers.takeOver(claimOf('import-a'), claimOf('import-b'))).toBe(true);
    expect(await numbers.takeOver(claimOf('import-a'), claimOf('import-c'))).toBe(false);
    expect(await numbers.history('447700900001')).toEqual([claimOf('import-a')]);
    const latest = { portId: 'port-1', status: 'Complete', readAt: iso(noon), ended: true };
    await numbers.record(
      [{ ...claimOf('import-b'), ...latest }].map(({ line, claimedAt, expiresAt, ...report }) => report),
    );
    const older = { ...latest, status: 'Submitted', readAt: iso(noon - 1) };
    await numbers.record([{ number: '447700900001', importId: 'import-b', request: 1, ...older }]);
    await numbers.record([
      { number: '447700900001', importId: 'import-a', request: 1, ...latest, status: 'Cancelled' },
    ]);
    expect(await numbers.get('447700900001')).toEqual({ ...claimOf('import-b'), latest });
  });

  test('write a port with all its items, or none of them', async () => {
    const { clients, table } = await open();
    const ports = createPorts(clients.table, table);
    const requests = createRequests(clients.table, table);
    const seen = requestItemOf();
    await requests.plan([seen]);
    const port = portItemOf({ actionRequired: 1 });
    const { portId, readAt: at, status, importId, request, expiresAt } = port;
    const event = { portId, at, status, importId, request, expiresAt };
    const change = { next: port, rows: portRowsOf('PacInvalid'), event, request: { seen, next: seen } };
    expect(await ports.record(change)).toBe(true);
    expect(await ports.record(change)).toBe(false);
    const later = { ...port, readAt: iso(noon + 1) };
    expect(await ports.record({ ...change, seen: port, next: later })).toBe(false);
    expect(await ports.get(port.portId)).toEqual(port);
    expect(await ports.touch(port, later)).toBe(true);
    expect(await ports.touch(port, later)).toBe(false);
    expect(await ports.events(port.portId)).toEqual([event]);
    expect(await all(ports.rowsOf([port.portId, 'port-2']))).toEqual([{ portId, rows: change.rows, expiresAt }]);
    expect(await ports.actionRequired()).toEqual([later]);
    expect(await requests.get(seen.importId, seen.request)).toMatchObject({ revision: 1 });
  });

  test('list the ports that require action, the latest change first, or from the oldest up to a time', async () => {
    const { clients, table } = await open();
    const ports = createPorts(clients.table, table);
    const port = (portId: string, changes: Partial<PortItem> = {}) =>
      portItemOf({ portId, actionRequired: 1, ...changes });
    const [old, known, fresh] = [0, 1, 2].map((age) => port(`port-${age}`, { changedAt: iso(noon + age) }));
    // Only sync works for one account.
    const other = port('port-4', { account: '1002@service', changedAt: iso(noon - 1) });
    const done = port('port-3', { actionRequired: 0 });
    for (const next of [known, fresh, old, other, done]) if (next !== undefined) await ports.record({ next });
    expect(await ports.actionRequired()).toEqual([fresh, known, old, other]);
    expect(await ports.actionRequired(2)).toEqual([fresh, known]);
    expect(await all(ports.waiting('1001@service', iso(noon + 1), rethrow))).toEqual([old, known]);
  });

  test('list the ports of an account by their day', async () => {
    const { clients, table } = await open();
    const ports = createPorts(clients.table, table);
    const days = ['2026-07-20', '2026-07-17', '2026-07-16', '2026-07-15', '2026-07-21'];
    for (const [index, day] of days.entries())
      await ports.record({ next: portItemOf({ portId: `port-${index}`, connectionDate: `${day}T00:00:00` }) });
    await ports.record({
      next: portItemOf({ portId: 'port-9', account: '1002@service', connectionDate: days[1] ?? '' }),
    });
    const found = await all(ports.ofDays('1001@service', { from: '2026-07-16', to: '2026-07-20' }));
    expect(found.map(({ portId }) => portId)).toEqual(['port-2', 'port-1', 'port-0']);
    expect(found[0]).toMatchObject({ status: 'Submitted', rowCount: expect.any(Number) });
  });

  test('give a lease to one holder until it expires or is released', async () => {
    const { clients, table } = await open();
    const leases = createLeases(clients.table, table);
    const take = (holder: string, from: number, until: number) =>
      leases.take({ name: 'sync', holder, now: noon + from, until: noon + until });
    expect(await take('a', 0, 10)).toBe(true);
    expect(await take('b', 9, 20)).toBe(false);
    expect(await take('a', 9, 11)).toBe(true);
    expect(await take('b', 11, 20)).toBe(true);
    await leases.release('sync', 'a');
    expect(await take('a', 12, 20)).toBe(false);
    await leases.release('sync', 'b');
    expect(await take('a', 12, 20)).toBe(true);
  });

  test('pass a note from one holder of a lease to the next only', async () => {
    const { clients, table } = await open();
    const leases = createLeases(clients.table, table);
    const takeUp = (holder: string, from: number) =>
      leases.takeUp({ name: 'sweep', holder, now: noon + from, until: noon + from + 10 });
    expect(await takeUp('a', 0)).toMatchObject({ note: '' });
    await leases.note({ name: 'sweep', holder: 'b', until: noon + 10 }, 'not mine');
    await leases.note({ name: 'sweep', holder: 'a', until: noon + 10 }, 'up to here');
    expect(await takeUp('b', 9)).toBeUndefined();
    expect(await takeUp('b', 10)).toMatchObject({ note: 'up to here' });
    expect(await takeUp('c', 20)).toMatchObject({ note: '' });
  });

  test('create a comparison of services once, reject stale changes, and list due comparisons and mismatches', async () => {
    const { clients, table } = await open();
    const comparisons = createComparisons(clients.table, table);
    const item = comparisonItemOf();
    await comparisons.expect(item);
    await comparisons.expect({ ...item, portId: 'another' });
    await comparisons.expect(comparisonItemOf({ request: 2, dueAt: iso(noon + 60_000) }));
    expect((await all(comparisons.ofImport('import-a'))).map(({ portId }) => portId)).toEqual(['port-1', 'port-1']);
    expect((await comparisons.due('1001@service', iso(noon), 10)).map(({ request }) => request)).toEqual([1]);
    const service = { name: 'Roaming', type: 'Service', requested: 'true', actual: null };
    const sims = [{ line: 2, msisdn: '447700900001', serialNumber: '8944', services: [service] }];
    const found: ComparisonItem = { ...item, state: 'found', sims, everFound: true, dueAt: undefined };
    expect(await comparisons.replace(item, found)).toBe(true);
    expect(await comparisons.replace(item, found)).toBe(false);
    expect(await comparisons.due('1001@service', iso(noon), 10)).toEqual([]);
    expect(await comparisons.found(10)).toMatchObject([{ request: 1, revision: 1, sims }]);
    expect(await comparisons.due('1002@service', '9999', 10)).toEqual([]);
  });

  test('list the notification of an import at the time that was set last, until it is deleted', async () => {
    const { clients, table } = await open();
    const notifications = createReportNotifications(clients.table, table);
    await notifications.set('import-a', noon);
    await notifications.set('import-b', noon - 1);
    await notifications.set('import-a', noon + 60_000);
    expect(await notifications.due(noon, 10)).toEqual(['import-b']);
    expect(await notifications.due(noon + 60_000, 10)).toEqual(['import-b', 'import-a']);
    await notifications.remove('import-b');
    await notifications.remove('import-b');
    expect(await notifications.due(noon + 60_000, 10)).toEqual(['import-a']);
  });
}
