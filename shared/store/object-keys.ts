// The key of every object that simporter reads or writes in S3, by bucket.
import type { ImportItem } from '#shared/import/import.ts';
import { redactName } from '#shared/row/redact.ts';
import { type OperationName, shortId } from '#shared/text/identity.ts';

/** The inbox folder above the operation's folder for files that wait for approval after they are planned. */
const planOnlyFolder = 'plan';
/** A file that is in no folder of an operation ports its numbers: nobody has to know the folders for that. */
export const operationOfRoot: OperationName = 'create-port';

export interface Upload {
  readonly operation: string;
  /** Distinguishes files of the same name. */
  readonly folder?: string;
  readonly fileName: string;
  readonly planOnly: boolean;
}

/** Inbox. Keys are in logs of AWS and in items, so the name has no number and no code. */
export const uploadKey = ({ operation, folder, fileName, planOnly }: Upload): string =>
  [...(planOnly ? [planOnlyFolder] : []), operation, ...(folder ? [folder] : []), redactName(fileName)].join('/');

export interface UploadKey {
  /** Names the operation. */
  readonly folder: string;
  readonly planOnly: boolean;
  /** The name is that of a CSV or a workbook. */
  readonly isReadable: boolean;
}

/** undefined: not an upload, but a folder marker or a hidden file. */
export function parseUploadKey(key: string): UploadKey | undefined {
  const folders = key.split('/');
  const fileName = folders.pop() ?? '';
  if (fileName === '' || fileName.startsWith('.')) return undefined;
  const planOnly = isBelowPlan({ key });
  const folder = folders[planOnly ? 1 : 0] ?? operationOfRoot;
  return { folder, planOnly, isReadable: /\.(csv|tsv|txt|xlsx)$/i.test(fileName) };
}

/** The API reads only these uploads: nothing below plan/ is sent before its approval. */
export const isBelowPlan = ({ key }: { readonly key: string }): boolean => key.startsWith(`${planOnlyFolder}/`);

/** Work and results buckets: every file of an import has this prefix. */
export const importsPrefix = 'imports/';
export const importFileKey = (importId: string, fileName: string): string => `${importsPrefix}${importId}/${fileName}`;

/** Lists of SIMs whose services are asked for: in the inbox, and the services in the results bucket. */
export const simListsPrefix = 'sim-services/';
export const simServicesPrefix = importFileKey('sim-services', '');
/** Inbox. The hidden name excludes it from uploads. */
export const simListKey = (id: string): string => `${simListsPrefix}.${id}.json`;
export const simListId = (key: string): string | undefined => /^sim-services\/\.([a-z0-9]{16})\.json$/.exec(key)?.[1];
export const simServicesKey = (id: string): string => `${simServicesPrefix}${id}.json`;

/** Inbox. The hidden name excludes it from uploads: how a draft is read again, with the cells that people changed. */
export const readingKey = (draft: ImportItem, id: string): string => `${readingPrefix(draft)}${id}.json`;
/** Each reading has a file of its own. */
export const readingPrefix = ({ importId, operation }: ImportItem): string =>
  [planOnlyFolder, operation, importId, '.reading-'].join('/');
export const isReadingKey = (draft: ImportItem, key: string): boolean => key.startsWith(readingPrefix(draft));

/** Each reading of a draft has its own files: a slow attempt of an earlier one overwrites nothing of a later one. */
export type ReadImport = Pick<ImportItem, 'importId' | 'reading'>;
const readFileKey = ({ importId, reading }: ReadImport, fileName: string): string =>
  importFileKey(importId, reading === undefined ? fileName : `reading-${reading.count}/${fileName}`);

/** Work bucket. Two deliveries may plan at once, and differ: neither overwrites what submit reads from the other's. */
export const planKey = (importId: string, attemptId?: string): string =>
  importFileKey(importId, attemptId === undefined ? 'plan.ndjson' : `${attemptId}-plan.ndjson`);
/** A request as its port was just before it is moved: the plan has the PACs of the time at which it was made. */
export const movedRequestKey = (importId: string, request: number | '*'): string =>
  importFileKey(importId, `moved-${request}.json`);
export const planIndexKey = (item: ReadImport): string => readFileKey(item, 'plan-index.ndjson');

/** Cells of invalid rows that a person has changed and not sent yet, PACs included: each save has a file of its own. */
export const draftObjectKey = (importId: string, draftId: string, writeId: string): string =>
  importFileKey(importId, `draft-${draftId}-${writeId}.json`);

export const searchPrefix = 'search/';
/** A search of the port list that continues in the next run of sync. */
export const searchKey = (account: string): string => `${searchPrefix}${shortId([account])}`;

/** Results bucket. */
export const rejectedKey = (item: ReadImport): string => readFileKey(item, 'rejected.csv');
export const issuesKey = (item: ReadImport): string => readFileKey(item, 'issues.ndjson');
export const resultsKey = (importId: string): string => importFileKey(importId, 'results.csv');
export const resultsIndexKey = (importId: string): string => importFileKey(importId, 'results-index.json');
/** @param operation the one that the file is imported with */
export const correctionKey = (importId: string, operation: string): string =>
  importFileKey(importId, `correct-${operation}.csv`);
export const mismatchesKey = (importId: string): string => importFileKey(importId, 'mismatches-bar-service-config.csv');
/** A workbook is beside the CSV with the same rows. */
export const workbookKeyOf = (csvKey: string): string => csvKey.replace(/\.csv$/, '.xlsx');
export const csvKeyOf = (workbookKey: string): string => workbookKey.replace(/\.xlsx$/, '.csv');
export const portsPrefix = 'ports/';
/** The list of every port of an account, as it was last read. */
export const portListKey = (account: string): string => `${portsPrefix}${shortId([account])}.csv`;
/** The metadata of a file that is made from a CSV: the ETag of the CSV with its rows. */
export const csvEtagName = 'csv-etag';

export const analyticsPrefix = 'analytics/';
/** The partitions of the table for queries (shared/results/analytics-table.ts). */
export const analyticsKey = ({
  importId,
  operation,
  receivedAt,
}: {
  readonly importId: string;
  readonly operation: string | null;
  readonly receivedAt: string;
}): string => `${analyticsPrefix}operation=${operation}/month=${receivedAt.slice(0, 7)}/${importId}.parquet`;
/** Athena writes the answers of queries there. */
export const queryResultsPrefix = 'query-results/';

export const referenceDataPrefix = 'catalogue/';
export const referenceDataKey = (table: string): string => `${referenceDataPrefix}${table}.csv`;

/** The object, or the requested version of it, does not exist any more. */
export class ObjectGone extends Error {
  override readonly name = 'ObjectGone';

  constructor({ bucket, key }: { readonly bucket: string; readonly key: string }, cause: unknown) {
    super(`s3://${bucket}/${key} is gone, or has another version than requested`, { cause });
  }
}

/** By its name: a part of a function that is loaded separately has another class. */
export const isObjectGone = (error: unknown): boolean => error instanceof Error && error.name === 'ObjectGone';

/** What is read of an object, or `otherwise` where the object is gone. */
export const unlessGone = <Read, Otherwise>(reading: Promise<Read>, otherwise: Otherwise): Promise<Read | Otherwise> =>
  reading.catch((error: unknown) => {
    if (isObjectGone(error)) return otherwise;
    throw error;
  });

/** Reads again, once, when the object was replaced meanwhile, as report does with results.csv. @throws ObjectGone */
export const readAgainIfReplaced = <Read>(read: () => Promise<Read>): Promise<Read> =>
  read().catch((error: unknown) => {
    if (isObjectGone(error)) return read();
    throw error;
  });
