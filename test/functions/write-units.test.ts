// What a number costs in the table from import to Complete, in write units: the budget that docs/contributing/cost.md
// explains.
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { writeUnitsOfRequest } from '../support/embedded/measured-write-units.ts';
import { type ResultsServices, startResultsServices } from '../support/embedded/services.ts';

let services: ResultsServices;
beforeAll(async () => {
  services = await startResultsServices();
});
afterAll(() => services.stop());

test('a number of a full request costs at most four write units from import to Complete', async () => {
  const perRow = (await writeUnitsOfRequest(services, { importId: 'import-a', rows: 100 })) / 100;
  expect(perRow).toBeLessThanOrEqual(4);
  const page = await readFile(new URL('../../docs/contributing/cost.md', import.meta.url), 'utf8');
  expect(page).toContain(`**${perRow.toFixed(1)} write units**`);
});
