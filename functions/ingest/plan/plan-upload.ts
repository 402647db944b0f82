// Plans within the time of the invocation; saved settings; the same content sent before.

import { findCorrectionMark } from '#shared/files/added-columns.ts';
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
import { errorAt, type Issue, notice, warning } from '#shared/row/issue.ts';
import { type Deadline, timeNeeded } from '#shared/runtime/clock.ts';
import type { ObjectHead } from '#shared/store/files.ts';
import type { UploadKey } from '#shared/store/object-keys.ts';
import { counted, isoTime } from '#shared/text/wording.ts';
import type { IngestPipeline } from '../ingest-pipeline.ts';
import { type Planned, planImport } from './plan.ts';
import type { Counts } from './plan-batch.ts';
import { PlanningTimeout, rowsOfPart, withPortDeadline } from './reject-import.ts';

// Plans the file of an import within the time of the invocation, and shows how far it is.

/** Another delivery of the same event has finished the plan. */
class PlannedElsewhere extends Error {
  override readonly name = 'PlannedElsewhere';
}

const progressEveryMs = 5_000;
const advice = 'split the file';

/** undefined: another delivery of the same event has planned the import. @throws PlanningTimeout, and as planImport */
export async function planUpload(
  item: ImportItem,
  upload: Upload,
  deadline: Deadline,
  pipeline: IngestPipeline,
): Promise<Planned | undefined> {
  const { files, imports, operations, limits, settings, clocks, resources } = pipeline;
  const { importId, bucket, key, versionId, etag } = item;
  const operation = operations.get(upload.key.folder);
  if (operation === undefined) throw new Error(`unknown operation ${upload.key.folder}`);
  const checkFileTime = () => checkTime(importId, 'while the file was read', deadline);
  const reading = { ...pipeline, checkTime: checkFileTime };
  const uploadSettings = await withSavedSettings(item, upload, operation, reading);
  const { toleratedFailurePercentage = limits.toleratedFailurePercentage } = uploadSettings;
  try {
    return await planImport(files, {
      importId,
      attemptId: upload.attemptId,
      object: { bucket, key, versionId, etag },
      operation,
      settings: uploadSettings,
      limits: { ...limits, toleratedFailurePercentage },
      context: {
        catalogue: withPortDeadline(pipeline.openCatalogue(), deadline, { importId, advice }),
        settings,
        calendar: clocks.calendar,
      },
      tables: pipeline,
      findSameContent: (contentHash) => findSameContent(item, contentHash, operation, pipeline),
      buckets: { work: resources.workBucket, results: resources.resultsBucket },
      openCorrection: async (header, first) => {
        const mark = findCorrectionMark(header);
        if (mark === undefined) return undefined;
        const { openCorrection } = await import('../correction.ts');
        const { columns } = operation;
        const correction = { importId, settings: uploadSettings, operation: upload.key.folder, mark, header, columns };
        return openCorrection(first, correction, pipeline);
      },
      onHeader: async (recognised) => {
        await imports.update(importId, recognised, ['planning']);
        if (recognised.rootImportId) await imports.update(recognised.rootImportId, { hasCorrections: true });
      },
      checkTime: checkFileTime,
      ...createProgress(item, deadline, pipeline),
      onRead: async () => {
        const { state } = (await imports.get(importId)) ?? item;
        if (state !== 'planning') throw new PlannedElsewhere(`import ${importId} is ${state}`);
      },
    });
  } catch (error) {
    if (error instanceof PlannedElsewhere) return undefined;
    throw error;
  }
}

/** Stops planning while there is time to clean up. @throws PlanningTimeout */
function checkTime(importId: string, when: string, deadline: Deadline): void {
  if (!deadline.hasTimeFor(timeNeeded.cleanUp)) throw new PlanningTimeout(importId, when, advice);
}

/** Stores the counts every few seconds, and stops planning in time. */
function createProgress(
  { importId, bytes: fileBytes }: ImportItem,
  deadline: Deadline,
  { imports, clocks }: IngestPipeline,
) {
  let storedAt = clocks.wall();
  let share = 0;
  return {
    onBytes: (bytes: number): void => {
      share = bytes / fileBytes;
    },
    onProgress: async ({ rows, accepted, rejected, duplicates, warnings }: Counts): Promise<void> => {
      if (!deadline.hasTimeFor(timeNeeded.cleanUp)) throw timeoutAfter(importId, rows, share);
      if (clocks.wall() - storedAt < progressEveryMs) return;
      storedAt = clocks.wall();
      const counts = { rows, accepted, rejected, duplicates, warnings };
      await imports.update(importId, { ...counts, changedAt: isoTime(clocks.wall()) }, ['planning']);
    },
  };
}

