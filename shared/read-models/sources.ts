// Where the read models read: the tables and buckets of one account.
import type { ObjectReader } from '#shared/store/files.ts';
import type { ImportReader } from '#shared/store/imports.ts';
import type { NumberReader } from '#shared/store/numbers.ts';
import type { PortReader } from '#shared/store/ports.ts';
import type { RequestReader } from '#shared/store/requests.ts';
import type { RateLimitStore } from '#shared/store/tables/rate-limit-state.ts';
import type { ComparisonReader } from '#shared/store/tables/service-mismatches.ts';

/** The files for people and the reference data. */
export interface ResultFiles {
  readonly files: ObjectReader;
  readonly resources: { readonly resultsBucket: string };
}

/** What the results of rows are made from. */
export interface ResultSources extends ResultFiles {
  readonly imports: ImportReader;
  readonly requests: RequestReader;
  readonly ports: PortReader;
  readonly comparisons: ComparisonReader;
}

export interface ReadSources extends ResultSources {
  readonly resources: {
    readonly account: number;
    /** The country of a national number of this account. */
    readonly callingCode: string;
    readonly resultsBucket: string;
    readonly workBucket: string;
  };
  readonly numbers: NumberReader;
  readonly rateLimiter: RateLimitStore['get'];
}
