// A port that was made elsewhere is followed as an import.
import { expect, test, vi } from 'vitest';
import { adopt } from '#functions/ingest/commands/adopt.ts';
import { report } from '#functions/report/report.ts';
import { createCatalogue } from '#shared/operations/catalogue.ts';
import { predictNumber } from '#shared/request/number-claim.ts';
import { readCancellableRows, readNumberDetails } from '#shared/results/numbers.ts';
import { resultsKey } from '#shared/store/object-keys.ts';
import { day, hour } from '../../../support/service/simulator.ts';
import { adoptPort, makeElsewhere } from '../../../support/steps/adopting.ts';
import { rig, services, useFreshRig } from '../../../support/steps/fresh-services.ts';
import { bodyElsewhere } from '../../../support/steps/port-elsewhere.ts';
import { reportParts } from '../../../support/steps/report.ts';
import {
  move,
  ported,
  rescheduleDependencies,
  submitWaiting,
  syncUntilReleased,
} from '../../../support/steps/rescheduling.ts';
import { msisdnOf, plannedRowOf } from '../../../support/steps/submit-and-sync.ts';
import { testSettings } from '../../../support/steps/test-pipeline.ts';

useFreshRig();

const resultsOf = async (importId: string): Promise<string[][]> => {
  await report(importId, reportParts(rig));
  const text = await rig.files.readText({ bucket: 'results', key: resultsKey(importId) });
  return text
    .trimEnd()
    .split('\r\n')
    .map((line) => line.split(','));
};
const storedText = async (): Promise<string> => {
  const texts: string[] = [];
  for (const bucket of [services.buckets.work, services.buckets.results])
    for await (const { key } of rig.files.versions(bucket)) texts.push(await rig.files.readText({ bucket, key }));
  return texts.join('\n');
};

test('a port is followed to its end, and its rows have results', async () => {
  const portId = await makeElsewhere('Field team, July', [1, 2]);
  const item = await adoptPort(portId);
  expect(item).toMatchObject({ state: 'in-progress', rows: 2, accepted: 2, requestCount: 1, adoptedPort: portId });
  expect(item.requestedBy).toEqual({ by: 'Sam', because: 'made in the portal' });
  expect(item.key).toMatch(/\/port Field team, July\.csv$/);
  expect(await rig.request(item.importId)).toMatchObject({ state: 'created', portId, lines: expect.any(String) });
  const [header, first] = await resultsOf(item.importId);
  expect(header?.slice(0, 2)).toEqual(['\uFEFFmsisdn', 'serialNo']);
  expect(first).toContain('in-progress');
  for (let step = 0; step < 12; step += 1) {
    rig.pass(day);
    await rig.sync();
  }
  const [, ...rows] = await resultsOf(item.importId);
  expect(rows).toHaveLength(2);
  for (const [index, cells] of rows.entries()) {
    expect(cells[0]).toBe(`0${msisdnOf(index + 1).slice(2)}`);
    expect(cells).toEqual(expect.arrayContaining(['complete', portId, '2026-07-16', 'Port', '2001', '101']));
  }
  expect(await rig.imports.get(item.importId)).toMatchObject({ state: 'finished', ports: { Complete: 1 } });
});

test('the cancellation deadline of an adopted port knows the holidays of its network', async () => {
  rig.pass(44 * day);
  // The day after the Summer bank holiday: the service locks it on Friday.
  const body = { ...bodyElsewhere('Field team', [plannedRowOf(2, 2)]), connectionDate: '2026-09-01T00:00:00' };
  const portId = await rig.porting.createPort(body);
  await adoptPort(portId);
  expect((await rig.ports.get(portId))?.cancelBy).toBe('2026-08-28T15:00:00.000Z');
});

test('no PAC is stored, and nothing is ever sent', async () => {
  const item = await adoptPort(await makeElsewhere('Field team', [1, 2], { pac: 'XYZ987654' }));
  for (let step = 0; step < 12; step += 1) {
    rig.pass(day);
    await rig.sync();
    await resultsOf(item.importId);
  }
  expect(await storedText()).not.toContain('XYZ987654');
  expect(services.waiting('submit')).toEqual([]);
  expect(rig.calls).not.toContain('createPort');
  expect(rig.calls).not.toContain('updatePort');
});

test('adopting twice gives the same import and changes nothing', async () => {
  const portId = await makeElsewhere('Field team', [1]);
  const first = await adoptPort(portId);
  const [request, claim] = [await rig.request(first.importId), await rig.numbers.get(msisdnOf(1))];
  rig.pass(hour);
  expect(await adoptPort(portId)).toEqual(first);
  expect(await rig.request(first.importId)).toEqual(request);
  expect(await rig.numbers.get(msisdnOf(1))).toEqual(claim);
});

