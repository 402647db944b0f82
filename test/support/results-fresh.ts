// A file of tests that imports this has the services of the results rig for all of them, and a new rig for each.
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { type Rig, startRig } from './results-rig.ts';
import { type ResultsServices, startResultsServices } from './results-services.ts';

export let services: ResultsServices;
export let rig: Rig;

beforeAll(async () => {
  services = await startResultsServices();
});
afterAll(() => services.stop());
beforeEach(async () => {
  rig = await startRig(services);
});
