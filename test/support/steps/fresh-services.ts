// The services of the results rig for all tests of a file, and a new rig for each test.
import { afterAll, beforeAll, beforeEach } from 'vitest';
import type { ResultsServices } from '../embedded/services.ts';
import { startTwinServices } from '../in-memory/services.ts';
import { type Rig, startRig } from './submit-and-sync.ts';

export let services: ResultsServices;
export let rig: Rig;

/**
 * Called once by each test file: modules are shared between files, so importing this one registers nothing.
 * @param start `startResultsServices` for the embedded services, with which one file of each step is tested
 */
export function useFreshRig(start: () => Promise<ResultsServices> = startTwinServices): void {
  beforeAll(async () => {
    services = await start();
  });
  afterAll(() => services.stop());
  beforeEach(async () => {
    rig = await startRig(services);
  });
}
