// Reschedules the ports of an import. The service cannot change the date of a port, so a new import is planned from the
// plan of the old one. Each of its requests waits until sync has read the port that it replaces as Cancelled.

import { isoTime } from '#shared/domain/dates/iso-time.ts';
import { type ActorOptions, requestedByOf } from '#shared/domain/imports/actor.ts';
import type { ImportItem } from '#shared/import/import.ts';
import { expiryOf } from '#shared/items/fields.ts';
import type { RescheduleMessage } from '#shared/request/messages.ts';
import type { Deadline } from '#shared/runtime/deadline.ts';
import { reschedulingId } from '#shared/text/identity.ts';
import { planReplacements } from './commands/reschedule.ts';
import type { IngestPipeline } from './dependencies.ts';
import { newImport } from './new-import.ts';
import { rejectImport, withPortDeadline } from './plan/reject-import.ts';
import { release } from './release.ts';

const advice = 'reschedule some of its requests at a time, with --request';

/**
 * Plans and releases the import that reschedules the ports; it cancels nothing. If one of the requested ports cannot be
 * rescheduled, the import is rejected with an issue for each. undefined: there is no such import. May be repeated.
 * @throws PlanningTimeout, ReleaseHalted, and what the table, the bucket and the service throw: repeat the message
 */
export async function reschedule(
  message: RescheduleMessage & ActorOptions,
  deadline: Deadline,
  pipeline: IngestPipeline,
): Promise<ImportItem | undefined> {
  const { imports, clocks } = pipeline;
  const old = await imports.get(message.reschedule);
  if (old === undefined) return undefined;
  const origin = {
    ...originOf(old, message),
    expiresAt: expiryOf(clocks.wall(), pipeline.settings.recordRetentionDays),
  };
  const { item } = await imports.begin(newImport(origin, isoTime(clocks.wall())));
  if (item.state !== 'planning') {
    return item.state === 'planned' || item.state === 'submitting' ? release(item, deadline, pipeline) : item;
  }
  const { openCatalogue, settings } = pipeline;
  const catalogue = withPortDeadline(openCatalogue(), deadline, { importId: item.importId, advice });
  const context = { catalogue, settings, calendar: clocks.calendar };
  const { issues, requestCount, planHash, ...counts } = await planReplacements(item, old, message, context, pipeline);
  if (issues.length > 0) return rejectImport(item.importId, 'planning', { issues, ...counts }, pipeline);
  const changes = { ...counts, requestCount, planHash, state: 'planned', changedAt: isoTime(clocks.wall()) } as const;
  const updated = await imports.update(item.importId, changes, ['planning']);
  return updated === undefined ? imports.get(item.importId) : release(updated, deadline, pipeline);
}

/** The new import is about the same file, from which its results.csv is made. */
function originOf(old: ImportItem, { ask, date, ...asking }: RescheduleMessage & ActorOptions) {
  const {
    account,
    operation,
    bucket,
    key,
    versionId,
    etag,
    bytes,
    columnIndexes,
    columnIndexesForPeople,
    layout,
    onInvalidPac,
  } = old;
  return {
    importId: reschedulingId(old.importId, ask),
    reschedules: { importId: old.importId, date },
    requestedBy: requestedByOf(asking),
    account,
    operation,
    bucket,
    key,
    ...(versionId && { versionId }),
    etag,
    bytes,
    ...(columnIndexes && { columnIndexes }),
    ...(columnIndexesForPeople && { columnIndexesForPeople }),
    ...(layout && { layout }),
    ...(onInvalidPac && { onInvalidPac }),
    planOnly: false,
  };
}
