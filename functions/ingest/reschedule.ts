// A person wants the ports of an import on another date. The service cannot move a port, so a new import is planned from
// the old one's plan, whose requests are each held back until sync has read the port before them as Cancelled.
import type { Imports } from '#shared/aws/imports.ts';
import type { Plans } from '#shared/aws/plans.ts';
import type { CalendarDate } from '#shared/domain/calendar-date.ts';
import { reschedulingId } from '#shared/domain/identity.ts';
import { error, type Finding, type Issue } from '#shared/domain/issue.ts';
import type { ImportItem, RequestItem } from '#shared/domain/ledger.ts';
import { portStatus } from '#shared/domain/lifecycle.ts';
import { packLines } from '#shared/domain/lines.ts';
import { askedAs } from '#shared/domain/person.ts';
import type { RescheduleMessage } from '#shared/domain/plan.ts';
import type { JudgeContext, Rescheduled } from '#shared/operations/operation.ts';
import type { PortDetail } from '#shared/porting/contract.ts';
import type { IngestDependencies } from './ingest.ts';
import { OutOfTime } from './out-of-time.ts';
import { openPlan, type PlanWriter } from './plan-writer.ts';
import { portsInTime } from './ports-in-time.ts';
import { release } from './release.ts';

export interface RescheduleDependencies extends IngestDependencies {
  readonly imports: Pick<Imports, 'begin' | 'get' | 'update'>;
  readonly plans: Plans;
}

/**
 * Plans and releases the import that moves the ports; nothing is cancelled here. All of what was asked for can be moved, or
 * nothing is: then the import is refused and its issues say why. undefined: there is no such import. Safe to repeat.
 * @throws OutOfTime, ReleaseHalted, and what the table, the bucket and the service throw; then the message is to be repeated
 */
export async function reschedule(
  wish: RescheduleMessage,
  remainingMs: () => number,
  dependencies: RescheduleDependencies,
): Promise<ImportItem | undefined> {
  const { imports } = dependencies;
  const old = await imports.get(wish.reschedule);
  if (old === undefined) return undefined;
  const { item } = await imports.begin(newImport(old, wish, dependencies));
  if (item.state !== 'planning') {
    return item.state === 'planned' || item.state === 'submitting' ? release(item, remainingMs, dependencies) : item;
  }
  const { issues, ...counts } = await planMoves(item, old, wish, remainingMs, dependencies);
  const changes: Partial<ImportItem> = {
    ...counts,
    issues: [...issues],
    state: issues.length === 0 ? 'planned' : 'refused',
    changedAt: dependencies.now(),
  };
  const sealed = await imports.update(item.importId, changes, ['planning']);
  if (sealed === undefined) return imports.get(item.importId);
  return sealed.state === 'planned' ? release(sealed, remainingMs, dependencies) : sealed;
}

/** It is about the same file, and results.csv reads it again. */
function newImport(
  old: ImportItem,
  { ask, date, ...asking }: RescheduleMessage,
  { now }: RescheduleDependencies,
): ImportItem {
  const { account, operation, bucket, key, versionId, etag, bytes } = old;
  return {
    importId: reschedulingId(old.importId, ask),
    reschedules: { importId: old.importId, date },
    asked: askedAs(asking),
    ...{ account, operation, bucket, key, ...(versionId === undefined ? {} : { versionId }), etag, bytes },
    state: 'planning',
    planOnly: false,
    receivedAt: now(),
    changedAt: now(),
    ...{ rows: 0, accepted: 0, rejected: 0, warnings: 0, requestCount: 0, attention: 0, withdrawnRows: 0 },
    ...{ issues: [], requests: {}, ports: {} },
  };
}

interface PlannedMoves {
  readonly rows: number;
  readonly accepted: number;
  readonly requestCount: number;
  readonly issues: readonly Issue[];
}

/** Of an import with thousands of ports, so many reasons tell enough. */
const shownIssues = 20;

