// Reschedules the ports of an import. The service cannot change the date of a port, so a new import is planned from the
// plan of the old one. Each of its requests waits until sync has read the port that it replaces as Cancelled.
import { type ActorOptions, requestedByOf } from '#shared/domain/imports/actor.ts';
import { error, type Finding, type Issue } from '#shared/domain/imports/issue.ts';
import { packLines } from '#shared/domain/imports/packed-lines.ts';
import type { RescheduleMessage } from '#shared/domain/imports/plan.ts';
import { reschedulingId } from '#shared/domain/requests/identity.ts';
import type { ImportItem, RequestItem } from '#shared/domain/requests/ledger.ts';
import type { Rescheduled, ValidationContext } from '#shared/operations/kit/operation.ts';
import type { Deadline } from '#shared/runtime/deadline.ts';
import type { Plans } from '#shared/store/files/plans.ts';
import { expiryOf, type IngestDependencies } from './ingest.ts';
import { newImport } from './new-import.ts';
import { PlanWriter } from './plan-writer.ts';
import { withPortDeadline } from './planning-timeout.ts';
import { rejectImport } from './reject-import.ts';
import { release } from './release.ts';

export interface RescheduleDependencies extends IngestDependencies {
  readonly plans: Plans;
}

/**
 * Plans and releases the import that reschedules the ports; it cancels nothing. If one of the requested ports cannot be
 * rescheduled, the import is rejected with an issue for each. undefined: there is no such import. May be repeated.
 * @throws PlanningTimeout, ReleaseHalted, and what the table, the bucket and the service throw: repeat the message
 */
export async function reschedule(
  message: RescheduleMessage & ActorOptions,
  deadline: Deadline,
  dependencies: RescheduleDependencies,
): Promise<ImportItem | undefined> {
  const { imports, now } = dependencies;
  const old = await imports.get(message.reschedule);
  if (old === undefined) return undefined;
  const origin = { ...originOf(old, message), expiresAt: expiryOf(dependencies) };
  const { item } = await imports.begin(newImport(origin, now()));
  if (item.state !== 'planning') {
    return item.state === 'planned' || item.state === 'submitting' ? release(item, deadline, dependencies) : item;
  }
  const { issues, requestCount, planHash, ...counts } = await planReplacements(
    item,
    old,
    message,
    deadline,
    dependencies,
  );
  if (issues.length > 0) return rejectImport(item.importId, 'planning', { issues, ...counts }, dependencies);
  const changes = { ...counts, requestCount, planHash, state: 'planned', changedAt: now() } as const;
  const updated = await imports.update(item.importId, changes, ['planning']);
  return updated === undefined ? imports.get(item.importId) : release(updated, deadline, dependencies);
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
    ...{ account, operation, bucket, key, ...(versionId && { versionId }), etag, bytes },
    ...(columnIndexes && { columnIndexes }),
    ...(columnIndexesForPeople && { columnIndexesForPeople }),
    ...(layout && { layout }),
    ...(onInvalidPac && { onInvalidPac }),
    planOnly: false,
  };
}

interface PlannedReplacements {
  readonly rows: number;
  readonly accepted: number;
  readonly requestCount: number;
  readonly planHash?: string;
  readonly issues: readonly Issue[];
}

/** Issues kept with the import: it may have thousands of ports. */
const shownIssues = 20;

const advice = 'reschedule some of its requests at a time, with --request';

async function planReplacements(
  { importId }: ImportItem,
  old: ImportItem,
  message: RescheduleMessage,
  deadline: Deadline,
  dependencies: RescheduleDependencies,
): Promise<PlannedReplacements> {
  const { files, requests, workBucket, settings, calendar, openCatalogue } = dependencies;
  if (old.operation === null) return rejected([error('PORT_NOT_CHANGEABLE', 'the import has created no ports')]);
  const catalogue = withPortDeadline(openCatalogue(), deadline, { importId, advice });
  const context: ValidationContext = { catalogue, settings, calendar };
  const { nothingToReschedule, planReplacement } = await import('./plan-replacement.ts');
  const plan = new PlanWriter(files, workBucket, importId, old.operation);
  const findings: Finding[] = [];
  let rows = 0;
  try {
    for await (const request of requests.ofImport(old.importId)) {
      if (message.requests !== undefined && !message.requests.includes(request.request)) continue;
      const replacement = await planReplacement(request, message, context, dependencies);
      if (replacement === undefined) continue;
      if ('rejection' in replacement) findings.push(addRequest(replacement.rejection, request));
      else rows += writeReplacement(plan, request, replacement, old);
      await plan.drain();
    }
    if (plan.requestCount === 0 && findings.length === 0) findings.push(nothingToReschedule(message));
    await (findings.length === 0 ? plan.close() : plan.abort());
  } catch (thrown) {
    await plan.abort();
    throw thrown;
  }
  return findings.length > 0
    ? rejected(findings)
    : { rows, accepted: rows, requestCount: plan.requestCount, planHash: plan.planHash, issues: [] };
}

const rejected = (findings: readonly Finding[]): PlannedReplacements => ({
  rows: 0,
  accepted: 0,
  requestCount: 0,
  issues: findings.slice(0, shownIssues).map((finding) => ({ line: 0, column: null, ...finding })),
});

const addRequest = ({ message, ...finding }: Finding, { request, portId }: RequestItem): Finding => ({
  ...finding,
  message: `request ${request}${portId === undefined ? '' : `, port ${portId}`}: ${message}`,
});

/** Returns how many rows are rescheduled: none when all rows of the port are cancelled, which cancels the port. */
function writeReplacement(
  plan: PlanWriter,
  { request, portId = '' }: RequestItem,
  { move, why }: Extract<Rescheduled, { move: unknown }>,
  old: ImportItem,
): number {
  if (move.rows.length === 0) return 0;
  const shape = { label: move.label, head: JSON.stringify(move.head), ...(why === undefined ? {} : { why }) };
  const lines = packLines(move.rows.map(({ line }) => line));
  const replaces = { importId: old.importId, request, portId };
  const rows = Buffer.from(move.rows.map((row) => JSON.stringify(row)).join(','));
  plan.add(shape, rows, move.rows.length, { replaces, lines });
  return move.rows.length;
}
