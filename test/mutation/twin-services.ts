// Replaces test/support/results-services.ts in tests with mutants: there are thousands of them.
export { startTwinServices as startResultsServices } from '../support/twin-services.ts';
