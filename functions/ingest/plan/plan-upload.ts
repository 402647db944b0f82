// Plans within the time of the invocation; saved settings; the same content sent before.

import { findCorrectionMark } from '#shared/files/added-columns.ts';
import type { ChangedRows } from '#shared/files/changed-rows.ts';
import { detectHeader, isFor } from '#shared/files/open-upload.ts';
import {
  describesFile,
  mergeSettings,
  type ReadSettings,
  toUploadSettings,
  type UploadSettings,
} from '#shared/files/upload-settings.ts';
import { distinctPeople, isConsoleUpload } from '#shared/import/approval.ts';
import type { ImportItem } from '#shared/import/import.ts';
import { isOnlyValidated } from '#shared/import/import-state.ts';
import { partItemOf } from '#shared/import/part.ts';
import type { Operation } from '#shared/operations/operation.ts';
import { objectOf } from '#shared/results/changed-file.ts';
import { errorAt, type Issue, notice, warning } from '#shared/row/issue.ts';
import { type Deadline, timeNeeded } from '#shared/runtime/clock.ts';
import type { ObjectHead } from '#shared/store/files.ts';
import { operationOfRoot, type UploadKey } from '#shared/store/object-keys.ts';
import { counted, isoTime } from '#shared/text/wording.ts';
import type { CorrectionTask } from '../correction.ts';
import type { IngestPipeline } from '../ingest-pipeline.ts';
import { type Planned, type PlanTask, planImport, type RecognisedFile } from './plan.ts';
import { PlanningTimeout, rowsOfPart, withPortDeadline } from './reject-import.ts';
import type { Counts } from './row-counter.ts';

// Plans the file of an import within the time of the invocation, and shows how far it is.

/** Another delivery of the same event has finished the plan. */
class PlannedElsewhere extends Error {
  override readonly name = 'PlannedElsewhere';
}

/** Which rows a correction may send is not known yet: plan it again later. */
export class FirstIsRead extends Error {
  override readonly name = 'FirstIsRead';
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
  const { importId } = item;
  const operation = operations.get(upload.key.folder);
  if (operation === undefined) throw new Error(`unknown operation ${upload.key.folder}`);
  const checkFileTime = () => checkTime(item, 'while the file was read', deadline);
  const uploadSettings = await withSavedSettings(item, upload, operation, { ...pipeline, checkTime: checkFileTime });
  const task = { importId, settings: uploadSettings, operation: upload.key.folder, columns: operation.columns };
  const correction = createCorrectionPlan(item, task, pipeline);
  try {
    const planned = await planImport(files, {
      importId,
      reading: item.reading,
      changes: upload.changes,
      attemptId: upload.attemptId,
      object: objectOf(item),
      operation,
      settings: uploadSettings,
      limits,
      context: {
        catalogue: withPortDeadline(pipeline.openCatalogue(), deadline, item, advice),
        settings,
        calendar: clocks.calendar,
      },
      tables: pipeline,
      findSameContent: async (contentHash, rows) => {
        const other = await findSameContent(item, contentHash, pipeline);
        return other && describe(other, operation, rows);
      },
      buckets: { work: resources.workBucket, results: resources.resultsBucket },
      openCorrection: correction.open,
      onHeader: async (recognised) => {
        await correction.record(recognised);
        const authors = distinctPeople([...(item.authors ?? []), ...(recognised.authors ?? [])]);
        await imports.updateReading(item, { ...recognised, ...(authors.length > 0 && { authors }) }, ['planning']);
      },
      checkTime: checkFileTime,
      ...createProgress(item, deadline, pipeline),
      onRead: async () => {
        const { state, reading } = (await imports.get(importId)) ?? item;
        const isCurrent = state === 'planning' && reading?.count === item.reading?.count;
        if (!isCurrent) throw new PlannedElsewhere(`import ${importId} is ${state}`);
      },
    });
    await correction.recordDays(planned);
    return planned;
  } catch (error) {
    if (error instanceof PlannedElsewhere) return undefined;
    throw error;
  }
}

/**
 * A file that corrects an import becomes a part of it. The first file is read again only while it has no part, so no
 * row is in both plans. @throws FirstIsRead
 */