test('an adoption that died on its way is completed by the next delivery, and sync never begins it', async () => {
  const portId = await makeElsewhere('Field team', [1, 2]);
  const killed = () => Promise.reject(new Error('killed'));
  const deaths = [
    () => vi.spyOn(rig.numbers, 'claim').mockImplementationOnce(killed),
    () => vi.spyOn(rig.ports, 'record').mockImplementationOnce(killed),
  ];
  for (const die of deaths) {
    const death = die();
    await expect(adoptPort(portId)).rejects.toThrow('killed');
    death.mockRestore();
    const calls = rig.calls.length;
    rig.pass(hour);
    await rig.sync();
    expect(rig.calls.slice(calls)).toEqual([]);
  }
  const update = vi.spyOn(rig.imports, 'update').mockImplementationOnce(killed);
  await expect(adoptPort(portId)).rejects.toThrow('killed');
  update.mockRestore();
  const item = await adoptPort(portId);
  expect(item).toMatchObject({ state: 'in-progress', rows: 2 });
  expect(await rig.request(item.importId)).toMatchObject({ state: 'created', portId });
  expect(await resultsOf(item.importId)).toHaveLength(3);
});

test.each(['claim', 'record'] as const)(
  'a port that is cancelled after an adoption of it died (%s) ends its import',
  async (step) => {
    const portId = await makeElsewhere('Field team', [1]);
    const killed = () => Promise.reject(new Error('killed'));
    const death =
      step === 'claim'
        ? vi.spyOn(rig.numbers, 'claim').mockImplementationOnce(killed)
        : vi.spyOn(rig.ports, 'record').mockImplementationOnce(killed);
    await expect(adoptPort(portId)).rejects.toThrow('killed');
    death.mockRestore();
    await rig.porting.cancelPort(portId);
    rig.pass(hour);
    const { importId, state } = await adoptPort(portId);
    expect(state).toBe('in-progress');
    expect(await resultsOf(importId)).toMatchObject([expect.anything(), expect.arrayContaining(['cancelled', portId])]);
    expect((await rig.imports.get(importId))?.state).toBe('finished');
  },
);

test('a port that is shown without rows once it has ended is read again, and keeps the rows that it had', async () => {
  const portId = await makeElsewhere('Field team', [1]);
  const death = vi.spyOn(rig.numbers, 'claim').mockImplementationOnce(() => Promise.reject(new Error('killed')));
  await expect(adoptPort(portId)).rejects.toThrow('killed');
  death.mockRestore();
  await rig.porting.cancelPort(portId);
  rig.pass(hour);
  const port = async (id: string) => ({ ...(await rig.porting.port(id)), rows: [] });
  const cut = createCatalogue(Object.assign(Object.create(rig.porting), { port }));
  const again = adopt({ adopt: portId, by: 'Sam' }, rig.syncParts({ openCatalogue: () => cut }));
  await expect(again).rejects.toThrow('the port has no rows');
  const { importId, state, rows } = await adoptPort(portId);
  expect([state, rows]).toEqual(['in-progress', 1]);
  expect(await resultsOf(importId)).toMatchObject([expect.anything(), expect.arrayContaining(['cancelled', portId])]);
});

test('a port is declined that is followed already, has ended, or does not exist', async () => {
  const reasonOf = async (portId: string) => {
    const { state, issues } = await adoptPort(portId);
    expect(state).toBe('rejected');
    expect(issues.map(({ code }) => code)).toEqual(['PORT_NOT_ADOPTABLE']);
    return issues[0]?.message;
  };
  await ported([plannedRowOf(1, 2)]);
  const own = (await rig.request('import-a')).portId ?? '';
  expect(await reasonOf(own)).toBe(`port ${own} is already followed, by import import-a`);

  const unknown = '00000000-0000-4000-8000-000000000000';
  expect(await reasonOf(unknown)).toBe(`the account has no port ${unknown}: copy the id from the list of ports`);

  const cancelled = await makeElsewhere('Field team', [2]);
  await rig.porting.cancelPort(cancelled);
  rig.pass(hour);
  expect(await reasonOf(cancelled)).toBe(`port ${cancelled} has ended, as Cancelled`);

  rig.breaks('I2 no request created port');
  const lost = await makeElsewhere('Field team sim1-0123456789abcdef', [3]);
  expect(await reasonOf(lost)).toContain('simporter created port');
});

