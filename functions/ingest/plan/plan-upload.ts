// Plans the file of an import within the time of the invocation, and shows how far it is.

import { findCorrectionMark } from '#shared/files/added-columns.ts';
import { distinctPeople } from '#shared/import/approval.ts';
import type { ImportItem } from '#shared/import/import.ts';
import { partItemOf } from '#shared/import/part.ts';
import { objectOf } from '#shared/results/changed-file.ts';
import { type Deadline, timeNeeded } from '#shared/runtime/clock.ts';
import { counted, isoTime } from '#shared/text/wording.ts';
import type { CorrectionTask } from '../correction.ts';
import type { IngestPipeline } from '../ingest-pipeline.ts';
import { type Planned, type PlanTask, planImport, type RecognisedFile } from './plan.ts';
import type { Counts } from './plan-batch.ts';
import { PlanningTimeout, rowsOfPart, withPortDeadline } from './reject-import.ts';
import { describeSameContent, findSameContent, type Upload, withSavedSettings } from './upload.ts';

/** Another delivery of the same event has finished the plan. */
class PlannedElsewhere extends Error {
  override readonly name = 'PlannedElsewhere';
}

/** Which rows a correction may send is not known yet: plan it again later. */
export class FirstIsRead extends Error {
  override readonly name = 'FirstIsRead';
}

/** A plan, and how its file is read. */
type PlannedFile = Planned & RecognisedFile;

const progressEveryMs = 5_000;
const advice = 'split the file';

/** undefined: another delivery of the same event has planned the import. @throws PlanningTimeout, and as planImport */
export async function planUpload(
  item: ImportItem,
  upload: Upload,
  deadline: Deadline,
  pipeline: IngestPipeline,
): Promise<PlannedFile | undefined> {
  const { files, imports, operations, limits, settings, clocks, resources } = pipeline;
  const { importId } = item;
  const operation = operations.get(upload.key.folder);
  if (operation === undefined) throw new Error(`unknown operation ${upload.key.folder}`);
  const checkFileTime = () => checkTime(item, 'while the file was read', deadline);
  const uploadSettings = await withSavedSettings(item, upload, operation, checkFileTime, pipeline);
  const task = { importId, settings: uploadSettings, operation: upload.key.folder, columns: operation.columns };
  const correction = createCorrectionPlan(item, task, pipeline);
  let recognised: RecognisedFile = {};
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
        return other && describeSameContent(other, operation, rows);
      },
      buckets: { work: resources.workBucket, results: resources.resultsBucket },
      openCorrection: correction.open,
      onHeader: async (found) => {
        const authors = distinctPeople([...(item.authors ?? []), ...(found.authors ?? [])]);
        recognised = { ...found, ...(authors.length > 0 && { authors }) };
        await correction.record(recognised);
        // A stop of the first import is one of its parts, also while they are read.
        if (found.correctionOf !== undefined) await imports.updateReading(item, recognised, ['planning']);
      },
      checkTime: checkFileTime,
      ...createProgress(item, deadline, () => recognised, pipeline),
      onRead: async () => {
        const { state, reading } = (await imports.get(importId)) ?? item;
        const isCurrent = state === 'planning' && reading?.count === item.reading?.count;
        if (!isCurrent) throw new PlannedElsewhere(`import ${importId} is ${state}`);
      },
    });
    await correction.recordDays(planned);
    return { ...planned, ...recognised };
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

/**
 * Every few seconds stores the counts, and how the file is read: a small file is planned before that. Stops planning in
 * time.
 */
function createProgress(
  item: ImportItem,
  deadline: Deadline,
  recognised: () => RecognisedFile,
  { imports, clocks }: IngestPipeline,
) {
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
      const counts = { ...recognised(), rows, accepted, rejected, duplicates, warnings };
      await imports.updateReading(item, { ...counts, changedAt: isoTime(clocks.wall()) }, ['planning']);
    },
  };
}

function timeoutAfter(item: ImportItem, rows: number, share: number): PlanningTimeout {
  const when = `after ${counted(rows, 'row')}, ${Math.floor(share * 100)} % of the file`;
  const parts = `${advice} into parts of at most ${counted(rowsOfPart(rows), 'row')}`;
  return new PlanningTimeout(item, when, parts, share);
}
