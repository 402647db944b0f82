// Reschedules the ports of an import. The service cannot change the date of a port, so a new import is planned from the
// plan of the old one. Each of its requests waits until sync has read the port that it replaces as Cancelled.
import { type ActorOptions, requestedByOf } from '#shared/import/approval.ts';
import type { ImportItem } from '#shared/import/import.ts';
import { expiryOf, findAccountProblem, isReleased } from '#shared/import/import-state.ts';
import { createReadDayCycle, firstImportOf, partItemOf } from '#shared/import/part.ts';
import type { MovablePort, Rescheduled, ValidationContext } from '#shared/operations/operation.ts';
import type { PortRowState } from '#shared/port/port.ts';
import { checkPortCancel, isRowLeaving } from '#shared/port/port-change.ts';
import { portStatus, rowStatus } from '#shared/port/port-status.ts';
import type { RescheduleMessage } from '#shared/request/messages.ts';
import type { RequestItem } from '#shared/request/request.ts';
import { readFirst } from '#shared/results/parts.ts';
import type { CalendarDate } from '#shared/row/calendar-date.ts';
import { error, type Finding, type Issue } from '#shared/row/issue.ts';
import type { Deadline } from '#shared/runtime/clock.ts';
import { inParallel } from '#shared/service/in-parallel.ts';
import { describePart, reschedulingId } from '#shared/text/identity.ts';
import { isoTime } from '#shared/text/wording.ts';
import type { IngestPipeline } from '../ingest-pipeline.ts';
import { newImport } from '../new-import.ts';
import { PlanWriter } from '../plan/plan-files.ts';
import { rejectImport, withPortDeadline } from '../plan/reject-import.ts';
import { inBatches, releaseOrReject } from '../release.ts';

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
  const { openCatalogue, settings } = pipeline;
  if (item.state !== 'planning') return releaseMove(item, deadline, pipeline);
  const problem = findMoveProblem(item, old, settings.account);
  if (problem !== undefined) {
    const issues = [{ line: 0, column: null, ...error('PORT_NOT_CHANGEABLE', problem) }];
    return rejectImport(item, 'planning', { issues }, pipeline);
  }
  await imports.addPart(partItemOf(item, firstImportOf(old)), await readFirst(imports, old));
  const catalogue = withPortDeadline(openCatalogue(), deadline, item, advice);
  // The days on which a port can be booked.
  catalogue.renew();
  const context = { catalogue, settings, calendar: clocks.calendar, readDayCycle: createReadDayCycle(imports) };
  const { issues, requestCount, planHash, ...counts } = await planReplacements(item, old, message, context, pipeline);
  if (issues.length > 0) return rejectImport(item, 'planning', { issues, ...counts }, pipeline);
  const changes = { ...counts, requestCount, planHash, state: 'planned', changedAt: isoTime(clocks.wall()) } as const;
  const updated = await imports.update(item.importId, changes, ['planning']);
  // No update: another delivery was first and may have died before the release, or the answer to this one was lost.
  return releaseMove(updated ?? (await imports.get(item.importId)), deadline, pipeline);
}

const releaseMove = async (item: ImportItem | undefined, deadline: Deadline, pipeline: IngestPipeline) =>
  item?.state === 'planned' || item?.state === 'submitting' ? releaseOrReject(item, deadline, pipeline) : item;

/**
 * Such a move is no part of the import: what has sent nothing has no ports, and may still be read again. It is rejected
 * also where its message comes again once the import was released: it began with another file than the import has now.
 */
const findMoveProblem = (move: ImportItem, old: ImportItem, account: string): string | undefined =>
  isReleased(old) && move.etag === old.etag && move.reading?.count === old.reading?.count
    ? findAccountProblem(old, account)
    : 'the import has sent nothing, so it has no port in progress: there is nothing to reschedule';

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
    reading,
  } = old;
  return {
    importId: reschedulingId(old.importId, ask),
    reschedules: { importId: old.importId, date },
    partOf: { importId: firstImportOf(old), kind: 'move' as const },
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
    ...(reading && { reading }),
    ...(onInvalidPac && { onInvalidPac }),
    planOnly: false,
  };
}

// The plan of an import that reschedules ports, from the plan of the import that created them. Loaded when one is asked
// for.

interface PlannedReplacements {
  readonly rows: number;
  readonly accepted: number;
  readonly requestCount: number;
  readonly planHash?: string;
  readonly issues: readonly Issue[];
}

/** Issues kept with the import: it may have thousands of ports. */
const shownIssues = 20;

export async function planReplacements(
  { importId, reading }: ImportItem,
  old: ImportItem,
  message: RescheduleMessage,
  context: ValidationContext,
  pipeline: IngestPipeline,
): Promise<PlannedReplacements> {
  const { files, resources } = pipeline;
  if (old.operation === null) return rejected([nothingToReschedule(message)]);
  const plan = new PlanWriter(files, resources.workBucket, { importId, operation: old.operation, reading });
  const findings: Finding[] = [];
  let rows = 0;
  try {
    // The ports of a batch are read from the table together.
    for await (const chosen of inBatches(requestsOf(old, message, pipeline))) {
      const planned = await planBatch(chosen, message, context, pipeline);
      for (const request of chosen) {
        const replacement = planned.get(request);
        if (replacement === undefined) continue;
        if ('rejection' in replacement) findings.push(addRequest(replacement.rejection, request));
        else rows += writeReplacement(plan, request, replacement, old);
      }
      await plan.drain();
    }
    if (plan.requestCount + findings.length === 0) findings.push(nothingToReschedule(message));
    await (findings.length === 0 ? plan.close() : plan.abort());
  } catch (thrown) {
    await plan.abort();
    throw thrown;
  }
  return findings.length > 0
    ? rejected(findings)
    : { rows, accepted: rows, requestCount: plan.requestCount, planHash: plan.planHash, issues: [] };
}

