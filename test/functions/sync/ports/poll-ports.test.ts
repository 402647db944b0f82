// Ports in progress, in whole runs: what a reading changes, and what it leaves as it is.
import { expect, test } from 'vitest';
import { createDeadline } from '#shared/runtime/clock.ts';
import { NotFound, Unavailable } from '#shared/service/errors.ts';
import { day, hour, minute } from '../../../support/service/simulator.ts';
import { rig, services, useFreshRig } from '../../../support/steps/fresh-services.ts';
import { msisdnOf, plannedRowOf } from '../../../support/steps/submit-and-sync.ts';

useFreshRig();

const rows = [plannedRowOf(1, 2), plannedRowOf(2, 3)];

const followTo = async (status: string, importId = 'import-a') => {
  for (let step = 0; step < 200; step += 1) {
    const { portStatus } = await rig.request(importId);
    if (portStatus === status) return;
    await rig.syncNext();
  }
  throw new Error(`${status} was never reached`);
};

test('a port is followed to Complete, its history is recorded, and its numbers are free again', async () => {
  await rig.submit(await rig.planOne('import-a', rows));
  await followTo('Complete');
  const request = await rig.request('import-a');
  expect(request.endedAt).toBeDefined();
  const statuses = (await rig.ports.events(request.portId ?? '')).map(({ status }) => status);
  expect(statuses[0]).toBe('Created');
  expect(statuses.at(-1)).toBe('Complete');
  expect(await rig.ports.get(request.portId ?? '')).toMatchObject({ status: 'Complete' });
  expect((await rig.ports.get(request.portId ?? ''))?.dueAt).toBeUndefined();
  expect(await rig.numbers.get(msisdnOf(1))).toMatchObject({ latest: { status: 'Complete', ended: true } });
  expect(services.waiting('report').map(({ body }) => body)).toContainEqual({ importId: 'import-a' });
});

test('an invalid PAC requires action and blocks the valid row, and both are recorded', async () => {
  await rig.submit(await rig.planOne('import-a', [plannedRowOf(1, 2), plannedRowOf(2, 3, 'INV123456')]));
  await followTo('Pac Check Failed');
  const { portId = '', actionRequired } = await rig.request('import-a');
  expect(actionRequired).toBe(1);
  expect(await rig.ports.actionRequired(1001)).toMatchObject([
    { portId, actionRequired: 1, readyRows: 1, blockingRows: 1 },
  ]);
  expect(await rig.numbers.get(msisdnOf(2))).toMatchObject({ latest: { status: 'PacInvalid', ended: false } });
  expect((await rig.numbers.get(msisdnOf(1)))?.latest).toBeUndefined();
  expect(rig.counts.actionRequired).toBe(1);
});

test('an amended PAC is noticed although the status of the port does not change at once', async () => {
  await rig.submit(await rig.planOne('import-a', [plannedRowOf(1, 2), plannedRowOf(2, 3, 'INV123456')]));
  await followTo('Pac Check Failed');
  const { portId = '' } = await rig.request('import-a');
  const Rows = [{ Msisdn: '07700900002', Pac: 'ABC123456', PortRowStatus: 'Amended' as const }];
  await rig.porting.updatePort(portId, { Rows });
  await followTo('Submitted');
  expect(await rig.ports.actionRequired(1001)).toEqual([]);
  expect((await rig.numbers.get(msisdnOf(2)))?.latest?.status).not.toBe('PacInvalid');
});

test('fault 56: a row that leaves a submitted port is noticed within a day, and its number is free', async () => {
  const groups = [1, 11, 21, 31].map((first) => [plannedRowOf(first, first + 1), plannedRowOf(first + 1, first + 2)]);
  const messages = await rig.plan('import-a', groups, { connectionDate: '2026-07-20' as never });
  for (const message of messages) await rig.submit(message);
  for (let step = 0; step < 12; step += 1) {
    rig.pass(30 * minute);
    await rig.sync();
  }
  const { portId = '' } = await rig.request('import-a');
  expect((await rig.ports.get(portId))?.status).toBe('Submitted');
  const [row] = (await rig.porting.port(portId)).rows;
  const left = { Msisdn: row?.msisdn ?? '', PortRowStatus: 'CancellationRequested' as const };
  await rig.porting.updatePort(portId, { Rows: [left] });
  for (let hours = 0; hours < 25; hours += 1) {
    rig.pass(hour);
    await rig.sync();
  }
  expect((await rig.ports.rows(portId))?.map(({ status }) => status)).toEqual(['Cancelled', 'Submitted']);
  expect((await rig.numbers.get(msisdnOf(1)))?.latest).toMatchObject({ status: 'Cancelled', ended: true });
});

