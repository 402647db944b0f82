// What people read of an import after its upload, or that of one of its parts, has expired.
import type { ImportItem } from '#shared/import/import.ts';
import type { BucketTwin } from '../support/in-memory/bucket.ts';
import { buckets } from './pipeline.ts';

type Buckets = Pick<BucketTwin, 'places' | 'written'>;

/** Whether the file that an import has read is gone. Another upload may have its name since. */
export function isFileGone({ bucket, key, versionId }: ImportItem, { places, written }: Buckets): boolean {
  if (bucket !== buckets.inbox) return !places().includes(`${bucket}/${key}`);
  return !written(bucket).some((each) => each.key === key && each.versionId === versionId);
}

export const hasGoneFile = (first: ImportItem, imports: readonly ImportItem[], twin: Buckets): boolean =>
  imports.some((item) => (item.partOf?.importId ?? item.importId) === first.importId && isFileGone(item, twin));

const lasting = [
  'results of the command line',
  'status of the command line',
  'rejected rows of the command line',
  'corrections of the command line',
  'imports of the command line',
  'list of the API',
  'import of the API',
  'rows of the API',
  'correction files',
  'report of the API',
  'actions',
] as const;

/** Once report has written the results, no surface fails, whatever has expired since. */
export async function checkReadable(
  first: ImportItem,
  read: (name: (typeof lasting)[number]) => Promise<unknown>,
): Promise<string[]> {
  const failures: string[] = [];
  for (const name of first.outcomes === undefined ? [] : lasting) {
    await read(name).catch((error: unknown) => {
      failures.push(`I8 ${name} of ${first.importId} cannot be read: ${error}`);
    });
  }
  return failures;
}
