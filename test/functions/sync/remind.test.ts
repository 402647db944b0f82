import { expect, test } from 'vitest';
import { day, hour, minute } from '../../support/porting-service.ts';
import { rig, services } from '../../support/results-fresh.ts';
import { importItemOf } from '../../support/results-rig.ts';

const iso = (epochMs: number): string => new Date(epochMs).toISOString();
const begin = async (importId: string, changes: Parameters<typeof importItemOf>[1] = {}) => {
  await rig.imports.begin(importItemOf(importId, { changedAt: iso(rig.service.now()), ...changes }));
  await rig.reminders.set(importId, rig.service.now() + minute);
};
/** The imports that report was told of by one run, each message once. */
const toldBy = async (run: () => Promise<unknown>): Promise<unknown[]> => {
  services.emptyQueues();
  await run();
  return services.waiting('report').map(({ body }) => (body as { importId: string }).importId);
};

test('report is told of an import of which nothing changed, when its reminder is due and not before', async () => {
  await begin('import-a');
  expect(await toldBy(rig.sync)).toEqual([]);
  rig.pass(minute);
  expect(await toldBy(rig.sync)).toEqual(['import-a']);
  expect(await toldBy(rig.sync)).toEqual([]);
  rig.pass(hour);
  expect(await toldBy(rig.sync)).toEqual(['import-a']);
});

test('a run that cannot tell leaves the reminder for the next', async () => {
  await begin('import-a');
  rig.pass(minute);
  const down = { send: () => Promise.reject(new Error('no queue')) };
  expect(await toldBy(() => rig.sync({ queues: down }))).toEqual([]);
  expect(await toldBy(rig.sync)).toEqual(['import-a']);
});

test('an import that ended more than a week ago is told of for the last time, one that is gone as well', async () => {
  await begin('import-a', { state: 'completed', changedAt: iso(rig.service.now() - 9 * day) });
  await rig.reminders.set('import-gone', rig.service.now());
  rig.pass(minute);
  expect(await toldBy(rig.sync)).toEqual(['import-gone', 'import-a']);
  expect(await rig.reminders.due(rig.service.now() + 1000 * day, 10)).toEqual([]);
});

test('reminders that cannot be read do not end the run', async () => {
  await begin('import-a');
  rig.pass(minute);
  const down = { ...rig.reminders, due: () => Promise.reject(new Error('no table')) };
  expect((await rig.sync({ reminders: down })).skipped).toBe(false);
  expect(await toldBy(rig.sync)).toEqual(['import-a']);
});
