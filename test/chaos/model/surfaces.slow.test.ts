// The comparison of all surfaces finds each one that forgets what the parts of an import did, and what the service does
// not have.
import { expect, test } from 'vitest';
import { notify, outcomeOf, put, settle } from '../drive.ts';
import { csvTextOf, validRows } from '../scenario.ts';
import { surfaceNames, violationsOfSurfaces } from '../surfaces.ts';
import { createRig } from './rig.ts';
import { runModel } from './run-model.ts';

const mostRuns = 200;

test.each(surfaceNames)('%s without the parts of an import are noticed', { timeout: 300_000 }, async (forgets) => {
  const { complaint } = await runModel({ seed: 13, runs: mostRuns, forgets });
  expect(complaint).toContain(`I8 ${forgets} of `);
});

test('rows that are shown in other ports than those of the service are noticed', async () => {
  const { world, pass } = createRig({
    seed: 1,
    takesTwice: false,
    removesBlocking: false,
    cutsEnds: false,
    isWhole: false,
  });
  notify(await put('create-port/file.csv', csvTextOf(validRows(0, 2)), world), 0, world);
  await pass(10 * 60_000);
  await settle(world);
  const service = await outcomeOf(world, [], { isWhole: false });
  const check = { isReported: true, service };
  expect(await violationsOfSurfaces(world, check)).toEqual([]);
  const [gone] = await violationsOfSurfaces(world, { ...check, service: { ...service, servicePorts: [] } });
  expect(gone).toContain('is not in its port');
});
