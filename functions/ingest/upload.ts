// One uploaded object: its key, its metadata, and why it may be rejected without being read.
import type { ReadSettings } from '#shared/csv/upload-settings.ts';
import { errorAt, type Issue } from '#shared/domain/imports/issue.ts';
import type { Operation } from '#shared/operations/kit/operation.ts';
import type { ObjectHead } from '#shared/store/files/files.ts';
import type { UploadKey } from '#shared/store/files/object-keys.ts';

export interface Upload {
  readonly head: ObjectHead;
  readonly key: UploadKey;
  readonly settings: ReadSettings;
}

export interface UploadChecks {
  readonly operations: ReadonlyMap<string, Operation>;
  readonly limits: { readonly maxFileBytes: number };
}

const notReadable =
  'the name of the file does not end in .csv or .xlsx: open the file in your spreadsheet program and save it as .xlsx';

/** Why the file is rejected without being opened. */
export function findUploadProblem({ head, key, settings }: Upload, checks: UploadChecks): Issue | undefined {
  const { operations, limits } = checks;
  if (!operations.has(key.folder)) {
    const place = key.folder === '' ? 'the file is in no folder' : `there is no operation "${key.folder}"`;
    const known = [...operations.keys()].join(', ');
    return errorAt(0, 'FILE_UNKNOWN_OPERATION', `${place}; the folders are ${known}, each also below plan/`);
  }
  if (!key.isReadable) return errorAt(0, 'FILE_NOT_CSV', notReadable);
  if (settings.problem !== undefined) return errorAt(0, 'FILE_SETTING_INVALID', settings.problem);
  if (head.bytes === 0) return errorAt(0, 'FILE_EMPTY', 'the file is empty: it has 0 bytes');
  if (head.bytes <= limits.maxFileBytes) return undefined;
  const message = `the file has ${head.bytes} bytes, the limit is ${limits.maxFileBytes}: split the file`;
  return errorAt(0, 'FILE_TOO_LARGE', message);
}
