// Plans the import that reschedules the ports of another one.
import { describe, expect, test, vi } from 'vitest';
import { reschedule } from '#functions/ingest/commands/reschedule.ts';
import type { IngestPipeline } from '#functions/ingest/ingest-pipeline.ts';
import { findReadingProblem } from '#shared/import/reading.ts';
import { createCatalogue, keepLists } from '#shared/operations/catalogue.ts';
import { createDeadline } from '#shared/runtime/clock.ts';
import type { PortingClient } from '#shared/service/client.ts';
import { double } from '../../../support/double.ts';
import { day, hour } from '../../../support/service/simulator.ts';
import { rig, services, useFreshRig } from '../../../support/steps/fresh-services.ts';
import {
  ample,
  both,
  move,
  ported,
  rescheduleDependencies,
  submitWaiting,
  syncUntilReleased,
} from '../../../support/steps/rescheduling.ts';
import { importItemOf, plannedRowOf } from '../../../support/steps/submit-and-sync.ts';

useFreshRig();

describe('the plan of a rescheduling', () => {
  test('rejects a locked port at once, by name, and cancels nothing of the import', async () => {
    await ported([plannedRowOf(1, 2)], [plannedRowOf(2, 3)]);
    rig.pass(9 * day + 10 * hour);
    await rig.sync();
    const moved = await move('2026-07-20');
    expect(moved.state).toBe('rejected');
    expect(moved.issues[0]?.message).toMatch(/^request 1, port .+: The port is Locked and can no longer be cancelled/);
  });

  test('rejects a day that cannot be booked before anything is cancelled', async () => {
    await ported(both);
    const moved = await move('2026-07-19');
    expect(moved).toMatchObject({ state: 'rejected', issues: [{ code: 'DATE_NOT_WORKING_DAY' }] });
    await rig.sync();
    expect(await rig.porting.port((await rig.request('import-a')).portId ?? '')).toMatchObject({
      statusName: 'Submitted',
    });
  });

  test('takes a day that was a holiday when the last file was read', async () => {
    await ported(both);
    let holidays = ['2026-07-20T00:00:00'];
    const networks = async () => {
      const types = await rig.porting.networks();
      const withHolidays = <Network>(network: Network) => ({ ...network, upcomingHolidays: holidays });
      return types.map((type) => ({ ...type, targetNetworks: type.targetNetworks.map(withHolidays) }));
    };
    const client: PortingClient = Object.assign(Object.create(rig.porting), { networks });
    const lists = keepLists(
      client,
      () => 0,
      () => '',
    );
    const openCatalogue = () => createCatalogue(client, { lists: lists() });
    await openCatalogue().networks();
    holidays = [];
    const message = { reschedule: 'import-a', date: '2026-07-20', ask: 'ask-1' };
    const moved = await reschedule(message, ample, { ...rescheduleDependencies(), openCatalogue });
    expect(moved).toMatchObject({ state: 'submitting', issues: [] });
  });

  test('does not move a port to the day that it has', async () => {
    await ported(both);
    const moved = await move('2026-07-16');
    expect(moved.issues[0]?.message).toContain('The port is already booked for 2026-07-16');
  });

  test.each(['planned', 'rejected'] as const)('is rejected for a %s import, which stays a draft', async (state) => {
    await rig.imports.begin(importItemOf('import-a', { state, planOnly: true }));
    const moved = await move('2026-07-20');
    expect(moved.issues[0]?.message).toContain('the import has sent nothing');
    const draft = await rig.imports.get('import-a');
    expect(draft && findReadingProblem(draft)).toBeUndefined();
    expect(draft && (await rig.imports.parts(draft))).toEqual([]);
  });

  test.each([
    ['was adopted', { state: 'planning', etag: '', bytes: 0 }, { etag: 'e' }],
    ['was read again', { state: 'planned' }, { reading: { count: 2, key: 'reading-2.json', etag: 'r' } }],
  ] as const)('is rejected, when it is asked again, for an import that %s meanwhile', async (_, before, since) => {
    const { imports, ...pipeline } = rescheduleDependencies();
    await imports.begin(importItemOf('import-a', before));
    const fail = async () => Promise.reject(new Error('throttled'));
    const failing = Object.assign(Object.create(imports), { updateReading: fail });
    const message = { reschedule: 'import-a', date: '2026-07-20', ask: 'ask-1' };
    await expect(reschedule(message, ample, { ...pipeline, imports: failing })).rejects.toThrow('throttled');
    await imports.update('import-a', { state: 'submitting', ...since }, []);
    const moved = await move('2026-07-20');
    expect(moved).toMatchObject({ state: 'rejected', issues: [{ code: 'PORT_NOT_CHANGEABLE' }] });
    expect(moved.issues[0]?.message).toContain('the import has sent nothing');
    const first = await imports.get('import-a');
    expect(first && (await imports.parts(first))).toEqual([]);
  });

  test('moves only the named requests', async () => {
    await ported([plannedRowOf(1, 2)], [plannedRowOf(2, 3)]);
    const moved = await move('auto', { requests: [2] });
    expect(moved).toMatchObject({ state: 'submitting', requestCount: 1, rows: 1 });
    const request = await rig.request(moved.importId);
    expect(request.replaces).toMatchObject({ importId: 'import-a', request: 2 });
    const { portId } = await rig.request('import-a', 2);
    const message = `waits until the service has cancelled port ${portId}`;
    expect(request).toMatchObject({ state: 'planned', error: { kind: 'held', message } });
  });

  test('makes no call for ports that sync has read, and reads others before it rejects one', async () => {
    await ported([plannedRowOf(1, 2)], [plannedRowOf(2, 3)]);
    const read = vi.spyOn(rig.porting, 'port');
    expect(await move('2026-07-20')).toMatchObject({ state: 'submitting', rows: 2 });
    expect(read).not.toHaveBeenCalled();
    expect(await move('2026-07-16', { ask: 'ask-2' })).toMatchObject({ state: 'rejected' });
    expect(read).toHaveBeenCalledTimes(2);
  });

  test('reads a port from the service where its last reading failed or its deadline has passed', async () => {
    await ported([plannedRowOf(1, 2)]);
    const [port] = await Array.fromAsync(rig.ports.itemsOf([(await rig.request('import-a')).portId ?? '']));
    if (port === undefined) throw new Error('there is no port');
    for (const [ask, changes] of Object.entries({
      failed: { failedReads: 1 },
      missing: { missingReads: 1 },
      late: { cancelBy: '2026-07-06T00:00:00.000Z' },
      ended: { cancelBy: undefined },
    })) {
      await rig.ports.touch(port, { ...port, ...changes });
      const read = vi.spyOn(rig.porting, 'port');
      expect(await move('2026-07-20', { ask })).toMatchObject({ state: 'submitting' });
      expect(read).toHaveBeenCalledOnce();
      read.mockRestore();
    }
  });

  test('keeps a cancelled row cancelled, and takes an amended PAC along, although the plan is older', async () => {
    await ported([plannedRowOf(1, 2), plannedRowOf(2, 3, 'INV123456'), plannedRowOf(3, 4, 'INV654321')]);
    const { portId = '' } = await rig.request('import-a');
    const msisdns = (await rig.porting.port(portId)).rows.map(({ msisdn }) => msisdn);
    const amend = { Msisdn: msisdns[1] ?? '', Pac: 'NEW222222', PortRowStatus: 'Amended' as const };
    const cancel = { Msisdn: msisdns[2] ?? '', PortRowStatus: 'CancellationRequested' as const };
    await rig.porting.updatePort(portId, { Rows: [amend] });
    await rig.porting.updatePort(portId, { Rows: [cancel] });
    const moved = await move('2026-07-20');
    const { plans } = rig.submitParts();
    expect((await plans.read(await rig.request(moved.importId)))?.rows).toHaveLength(3);
    rig.pass(hour);
    await rig.sync();
    const request = await rig.request(moved.importId);
    expect(request.excludedRows).toMatchObject([{ line: 4, code: 'LINE_NOT_CHANGEABLE' }]);
    const planned = await plans.read(request);
    expect(planned?.rows.map(({ line, wire }) => [line, (wire as { pac: string }).pac])).toEqual([
      [2, 'ABC123456'],
      [3, 'NEW222222'],
    ]);
    await syncUntilReleased(1);
    await submitWaiting();
    const created = await rig.request(moved.importId);
    expect(created).toMatchObject({ state: 'created', excludedRows: [{ line: 4 }] });
    const { rows } = await rig.porting.port(created.portId ?? '');
    expect(rows.map(({ pac }) => pac)).toEqual(['ABC123456', 'NEW222222']);
    expect(JSON.stringify(created)).not.toContain('NEW222222');
  });

  test('makes one import of the same message twice, and starts again after a crash during planning', async () => {
    await ported(both);
    const first = await move('2026-07-20');
    const again = await move('2026-07-20');
    expect(again.importId).toBe(first.importId);
    const items: number[] = [];
    for await (const { request } of rig.requests.ofImport(first.importId)) items.push(request);
    expect(items).toEqual([1]);

    const broken: IngestPipeline = {
      ...rescheduleDependencies(),
      queues: rescheduleDependencies().queues,
      plans: double({ read: () => Promise.reject(new Error('killed')) }),
    };
    const command = { reschedule: 'import-a', date: '2026-07-21', ask: 'ask-2' };
    await expect(reschedule(command, ample, broken)).rejects.toThrow('killed');
    expect(await move('2026-07-21', { ask: 'ask-2' })).toMatchObject({ state: 'submitting', requestCount: 1 });
  });

  test('is released where another delivery has planned it, which may have died before the release', async () => {
    await ported(both);
    const dependencies = rescheduleDependencies();
    const { imports } = dependencies;
    const update: typeof imports.update = async (importId, changes, states) => {
      const updated = await imports.update(importId, changes, states);
      return 'state' in changes && changes.state === 'planned' ? undefined : updated;
    };
    const message = { reschedule: 'import-a', date: '2026-07-20', ask: 'ask-1' };
    const moved = await reschedule(message, ample, { ...dependencies, imports: { ...imports, update } });
    expect(moved?.state).toBe('submitting');
    expect((await rig.imports.get(moved?.importId ?? ''))?.state).toBe('submitting');
  });

  test('stops before a port that there may be no time for, leaves nothing, and can start again', async () => {
    await ported(both);
    for await (const port of rig.ports.itemsOf([(await rig.request('import-a')).portId ?? '']))
      await rig.ports.touch(port, { ...port, failedReads: 1 });
    const command = { reschedule: 'import-a', date: '2026-07-20', ask: 'ask-1' };
    const stopped = reschedule(
      command,
      createDeadline(() => 59_999),
      rescheduleDependencies(),
    );
    await expect(stopped).rejects.toMatchObject({
      name: 'PlanningTimeout',
      advice: expect.stringContaining('--request'),
    });
    expect(services.waiting('submit')).toEqual([]);
    expect(await move('2026-07-20')).toMatchObject({ state: 'submitting', requestCount: 1 });
  });

  test('moves nothing of an import whose ports have all ended', async () => {
    await ported(both);
    rig.pass(12 * day);
    await rig.sync();
    expect(await move('auto')).toMatchObject({ state: 'rejected', issues: [{ code: 'PORT_NOT_CHANGEABLE' }] });
  });
});
