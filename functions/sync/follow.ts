// Follows the ports that are due, with as few calls as the answer needs: pages of the list where they show many at once,
// the detail only where a status moved or rows may have.
import type { PortItem } from '#shared/domain/ledger.ts';
import { portStatus } from '#shared/domain/lifecycle.ts';
import {
  isNotShown,
  type Look,
  lookAtDetail,
  lookFailed,
  lookMissing,
  lookUnchanged,
  requestConcerned,
  rowsMayHaveMoved,
} from '#shared/domain/port-look.ts';
import { nextCall, pageAfter, pageSize, secondPage } from '#shared/domain/sync-plan.ts';
import { UnreadableItem } from '#shared/domain/unreadable-item.ts';
import type { PortList } from '#shared/porting/contract.ts';
import { inParallel } from './in-parallel.ts';
import { isTimeShort, lookContext } from './parts.ts';
import type { RunParts } from './trouble.ts';
import { unlessUnknown } from './unless-unknown.ts';

export interface Followed {
  /** Ports that were looked at, in the list or by their detail. */
  readonly looked: number;
  /** Of those, ports of which something changed. */
  readonly changed: number;
  /** Calls to the service. */
  readonly calls: number;
  /** Ports that are due and wait for the next run. */
  readonly left: number;
}

/** Calls and writes under way at the same time. */
const width = 4;

/** Looks at what is due, the longest due first; adds the imports of which something changed to `imports`. */
export async function follow(parts: RunParts, imports: Set<string>): Promise<Followed> {
  const now = new Date(parts.clocks.calendar()).toISOString();
  const due = await parts.ports.due(now, parts.settings.limit, parts.trouble.noteUnreadable);
  const round: Round = {
    parts,
    imports,
    waiting: new Map(due.map((port) => [port.portId, port])),
    calls: 0,
    looked: 0,
    changed: 0,
  };
  try {
    await readPages(round);
    await inParallel([...round.waiting.values()], width, (port) => readPort(port, round));
  } finally {
    measureStaleness(round);
  }
  const { looked, changed, calls, waiting } = round;
  return { looked, changed, calls, left: waiting.size };
}

interface Round {
  readonly parts: RunParts;
  readonly imports: Set<string>;
  /** Due and not looked at yet. */
  readonly waiting: Map<string, PortItem>;
  calls: number;
  looked: number;
  changed: number;
}

async function readPages(round: Round): Promise<void> {
  let pagesLeft: number | undefined;
  let total = Number.POSITIVE_INFINITY;
  let read = 0;
  let page = 1;
  while (nextCall({ remaining: round.waiting.size, pagesLeft }) === 'page' && !isTimeShort(round.parts)) {
    const context = lookContext(round.parts);
    const list = await readPage(page, round);
    if (list === undefined) return;
    const shown = list.data.flatMap((summary) => {
      const port = round.waiting.get(summary.id);
      return port === undefined ? [] : [{ port, statusName: summary.statusName }];
    });
    await inParallel(shown, width, async ({ port, statusName }) => {
      if (statusName !== port.status || rowsMayHaveMoved(port) || isNotShown(port)) return readPort(port, round);
      const next = lookUnchanged(port, context);
      if (next !== undefined) await round.parts.ports.touch(port, next);
      looked(port, round);
    });
    // An empty page is behind the end, whatever the service said of their number.
    total = Math.min(total, list.data.length === 0 ? page - 1 : list.totalPages);
    if (list.data.length > 0) read += 1;
    pagesLeft = Math.max(0, total - read);
    page = page === 1 ? secondPage(total, round.parts.clocks.wall()) : pageAfter(page, total);
  }
}

/** undefined: the service answers, but does not show this page. Then each port that is due is asked for by itself. */
async function readPage(page: number, round: Round): Promise<PortList | undefined> {
  const { client, trouble, log } = round.parts;
  round.calls += 1;
  try {
    return await client.listPorts(page, pageSize);
  } catch (error) {
    if (!(await trouble.concernsOnlyIt(error))) throw error;
    trouble.noteLeft(error);
    log.error('a page of the list could not be read', { page, error });
    return undefined;
  }
}