test('a number that another import has in progress declines its port, until that import has ended', async () => {
  await ported([plannedRowOf(1, 2)]);
  const claim = await rig.numbers.get(msisdnOf(1));
  const portId = await makeElsewhere('Field team', [2]);
  await rig.numbers.claim([{ ...(claim as NonNullable<typeof claim>), number: msisdnOf(2) }]);
  const declined = await adoptPort(portId);
  const message = `${msisdnOf(2)} is already in progress on line 2 of import import-a`;
  expect(declined).toMatchObject({ state: 'rejected', issues: [{ code: 'PORT_NOT_ADOPTABLE', message }] });

  await rig.porting.cancelPort((await rig.request('import-a')).portId ?? '');
  rig.pass(hour);
  await rig.sync();
  rig.pass(hour);
  await rig.sync();
  expect(await adoptPort(portId)).toMatchObject({ importId: declined.importId, state: 'in-progress', issues: [] });
  expect(await rig.numbers.get(msisdnOf(2))).toMatchObject({ importId: declined.importId, line: 2 });
});

test('the prediction knows the numbers of an adopted port, and `number` shows it', async () => {
  const portId = await makeElsewhere('Field team', [1, 2]);
  const { importId } = await adoptPort(portId);
  const claim = await rig.numbers.get(msisdnOf(2));
  if (claim === undefined) throw new Error('the number has no claim');
  const prediction = predictNumber(claim, await rig.requests.get(claim.importId, claim.request));
  expect(prediction).toEqual({ kind: 'in-progress', importId, line: 3 });
  const sources = { ...rescheduleDependencies(), ...rig, resources: { account: testSettings.account } as never };
  expect(await readNumberDetails(sources, msisdnOf(2))).toMatchObject({
    importId,
    portId,
    line: 3,
    outcome: 'in-progress',
    file: 'port Field team.csv',
    submittedAt: null,
  });
});

test('a row that was cancelled before claims no number, and the others can be cancelled', async () => {
  const portId = await makeElsewhere('Field team', [1, 2], { pac: 'INV123456' });
  rig.pass(hour);
  const [first] = (await rig.porting.port(portId)).rows;
  const cancel = { Msisdn: first?.msisdn ?? '', PortRowStatus: 'CancellationRequested' as const };
  await rig.porting.updatePort(portId, { Rows: [cancel] });
  rig.pass(hour);
  const item = await adoptPort(portId);
  expect(await rig.numbers.get(msisdnOf(1))).toBeUndefined();
  expect(await rig.numbers.get(msisdnOf(2))).toMatchObject({ importId: item.importId, line: 3 });
  const [, cancelled, live] = await resultsOf(item.importId);
  expect([cancelled?.includes('cancelled'), live?.includes('action-required')]).toEqual([true, true]);
  const sources = { ...rig, resources: { resultsBucket: services.buckets.results } };
  expect(await readCancellableRows(sources, item)).toMatchObject({ rows: [{ portId }], unread: 0, unknown: 0 });
});

test('an invalid PAC requires action, as in a port of simporter', async () => {
  const portId = await makeElsewhere('Field team', [1], { pac: 'INV123456' });
  const { importId } = await adoptPort(portId);
  rig.pass(hour);
  await rig.sync();
  expect(await rig.ports.get(portId)).toMatchObject({ importId, actionRequired: 1 });
  const item = await report(importId, reportParts(rig));
  expect(item).toMatchObject({ actionRequired: 1, corrections: { 'update-port': 1 } });
});

test('an adopted port is rescheduled like any other, with its PACs', async () => {
  const { importId } = await adoptPort(await makeElsewhere('Field team', [1, 2], { pac: 'XYZ987654' }));
  const moved = await move('2026-07-20', { reschedule: importId });
  expect(moved).toMatchObject({ state: 'submitting', rows: 2 });
  rig.pass(hour);
  await rig.sync();
  await syncUntilReleased(1);
  await submitWaiting();
  const { portId = '' } = await rig.request(moved.importId);
  const { rows, connectionDate } = await rig.porting.port(portId);
  expect(connectionDate.slice(0, 10)).toBe('2026-07-20');
  expect(rows.map(({ pac, tariffId }) => [pac, tariffId])).toEqual(Array(2).fill(['XYZ987654', 2001]));
});