async function planMoves(
  item: ImportItem,
  old: ImportItem,
  wish: RescheduleMessage,
  remainingMs: () => number,
  dependencies: RescheduleDependencies,
): Promise<PlannedMoves> {
  const { files, requests, workBucket, settings, calendar, openCatalogue } = dependencies;
  if (old.operation === null) return refused([error('PORT_NOT_CHANGEABLE', 'the import has made no ports')]);
  const catalogue = portsInTime(openCatalogue(), remainingMs, () => outOfTime(item));
  const judging: JudgeContext = { catalogue, settings, calendar };
  const plan = openPlan(files, workBucket, item.importId, old.operation);
  const findings: Finding[] = [];
  let rows = 0;
  try {
    for await (const request of requests.ofImport(old.importId)) {
      if (wish.requests !== undefined && !wish.requests.includes(request.request)) continue;
      const move = await moveOf(request, wish, judging, dependencies);
      if (move === undefined) continue;
      if ('refuse' in move) findings.push(about(request, move.refuse));
      else rows += addMove(plan, request, move, old);
      await plan.drain();
    }
    if (plan.requestCount === 0 && findings.length === 0) findings.push(nothingToMove(wish));
    await (findings.length === 0 ? plan.close() : plan.abort());
  } catch (thrown) {
    await plan.abort();
    throw thrown;
  }
  return findings.length > 0
    ? refused(findings)
    : { rows, accepted: rows, requestCount: plan.requestCount, issues: [] };
}

const outOfTime = ({ importId }: ImportItem): OutOfTime =>
  new OutOfTime(
    importId,
    'while its ports were looked up, a call each',
    'move some of its requests at a time, with --request',
  );

const refused = (findings: readonly Finding[]): PlannedMoves => ({
  rows: 0,
  accepted: 0,
  requestCount: 0,
  issues: findings.slice(0, shownIssues).map((finding) => ({ line: 0, column: null, ...finding })),
});

const about = ({ request, portId }: RequestItem, { message, ...finding }: Finding): Finding => ({
  ...finding,
  message: `request ${request}${portId === undefined ? '' : `, port ${portId}`}: ${message}`,
});

const nothingToMove = ({ requests }: RescheduleMessage): Finding =>
  error(
    'PORT_NOT_CHANGEABLE',
    requests === undefined
      ? 'the import has no port that is still to come: there is nothing to move'
      : `there is no port that is still to come in request ${requests.join(', ')}: there is nothing to move`,
  );

const notYet = (message: string): { readonly refuse: Finding } => ({ refuse: error('PORT_NOT_CHANGEABLE', message) });

/** undefined: there is no port to move, and none to come. */
async function moveOf(
  request: RequestItem,
  { date }: RescheduleMessage,
  judging: JudgeContext,
  { plans, operations }: RescheduleDependencies,
): Promise<Rescheduled | undefined> {
  if (request.endedAt !== undefined) return undefined;
  if (request.state !== 'created' || request.portId === undefined) {
    return notYet(`it is ${request.state}, so nobody knows yet which port is to be moved`);
  }
  if (request.duplicatePortIds !== undefined)
    return notYet('its numbers stand in more than one port: cancel the others');
  const reschedule = operations.get(request.operation)?.submission.reschedule;
  if (reschedule === undefined) return notYet(`${request.operation} makes nothing that has a date`);
  const port = await judging.catalogue.port(request.portId, 'fresh');
  const obstacle = port === undefined ? 'the service does not know it any more' : obstacleIn(port);
  if (port === undefined || obstacle !== undefined) return obstacle === 'over' ? undefined : notYet(obstacle ?? '');
  const planned = await plans.read(request);
  if (planned === undefined) return notYet('its plan has expired: cancel it, and drop its lines again');
  return reschedule(planned, port, date as CalendarDate | 'auto', judging);
}

/** Why the service would not cancel it; `over` where there is nothing left to cancel. In doubt the service decides. */
function obstacleIn({ statusName }: PortDetail): string | undefined {
  const status = portStatus(statusName);
  if (status.terminal) return 'over';
  const undecided = status.beforeLocked || status.attention || !status.known || status.key === 'awaitingserial';
  return undecided ? undefined : `it is ${status.label}, and can only be cancelled before it is Locked`;
}

/** Answers how many lines are moved. A port whose every line was cancelled is cancelled by now. */
function addMove(
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