test('a new date of a locked port is shown from the next reading of the list on', async () => {
  const messages = await rig.plan(
    'import-a',
    [1, 2, 3, 4].map((index) => [plannedRowOf(index, index + 1)]),
  );
  for (const message of messages) await rig.submit(message);
  await followTo('Locked');
  rig.pass(minute);
  await rig.sync();
  const connectionDate = '2026-07-13T00:00:00';
  const { client } = rig.syncParts();
  const moved: typeof client = {
    ...client,
    port: async (id) => ({ ...(await client.port(id)), statusName: 'Locked', connectionDate }),
    listPorts: async (page, size) => {
      const list = await client.listPorts(page, size);
      return { ...list, data: list.data.map((port) => ({ ...port, statusName: 'Locked', connectionDate })) };
    },
  };
  for (let hours = 0; hours < 24; hours += 1) {
    rig.pass(hour);
    await rig.sync({ client: moved });
  }
  const shown = await Promise.all([1, 2, 3, 4].map((request) => rig.request('import-a', request)));
  expect(shown.map(({ portStatus, portDate }) => [portStatus, portDate])).toEqual(
    shown.map(() => ['Locked', '2026-07-13']),
  );
});

test('a port cancelled at the service ends its request with the reason on the row', async () => {
  await rig.submit(await rig.planOne('import-a', [plannedRowOf(1, 2, 'REJ123456'), plannedRowOf(2, 3)]));
  await followTo('Cancelled');
  const { portId = '', endedAt } = await rig.request('import-a');
  expect(endedAt).toBeDefined();
  expect((await rig.ports.rows(portId))?.[0]?.message).toContain('Rejected by the source network');
  expect(await rig.numbers.get(msisdnOf(1))).toMatchObject({ latest: { status: 'Cancelled', ended: true } });
});

test('fault 48: an older reading never overwrites a newer one', async () => {
  await rig.submit(await rig.planOne('import-a', rows));
  const { portId = '' } = await rig.request('import-a');
  rig.pass(day);
  const { client } = rig.syncParts();
  const overtaken = {
    ...client,
    port: async (id: string) => {
      const old = { ...(await client.port(id)), statusName: 'Created' };
      // Meanwhile a later reading shows more.
      rig.pass(minute);
      const port = await rig.ports.get(id);
      if (port)
        await rig.ports.touch(port, {
          ...port,
          status: 'Locked',
          readAt: new Date(rig.service.now()).toISOString(),
        });
      return old;
    },
  };
  await rig.sync({ client: overtaken });
  expect(await rig.ports.get(portId)).toMatchObject({ status: 'Locked' });
});

test('fault 48: an unknown status is kept as it is, counted, and never terminal', async () => {
  await rig.submit(await rig.planOne('import-a', rows));
  rig.pass(hour);
  const { client } = rig.syncParts();
  const odd = {
    ...client,
    port: async (id: string) => ({ ...(await client.port(id)), statusName: 'Quarantined (2)' }),
  };
  await rig.sync({ client: odd });
  const request = await rig.request('import-a');
  expect(request.portStatus).toBe('Quarantined (2)');
  expect(request.endedAt).toBeUndefined();
  expect(rig.counts.unknownStatus).toBe(1);
  expect((await rig.ports.get(request.portId ?? ''))?.dueAt).toBeDefined();
});

test('fault 48: a port that the service does not know keeps its state, and has a concern after three readings', async () => {
  await rig.submit(await rig.planOne('import-a', rows));
  const { portId = '' } = await rig.request('import-a');
  const refusal = { message: 'not found', fieldErrors: [], msisdns: [] };
  const { client } = rig.syncParts();
  const lost = { ...client, port: () => Promise.reject(new NotFound(refusal, { call: 'GET /port', status: 404 })) };
  for (let look = 1; look <= 3; look += 1) {
    expect(await rig.ports.actionRequired(1001)).toEqual([]);
    rig.pass(day);
    await rig.sync({ client: lost });
  }
  expect(await rig.ports.actionRequired(1001)).toMatchObject([{ portId, status: 'Created', missingReads: 3 }]);
  expect((await rig.request('import-a')).actionRequired).toBe(1);
  rig.pass(day);
  await rig.sync();
  expect((await rig.ports.get(portId))?.concern).toBeUndefined();
});

test('when the service cannot be called, everything stays due', async () => {
  await rig.submit(await rig.planOne('import-a', rows));
  rig.pass(hour);
  const { client } = rig.syncParts();
  const fails = () => Promise.reject(new Unavailable('503', { call: 'GET' }));
  expect(await rig.sync({ client: { ...client, port: fails, networks: fails } })).toMatchObject({ polled: 0 });
  expect(await rig.sync()).toMatchObject({ polled: 1 });
});

test('fault 49: what one run has no time for is first in the next run', async () => {
  const groups = [1, 2].map((index) => [plannedRowOf(index, index + 1)]);
  for (const message of await rig.plan('import-a', groups)) await rig.submit(message);
  rig.pass(hour);
  expect(await rig.sync({ deadline: createDeadline(() => 1_000) })).toMatchObject({ polled: 0, left: 2 });
  expect(rig.counts.syncStaleness).toBeGreaterThan(0);
  expect(await rig.sync()).toMatchObject({ polled: 2, left: 0 });
  expect(rig.counts.syncStaleness).toBe(0);
});
