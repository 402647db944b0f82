// What a number costs in the table from drop to Complete, in write units: the budget that docs/data.md explains.
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { report } from '#functions/report/report.ts';
import { operationNamed } from '#shared/operations/registry.ts';
import { importItemOf, plannedRowOf, silentLog, startRig } from '../support/results-rig.ts';
import { type ResultsServices, startResultsServices } from '../support/results-services.ts';
import { countWriteUnits } from '../support/results-units.ts';

let services: ResultsServices;
beforeAll(async () => {
  services = await startResultsServices();
});
afterAll(() => services.stop());

test('a number of a full request costs at most four write units from drop to Complete', async () => {
  const rig = await startRig(services);
  const units = countWriteUnits(services.table);
  const rows = Array.from({ length: 100 }, (_, index) => plannedRowOf(index, index + 2));
  const parts = {
    imports: rig.imports,
    requests: rig.requests,
    ports: rig.ports,
    drifts: rig.drifts,
    files: rig.files,
    operationNamed,
    resultsBucket: 'results',
    wall: rig.service.now,
    log: silentLog,
  };
  await rig.imports.begin(importItemOf('import-a', { rows: rows.length }));
  const message = await rig.planOne('import-a', rows);
  await rig.submit(message);
  let state = '';
  for (let looks = 0; looks < 40 && state !== 'completed'; looks += 1) {
    await rig.syncNext();
    state = (await report('import-a', parts))?.state ?? '';
  }
  expect(state).toBe('completed');
  const perRow = units.total() / rows.length;
  expect(perRow).toBeLessThanOrEqual(4);
  const data = await readFile(new URL('../../docs/data.md', import.meta.url), 'utf8');
  expect(data).toContain(`**${perRow.toFixed(1)} write units**`);
}, 120_000);
