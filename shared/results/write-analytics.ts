// Writes the rows of a finished import for queries (decision 56). They are made from results.csv, so both have the same
// cells, and neither has a PAC.

import { readCsv } from '#shared/files/csv/read-csv.ts';
import type { ImportItem } from '#shared/import/import.ts';
import { isObjectGone } from '#shared/store/files/object-gone.ts';
import type { Files, ObjectHead } from '#shared/store/files.ts';
import { analyticsKey, csvEtagName, resultsKey } from '#shared/store/object-keys.ts';
import { analyticsParquet } from './analytics.ts';
import { layoutForPeople } from './results-csv.ts';

interface AnalyticsFiles {
  readonly files: Files;
  /** `callingCode` is the country of a national number. */
  readonly resources: { readonly resultsBucket: string; readonly callingCode: string };
}

/**
 * Does nothing while the file has the rows of results.csv. The rows of a correction are those of its first import.
 * @param checkTime called after each group of rows; what it throws leaves the file as it was
 */
export async function writeAnalytics(
  item: ImportItem,
  { files, resources }: AnalyticsFiles,
  checkTime: () => void = () => undefined,
): Promise<void> {
  const { resultsBucket: bucket } = resources;
  if (item.state !== 'finished' || item.rootImportId !== undefined) return;
  // Another run may replace results.csv meanwhile, so the two are compared again.
  for (;;) {
    const [csv, written] = await Promise.all(
      [resultsKey(item.importId), analyticsKey(item)].map((key) => files.head({ bucket, key })),
    );
    if (csv === undefined || written?.metadata[csvEtagName] === csv.etag) return;
    await writeFrom(csv, item, { files, resources }, checkTime);
  }
}

async function writeFrom(
  csv: ObjectHead,
  item: ImportItem,
  { files, resources: { resultsBucket, callingCode } }: AnalyticsFiles,
  checkTime: () => void,
): Promise<void> {
  const type = 'application/vnd.apache.parquet';
  const writer = files.open(resultsBucket, analyticsKey(item), type, { [csvEtagName]: csv.etag });
  try {
    const opened = await readCsv(
      await files.read({ bucket: csv.bucket, key: csv.key, etag: csv.etag }),
      layoutForPeople(item),
    );
    if (!opened.ok) throw new Error(`${csv.key} cannot be read: ${opened.issue.message}`);
    for await (const bytes of analyticsParquet(item, opened.value.batches, callingCode)) {
      checkTime();
      await writer.write(bytes);
    }
    await writer.close();
  } catch (error) {
    await writer.abort();
    if (!isObjectGone(error)) throw error;
  }
}
