// Whether an upload has expired, and what people read of its import then, or of one whose part has no upload any more.
import type { ImportItem } from '#shared/import/import.ts';
import type { Dropped, Outcome } from './outcome.ts';
import { buckets } from './pipeline.ts';

/** Report writes nothing about it any more, and what it wrote is as it was. */
export const isUploadGone = ({ key, version: versionId }: Dropped, { uploadsLeft }: Outcome): boolean =>
  !isAmong(uploadsLeft, { key, versionId });

/** The same of the file that an import has read. Another upload may have its name since. */
function isFileGone(item: ImportItem, { places, uploadsLeft }: FilesLeft): boolean {
  const { bucket, key } = item;
  return bucket === buckets.inbox ? !isAmong(uploadsLeft, item) : !places.includes(`${bucket}/${key}`);
}

type FilesLeft = Pick<Outcome, 'places' | 'uploadsLeft'>;

interface Version {
  readonly key: string;
  readonly versionId?: string | undefined;
}

const isAmong = (versions: readonly Version[], { key, versionId }: Version): boolean =>
  versions.some((each) => each.key === key && each.versionId === versionId);

/** The results of the import cannot be written any more. */
export const hasGoneFile = (first: ImportItem, imports: readonly ImportItem[], left: FilesLeft): boolean =>
  imports.some((item) => (item.partOf?.importId ?? item.importId) === first.importId && isFileGone(item, left));

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
