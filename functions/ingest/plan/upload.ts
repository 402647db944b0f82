// An upload as ingest reads it, and why it is rejected without being opened.
import type { ChangedRows } from '#shared/files/changed-rows.ts';
import type { ReadSettings } from '#shared/files/upload-settings.ts';
import { errorAt, type Issue } from '#shared/row/issue.ts';
import type { ObjectHead } from '#shared/store/files.ts';
import { operationOfRoot, type UploadKey } from '#shared/store/object-keys.ts';
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
