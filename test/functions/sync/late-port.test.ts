// A second port of a request that has ended: it is recorded, whatever happened to the first port.
import { expect, test } from 'vitest';
import { applyAnswer } from '#shared/request/request-state.ts';
import { hour } from '../../support/service/simulator.ts';
import { rig, useFreshRig } from '../../support/steps/fresh-services.ts';
import { withoutPorts } from '../../support/steps/purged-ports.ts';
import { msisdnOf, plannedRowOf, quietMs } from '../../support/steps/submit-and-sync.ts';
import { expiredPlans } from '../../support/steps/test-pipeline.ts';

useFreshRig();

const rows = [plannedRowOf(1, 2), plannedRowOf(2, 3)];

/**
 * Ends the request of `import-a` by cancelling its port; then a late answer names another port. Returns the first.
 * @param meanwhile what happens between them
 */
const endThenNameAnother = async (meanwhile = async () => {}): Promise<string> => {
  await rig.submit(await rig.planOne('import-a', rows));
  const { portId = '' } = await rig.request('import-a');
  await rig.porting.cancelPort(portId);
  rig.pass(6 * hour);
  await rig.sync();
  const item = await rig.request('import-a');
  expect(item.endedAt).toBeDefined();
  await meanwhile();
  const times = { now: rig.service.now(), quietMs };
  const late = applyAnswer(item, 1, { kind: 'created', portId: 'late-port' }, times) ?? item;
  await rig.requests.replace(item, late);
  return portId;
};

test('fault 46: a second port is a concern although the request has ended', async () => {
  const portId = await endThenNameAnother();
  const { endedAt } = await rig.request('import-a');
  expect(await rig.sync()).toMatchObject({ imports: 1 });
  expect((await rig.ports.get(portId))?.concern).toContain('late-port');
  expect(await rig.request('import-a')).toMatchObject({ endedAt, actionRequired: 1 });
});

test('fault 46: a second port is a concern when the service has purged the ended one', async () => {
  const portId = await endThenNameAnother();
  const { endedAt } = await rig.request('import-a');
  expect(await rig.sync({ client: withoutPorts(rig, portId) })).toMatchObject({ imports: 1, actionRequired: 0 });
  expect(await rig.ports.actionRequired(1001)).toMatchObject([
    { portId, status: 'Cancelled', missingReads: 1, concern: expect.stringContaining('late-port') },
  ]);
  const request = await rig.request('import-a');
  expect(request).toMatchObject({ state: 'created', endedAt, actionRequired: 1 });
  expect(request.dueAt).toBeUndefined();
});

test('fault 46: a second port is a concern when the plan has expired and another import has the numbers', async () => {
  const portId = await endThenNameAnother(async () => {
    expect(await rig.submit(await rig.planOne('import-b', rows))).toBe('created');
  });
  expect(await rig.sync({ plans: expiredPlans })).toMatchObject({ imports: 1, actionRequired: 0 });
  expect((await rig.ports.get(portId))?.concern).toContain('late-port');
  expect(await rig.request('import-a')).toMatchObject({ state: 'created', actionRequired: 1 });
  expect(await rig.numbers.get(msisdnOf(1))).toMatchObject({ importId: 'import-b' });
});
