// Finds the ports of requests that may have created one. Nothing is sent again before two scans of the port list have
// proven that the port does not exist.
import type { RequestItem, Resolved } from '#shared/request/request.ts';
import { markActionRequired } from '#shared/request/request-state.ts';
import { afterAbsence, awaitsProof, recordFailedSearch } from '#shared/request/waiting-request.ts';
import { deferIfUnreadable, moveUnsettled } from '../failure-classifier.ts';
import { resendMessages } from '../lost-messages.ts';
import { isDeadlineNear, type SyncRun } from '../run.ts';
import { adoptFoundPorts } from './adopt-port.ts';
import {
  type FoundPorts,
  findPorts,
  isSearchOver,
  type Proof,
  readNamedPorts,
  type Sought,
} from './port-list-passes.ts';
import { ResolutionDeclined, resendOrAbandon } from './resend-or-abandon.ts';

export interface SearchResult {
  /** Requests whose port was found and adopted. */
  readonly adopted: number;
  /** Requests that have proven to have created nothing, and are sent again. */
  readonly absent: number;
  /** Requests for which action is required. */
  readonly actionRequired: number;
}

/** Rejects with the client's failures: the outcomes stay unknown. */
export async function searchPortList(items: readonly RequestItem[], run: SyncRun): Promise<SearchResult> {
  const result = { adopted: 0, absent: 0, actionRequired: 0 };
  if (items.length === 0 || isSearchOver(run)) return result;
  const found = await search(items, run);
  /** How many ports the list has, by the requests that have none of them. */
  const absent = new Map<RequestItem, number>();
  const nextIfAbsent = (item: RequestItem, now: number): RequestItem =>
    afterAbsence(item, absent.get(item) ?? 0, { now, quietMs: run.settings.quietMs });
  for (const item of items) {
    if (isDeadlineNear(run)) break;
    const shown = { ports: found.portsOf(item.token), proof: found.proofOf(item.token) };
    // The next run continues.
    if (shown.proof === undefined && !found.isFound(item.token)) continue;
    run.changed.add(item.importId);
    if (isResendable(item, shown, run)) {
      absent.set(item, shown.proof?.listed ?? 0);
      continue;
    }
    const settled = await settle(item, shown, run);
    if (settled === 'adopted' || settled === 'actionRequired') result[settled] += 1;
  }
  result.absent = await resendMessages([...absent.keys()], run, nextIfAbsent);
  run.log.info('searched the port list', { requests: items.length, ...result });
  return result;
}

/** The service has proven to have no port of it, and it may be sent again without more. */
function isResendable(item: RequestItem, { ports, proof }: Shown, { clocks, settings }: SyncRun): boolean {
  if (ports.size > 0 || !proof?.isComplete || awaitsProof(item)) return false;
  return afterAbsence(item, proof.listed, { now: clocks.wall(), quietMs: settings.quietMs }).state === 'planned';
}

/** Continues the search of the run before, and keeps what the next run continues. */
async function search(items: readonly RequestItem[], run: SyncRun): Promise<FoundPorts> {
  const { searches, log } = run;
  const kept = await searches.load();
  try {
    return await findPorts(new Map(items.map((item) => [item.token, soughtOf(item)])), run, kept);
  } finally {
    if (kept.pass !== undefined || kept.earlier !== undefined) {
      await searches.save(kept);
      const { scan } = kept.pass ?? {};
      log.info('the search of the port list continues in the next run', { ports: scan?.seen.size, of: scan?.total });
    }
  }
}

function soughtOf(item: RequestItem): Sought {
  const stamp = `${item.attempt}.${item.revision}`;
  if (awaitsProof(item)) return { stamp, passes: 2 };
  // An earlier attempt may have created a port as well.
  return { stamp, passes: item.hasUnknownAttempt ? 1 : 0 };
}

interface Shown {
  readonly ports: ReadonlyMap<string, string>;
  readonly proof: Proof | undefined;
}

async function settle(item: RequestItem, { ports, proof }: Shown, run: SyncRun) {
  const { resolution } = item;
  if (awaitsProof(item) && resolution !== undefined && proof?.isComplete) {
    const carryOut = () => carryOutResolution({ item, resolution, ports, proof }, run);
    return deferIfUnreadable(item, run, carryOut);
  }
  if (ports.size > 0 && !awaitsProof(item))
    return deferIfUnreadable(item, run, () => adoptFoundPorts(item, [...ports.keys()], run));
  return moveUnsettled(item, nextWithoutPort(item, proof, run), run);
}

/**
 * A person resolved the request before the port list was searched. If the list contradicts the resolution, action is
 * required again.
 */
async function carryOutResolution(
  {
    item,
    resolution,
    ports,
    proof,
  }: {
    readonly item: RequestItem;
    readonly resolution: Resolved;
    readonly ports: ReadonlyMap<string, string>;
    readonly proof: Proof;
  },
  run: SyncRun,
): Promise<'actionRequired' | undefined> {
  const { clocks, log } = run;
  const { importId, request } = item;
  try {
    const findNamed = () => readNamedPorts(item, ports, proof, run);
    const { state } = await resendOrAbandon(item, resolution, findNamed, run);
    log.warn('a resolution was carried out', { importId, request, resolution: resolution.what, state });
    return undefined;
  } catch (error) {
    if (!(error instanceof ResolutionDeclined)) throw error;
    const message = `It was not possible to ${resolution.what} the request: ${error.message}. ${error.advice}`;
    const next = markActionRequired(item, message, clocks.wall());
    return (await moveUnsettled(item, next, run)) === undefined ? undefined : 'actionRequired';
  }
}

const endless = 'the list of ports has no end';
const showsFewer = 'the list of ports does not show every port that exists';

/** The request after a search that did not find its port. */
function nextWithoutPort(item: RequestItem, proof: Proof | undefined, run: SyncRun): RequestItem {
  const { clocks, settings, log } = run;
  const { importId, request } = item;
  const times = { now: clocks.wall(), quietMs: settings.quietMs };
  if (proof?.isComplete) return afterAbsence(item, proof.listed, times);
  // The list proves nothing about the request.
  const because = proof?.isEndless ? endless : showsFewer;
  log.warn('the port list does not prove whether a request created a port', { importId, request, because });
  return recordFailedSearch(item, because, times);
}
