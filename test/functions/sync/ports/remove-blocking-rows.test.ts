// ON_INVALID_PAC=remove, over HTTP: blocking rows leave their port, the others continue, and a file lists the removed
// rows.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { chooseRowsToRemove, isRemovalDue, removeBlockingRows } from '#functions/sync/ports/remove-blocking-rows.ts';
import type { SyncPipeline } from '#functions/sync/run.ts';
import { createDeadline } from '#shared/runtime/clock.ts';
import { Rejected } from '#shared/service/errors.ts';
import type { ResultsServices } from '../../../support/embedded/services.ts';
import { startTwinServices } from '../../../support/in-memory/services.ts';
import { hour, minute } from '../../../support/service/simulator.ts';
import { iso, noon, portItemOf } from '../../../support/steps/ledger-items.ts';
import { msisdnOf, plannedRowOf, type Rig, startRig } from '../../../support/steps/submit-and-sync.ts';

let services: ResultsServices;
let rig: Rig;

beforeAll(async () => {
  services = await startTwinServices();
});
afterAll(() => services.stop());
beforeEach(async () => {
  rig = await startRig(services);
  const rows = [plannedRowOf(1, 2), plannedRowOf(2, 3, 'INV123456'), plannedRowOf(3, 4)];
  await rig.submit(await rig.planOne('import-a', rows));
  await look(2 * hour);
});

const patience = 12 * hour;
const removing = (changes: Partial<SyncPipeline> = {}): Partial<SyncPipeline> => ({
  settings: { ...rig.syncParts().settings, removeBlockingAfterMs: patience },
  ...changes,
});
const request = () => rig.request('import-a');
const rowsNow = async () =>
  (await rig.ports.rows((await request()).portId ?? ''))?.map(({ line, status }) => [line, status]);

async function look(passing: number, changes: Partial<SyncPipeline> = {}) {
  let removed = 0;
  for (let passed = 0; passed < passing; passed += 30 * minute) {
    rig.pass(30 * minute);
    removed += (await rig.sync(changes)).removed;
  }
  return removed;
}

test('ON_INVALID_PAC=wait removes no rows', async () => {
  expect(await look(2 * patience)).toBe(0);
  expect(await rowsNow()).toContainEqual([3, 'PacInvalid']);
});

test('an import decides for itself: remove where the environment waits, and wait where it removes', async () => {
  const wait = { settings: { ...rig.syncParts().settings, removeIfChosenAfterMs: patience } };
  rig.pass(patience);
  expect(await removeBlockingRows(rig.runParts(wait))).toBe(0);
  await rig.imports.update('import-a', { onInvalidPac: 'wait' });
  expect(await removeBlockingRows(rig.runParts(removing()))).toBe(0);
  await rig.imports.update('import-a', { onInvalidPac: 'remove' });
  expect(await removeBlockingRows(rig.runParts(wait))).toBe(1);
});

