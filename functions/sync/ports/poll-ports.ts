// Reads the ports that are due with as few calls as possible: pages of the list where a page shows many of them, and
// the detail only where a status changed or rows may have changed.

import {
  rowsMayHaveMoved,
  type SnapshotContext,
  snapshotFailed,
  snapshotMissing,
  snapshotUnchanged,
  withPortConcern,
} from '#shared/outcome/port-snapshot.ts';
import { hasChanged, readPort, recordObservation, snapshotContext } from '#shared/pipeline/observe-port.ts';
import { nextCall, pageAfter, pageSize, pagesFrom, secondPage } from '#shared/port/poll-schedule.ts';
import { dayOfPort, isReportedUnavailable, type PortItem } from '#shared/port/port.ts';
import { UnreadableItem } from '#shared/row/issue.ts';
import type { PortList, PortSummary } from '#shared/service/contract.ts';
import { unlessDeclined } from '#shared/service/errors.ts';
import { inParallel } from '#shared/service/in-parallel.ts';
import { isoTime } from '#shared/text/wording.ts';
import { isDeadlineNear, type SyncRun } from '../run.ts';

export interface PollResult {
  /** Ports that were read, in the list or by their detail. */
  readonly polled: number;
  /** How many of these ports changed. */
  readonly changed: number;
  /** Calls to the service. */
  readonly calls: number;
  /** Ports that are due and wait for the next run. */
  readonly left: number;
}

interface Round {
  readonly run: SyncRun;
  /** Ports that are known to be due, and were not read yet. */
  readonly waiting: Map<string, PortItem>;
  /** More ports are due than a run loads: each page is compared with the table. */
  readonly hasMore: boolean;
  calls: number;
  polled: number;
  changed: number;
}

/** The partitions of the index share the limit, and are not equally full. */
const fullShare = 0.9;

/** Reads the ports that are due, the longest due first. */
export async function pollPorts(run: SyncRun): Promise<PollResult> {
  const { ports, clocks, settings, failures } = run;
  const due = await ports.due(settings.account, isoTime(clocks.calendar()), settings.limit, failures.noteUnreadable);
  const waiting = new Map(due.map((port) => [port.portId, port]));
  const hasMore = due.length >= fullShare * settings.limit;
  const round: Round = { run, waiting, hasMore, calls: 0, polled: 0, changed: 0 };
  try {
    await readPages(round);
    await inParallel([...waiting.values()], settings.callsAtOnce, (port) => poll(port, round));
  } finally {
    measureStaleness(round);
  }
  const { polled, changed, calls } = round;
  return { polled, changed, calls, left: waiting.size };
}

async function readPages(round: Round): Promise<void> {
  const { run, waiting } = round;
  const list: ListSeen = { totalPages: Number.POSITIVE_INFINITY, pages: 0, ports: 0 };
  const sample = round.hasMore ? list : undefined;
  let pagesLeft: number | undefined;
  let page = 1;
  while (nextCall({ remaining: waiting.size, pagesLeft, sample }) === 'page' && !isDeadlineNear(run)) {
    const pages = pagesFrom(page, Math.min(run.settings.callsAtOnce, pagesLeft ?? 1), list.totalPages);
    if (!(await readTogether(pages, list, round))) return;
    const { totalPages } = list;
    pagesLeft = Math.max(0, totalPages - list.pages);
    page = page === 1 ? secondPage(totalPages, run.clocks.wall()) : pageAfter(pages.at(-1) ?? page, totalPages);
  }
}

/** What is known of the list so far. */
interface ListSeen {
  totalPages: number;
  /** Pages that had ports. */
  pages: number;
  /** Due ports that they showed. */
  ports: number;
}

/** Reads pages at the same time, and records their ports page by page. false: one could not be read. */
async function readTogether(pages: readonly number[], list: ListSeen, round: Round): Promise<boolean> {
  const context = snapshotContext(round.run);
  const lists = new Map<number, PortList | undefined>();
  await inParallel(pages, pages.length, async (page) => void lists.set(page, await readPage(page, round)));
  for (const page of pages) {
    const shown = lists.get(page);
    if (shown === undefined) return false;
    list.ports += await recordShown(shown, context, round);
    // An empty page is after the end, whatever number of pages the service reports.
    list.totalPages = Math.min(list.totalPages, shown.data.length === 0 ? page - 1 : shown.totalPages);
    if (shown.data.length > 0) list.pages += 1;
  }
  return true;
}

/**
 * Records the ports of a page that are due; those that may have changed are read one by one. Returns how many are due.
 */
