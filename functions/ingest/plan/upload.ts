// An upload before its rows are read: why it is rejected without being opened, the saved settings of its header, and
// another import with the same rows.

import type { ChangedRows } from '#shared/files/changed-rows.ts';
import { detectHeader, isFor } from '#shared/files/open-upload.ts';
import {
  describesFile,
  mergeSettings,
  type ReadSettings,
  toUploadSettings,
  type UploadSettings,
} from '#shared/files/upload-settings.ts';
import { isConsoleUpload } from '#shared/import/approval.ts';
import type { ImportItem } from '#shared/import/import.ts';
import { isOnlyValidated } from '#shared/import/import-state.ts';
import type { Operation } from '#shared/operations/operation.ts';
import { objectOf } from '#shared/results/changed-file.ts';
import { errorAt, type Issue, notice, warning } from '#shared/row/issue.ts';
import type { ObjectHead } from '#shared/store/files.ts';
import { operationOfRoot, type UploadKey } from '#shared/store/object-keys.ts';
import { counted } from '#shared/text/wording.ts';
import type { IngestPipeline } from '../ingest-pipeline.ts';

export interface Upload {
  readonly head: ObjectHead;
  readonly key: UploadKey;
  readonly settings: ReadSettings;
  /** A person chose the settings when the file was read again: they have seen all of them. */
  readonly isChosen?: boolean;
  /** What people changed of the file. @default - nothing */
  readonly changes?: ChangedRows;
  /** Of a delivery that begins the import again: its own. */
  readonly attemptId?: string;
}

const notReadable =
  'the name of the file does not end in .csv, .tsv, .txt or .xlsx: open the file in your spreadsheet program and save it as .xlsx';

/** Why the file is rejected without being opened. */
export function findUploadProblem(
  { head, key, settings }: Upload,
  { operations, limits }: IngestPipeline,
): Issue | undefined {
  if (!operations.has(key.folder)) return errorAt(0, 'FILE_UNKNOWN_OPERATION', describeFolders(key, operations));
  if (!key.isReadable) return errorAt(0, 'FILE_NOT_CSV', notReadable);
  if (settings.problem !== undefined) return errorAt(0, 'FILE_SETTING_INVALID', settings.problem);
  if (head.bytes === 0) return errorAt(0, 'FILE_EMPTY', 'the file is empty: it has 0 bytes');
  if (head.bytes <= limits.maxFileBytes) return undefined;
  const message = `the file has ${head.bytes} bytes, the limit is ${limits.maxFileBytes}: split the file`;
  return errorAt(0, 'FILE_TOO_LARGE', message);
}

/** Which folder means what. */
function describeFolders({ folder }: UploadKey, operations: IngestPipeline['operations']): string {
  const known = [...operations.values()].map(({ name, purpose }) => `${name}/ to ${purpose}`).join('; ');
  return (
    `the folder "${folder}" is not the name of an operation. Upload the file without a folder to port its numbers, ` +
    `or into one of these: ${known}. Below plan/, such as plan/${operationOfRoot}/, a file waits for approval`
  );
}

// The saved settings of the header of a file, so that a file like the last one asks nothing again (decision 73).

/**
 * The settings of the upload take precedence.
 * @param checkTime called while the header is detected
 */
export async function withSavedSettings(
  item: ImportItem,
  upload: Upload,
  operation: Operation,
  checkTime: () => void,
  pipeline: IngestPipeline,
): Promise<UploadSettings> {
  const { settings } = upload;
  if (upload.isChosen) return settings;
  const saved = await findSavedSettings(item, upload, operation, checkTime, pipeline);
  if (saved === undefined) return settings;
  await pipeline.imports.updateReading(item, { readWith: saved }, ['planning']);
  return mergeSettings(toUploadSettings(saved.settings), settings);
}

/** Only for a file that was uploaded in the console, whose page of the import names the settings. */
async function findSavedSettings(
  item: ImportItem,
  { head, settings }: Upload,
  operation: Operation,
  checkTime: () => void,
  { files, savedSettings }: IngestPipeline,
): Promise<ImportItem['readWith']> {
  const { readWith, reading } = item;
  // An earlier attempt has found them. Whoever reads the file again has seen it with these, or with none.
  if (readWith !== undefined || reading !== undefined) return readWith;
  if (!isConsoleUpload(head.metadata) || describesFile(settings)) return undefined;
  const source = await files.read(objectOf(item));
  const header = await detectHeader(source, operation, checkTime);
  const saved = header.headerId === null ? undefined : await savedSettings.get(header.headerId);
  if (saved === undefined || !isFor(saved, header)) return undefined;
  const { operation: _, ...readWithNow } = saved;
  return readWithNow;
}

// Finds the import that would have sent the same rows: a text file that is uploaded under three names sends each text
// three times. Of two uploads at the same time, one claims the content and the other one asks.

/** Each attempt but the first, which is usually the only one, has read what another import has written meanwhile. */
const attempts = 4;

/** A validation is never sent by itself, so it claims nothing. */
export async function findSameContent(
  { importId, account, validation }: ImportItem,
  contentHash: string,
  { contents, imports, clocks }: IngestPipeline,
): Promise<ImportItem | undefined> {
  const content = { account, contentHash, importId, now: clocks.wall() };
  let other: string | undefined;
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    if (!validation && (await contents.claim(content, other))) return undefined;
    other = await contents.find(content);
    const item = other === undefined ? undefined : await imports.get(other);
    if (item !== undefined && sends(item, contentHash)) return item;
    if (validation) return undefined;
  }
  throw new Error(`the content of import ${importId} changes hands all the time`);
}

/** A draft that was read again may have other rows now. One that is still read may have these. */
const sends = (item: ImportItem, contentHash: string): boolean =>
  item.state !== 'rejected' &&
  !isOnlyValidated(item) &&
  (item.contentHash === contentHash || item.state === 'planning');

export function describeSameContent(
  { importId, receivedAt }: ImportItem,
  { submission }: Operation,
  rows: number,
): Issue {
  const same = `import ${importId} of ${receivedAt.slice(0, 16).replace('T', ' ')} UTC has the same ${counted(rows, 'row')}`;
  const place = { line: 0, column: null };
  if (submission.makes !== 'ticket')
    return {
      ...place,
      ...notice('FILE_SAME_CONTENT', `${same}, PACs aside. Numbers and ports are checked before anything is sent`),
    };
  return { ...place, ...warning('FILE_SAME_CONTENT', `${same}. Approve this import only to send all of them again`) };
}
