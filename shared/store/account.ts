// The stores of one account over its AWS clients.
import type { AwsClients } from './clients.ts';
import { createFiles } from './files.ts';
import { createImports } from './imports.ts';
import { createNumbers } from './numbers.ts';
import { createAudit } from './people.ts';
import { createPorts } from './ports.ts';
import { createRequests } from './requests.ts';
import { createDrafts } from './tables/drafts.ts';
import { createRateLimitStore } from './tables/rate-limit-state.ts';
import { createResolutions } from './tables/resolutions.ts';
import { createSavedSettings } from './tables/saved-settings.ts';
import { createComparisons } from './tables/service-mismatches.ts';
import { createUploads } from './tables/uploads.ts';

export function openStores(
  { s3, table }: AwsClients,
  { resultsTable, account }: { readonly resultsTable: string; readonly account: number },
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
    rateLimiter: createRateLimitStore(table, resultsTable, account).get,
  };
}
