// A second port of a request that has ended: people are told of it, whatever became of the first.
import { expect, test } from 'vitest';
import { answered } from '#shared/domain/request-state.ts';
import { hour } from '../../support/porting-service.ts';
import { rig } from '../../support/results-fresh.ts';
import { withoutPorts } from '../../support/results-purged.ts';
import { msisdnOf, plannedRowOf, quietMs } from '../../support/results-rig.ts';

const rows = [plannedRowOf(1, 2), plannedRowOf(2, 3)];

/** Ends the request of `import-a` by the cancel of its port, then lets a late answer name another port; answers the first. */
const endThenNameAnother = async (): Promise<string> => {
  await rig.submit(await rig.planOne('import-a', rows));
  const { portId = '' } = await rig.request('import-a');
  await rig.porting.cancelPort(portId);
  rig.pass(6 * hour);
  await rig.sync();
  const item = await rig.request('import-a');
  expect(item.endedAt).toBeDefined();
  const times = { now: rig.service.now(), quietMs };
  const late = answered(item, 1, { kind: 'created', portId: 'late-port' }, times) ?? item;
  await rig.requests.replace(item, late);
  return portId;
};

test('fault 46: a second port that a late answer names is told of although the request has ended', async () => {
  const portId = await endThenNameAnother();
  const { endedAt } = await rig.request('import-a');
  expect(await rig.sync()).toMatchObject({ imports: 1 });
  expect((await rig.ports.get(portId))?.concern).toContain('late-port');
  expect(await rig.request('import-a')).toMatchObject({ endedAt, attention: 1 });
});

test('fault 46: so it is when the service has purged the port that ended', async () => {
  const portId = await endThenNameAnother();
  const { endedAt } = await rig.request('import-a');
  expect(await rig.sync({ client: withoutPorts(rig, portId) })).toMatchObject({ imports: 1, people: 0 });
  expect(await rig.ports.attention(1001)).toMatchObject([
    { portId, status: 'Cancelled', missingLooks: 1, concern: expect.stringContaining('late-port') },
  ]);
  const request = await rig.request('import-a');
  expect(request).toMatchObject({ state: 'created', endedAt, attention: 1 });
  expect(request.dueAt).toBeUndefined();
});

test('fault 46: so it is when its plan has expired and its numbers are in another import', async () => {
  const portId = await endThenNameAnother();
  expect(await rig.submit(await rig.planOne('import-b', rows))).toBe('created');
  expect(await rig.sync({ plans: { read: async () => undefined } })).toMatchObject({ imports: 1, people: 0 });
  expect((await rig.ports.get(portId))?.concern).toContain('late-port');
  expect(await rig.request('import-a')).toMatchObject({ state: 'created', attention: 1 });
  expect(await rig.numbers.get(msisdnOf(1))).toMatchObject({ importId: 'import-b' });
});
