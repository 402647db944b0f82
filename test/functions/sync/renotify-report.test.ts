import { expect, test } from 'vitest';
import { day, hour, minute } from '../../support/service/simulator.ts';
import { rig, services, useFreshRig } from '../../support/steps/fresh-services.ts';
import { importItemOf } from '../../support/steps/submit-and-sync.ts';

useFreshRig();

const iso = (epochMs: number): string => new Date(epochMs).toISOString();
const begin = async (importId: string, changes: Parameters<typeof importItemOf>[1] = {}) => {
  await rig.imports.begin(importItemOf(importId, { changedAt: iso(rig.service.now()), ...changes }));
  await rig.notifications.set(importId, rig.service.now() + minute);
};
/** The imports of which one run notified report, one entry per message. */
const toldBy = async (run: () => Promise<unknown>): Promise<unknown[]> => {
  services.emptyQueues();
  await run();
  return services.waiting('report').map(({ body }) => (body as { importId: string }).importId);
};

test('report is notified of an unchanged import when its notification is due, and not before', async () => {
  await begin('import-a');
  expect(await toldBy(rig.sync)).toEqual([]);
  rig.pass(minute);
  expect(await toldBy(rig.sync)).toEqual(['import-a']);
  expect(await toldBy(rig.sync)).toEqual([]);
  rig.pass(hour);
  expect(await toldBy(rig.sync)).toEqual(['import-a']);
});

test('a run that cannot notify report leaves it to the next run', async () => {
  await begin('import-a');
  rig.pass(minute);
  const down = { send: () => Promise.reject(new Error('no queue')) };
  const failing = async () => expect(rig.sync({ queues: down })).rejects.toThrow('renotify report: no queue');
  expect(await toldBy(failing)).toEqual([]);
  expect(await toldBy(rig.sync)).toEqual(['import-a']);
});

test('an import that ended more than a week ago is notified for the last time, like one that does not exist', async () => {
  await begin('import-a', { state: 'finished', changedAt: iso(rig.service.now() - 9 * day) });
  await rig.notifications.set('import-gone', rig.service.now());
  rig.pass(minute);
  expect(await toldBy(rig.sync)).toEqual(['import-gone', 'import-a']);
  expect(await rig.notifications.due(rig.service.now() + 1000 * day, 10)).toEqual([]);
});