async function* requestsOf(
  { importId }: ImportItem,
  { requests: chosen }: RescheduleMessage,
  { requests }: IngestPipeline,
): AsyncIterable<RequestItem> {
  for await (const item of requests.ofImport(importId))
    if (chosen === undefined || chosen.includes(item.request)) yield item;
}

const rejected = (findings: readonly Finding[]): PlannedReplacements => ({
  rows: 0,
  accepted: 0,
  requestCount: 0,
  issues: findings.slice(0, shownIssues).map((finding) => ({ line: 0, column: null, ...finding })),
});

const addRequest = ({ message, ...finding }: Finding, { request, portId }: RequestItem): Finding => ({
  ...finding,
  message: `request ${request}${describePart(request)}${portId === undefined ? '' : `, port ${portId}`}: ${message}`,
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
  const replaces = { importId: old.importId, request, portId };
  const rows = Buffer.from(move.rows.map((row) => JSON.stringify(row)).join(','));
  const lines = move.rows.map(({ line }) => line);
  plan.add(shape, rows, lines, replaces);
  return move.rows.length;
}

function nothingToReschedule({ requests }: RescheduleMessage): Finding {
  const where = requests === undefined ? 'the import' : `request ${requests.join(', ')}`;
  return error('PORT_NOT_CHANGEABLE', `${where} has no port in progress: there is nothing to reschedule`);
}

const notChangeable = (message: string): { readonly rejection: Finding } => ({
  rejection: error('PORT_NOT_CHANGEABLE', message),
});

/**
 * Plans from what sync has read, because sync reads each port again before it cancels it, with its rows and PACs
 * (docs/decisions/0010). What a reading does not allow is read from the service: an old reading never rejects.
 */
async function planBatch(
  chosen: readonly RequestItem[],
  message: RescheduleMessage,
  context: ValidationContext,
  pipeline: IngestPipeline,
): Promise<ReadonlyMap<RequestItem, Rescheduled | undefined>> {
  const readings = await readTable(chosen, context, pipeline);
  const planned = new Map<RequestItem, Rescheduled | undefined>();
  const plan = async (request: RequestItem, readPort: ReadMovablePort): Promise<void> => {
    planned.set(request, await planReplacement(request, message, readPort, context, pipeline));
  };
  const ofTable = chosen.filter(({ portId = '' }) => readings.has(portId));
  await Promise.all(ofTable.map((request) => plan(request, async (portId) => readings.get(portId))));
  const isPlanned = (request: RequestItem) => 'move' in (planned.get(request) ?? {});
  await inParallel(
    chosen.filter((request) => !isPlanned(request)),
    pipeline.settings.callsAtOnce,
    (request) => plan(request, (portId) => context.catalogue.port(portId, 'fresh')),
  );
  return planned;
}

type ReadMovablePort = (portId: string) => Promise<MovablePort | undefined>;

/** The ports that can be cancelled as of their last reading. */
async function readTable(
  chosen: readonly RequestItem[],
  { calendar }: ValidationContext,
  { ports }: IngestPipeline,
): Promise<ReadonlyMap<string, MovablePort>> {
  const portIds = chosen.flatMap(({ portId }) => portId ?? []);
  const rowsOf = new Map<string, readonly PortRowState[]>();
  for await (const { portId, rows } of ports.rowsOf(portIds)) rowsOf.set(portId, rows);
  const found = new Map<string, MovablePort>();
  for await (const port of ports.itemsOf(portIds)) {
    const { portId, status, connectionDate, cancelBy = '', missingReads, failedReads = 0 } = port;
    const rows = (rowsOf.get(portId) ?? []).map((row) => ({ msisdn: row.msisdn, statusName: row.status }));
    const isReliable = missingReads + failedReads === 0 && cancelBy > isoTime(calendar());
    const isSettled = rows.every((row) => rowStatus(row.statusName).terminal || !isRowLeaving(row));
    if (isReliable && isSettled && rows.length > 0) found.set(portId, { statusName: status, connectionDate, rows });
  }
  return found;
}

/** undefined: the request has no port that could be rescheduled, and will have none. */
async function planReplacement(
  request: RequestItem,
  { date }: RescheduleMessage,
  readPort: ReadMovablePort,
  context: ValidationContext,
  { plans, operations }: IngestPipeline,
): Promise<Rescheduled | undefined> {
  if (request.endedAt !== undefined) return undefined;
  if (request.state !== 'created' || request.portId === undefined) {
    return notChangeable(`it is ${request.state}, so it is not known yet which port to reschedule`);
  }
  if (request.duplicatePortIds !== undefined) {
    return notChangeable('its numbers are in more than one port: cancel the others');
  }
  const plan = operations.get(request.operation)?.submission.reschedule;
  if (plan === undefined) return notChangeable(`${request.operation} creates nothing that has a date`);
  const port = await readPort(request.portId);
  if (port === undefined) return notChangeable('the service no longer knows it');
  if (portStatus(port.statusName).terminal) return undefined;
  const cancel = checkPortCancel(port.statusName);
  if (typeof cancel === 'object') return notChangeable(cancel.impossible);
  const planned = await plans.read(request);
  if (planned === undefined) return notChangeable('its plan has expired: cancel it, and import its rows again');
  return plan(planned, port, date as CalendarDate | 'auto', context);
}
