// The policy `evict`, over the wire: bad lines leave their port, the good ones go on, and the bad ones come back as a file.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { evict } from '#functions/sync/evict.ts';
import type { SyncParts } from '#functions/sync/parts.ts';
import { beginRun } from '#functions/sync/trouble.ts';
import { Rejected } from '#shared/porting/errors.ts';
import { hour, minute } from '../../support/porting-service.ts';
import { iso, portItemOf } from '../../support/results-ledger.ts';
import { msisdnOf, plannedRowOf, type Rig, startRig } from '../../support/results-rig.ts';
import { type ResultsServices, startResultsServices } from '../../support/results-services.ts';

let services: ResultsServices;
let rig: Rig;

beforeAll(async () => {
  services = await startResultsServices();
});
afterAll(() => services.stop());
beforeEach(async () => {
  rig = await startRig(services);
  const rows = [plannedRowOf(1, 2), plannedRowOf(2, 3, 'INV123456'), plannedRowOf(3, 4)];
  await rig.submit(await rig.planOne('import-a', rows));
  await look(2 * hour);
});

const patience = 12 * hour;
const evicting = (changes: Partial<SyncParts> = {}): Partial<SyncParts> => ({
  settings: { ...rig.syncParts().settings, evictAfterMs: patience },
  ...changes,
});
const request = () => rig.request('import-a');
const rowsNow = async () =>
  (await rig.ports.rows((await request()).portId ?? ''))?.map(({ line, status }) => [line, status]);

async function look(passing: number, changes: Partial<SyncParts> = {}) {
  let evicted = 0;
  for (let passed = 0; passed < passing; passed += 30 * minute) {
    rig.pass(30 * minute);
    evicted += (await rig.sync(changes)).evicted;
  }
  return evicted;
}

test('the policy wait leaves bad lines where they are', async () => {
  expect(await look(2 * patience)).toBe(0);
  expect(await rowsNow()).toContainEqual([3, 'PacInvalid']);
});

describe('the policy evict', () => {
  test('takes bad lines out after the wait, and the good ones go on to the network', async () => {
    expect(await look(patience / 2, evicting())).toBe(0);
    expect(await look(patience, evicting())).toBe(1);
    expect(await rowsNow()).toEqual([
      [2, 'Submitted'],
      [3, 'Cancelled'],
      [4, 'Submitted'],
    ]);
    expect(await request()).toMatchObject({ evicted: '3', portStatus: 'Submitted', attention: 0 });
  });

  test('frees the number for the file that comes back', async () => {
    await look(2 * patience, evicting());
    expect(await rig.numbers.get(msisdnOf(2))).toMatchObject({ told: { status: 'Cancelled', ended: true } });
    const again = await rig.planOne('import-b', [plannedRowOf(2, 2)]);
    expect(await rig.submit(again)).toBe('created');
  });

  test('names the import, so that report is told', async () => {
    rig.pass(patience);
    const imports = new Set<string>();
    expect(await evict(beginRun(rig.syncParts(evicting())), imports)).toBe(1);
    expect([...imports]).toEqual(['import-a']);
  });

  test('reaches the ports that have waited longest, however many have changed since', async () => {
    rig.pass(patience);
    const changedAt = iso(rig.service.now());
    for (let place = 0; place < 200; place += 1) {
      const portId = `younger-${place}`;
      const next = portItemOf({ portId, status: 'Pac Check Failed', goodLines: 1, attention: 1, changedAt });
      await rig.ports.record({ next });
    }
    expect(await evict(beginRun(rig.syncParts(evicting())), new Set())).toBe(1);
  });

  test('leaves half of the time to the rest of the run', async () => {
    rig.pass(patience);
    const times = [60_000, 59_999, 29_999];
    const slow = { ...evicting(), remainingMs: () => times.shift() ?? 29_999 };
    expect(await evict(beginRun(rig.syncParts(slow)), new Set())).toBe(0);
  });

  test('keeps the intent when it dies before the call, and makes the call in the next run', async () => {
    const { client } = rig.syncParts();
    const dying = { ...client, updatePort: () => Promise.reject(new Error('killed')) };
    await look(patience / 2);
    await expect(look(patience, evicting({ client: dying }))).rejects.toThrow('killed');
    expect(await request()).toMatchObject({ evicted: '3' });
    expect(await rowsNow()).toContainEqual([3, 'PacInvalid']);
    rig.pass(2 * minute);
    expect(await look(hour, evicting())).toBe(1);
  });

  test('asks once, although the answer got lost', async () => {
    const { client } = rig.syncParts();
    const lossy: SyncParts['client'] = {
      ...client,
      updatePort: async (...call) => {
        await client.updatePort(...call);
        throw new Error('killed');
      },
    };
    await look(patience / 2);
    await expect(look(patience, evicting({ client: lossy }))).rejects.toThrow('killed');
    expect(await look(2 * patience, evicting())).toBe(0);
    expect(await rowsNow()).toContainEqual([3, 'Cancelled']);
  });

  test('leaves a line alone that was amended just before', async () => {
    const { portId = '' } = await request();
    rig.pass(patience);
    const Rows = [{ Msisdn: `0${msisdnOf(2).slice(2)}`, Pac: 'ABC123456', PortRowStatus: 'Amended' as const }];
    await rig.submitParts().client.updatePort(portId, { Rows });
    expect(await evict(beginRun(rig.syncParts(evicting())), new Set())).toBe(0);
    expect((await request()).evicted).toBeUndefined();
  });

  test('goes on with other ports when the service says no to one', async () => {
    await rig.submit(await rig.planOne('import-b', [plannedRowOf(11, 2), plannedRowOf(12, 3, 'INV123456')]));
    await look(2 * hour);
    const { portId } = await request();
    const { client } = rig.syncParts();
    const refusal = { message: 'no', fieldErrors: [], msisdns: [] };
    const refusing: SyncParts['client'] = {
      ...client,
      updatePort: (id, body) =>
        id === portId
          ? Promise.reject(new Rejected(refusal, { call: 'PATCH', status: 422 }))
          : client.updatePort(id, body),
    };
    expect(await look(2 * patience, evicting({ client: refusing }))).toBe(1);
    expect(await rowsNow()).toContainEqual([3, 'PacInvalid']);
  });
});
