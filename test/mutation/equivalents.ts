// Mutants that live because they change nothing that anybody can see, each with the reason. One that is not found any
// more, or is killed by now, is a complaint.
import type { Explanation } from './equivalents/explanation.ts';
import { ofImportsPortsRequests } from './equivalents/imports-ports-requests.ts';
import { ofNumbersDatesTexts } from './equivalents/numbers-dates-texts.ts';
import { ofSteps } from './equivalents/steps.ts';
import { ofTablesAndResults } from './equivalents/tables-and-results.ts';

export type Equivalent = Omit<Explanation, 'mutants'> & Explanation['mutants'][number];

export const equivalents: readonly Equivalent[] = [
  ...ofImportsPortsRequests,
  ...ofNumbersDatesTexts,
  ...ofSteps,
  ...ofTablesAndResults,
].flatMap(({ mutants, ...about }) => mutants.map((mutant) => ({ ...about, ...mutant })));