describe('ON_INVALID_PAC=remove', () => {
  test('removes blocking rows after the wait, and the others continue to the network', async () => {
    expect(await look(patience / 2, removing())).toBe(0);
    expect(await look(patience, removing())).toBe(1);
    expect(await rowsNow()).toEqual([
      [2, 'Submitted'],
      [3, 'Cancelled'],
      [4, 'Submitted'],
    ]);
    expect(await request()).toMatchObject({ removedRows: '3', portStatus: 'Submitted', actionRequired: 0 });
  });

  test('frees the number for the file with the removed row', async () => {
    await look(2 * patience, removing());
    expect(await rig.numbers.get(msisdnOf(2))).toMatchObject({ latest: { status: 'Cancelled', ended: true } });
    const again = await rig.planOne('import-b', [plannedRowOf(2, 2)]);
    expect(await rig.submit(again)).toBe('created');
  });

  test('names the import, so that report is notified', async () => {
    rig.pass(patience);
    const run = rig.runParts(removing());
    expect(await removeBlockingRows(run)).toBe(1);
    expect([...run.changed]).toEqual(['import-a']);
  });

  test('reaches the ports that have waited longest, however many changed since', async () => {
    rig.pass(patience);
    const changedAt = iso(rig.service.now());
    for (let place = 0; place < 200; place += 1) {
      const portId = `younger-${place}`;
      const next = portItemOf({ portId, status: 'Pac Check Failed', readyRows: 1, actionRequired: 1, changedAt });
      await rig.ports.record({ next });
    }
    expect(await removeBlockingRows(rig.runParts(removing()))).toBe(1);
  });

  test('reserves half of the time for the rest of the run', async () => {
    rig.pass(patience);
    const times = [60_000, 59_999, 29_999];
    const slow = { ...removing(), deadline: createDeadline(() => times.shift() ?? 29_999) };
    expect(await removeBlockingRows(rig.runParts(slow))).toBe(0);
  });

  test('keeps the record when it dies before the call, and makes the call in the next run', async () => {
    const { client } = rig.syncParts();
    const dying = { ...client, updatePort: () => Promise.reject(new Error('killed')) };
    await look(patience / 2);
    await expect(look(patience, removing({ client: dying }))).rejects.toThrow('killed');
    expect(await request()).toMatchObject({ removedRows: '3' });
    expect(await rowsNow()).toContainEqual([3, 'PacInvalid']);
    rig.pass(2 * minute);
    expect(await look(hour, removing())).toBe(1);
  });

  test('calls once, although the answer was lost', async () => {
    const { client } = rig.syncParts();
    const lossy: SyncPipeline['client'] = {
      ...client,
      updatePort: async (...call) => {
        await client.updatePort(...call);
        throw new Error('killed');
      },
    };
    await look(patience / 2);
    await expect(look(patience, removing({ client: lossy }))).rejects.toThrow('killed');
    expect(await look(2 * patience, removing())).toBe(0);
    expect(await rowsNow()).toContainEqual([3, 'Cancelled']);
  });

  test('keeps a row that was amended just before', async () => {
    const { portId = '' } = await request();
    rig.pass(patience);
    const Rows = [{ Msisdn: `0${msisdnOf(2).slice(2)}`, Pac: 'ABC123456', PortRowStatus: 'Amended' as const }];
    await rig.submitParts().client.updatePort(portId, { Rows });
    expect(await removeBlockingRows(rig.runParts(removing()))).toBe(0);
    expect((await request()).removedRows).toBeUndefined();
  });

  test('waits again after a change that no run has read yet: a person is working on the port', async () => {
    const rows = [plannedRowOf(11, 2), plannedRowOf(12, 3, 'INV123456'), plannedRowOf(13, 4, 'INV123457')];
    await rig.submit(await rig.planOne('import-b', rows));
    await look(2 * hour);
    rig.pass(patience);
    const { portId = '' } = await rig.request('import-b');
    const Rows = [{ Msisdn: `0${msisdnOf(12).slice(2)}`, Pac: 'ABC123456', PortRowStatus: 'Amended' as const }];
    await rig.submitParts().client.updatePort(portId, { Rows });
    await removeBlockingRows(rig.runParts(removing()));
    expect((await rig.request('import-b')).removedRows).toBeUndefined();
    expect((await rig.ports.rows(portId))?.map(({ status }) => status)).toEqual(['PacValid', 'Amended', 'PacInvalid']);
  });

  test('continues with other ports when the service declines one', async () => {
    await rig.submit(await rig.planOne('import-b', [plannedRowOf(11, 2), plannedRowOf(12, 3, 'INV123456')]));
    await look(2 * hour);
    const { portId } = await request();
    const { client } = rig.syncParts();
    const refusal = { message: 'no', fieldErrors: [], msisdns: [] };
    const refusing: SyncPipeline['client'] = {
      ...client,
      updatePort: (id, body) =>
        id === portId
          ? Promise.reject(new Rejected(refusal, { call: 'PATCH', status: 422 }))
          : client.updatePort(id, body),
    };
    expect(await look(2 * patience, removing({ client: refusing }))).toBe(1);
    expect(await rowsNow()).toContainEqual([3, 'PacInvalid']);
  });
});

describe('which rows', () => {
  const hour = 3_600_000;
  const waiting = portItemOf({ status: 'Pac Check Failed', readyRows: 3, changedAt: iso(noon) });

  describe('the removal', () => {
    test('is due a fixed time after the last change of the port', () => {
      expect(isRemovalDue(waiting, 24 * hour, noon + 24 * hour - 1)).toBe(false);
      expect(isRemovalDue(waiting, 24 * hour, noon + 24 * hour)).toBe(true);
    });

    test('is due at the latest two hours before the cancellation deadline, so that freed rows keep their date', () => {
      const soon = { ...waiting, cancelBy: iso(noon + 6 * hour) };
      expect(isRemovalDue(soon, 24 * hour, noon + 4 * hour - 1)).toBe(false);
      expect(isRemovalDue(soon, 24 * hour, noon + 4 * hour)).toBe(true);
    });

    test.each([{ readyRows: 0 }, { status: 'Submitted' }, { status: 'Network Rejected' }])(
      'is never due for a port in which no invalid PAC blocks a row: %j',
      (changes) => {
        expect(isRemovalDue({ ...waiting, ...changes }, 0, noon + 1_000 * hour)).toBe(false);
      },
    );
  });

  describe('the rows to remove', () => {
    const port = (...statuses: string[]) => ({
      statusName: 'Pac Check Failed',
      rows: new Map(statuses.map((statusName, index) => [`44770090000${index}`, { statusName }])),
    });
    const removed = (...statuses: string[]) => {
      const { call, numbers } = chooseRowsToRemove(port(...statuses));
      return [call, numbers.size];
    };

    test('are the rows with an invalid PAC, and no others', () => {
      expect(removed('PacValid', 'PacInvalid', 'PacInvalidDate', 'PacValid')).toEqual(['cancel-rows', 2]);
    });

    test('are none where no ready row waits', () => {
      expect(removed('PacInvalid', 'PacInvalid')[0]).not.toBe('cancel-rows');
      expect(removed('PacInvalid', 'Amended')[0]).not.toBe('cancel-rows');
      expect(removed('PacValid', 'Amended')[0]).toBe('nothing');
    });
  });
});
