// The stores that only the API has, beside those of the read models.
import type { AwsClients } from './clients.ts';
import { createLinks } from './files/links.ts';
import { createMultipartUploads } from './files/multipart-uploads.ts';
import { createAudit } from './tables/audit.ts';
import { createUploads } from './tables/uploads.ts';

export const openApiStores = ({ s3, table }: Pick<AwsClients, 's3' | 'table'>, resultsTable: string) => ({
  links: createLinks(s3),
  audit: createAudit(table, resultsTable),
  uploads: createUploads(table, resultsTable),
  multipart: createMultipartUploads(s3),
});