test('an adopted port is rescheduled with a PAC in a notation that only the service takes', async () => {
  const { importId } = await adoptPort(await makeElsewhere('Field team', [1], { pac: 'ABC7351420' }));
  const moved = await move('2026-07-20', { reschedule: importId });
  rig.pass(hour);
  await rig.sync();
  await syncUntilReleased(1);
  await submitWaiting();
  const { portId = '' } = await rig.request(moved.importId);
  expect((await rig.porting.port(portId)).rows.map(({ pac }) => pac)).toEqual(['ABC7351420']);
});

test('an adopted port whose PAC the service does not show keeps its date', async () => {
  const portId = await makeElsewhere('Field team', [1], { pac: 'XYZ987654' });
  const { importId } = await adoptPort(portId);
  const moved = await move('2026-07-20', { reschedule: importId });
  rig.pass(hour);
  const port = async (id: string) => {
    const detail = await rig.porting.port(id);
    return { ...detail, rows: detail.rows.map(({ pac: _, ...row }) => row) };
  };
  await rig.sync({ client: { ...rig.porting, port } });
  const message = `port ${portId} stays as it is: the PAC of line 2 is not known, so no other port can have it`;
  expect(await rig.request(moved.importId)).toMatchObject({ state: 'declined', error: { message } });
  expect((await rig.porting.port(portId)).statusName).not.toBe('Cancelled');
});

test('services of an adopted port are compared with those of its rows once it is complete', async () => {
  const services = [{ name: 'Roaming', value: 'true' }];
  const { importId } = await adoptPort(await makeElsewhere('Field team', [1], { rowChanges: { services } }));
  rig.pass(12 * day);
  const off = [{ groupName: 'all', services: [{ name: 'Roaming', type: 'Service', optionValue: 'false' }] }];
  await rig.sync({ client: { ...rig.porting, simServices: async () => off as never } });
  expect(await Array.fromAsync(rig.comparisons.ofImport(importId))).toMatchObject([
    { state: 'found', networkNumber: 101, sims: [{ line: 2, msisdn: msisdnOf(1) }] },
  ]);
  const item = await report(importId, reportParts(rig));
  expect(item?.mismatches).toMatchObject({ sims: 1 });
});

test('the file of an adopted port has the words of bars and services, so that it can be imported', async () => {
  const services = [
    { name: 'Premium Rate Calls', value: 'false' },
    { name: 'Roaming', value: 'true' },
  ];
  const { importId } = await adoptPort(await makeElsewhere('Field team', [1], { rowChanges: { services } }));
  const [, row] = await resultsOf(importId);
  expect(row).toContain('"Premium Rate Calls=block;Roaming=on"');
});

test('a port with more numbers than the table can have of a port is declined, with the reason', async () => {
  const portId = await makeElsewhere('Field team', [1]);
  const detail = await rig.porting.port(portId);
  const rowsOf = (length: number) =>
    Array.from({ length }, (_, index) => ({ ...detail.rows[0], msisdn: msisdnOf(index) }));
  const client = { ...rig.porting, port: async () => ({ ...detail, rows: rowsOf(4_001) as typeof detail.rows }) };
  const parts = rig.syncParts({ client });
  const item = await adopt({ adopt: portId, by: 'Sam' }, { ...parts, openCatalogue: () => createCatalogue(client) });
  const reason = 'has 4,001 numbers, and one with more than 4,000 is not followed: look at it in the portal';
  expect(item).toMatchObject({ state: 'rejected', issues: [{ message: `port ${portId} ${reason}` }] });
});

test('a port whose rows differ is followed, and is not rescheduled', async () => {
  const rowChanges = { groupName: 'Other team', tariffId: 2002, boltOns: [] };
  const { importId } = await adoptPort(await makeElsewhere('Field team', [1, 2], { rowChanges }));
  const moved = await move('2026-07-20', { reschedule: importId });
  expect(moved).toMatchObject({ state: 'rejected', issues: [{ code: 'PORT_NOT_CHANGEABLE' }] });
  const [, first, second] = await resultsOf(importId);
  expect(first).toEqual(expect.arrayContaining(['2002', 'Other team']));
  expect(second).toEqual(expect.arrayContaining(['2001', 'Field team']));
});

test('a port that ends while every notification is lost ends its import all the same', async () => {
  const { importId } = await adoptPort(await makeElsewhere('Field team', [1]));
  const killed = { send: () => Promise.reject(new Error('killed')) };
  for (let step = 0; step < 12; step += 1) {
    rig.pass(day);
    await rig.sync({ queues: killed }).catch(() => undefined);
  }
  services.emptyQueues();
  rig.pass(day);
  await rig.sync();
  expect(services.waiting('report').map(({ body }) => body)).toContainEqual({ importId });
});
