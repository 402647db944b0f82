// What the results table does for each of the product's repositories.
import { expect, test } from 'vitest';
import { createDrifts } from '#shared/aws/drifts.ts';
import { createImports } from '#shared/aws/imports.ts';
import { createLeases } from '#shared/aws/leases.ts';
import { createNumbers } from '#shared/aws/numbers.ts';
import { createPorts } from '#shared/aws/ports.ts';
import { createReminders } from '#shared/aws/reminders.ts';
import { createRequests } from '#shared/aws/requests.ts';
import type { DriftItem } from '#shared/domain/drift.ts';
import type { PortItem } from '#shared/domain/ledger.ts';
import { iso, noon, portItemOf, portRowsOf, requestItemOf } from '../../support/results-ledger.ts';
import { importItemOf } from '../../support/results-rig.ts';
import { all, type OpenSide } from './side.ts';

const driftItemOf = (changes: Partial<DriftItem> = {}): DriftItem => ({
  importId: 'import-a',
  request: 1,
  account: 1001,
  portId: 'port-1',
  state: 'due',
  compared: 0,
  sims: [],
  everFound: false,
  rounds: 0,
  dueAt: iso(noon),
  changedAt: iso(noon),
  revision: 0,
  ...changes,
});

const rethrow = (error: unknown) => {
  throw error;
};

