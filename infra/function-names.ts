// The functions of simporter, and where the source file of each is.
import type { Code } from 'aws-cdk-lib/aws-lambda';

/** The steps of the pipeline in their order, and announce, which publishes events. */
export const pipelineFunctions = ['ingest', 'submit', 'sync', 'report', 'announce'] as const;
/** The API of the console: what reads, and what writes. */
export const apiFunctions = ['api-read', 'api-write'] as const;
export const functionNames = [...pipelineFunctions, ...apiFunctions, 'simulator'] as const;
export type FunctionName = (typeof functionNames)[number];

/** Returns the code of one function. */
export type FunctionCode = (name: FunctionName) => Code;

/** The source file of a function's handler, relative to the repository. */
export const entryOf = (name: FunctionName): string =>
  name === 'simulator' ? 'simulator/entry.ts' : `functions/${name}/entry.ts`;
