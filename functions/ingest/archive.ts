// Archives an import, dismisses its declined or rejected rows, and undoes each.
import { type ActorOptions, requestedByOf } from '#shared/domain/imports/actor.ts';
import { putAway } from '#shared/domain/imports/archive.ts';
import type { ImportItem } from '#shared/items/import.ts';
import type { ArchiveMessage } from '#shared/messages.ts';
import type { IngestDependencies } from './dependencies.ts';

/** undefined: there is no such import. May be repeated. @throws what the table throws: repeat the message */
export async function archiveImport(
  message: ArchiveMessage & ActorOptions,
  { imports, now }: IngestDependencies,
): Promise<ImportItem | undefined> {
  const { archive: importId, what, at, isUndone, rows } = message;
  const item = await imports.get(importId);
  if (item === undefined) return undefined;
  const changes = putAway(item, what, {
    ...requestedByOf(message),
    at,
    rows,
    ...(isUndone && { isUndone }),
  });
  return changes === undefined ? item : imports.update(importId, { ...changes, changedAt: now() });
}
