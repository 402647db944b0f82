// Watches the list of ports for those that the service created late: under the name of a request that has another port
// by now, or that had ended without one. Each hour reads a part of the list, so that a day reads all of it.
import { firstNotification } from '#shared/import/import-state.ts';
import { moveRequest } from '#shared/pipeline/move-request.ts';
import { pageSize } from '#shared/port/poll-schedule.ts';
import { isLeftUnread } from '#shared/port/port.ts';
import { isPortStatus } from '#shared/port/port-status.ts';
import { addLatePort, withoutLeftPort } from '#shared/request/waiting-request.ts';
import type { PortSummary } from '#shared/service/contract.ts';
import { readIfPresent } from '#shared/service/scan-port-list.ts';
import { requestToken, tokenOfPortName } from '#shared/text/identity.ts';
import { isoTime } from '#shared/text/wording.ts';
import { unlessUnreadable } from '../failure-classifier.ts';
import { lateCommits } from '../intervals.ts';
import type { SyncRun } from '../run.ts';
import { isSearchOver } from './port-list-passes.ts';

/** A lease that is never released: it marks the last time. Its note is the page at which the next hour begins. */
const leaseName = 'late-commits';

/** Tokens in the names of ports, by the id of the port. */
type TokensById = Map<string, string>;

/** Returns how many late ports were found. Rejects with the failures of the client: the same pages are read again. */
export async function watchLateCommits(run: SyncRun): Promise<number> {
  const { leases, clocks, runId } = run;
  if (isSearchOver(run)) return 0;
  const now = clocks.wall();
  const until = now + lateCommits.everyMs;
  const lease = { name: leaseName, holder: runId, now, until };
  const last = await leases.takeUp(lease);
  if (last === undefined) return 0;
  let { note } = last;
  try {
    const { named, next } = await readPart(Number(note), run);
    const found = await addToRequests(named, run);
    note = next;
    return found;
  } finally {
    if (note !== '') await leases.note(lease, note);
  }
}

/** Some services have a page 0, and not all that they count. Pages that show nothing new are the end of the list. */
async function readPart(first: number, run: SyncRun): Promise<{ named: TokensById; next: string }> {
  const { client, settings } = run;
  const named: TokensById = new Map();
  const shown = new Set<string>();
  let [page, last] = [first, Math.max(1, first)];
  while (page <= last && page - first < lateCommits.pagesOf(last) && !isSearchOver(run)) {
    const numbers = Array.from({ length: Math.min(settings.callsAtOnce, last + 1 - page) }, (_, place) => page + place);
    const read = (number: number) => readIfPresent((each) => client.listPorts(each, pageSize), number);
    const shownBefore = shown.size;
    for (const { data, totalPages } of await Promise.all(numbers.map(read))) {
      last = Math.max(last, totalPages);
      for (const { id } of data) shown.add(id);
      addTokens(data, named);
    }
    // Where there is no page 0, page 1 may show the same ports.
    if (page > Math.max(1, first) && shown.size === shownBefore) return { named, next: '' };
    page += numbers.length;
  }
  // The last page is read again: ports that leave the list move others to it.
  return { named, next: page > last ? '' : String(Math.max(0, page - 1)) };
}

function addTokens(data: readonly PortSummary[], named: TokensById): void {
  for (const { id, name, statusName } of data) {
    const token = tokenOfPortName(name);
    // People may abandon or resend a request whose port is cancelled: it is no concern.
    if (token !== undefined && !isPortStatus(statusName, 'Cancelled')) named.set(id, token);
  }
}

async function addToRequests(named: TokensById, run: SyncRun): Promise<number> {
  const { ports, requests, notifications, settings, clocks, failures, log } = run;
  const times = { now: clocks.wall(), quietMs: settings.quietMs };
  const left = new Set<string>();
  for await (const port of ports.itemsOf([...named.keys()], failures.noteUnreadable)) {
    // Nobody reads a port that was left as missing. The list shows that it is there after all.
    if (isLeftUnread(port)) left.add(port.portId);
    else named.delete(port.portId);
  }
  const owners = await ownersOf(named, run);
  let found = 0;
  for (const [portId, token] of named) {
    const owner = owners.get(token);
    const seen = owner && (await unlessUnreadable(requests.get(owner.importId, owner.request), failures));
    if (seen === undefined) continue;
    const next = addLatePort(left.has(portId) ? withoutLeftPort(seen, portId) : seen, portId, times);
    if (next === undefined) continue;
    // The import may have ended so long ago that report is not notified of it any more.
    await run.imports.update(seen.importId, { changedAt: isoTime(clocks.wall()) });
    await notifications.set(seen.importId, firstNotification(clocks.wall()));
    if ((await moveRequest(seen, next, run)) === undefined) continue;
    log.error('the service created a port late', { importId: seen.importId, request: seen.request, portId });
    run.changed.add(seen.importId);
    found += 1;
  }
  return found;
}

interface Owner {
  readonly importId: string;
  readonly request: number;
}

/** The requests with these tokens, of imports that were uploaded while their plans exist: nothing is sent later. */
async function ownersOf(named: TokensById, run: SyncRun): Promise<ReadonlyMap<string, Owner>> {
  const { imports, settings, clocks, failures } = run;
  const sought = new Set(named.values());
  const owners = new Map<string, Owner>();
  if (sought.size === 0) return owners;
  const since = isoTime(clocks.wall() - lateCommits.oldestMs);
  const options = { since, limit: lateCommits.imports, onUnreadable: failures.noteUnreadable };
  const recent = await imports.list(options);
  for (const { importId, requestCount } of recent.filter(({ account }) => account === settings.account))
    for (let request = 1; request <= requestCount; request += 1) {
      const token = requestToken(importId, request);
      if (sought.has(token)) owners.set(token, { importId, request });
    }
  return owners;
}