function createCorrectionPlan(
  item: ImportItem,
  task: Omit<CorrectionTask, 'mark' | 'header'>,
  pipeline: IngestPipeline,
) {
  let first: ImportItem | undefined;
  const open: PlanTask['openCorrection'] = async (header, samples) => {
    const mark = findCorrectionMark(header);
    if (mark === undefined) return undefined;
    const { openCorrection } = await import('../correction.ts');
    const correction = await openCorrection(samples, { ...task, mark, header }, pipeline);
    first = 'root' in correction ? correction.root : undefined;
    if (first?.state === 'planning') throw new FirstIsRead(`the file of import ${first.importId} is read`);
    return correction;
  };
  const record = async ({ partOf }: RecognisedFile): Promise<void> => {
    if (partOf === undefined || first === undefined) return;
    if (await pipeline.imports.addPart(partItemOf(item, partOf.importId), first)) return;
    throw new FirstIsRead(`the file of import ${first.importId} was read again`);
  };
  /** The days of the first file move on in a cycle in which they do not meet those of the correction. */
  const recordDays = async ({ dayCycle }: Planned): Promise<void> => {
    if (first !== undefined && dayCycle !== undefined) await pipeline.imports.update(first.importId, { dayCycle });
  };
  return { open, record, recordDays };
}

/** Stops planning while there is time to clean up. @throws PlanningTimeout */
function checkTime(item: ImportItem, when: string, deadline: Deadline): void {
  if (!deadline.hasTimeFor(timeNeeded.cleanUp)) throw new PlanningTimeout(item, when, advice);
}

/** Stores the counts every few seconds, and stops planning in time. */
function createProgress(item: ImportItem, deadline: Deadline, { imports, clocks }: IngestPipeline) {
  let storedAt = clocks.wall();
  let share = 0;
  return {
    onBytes: (bytes: number): void => {
      share = bytes / item.bytes;
    },
    onProgress: async ({ rows, accepted, rejected, duplicates, warnings }: Counts): Promise<void> => {
      if (!deadline.hasTimeFor(timeNeeded.cleanUp)) throw timeoutAfter(item, rows, share);
      if (clocks.wall() - storedAt < progressEveryMs) return;
      storedAt = clocks.wall();
      const counts = { rows, accepted, rejected, duplicates, warnings };
      await imports.updateReading(item, { ...counts, changedAt: isoTime(clocks.wall()) }, ['planning']);
    },
  };
}

function timeoutAfter(item: ImportItem, rows: number, share: number): PlanningTimeout {
  const when = `after ${counted(rows, 'row')}, ${Math.floor(share * 100)} % of the file`;
  const parts = `${advice} into parts of at most ${counted(rowsOfPart(rows), 'row')}`;
  return new PlanningTimeout(item, when, parts, share);
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
  if (upload.isChosen) return settings;
  const saved = await findSavedSettings(item, upload, operation, pipeline);
  if (saved === undefined) return settings;
  await pipeline.imports.updateReading(item, { readWith: saved }, ['planning']);
  return mergeSettings(toUploadSettings(saved.settings), settings);
}

/** Only for a file that was uploaded in the console, whose page of the import names the settings. */
async function findSavedSettings(
  item: ImportItem,
  { head, settings }: Upload,
  operation: Operation,
  { files, savedSettings, checkTime }: Reading,
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

/** Each attempt reads what another import has written meanwhile. */
const attempts = 3;

/** A validation is never sent by itself, so it claims nothing. */
async function findSameContent(
  { importId, account, validation }: ImportItem,
  contentHash: string,
  { contents, imports, clocks }: IngestPipeline,
): Promise<ImportItem | undefined> {
  const content = { account, contentHash, importId, now: clocks.wall() };
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const other = await contents.find(content);
    const item = other === undefined ? undefined : await imports.get(other);
    if (item !== undefined && sends(item, contentHash)) return item;
    if (validation || (await contents.claim(content, other))) return undefined;
  }
  throw new Error(`the content of import ${importId} changes hands all the time`);
}

/** A draft that was read again may have other rows now. One that is still read may have these. */
const sends = (item: ImportItem, contentHash: string): boolean =>
  item.state !== 'rejected' &&
  !isOnlyValidated(item) &&
  (item.contentHash === contentHash || item.state === 'planning');

function describe({ importId, receivedAt }: ImportItem, { submission }: Operation, rows: number): Issue {
  const same = `import ${importId} of ${receivedAt.slice(0, 16).replace('T', ' ')} UTC has the same ${counted(rows, 'row')}`;
  const place = { line: 0, column: null };
  if (submission.makes !== 'ticket')
    return {
      ...place,
      ...notice('FILE_SAME_CONTENT', `${same}, PACs aside. Numbers and ports are checked before anything is sent`),
    };
  return { ...place, ...warning('FILE_SAME_CONTENT', `${same}. Approve this import only to send all of them again`) };
}
