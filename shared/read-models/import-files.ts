// The files of an import that people download: each CSV, and a workbook with the same rows that report writes after it.
import type { ObjectHead } from '#shared/store/files.ts';
import { csvEtagName, csvKeyOf, importFileKey } from '#shared/store/object-keys.ts';
import type { ResultFiles } from './sources.ts';

/** The CSV of a workbook that is not written yet, or has the rows of an earlier CSV. */
export interface MissingWorkbook {
  readonly csv: ObjectHead;
}

/** undefined: there is no such file, or it has expired. */
export async function findImportFile(
  { files, resources }: ResultFiles,
  importId: string,
  name: string,
): Promise<ObjectHead | MissingWorkbook | undefined> {
  const key = importFileKey(importId, name);
  const head = (key: string) => files.head({ bucket: resources.resultsBucket, key });
  if (!name.endsWith('.xlsx')) return head(key);
  const [csv, workbook] = await Promise.all([head(csvKeyOf(key)), head(key)]);
  if (csv === undefined) return undefined;
  return workbook?.metadata[csvEtagName] === csv.etag ? workbook : { csv };
}
