// The services of the results rig for all tests of a file, and a new rig for each test.
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { type Rig, startRig } from './results-rig.ts';
import { type ResultsServices, startResultsServices } from './results-services.ts';

export let services: ResultsServices;
export let rig: Rig;

/** Called once by each test file: modules are shared between files, so importing this one registers nothing. */
export function useFreshRig(): void {
  beforeAll(async () => {
    services = await startResultsServices();
  });
  afterAll(() => services.stop());
  beforeEach(async () => {
    rig = await startRig(services);
  });
}