const looked = (port: PortItem, round: Round): void => {
  round.waiting.delete(port.portId);
  round.looked += 1;
};

/** Reads one port's detail and writes what it tells. A port that cannot be understood does not stop the others. */
async function readPort(port: PortItem, round: Round): Promise<void> {
  if (isTimeShort(round.parts)) return;
  try {
    await lookAt(port, round);
  } catch (error) {
    await putOff(port, error, round);
  }
  looked(port, round);
}

async function lookAt(port: PortItem, round: Round): Promise<void> {
  const { parts } = round;
  const context = lookContext(parts);
  round.calls += 1;
  const detail = await unlessUnknown(parts.client.port(port.portId));
  if (detail === undefined) return missing(port, round);
  const request = await parts.requests.get(port.importId, port.request);
  const rows = await parts.ports.rows(port.portId);
  if (request === undefined || rows === undefined) throw deletedByHand(port);
  const look = lookAtDetail({ port, request, rows }, detail, context);
  if (look !== undefined && (await parts.looks.record(look))) note(look, round);
}

const deletedByHand = ({ portId }: PortItem) =>
  new UnreadableItem(`port ${portId}`, 'its request or its rows are not in the table');

function note({ seen, next, rows, event, request }: Look, round: Round): void {
  const { metrics, log } = round.parts;
  if (rows === undefined && event === undefined && request === undefined) return;
  round.changed += 1;
  round.imports.add(next.importId);
  const more = next.attention - (seen?.attention ?? 0);
  if (more > 0) metrics.count('attention', more);
  if (!portStatus(next.status).known) {
    metrics.count('unknownStatus');
    log.warn('the service uses a status that we do not know', { ...whichPort(next), status: next.status });
  }
  log.info('port changed', { ...whichPort(next), status: next.status, was: event?.was, attention: next.attention });
}

const whichPort = ({ portId, importId, request }: PortItem) => ({ portId, importId, request });

async function missing(port: PortItem, round: Round): Promise<void> {
  const next = lookMissing(port, lookContext(round.parts));
  if (next !== undefined && (await recordUnread(port, next, round)))
    round.parts.log.error('the service does not know a port any more', whichPort(port));
}

/** Writes a look that did not show the port; answers whether people are told from now on. */
async function recordUnread(port: PortItem, next: PortItem, round: Round): Promise<boolean> {
  const { ports, metrics } = round.parts;
  if (next.concern === port.concern) {
    await ports.touch(port, next);
    return false;
  }
  const seen = await requestOf(port, round.parts);
  const request = seen && { seen, next: requestConcerned(seen, next) };
  if (!(await ports.record({ seen: port, next, request }))) return false;
  round.changed += 1;
  round.imports.add(port.importId);
  metrics.count('attention');
  return true;
}

/** undefined: the port is not its own, or it is what cannot be read. */
async function requestOf({ importId, request, portId }: PortItem, { requests }: RunParts) {
  try {
    const item = await requests.get(importId, request);
    return item?.portId === portId ? item : undefined;
  } catch (error) {
    if (error instanceof UnreadableItem) return undefined;
    throw error;
  }
}

/** What cannot be read is put off, so that it is not the first thing to fail in every run. */
async function putOff(port: PortItem, error: unknown, round: Round): Promise<void> {
  const { trouble, log } = round.parts;
  if (!(await trouble.concernsOnlyIt(error))) throw error;
  log.error('a port could not be read', { ...whichPort(port), error });
  trouble.noteLeft(error);
  const next = lookFailed(port, lookContext(round.parts));
  if (next !== undefined) await recordUnread(port, next, round);
}

/** How long the longest waiting port has been due by now, in seconds of calendar time (fault 49). */
function measureStaleness({ waiting, parts }: Round): void {
  const now = parts.clocks.calendar();
  let oldest = now;
  for (const { dueAt } of waiting.values()) if (dueAt !== undefined) oldest = Math.min(oldest, Date.parse(dueAt));
  parts.metrics.gauge('syncStaleness', Math.round((now - oldest) / 1000));
}
