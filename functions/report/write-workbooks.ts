// Writes each CSV of an import that people fetch as a workbook, too. Memory does not grow with the rows: the CSV is
// read as a stream, and the workbook is written as one.

import { sheetLimits, UnwritableWorkbook, workbookType, writeWorkbook } from '#shared/files/workbook/write-workbook.ts';
import { correctionKindsOf } from '#shared/outcome/row-result.ts';
import type { Pipeline } from '#shared/pipeline/pipeline.ts';
import { openCsvTable } from '#shared/results/import-files.ts';
import type { WithLayout } from '#shared/results/results-csv.ts';
import { type Deadline, DeadlineExceeded, timeNeeded } from '#shared/runtime/clock.ts';
import type { ObjectHead } from '#shared/store/files.ts';
import { csvEtagName, csvKeyOf, importFileKey, isObjectGone, workbookKeyOf } from '#shared/store/object-keys.ts';
import type { OperationName } from '#shared/text/identity.ts';

interface WorkbookRows extends WithLayout {
  readonly importId: string;
  readonly operation: OperationName | null;
  readonly rows: number;
  readonly mismatches?: object | undefined;
}

interface Workbook {
  readonly name: string;
  /** What it can be imported with. */
  readonly operation?: OperationName;
}

function workbooksOf({ operation, mismatches }: WorkbookRows): Workbook[] {
  const corrections = correctionKindsOf(operation).map((kind) => ({ name: `correct-${kind}.xlsx`, operation: kind }));
  const ofMismatches: Workbook = { name: 'mismatches-bar-service-config.xlsx', operation: 'bar-service-config' };
  return [{ name: 'results.xlsx' }, ...corrections, ...(mismatches === undefined ? [] : [ofMismatches])];
}

/**
 * Writes the workbooks that do not have the rows of their CSV; none for an import with more rows than a sheet.
 * @throws DeadlineExceeded, and what the buckets throw; the next delivery of the message continues
 */
export async function writeWorkbooks(item: WorkbookRows, deadline: Deadline, pipeline: Pipeline): Promise<void> {
  if (item.rows >= sheetLimits.rows) return;
  const { files, resources } = pipeline;
  const head = (key: string) => files.head({ bucket: resources.resultsBucket, key });
  const workbooks = await Promise.all(
    workbooksOf(item).map(async ({ name, operation }) => {
      const key = importFileKey(item.importId, name);
      return { key, operation, firstCsv: await head(csvKeyOf(key)) };
    }),
  );
  for (const { key, operation, firstCsv } of workbooks) {
    let csv = firstCsv;
    let written = csv && (await head(key))?.metadata[csvEtagName];
    while (csv !== undefined && csv.etag !== written) {
      if (!(await writeFrom({ item, csv, operation }, deadline, pipeline))) break;
      written = csv.etag;
      // Another run may have replaced the CSV meanwhile. One that has written another workbook looks as well.
      csv = await head(csv.key);
    }
  }
}

/** Returns false when the rows do not fit into a workbook. */
async function writeFrom(
  { item, csv, operation }: { item: WorkbookRows; csv: ObjectHead; operation: OperationName | undefined },
  deadline: Deadline,
  { files, resources, log }: Pipeline,
): Promise<boolean> {
  const key = workbookKeyOf(csv.key);
  const writer = files.open(csv.bucket, key, workbookType, { [csvEtagName]: csv.etag });
  try {
    const table = await openCsvTable({ files, resources }, item, { object: csv, operation });
    if (table === undefined) throw new UnwritableWorkbook(`${csv.key} cannot be read`);
    for await (const bytes of writeWorkbook(table)) {
      if (!deadline.hasTimeFor(timeNeeded.cleanUp)) throw new DeadlineExceeded(`time ran out while ${key} was written`);
      await writer.write(bytes);
    }
    await writer.close();
    return true;
  } catch (error) {
    await writer.abort();
    if (isObjectGone(error)) return true;
    if (!(error instanceof UnwritableWorkbook)) throw error;
    log.warn('a file has no workbook', { importId: item.importId, key, error });
    return false;
  }
}
