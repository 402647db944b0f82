// Archives an import, dismisses its declined or rejected rows, and undoes each.
import { isoTime } from '#shared/domain/dates/iso-time.ts';
import { type ActorOptions, requestedByOf } from '#shared/domain/imports/actor.ts';
import type { ImportItem } from '#shared/import/import.ts';
import { isArchivable, isArchived, putAway } from '#shared/import/import-state.ts';
import type { ArchiveMessage } from '#shared/request/messages.ts';
import type { IngestPipeline } from './dependencies.ts';

/**
 * An import that is being sent is listed: where it was approved at the same time, whichever is written last shows both.
 */
export async function listIfSent(
  item: ImportItem | undefined,
  { imports }: IngestPipeline,
): Promise<ImportItem | undefined> {
  if (item?.archived === undefined || !isArchived(item) || isArchivable(item)) return item;
  return imports.update(item.importId, { archived: { ...item.archived, isUndone: true } });
}

/** undefined: there is no such import. May be repeated. @throws what the table throws: repeat the message */
export async function archiveImport(
  message: ArchiveMessage & ActorOptions,
  pipeline: IngestPipeline,
): Promise<ImportItem | undefined> {
  const { imports, clocks } = pipeline;
  const { archive: importId, what, at, isUndone, rows } = message;
  const item = await imports.get(importId);
  if (item === undefined) return undefined;
  const changes = putAway(item, what, {
    ...requestedByOf(message),
    at,
    rows,
    ...(isUndone && { isUndone }),
  });
  if (changes === undefined) return item;
  return listIfSent(await imports.update(importId, { ...changes, changedAt: isoTime(clocks.wall()) }), pipeline);
}
