// Imports whose message is lost, or hidden after a crash, are announced again.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { readMessage } from '#functions/ingest/handler.ts';
import { rescueImports } from '#functions/sync/lost-messages.ts';
import type { ImportItem } from '#shared/import/import.ts';
import { attemptUntil } from '#shared/import/import-state.ts';
import type { ResultsServices } from '../../support/embedded/services.ts';
import { startTwinServices } from '../../support/in-memory/services.ts';
import { hour, minute } from '../../support/service/simulator.ts';
import { importItemOf, type Rig, startRig } from '../../support/steps/submit-and-sync.ts';

let services: ResultsServices;
let rig: Rig;
let clock: number;

beforeAll(async () => {
  services = await startTwinServices();
});
afterAll(() => services.stop());
beforeEach(async () => {
  rig = await startRig(services);
  clock = Date.now();
});

const runOf = (runId = 'run') => rig.runParts({ clocks: { wall: () => clock, calendar: () => clock }, runId });
const begin = (importId: string, changes: Partial<ImportItem> = {}) => {
  const key = `create-port/${importId}.csv`;
  const times = { receivedAt: new Date(clock).toISOString(), attemptUntil: attemptUntil(clock + 15 * minute) };
  return rig.imports.begin(importItemOf(importId, { key, versionId: 'v1', state: 'planning', ...times, ...changes }));
};
const announced = () => services.waiting('ingest').flatMap(({ body }) => readMessage(JSON.stringify(body)).uploads);

test('an import in planning is announced again once its invocation must have ended, and not before', async () => {
  await begin('a');
  clock += 20 * minute;
  expect(await rescueImports(runOf())).toBe(0);
  clock += 1;
  expect(await rescueImports(runOf())).toBe(1);
  expect(announced()).toMatchObject([{ key: 'create-port/a.csv', versionId: 'v1' }]);
  // Nothing else of the table remembers it, so nothing is left when the import expires.
  expect((await rig.imports.get('a'))?.rescues).toEqual({ times: 1, at: new Date(clock).toISOString() });
});

test('it is announced again after a quarter of an hour at the earliest, and eight times at most', async () => {
  await begin('a');
  clock += hour;
  expect(await rescueImports(runOf('1'))).toBe(1);
  clock += 14 * minute;
  expect(await rescueImports(runOf('2'))).toBe(0);
  for (let time = 2; time <= 12; time += 1) {
    clock += hour;
    expect(await rescueImports(runOf(`run ${time}`))).toBe(time <= 8 ? 1 : 0);
  }
});

test.each<[string, Partial<ImportItem>, number]>([
  ['a plan that may be released', { state: 'planned', planOnly: false }, 1],
  ['a plan that was approved', { state: 'planned', planOnly: true, approvedAt: '2026-07-06T09:00:00.000Z' }, 1],
  ['a plan that waits for approval', { state: 'planned', planOnly: true }, 0],
  ['an import whose requests are in the ledger', { state: 'submitting' }, 0],
  ['a rejected import', { state: 'rejected' }, 0],
  ['an import that reschedules ports', { reschedules: { importId: 'b', date: 'auto' } }, 0],
])('of the other imports: %s', async (_, changes, rescued) => {
  await begin('a', changes);
  clock += hour;
  expect(await rescueImports(runOf())).toBe(rescued);
});
