// The stores of one account, and the part of them that reading needs.
import type { AwsClients } from './clients.ts';
import { createFiles, type ObjectReader } from './files.ts';
import { createImports, type ImportReader } from './imports.ts';
import { createRateLimitStore, createSyncRuns, type RateLimitReader, type SyncRunsReader } from './leases.ts';
import { createNumbers, type NumberReader } from './numbers.ts';
import { createAudit, createDrafts, createResolutions, createSavedSettings, createUploads } from './people.ts';
import { type ComparisonReader, createComparisons, createPorts, type PortReader } from './ports.ts';
import { createRequests, type RequestReader } from './requests.ts';

// The stores of one account over its AWS clients.

export function openStores(
  { s3, table }: AwsClients,
  { resultsTable, account }: { readonly resultsTable: string; readonly account: string },
) {
  return {
    files: createFiles(s3),
    imports: createImports(table, resultsTable),
    requests: createRequests(table, resultsTable),
    numbers: createNumbers(table, resultsTable),
    ports: createPorts(table, resultsTable),
    comparisons: createComparisons(table, resultsTable),
    audit: createAudit(table, resultsTable),
    drafts: createDrafts(table, resultsTable),
    resolutions: createResolutions(table, resultsTable),
    savedSettings: createSavedSettings(table, resultsTable, account),
    uploads: createUploads(table, resultsTable),
    rateLimiter: createRateLimitStore(table, resultsTable, account),
    syncRuns: createSyncRuns(table, resultsTable, account),
  };
}

// What only reads: the read models, the command line and the function that reads for the console.

/** The files for people and the reference data. */
export interface ResultFiles {
  readonly files: ObjectReader;
  readonly resources: { readonly resultsBucket: string };
}

/** What the results of rows are made from. */
export interface ResultsReader extends ResultFiles {
  readonly imports: ImportReader;
  readonly requests: RequestReader;
  readonly ports: PortReader;
  readonly comparisons: ComparisonReader;
}

export interface AccountReader extends ResultsReader {
  readonly resources: {
    readonly account: string;
    /** The country of a national number of this account. */
    readonly callingCode: string;
    readonly resultsBucket: string;
    readonly workBucket: string;
  };
  readonly numbers: NumberReader;
  readonly rateLimiter: RateLimitReader;
  readonly syncRuns: SyncRunsReader;
}