export function tableContract(open: OpenSide): void {
  test('begin an import once, and change it only in the state that is expected', async () => {
    const { clients, table } = await open();
    const imports = createImports(clients.table, table);
    const item = importItemOf('import-a', { state: 'planning' });
    expect(await imports.begin(item)).toEqual({ item, isNew: true });
    expect(await imports.begin({ ...item, rows: 9 })).toEqual({ item, isNew: false });
    expect(await imports.update('import-a', { rows: 3 }, ['planned', 'refused'])).toBeUndefined();
    expect(await imports.update('import-a', { rows: 3 }, ['planned', 'planning'])).toEqual({ ...item, rows: 3 });
    expect(await imports.update('import-b', { rows: 3 })).toBeUndefined();
    expect(await imports.rollUp('import-a', { rows: 4 }, 5)).toBeUndefined();
  });

  test('roll an import up only by what is newer', async () => {
    const { clients, table } = await open();
    const imports = createImports(clients.table, table);
    await imports.begin(importItemOf('import-a'));
    expect(await imports.rollUp('import-a', { attention: 1 }, 5)).toMatchObject({ attention: 1, ledgerRevision: 5 });
    expect(await imports.rollUp('import-a', { attention: 2 }, 4)).toBeUndefined();
    expect(await imports.rollUp('import-a', { attention: 2 }, 5)).toMatchObject({ attention: 2 });
  });

  test('list imports newest first, and before an instant', async () => {
    const { clients, table } = await open();
    const imports = createImports(clients.table, table);
    for (const day of [1, 2, 3]) {
      await imports.begin(importItemOf(`import-${day}`, { receivedAt: `2026-07-0${day}T09:00:00.000Z` }));
    }
    const ids = async (options = {}) => (await imports.list(1001, options)).map(({ importId }) => importId);
    expect(await ids()).toEqual(['import-3', 'import-2', 'import-1']);
    expect(await ids({ limit: 1 })).toEqual(['import-3']);
    expect(await ids({ before: '2026-07-03T09:00:00.000Z' })).toEqual(['import-2', 'import-1']);
  });

  test('keep planned requests as they are, fence their changes, and show what is due', async () => {
    const { clients, table } = await open();
    const requests = createRequests(clients.table, table);
    const items = [1, 2, 3].map((request) => requestItemOf({ request, token: `sim1-000000000000000${request}` }));
    await requests.plan(items);
    await requests.plan(items.map((item) => ({ ...item, label: 'another' })));
    const stored = await all(requests.ofImport('import-a'));
    expect(stored.map(({ request, label }) => [request, label])).toEqual([1, 2, 3].map((each) => [each, 'Group']));
    const [first] = stored;
    if (first === undefined) throw new Error('nothing was planned');
    expect(await requests.replace(first, { ...first, state: 'unknown', dueAt: undefined })).toBe(true);
    expect(await requests.replace(first, { ...first, state: 'refused' })).toBe(false);
    expect(await requests.get('import-a', 1)).toMatchObject({ state: 'unknown', revision: 1 });
    expect((await requests.lost(iso(noon), 10)).length).toBe(0);
    expect((await requests.lost('9999', 10)).map(({ request }) => request).sort()).toEqual([2, 3]);
  });

  test('claim a number once, take it over once, and tell it by the newest look', async () => {
    const { clients, table } = await open();
    const numbers = createNumbers(clients.table, table);
    const claimOf = (importId: string, number = '447700900001') => ({
      number,
      importId,
      request: 1,
      line: 2,
      claimedAt: iso(noon),
    });
    expect(await numbers.claim([claimOf('import-a'), claimOf('import-a', '447700900002')])).toEqual([]);
    expect(await numbers.claim([claimOf('import-b'), claimOf('import-b', '447700900003')])).toEqual([
      claimOf('import-a'),
    ]);
    expect(await numbers.takeOver(claimOf('import-a'), claimOf('import-b'))).toBe(true);
    expect(await numbers.takeOver(claimOf('import-a'), claimOf('import-c'))).toBe(false);
    expect(await numbers.history('447700900001')).toEqual([claimOf('import-a')]);
    const told = { portId: 'port-1', status: 'Complete', lookedAt: iso(noon), ended: true };
    await numbers.tell([{ ...claimOf('import-b'), ...told }].map(({ line, claimedAt, ...report }) => report));
    const older = { ...told, status: 'Submitted', lookedAt: iso(noon - 1) };
    await numbers.tell([{ number: '447700900001', importId: 'import-b', request: 1, ...older }]);
    await numbers.tell([{ number: '447700900001', importId: 'import-a', request: 1, ...told, status: 'Cancelled' }]);
    expect(await numbers.get('447700900001')).toEqual({ ...claimOf('import-b'), told });
  });

  test('write a port with all that belongs to it, or nothing of it', async () => {
    const { clients, table } = await open();
    const ports = createPorts(clients.table, table);
    const requests = createRequests(clients.table, table);
    const seen = requestItemOf();
    const port = portItemOf({ attention: 1 });
    const event = { portId: port.portId, at: port.lookedAt, status: port.status };
    const change = { next: port, rows: portRowsOf('PacInvalid'), event, request: { seen, next: seen } };
    expect(await ports.record(change)).toBe(true);
    expect(await ports.record(change)).toBe(false);
    const later = { ...port, lookedAt: iso(noon + 1) };
    expect(await ports.record({ ...change, seen: port, next: later })).toBe(false);
    expect(await ports.get(port.portId)).toEqual(port);
    expect(await ports.touch(port, later)).toBe(true);
    expect(await ports.touch(port, later)).toBe(false);
    expect(await ports.events(port.portId)).toEqual([event]);
    expect(await all(ports.rowsOf([port.portId, 'port-2']))).toEqual([{ portId: port.portId, rows: change.rows }]);
    expect(await ports.attention(1001)).toEqual([later]);
    expect(await requests.get(seen.importId, seen.request)).toMatchObject({ revision: 1 });
  });

  test('show the ports that wait for a person, the latest change first, and those of no later change from the oldest on', async () => {
    const { clients, table } = await open();
    const ports = createPorts(clients.table, table);
    const port = (portId: string, changes: Partial<PortItem> = {}) => portItemOf({ portId, attention: 1, ...changes });
    const [old, known, fresh] = [0, 1, 2].map((age) => port(`port-${age}`, { changedAt: iso(noon + age) }));
    const others = [port('port-3', { attention: 0 }), port('port-4', { account: 1002 })];
    for (const next of [known, fresh, old, ...others]) if (next !== undefined) await ports.record({ next });
    expect(await ports.attention(1001)).toEqual([fresh, known, old]);
    expect(await ports.attention(1001, 2)).toEqual([fresh, known]);
    expect(await all(ports.waiting(1001, iso(noon + 1), rethrow))).toEqual([old, known]);
  });

  test('give a lease to one holder until it is over or given back', async () => {
    const { clients, table } = await open();
    const leases = createLeases(clients.table, table);
    expect(await leases.take('sync', 'a', iso(noon), iso(noon + 10))).toBe(true);
    expect(await leases.take('sync', 'b', iso(noon + 9), iso(noon + 20))).toBe(false);
    expect(await leases.take('sync', 'a', iso(noon + 9), iso(noon + 11))).toBe(true);
    expect(await leases.take('sync', 'b', iso(noon + 11), iso(noon + 20))).toBe(true);
    await leases.release('sync', 'a');
    expect(await leases.take('sync', 'a', iso(noon + 12), iso(noon + 20))).toBe(false);
    await leases.release('sync', 'b');
    expect(await leases.take('sync', 'a', iso(noon + 12), iso(noon + 20))).toBe(true);
  });

  test('carry a word from one holder of a lease to the next, and no further', async () => {
    const { clients, table } = await open();
    const leases = createLeases(clients.table, table);
    const takeUp = (holder: string, from: number) =>
      leases.takeUp('sweep', holder, iso(noon + from), iso(noon + from + 10));
    expect(await takeUp('a', 0)).toBe('');
    await leases.note('sweep', 'b', iso(noon + 10), 'not mine');
    await leases.note('sweep', 'a', iso(noon + 10), 'up to here');
    expect(await takeUp('b', 9)).toBeUndefined();
    expect(await takeUp('b', 10)).toBe('up to here');
    expect(await takeUp('c', 20)).toBe('');
  });

  test('expect a comparison of services once, fence its changes, and show what is due and what was found', async () => {
    const { clients, table } = await open();
    const drifts = createDrifts(clients.table, table);
    const item = driftItemOf();
    await drifts.expect(item);
    await drifts.expect({ ...item, portId: 'another' });
    await drifts.expect(driftItemOf({ request: 2, dueAt: iso(noon + 60_000) }));
    expect((await all(drifts.ofImport('import-a'))).map(({ portId }) => portId)).toEqual(['port-1', 'port-1']);
    expect((await drifts.due(iso(noon), 10)).map(({ request }) => request)).toEqual([1]);
    const service = { name: 'Roaming', type: 'Service', asked: 'true', set: null };
    const sims = [{ line: 2, msisdn: '447700900001', serialNumber: '8944', services: [service] }];
    const found: DriftItem = { ...item, state: 'found', sims, everFound: true, dueAt: undefined };
    expect(await drifts.replace(item, found)).toBe(true);
    expect(await drifts.replace(item, found)).toBe(false);
    expect(await drifts.due(iso(noon), 10)).toEqual([]);
    expect(await drifts.found(1001, 10)).toMatchObject([{ request: 1, revision: 1, sims }]);
    expect(await drifts.found(1002, 10)).toEqual([]);
  });

  test('remind of an import at the time that was set last, until it is struck out', async () => {
    const { clients, table } = await open();
    const reminders = createReminders(clients.table, table);
    await reminders.set('import-a', noon);
    await reminders.set('import-b', noon - 1);
    await reminders.set('import-a', noon + 60_000);
    expect(await reminders.due(noon, 10)).toEqual(['import-b']);
    expect(await reminders.due(noon + 60_000, 10)).toEqual(['import-b', 'import-a']);
    await reminders.strike('import-b');
    await reminders.strike('import-b');
    expect(await reminders.due(noon + 60_000, 10)).toEqual(['import-a']);
  });
}
