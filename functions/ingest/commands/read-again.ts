// Reads the file of a draft again, in place of its last reading (decision 27). It only begins to: the upload is then
// announced as S3 does, so that a file is planned in one way.
import { type ActorOptions, type AuditEntry, asAwsIdentity, distinctPeople } from '#shared/import/approval.ts';
import type { Identity, ImportItem } from '#shared/import/import.ts';
import { attemptUntil, findAccountProblem } from '#shared/import/import-state.ts';
import { findReadingProblem, readingOf } from '#shared/import/reading.ts';
import { type ReadMessage, uploadEvent } from '#shared/request/messages.ts';
import { readInput } from '#shared/results/changed-file.ts';
import { UnreadableItem } from '#shared/row/issue.ts';
import { isObjectGone, isReadingKey } from '#shared/store/object-keys.ts';
import { isoTime } from '#shared/text/wording.ts';
import type { IngestPipeline } from '../ingest-pipeline.ts';
import { notReadYet } from '../new-import.ts';

/**
 * Where the import is no draft any more, or another reading was first, nothing changes. undefined: there is no such
 * import. May be repeated. @throws what the table, the bucket and the queue throw: repeat the message
 */
export async function readAgain(
  asking: ReadMessage & ActorOptions,
  pipeline: IngestPipeline,
): Promise<ImportItem | undefined> {
  const { imports, queues, resources } = pipeline;
  const importId = asking.read;
  const draft = await imports.get(importId);
  if (draft === undefined) return undefined;
  const reading = { count: asking.reading + 1, ...asking.input };
  const begun = await begin(draft, reading, asking, pipeline);
  // Another delivery began it, or the answer of the table was lost.
  const item = begun ?? (await imports.get(importId));
  const isOwn = item?.reading?.key === reading.key && item.reading.count === reading.count;
  if (item?.state !== 'planning' || !isOwn) return item;
  await queues.send(resources.ingestQueueUrl, [uploadEvent(item)]);
  return item;
}

/** undefined: the import is no draft, was read since, or what people changed cannot be read. */
async function begin(
  draft: ImportItem,
  reading: NonNullable<ImportItem['reading']>,
  asking: ReadMessage & ActorOptions,
  pipeline: IngestPipeline,
): Promise<ImportItem | undefined> {
  const { imports, files, clocks, log, settings } = pipeline;
  if (findAccountProblem(draft, settings.account) !== undefined) return undefined;
  if (readingOf(draft) !== asking.reading || findReadingProblem(draft) !== undefined) return undefined;
  if (!isReadingKey(draft, reading.key)) return undefined;
  try {
    await readInput({ ...draft, reading }, files);
  } catch (error) {
    if (!isObjectGone(error) && !(error instanceof UnreadableItem)) throw error;
    const { importId } = draft;
    log.warn('what was changed of a file cannot be read: its import stays as it is', { importId, error });
    return undefined;
  }
  const now = clocks.wall();
  return imports.readAgain(draft, {
    state: 'planning',
    reading,
    ...notReadYet,
    // Whoever reads a file again makes it wait for an approval.
    planOnly: true,
    authors: await readAuthors(draft, asking, pipeline),
    attemptUntil: attemptUntil(now),
    planningStarts: 1,
    changedAt: isoTime(now),
  });
}

/**
 * Those of the draft, and whoever asks for this reading. A message names a person only where the API has recorded what
 * they did, with the authors of the cells that they took over.
 */
async function readAuthors(
  draft: ImportItem,
  { actorId, principal, input }: ReadMessage & ActorOptions,
  { audit }: IngestPipeline,
): Promise<Identity[]> {
  const isRecorded = ({ action, actorId: by, details }: AuditEntry): boolean =>
    action === 'read-again' && by === actorId && details.input === input.key;
  const entry = actorId === undefined ? undefined : (await audit.withoutDownloads(draft.importId)).find(isRecorded);
  const people: Identity[] =
    entry === undefined
      ? [asAwsIdentity(principal)]
      : [{ provider: 'console', id: entry.actorId }, ...(entry.authors ?? [])];
  return distinctPeople([...(draft.authors ?? []), ...people]);
}