function timeoutAfter(importId: string, rows: number, share: number): PlanningTimeout {
  const when = `after ${counted(rows, 'row')}, ${Math.floor(share * 100)} % of the file`;
  const parts = `${advice} into parts of at most ${counted(rowsOfPart(rows), 'row')}`;
  return new PlanningTimeout(importId, when, parts, share);
}

const notReadable =
  'the name of the file does not end in .csv, .tsv, .txt or .xlsx: open the file in your spreadsheet program and save it as .xlsx';

/** Why the file is rejected without being opened. */
export function findUploadProblem(
  { head, key, settings }: Upload,
  { operations, limits }: IngestPipeline,
): Issue | undefined {
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

// The saved settings of the header of a file, so that a file like the last one asks nothing again (decision 64).

export interface Upload {
  readonly head: ObjectHead;
  readonly key: UploadKey;
  readonly settings: ReadSettings;
  /** Of a delivery that begins the import again: its own. */
  readonly attemptId?: string;
}

interface Reading extends IngestPipeline {
  readonly checkTime: () => void;
}

/** The settings of the upload take precedence. */
async function withSavedSettings(
  item: ImportItem,
  upload: Upload,
  operation: Operation,
  pipeline: Reading,
): Promise<UploadSettings> {
  const { settings } = upload;
  const saved = await findSavedSettings(item, upload, operation, pipeline);
  if (saved === undefined) return settings;
  await pipeline.imports.update(item.importId, { readWith: saved, settingsBy: saved.authors ?? [] }, ['planning']);
  return mergeSettings(toUploadSettings(saved.settings), settings);
}

/** Only for a file that was uploaded in the console, whose page of the import names the settings. */
async function findSavedSettings(
  { readWith, bucket, key, versionId, etag }: ImportItem,
  { head, settings }: Upload,
  operation: Operation,
  { files, savedSettings, checkTime }: Reading,
): Promise<ImportItem['readWith']> {
  // An earlier attempt has found them.
  if (readWith !== undefined) return readWith;
  if (!isConsoleUpload(head.metadata) || describesFile(settings)) return undefined;
  const source = await files.read({ bucket, key, versionId, etag });
  const header = await detectHeader(source, operation, checkTime);
  const saved = header.headerId === null ? undefined : await savedSettings.get(header.headerId);
  if (saved === undefined || !isFor(saved, header)) return undefined;
  const { operation: _, ...readWithNow } = saved;
  return readWithNow;
}

// Finds the import that would have sent the same rows: a text file that is uploaded under three names sends each text
// three times. Of two uploads at the same time, one claims the content and the other one asks.

/** Each attempt reads what another import has written meanwhile. */
const attempts = 3;

/** A validation is never sent by itself, so it claims nothing. */
async function findSameContent(
  { importId, account, validation }: ImportItem,
  contentHash: string,
  operation: Operation,
  { contents, imports, clocks }: IngestPipeline,
): Promise<Issue | undefined> {
  const content = { account, contentHash, importId, now: clocks.wall() };
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const other = await contents.find(content);
    const item = other === undefined ? undefined : await imports.get(other);
    const isSent = item !== undefined && item.state !== 'rejected' && !isOnlyValidated(item);
    if (isSent) return describe(item, operation);
    if (validation || (await contents.claim(content, other))) return undefined;
  }
  throw new Error(`the content of import ${importId} changes hands all the time`);
}

function describe({ importId, receivedAt }: ImportItem, { submission }: Operation): Issue {
  const same = `import ${importId} of ${receivedAt.slice(0, 16).replace('T', ' ')} UTC has the same rows`;
  const place = { line: 0, column: null };
  if (submission.makes !== 'ticket')
    return {
      ...place,
      ...notice('FILE_SAME_CONTENT', `${same}, PACs aside. Numbers and ports are checked before anything is sent`),
    };
  return { ...place, ...warning('FILE_SAME_CONTENT', `${same}. Approve this import only to send all of them again`) };
}
