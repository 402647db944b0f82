// Where the read models read: the tables and buckets of one account.
import type { Files } from '#shared/store/files/files.ts';
import type { Imports } from '#shared/store/tables/imports.ts';
import type { Numbers } from '#shared/store/tables/numbers.ts';
import type { Ports } from '#shared/store/tables/ports.ts';
import type { RateLimitStore } from '#shared/store/tables/rate-limit-state.ts';
import type { Requests } from '#shared/store/tables/requests.ts';
import type { Comparisons } from '#shared/store/tables/service-mismatches.ts';

/** A read model takes only the sources that it uses. */
export interface ReadSources {
  readonly resources: {
    readonly account: number;
    /** The country of a national number of this account. */
    readonly callingCode: string;
    readonly resultsBucket: string;
    readonly workBucket: string;
  };
  readonly files: Pick<Files, 'head' | 'read'>;
  readonly imports: Pick<Imports, 'get' | 'list'>;
  readonly requests: Pick<Requests, 'get' | 'ofImport' | 'actionRequired'>;
  readonly numbers: Pick<Numbers, 'get' | 'getMany' | 'history'>;
  readonly ports: Pick<Ports, 'get' | 'rows' | 'itemsOf' | 'rowsOf' | 'events' | 'actionRequired'>;
  readonly comparisons: Pick<Comparisons, 'ofImport' | 'found'>;
  readonly rateLimiter: RateLimitStore['get'];
}

/** The files for people and the reference data. */
export interface ResultFiles extends Pick<ReadSources, 'files'> {
  readonly resources: Pick<ReadSources['resources'], 'resultsBucket'>;
}