async function recordShown({ data }: PortList, context: SnapshotContext, round: Round): Promise<number> {
  const { run, waiting } = round;
  if (round.hasMore) await findDue(data, round);
  const shown = data.flatMap((summary) => {
    const port = waiting.get(summary.id);
    return port === undefined ? [] : [{ port, summary }];
  });
  await inParallel(shown, run.settings.callsAtOnce, async ({ port, summary }) => {
    if (isDeadlineNear(run)) return;
    const isEnough = isAsListed(port, summary) && !rowsMayHaveMoved(port, context.readAt);
    if (!isEnough || isReportedUnavailable(port)) return poll(port, round);
    const next = snapshotUnchanged(port, context);
    if (next !== undefined) await run.deadline.measured(() => run.ports.touch(port, next));
    record(port, false, round);
  });
  return shown.length;
}

/** The time behind the day may be written in another form than in the detail. */
const isAsListed = (port: PortItem, { statusName, connectionDate }: PortSummary): boolean =>
  statusName === port.status && dayOfPort({ connectionDate }) === dayOfPort(port);

/** Adds the ports of the page that are due and were not loaded. */
async function findDue(data: PortList['data'], { waiting, run }: Round): Promise<void> {
  const { ports, clocks, settings, failures } = run;
  const now = isoTime(clocks.calendar());
  const others = data.flatMap(({ id }) => (waiting.has(id) ? [] : [id]));
  for await (const port of ports.itemsOf(others, failures.noteUnreadable)) {
    const isDue = port.dueAt !== undefined && port.dueAt <= now;
    if (isDue && port.account === settings.account) waiting.set(port.portId, port);
  }
}

/** undefined: the service answers other calls, but not this page. Then each port that is due is read by itself. */
async function readPage(page: number, round: Round): Promise<PortList | undefined> {
  const { client, failures, log } = round.run;
  round.calls += 1;
  try {
    return await client.listPorts(page, pageSize);
  } catch (error) {
    await failures.deferIsolated(error);
    log.error('a page of the port list could not be read', { page, error });
    return undefined;
  }
}

/** A port that cannot be read does not stop the others. */
async function poll(port: PortItem, round: Round): Promise<void> {
  const { run } = round;
  if (isDeadlineNear(run)) return;
  round.calls += 1;
  const isNews = await run.deadline.measured(() =>
    pollDetail(port, run).catch((error: unknown) => defer(port, error, run)),
  );
  record(port, isNews, round);
}

function record({ portId, importId }: PortItem, isNews: boolean, round: Round): void {
  round.waiting.delete(portId);
  round.polled += 1;
  if (!isNews) return;
  round.changed += 1;
  round.run.changed.add(importId);
}

/** Returns whether something changed. */
async function pollDetail(port: PortItem, run: SyncRun): Promise<boolean> {
  const { requests, ports, log } = run;
  const observation = await unlessDeclined(readPort(port.portId, run));
  if (observation === undefined) {
    const isReported = await recordUnread(port, snapshotMissing(port, snapshotContext(run)), run);
    if (isReported) log.error('the service does not know a port any more', idsOf(port));
    return isReported;
  }
  const request = await requests.get(port.importId, port.request);
  const rows = await ports.rows(port.portId);
  if (request === undefined || rows === undefined)
    throw new UnreadableItem(`port ${port.portId}`, 'its request or its rows are not in the table');
  const recorded = await recordObservation({ port, request, rows }, observation, run);
  return typeof recorded === 'object' && hasChanged(recorded);
}

const idsOf = ({ portId, importId, request }: PortItem) => ({ portId, importId, request });

/** Records that a port could not be read. Returns whether action is required from now on. */
async function recordUnread(port: PortItem, next: PortItem | undefined, run: SyncRun): Promise<boolean> {
  const { ports, metrics } = run;
  if (next === undefined) return false;
  if (next.concern === port.concern) {
    await ports.touch(port, next);
    return false;
  }
  const seen = await findOwnRequest(port, run);
  const request = seen && { seen, next: withPortConcern(seen, next) };
  if (!(await ports.record({ seen: port, next, request }))) return false;
  metrics.count('actionRequired');
  return true;
}

/** undefined: the port is a duplicate, or the request is what cannot be read. */
async function findOwnRequest({ importId, request, portId }: PortItem, { requests }: SyncRun) {
  try {
    const item = await requests.get(importId, request);
    return item?.portId === portId ? item : undefined;
  } catch (error) {
    if (error instanceof UnreadableItem) return undefined;
    throw error;
  }
}

/** The port is read again later, so that it is not the first to fail in every run. */
async function defer(port: PortItem, error: unknown, run: SyncRun): Promise<boolean> {
  const { failures, log } = run;
  await failures.deferIsolated(error);
  log.error('a port could not be read', { ...idsOf(port), error });
  return recordUnread(port, snapshotFailed(port, snapshotContext(run)), run);
}

/** For how many seconds of calendar time the longest waiting port has been due (fault 49). */
function measureStaleness({ waiting, run: { clocks, metrics } }: Round): void {
  const now = clocks.calendar();
  let oldest = now;
  for (const { dueAt } of waiting.values()) if (dueAt !== undefined) oldest = Math.min(oldest, Date.parse(dueAt));
  metrics.gauge('syncStaleness', Math.round((now - oldest) / 1000));
}
