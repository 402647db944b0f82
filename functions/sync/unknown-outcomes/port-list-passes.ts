// Searches the list of ports for requests whose outcome is unknown: a port's name ends in the token of its request.
// Two passes over the whole list prove that a port does not exist (fault 44), over several runs if the list is long.
import type { PortItem } from '#shared/port/port.ts';
import type { RequestItem } from '#shared/request/request.ts';
import { allPortsOf } from '#shared/request/request-state.ts';
import { timeNeeded } from '#shared/runtime/clock.ts';
import type { PortDetail, PortSummary } from '#shared/service/contract.ts';
import { unlessDeclined } from '#shared/service/errors.ts';
import { newScan, readIfPresent, type ScanEnd, scanPorts, showsAll } from '#shared/service/scan-port-list.ts';
import { tokenOfPortName } from '#shared/text/identity.ts';
import type { SyncPipeline } from '../run.ts';
import type { FinishedPass, Pass, PortsByToken, Search, Stamps } from './kept-search.ts';

export interface Sought {
  /** Another one after each change of the request: a pass proves nothing about an attempt that was made later. */
  readonly stamp: string;
  /** Passes that end before a port that was found is used: a page further on may show a second port. */
  readonly passes: 0 | 1 | 2;
}

/** What two passes show of a request that did not change since they began. */
export interface Proof {
  /** Ports that they did not show do not exist. */
  readonly isComplete: boolean;
  /** The list had no end. */
  readonly isEndless: boolean;
  /** Ports of the list, in the pass that showed fewer. */
  readonly listed: number;
}

export interface FoundPorts {
  /** By id: the status of each port in the list. */
  portsOf(token: string): ReadonlyMap<string, string>;
  /** The ports that were found may be used. */
  isFound(token: string): boolean;
  /** undefined: the next run continues. */
  proofOf(token: string): Proof | undefined;
}

/** What the list shows of a port, as far as it is kept. */
interface ListedPort {
  readonly id: string;
  readonly statusName: string;
}

/** One call of `findPorts`. */
interface Finding {
  readonly sought: ReadonlyMap<string, Sought>;
  readonly search: Search;
  readonly found: PortsByToken;
  readonly proofs: Map<string, Proof>;
}

export const isSearchOver = ({ deadline }: SyncPipeline): boolean => !deadline.hasTimeFor(timeNeeded.searchPortList);

/**
 * All tokens are searched together, until each is found or proven, or the time is over.
 * @param search continued, and changed to what the next run has to continue
 */
export async function findPorts(
  sought: ReadonlyMap<string, Sought>,
  pipeline: SyncPipeline,
  search: Search = {},
): Promise<FoundPorts> {
  const finding: Finding = { sought, search, found: new Map(), proofs: new Map() };
  takeUp(finding);
  const { pass } = search;
  if (pass !== undefined) await lookAtEnds(pass.scan.total, notIn(finding, pass, search.earlier), finding, pipeline);
  while (hasOpen(finding) && !isSearchOver(pipeline)) await continuePass(finding, pipeline);
  const { found, proofs } = finding;
  const usable = new Set([...sought.keys()].filter((token) => isFound(token, finding)));
  if (!hasOpen(finding)) {
    search.pass = undefined;
    search.earlier = undefined;
  }
  return {
    portsOf: (token) => found.get(token) ?? new Map(),
    isFound: (token) => usable.has(token),
    proofOf: (token) => proofs.get(token),
  };
}

/** What earlier runs found. A pass that covers none of the requests that are sought now is discarded. */
function takeUp({ sought, search, found }: Finding): void {
  const tokens = [...sought.keys()];
  if (!tokens.some((token) => covers(search.pass, token, sought))) search.pass = undefined;
  for (const pass of [search.earlier, search.pass])
    for (const token of tokens)
      for (const [id, statusName] of pass?.found.get(token) ?? []) add({ id, statusName }, token, found);
}

const covers = (pass: Pass | FinishedPass | undefined, token: string, sought: Finding['sought']): boolean =>
  pass !== undefined && pass.stamps.get(token) === sought.get(token)?.stamp;

const add = ({ id, statusName }: ListedPort, token: string, ports: PortsByToken): void =>
  void ports.set(token, (ports.get(token) ?? new Map<string, string>()).set(id, statusName));

function isFound(token: string, { sought, search, found, proofs }: Finding): boolean {
  const passes = proofs.has(token) ? 2 : covers(search.earlier, token, sought) ? 1 : 0;
  return found.has(token) && passes >= (sought.get(token)?.passes ?? 0);
}

const isOpen = (token: string, finding: Finding): boolean => !finding.proofs.has(token) && !isFound(token, finding);
const hasOpen = (finding: Finding): boolean => [...finding.sought.keys()].some((token) => isOpen(token, finding));

/** Adds a port that has one of the tokens to all of these. */
function note(port: PortSummary, { sought }: Finding, ...places: readonly PortsByToken[]): void {
  const token = tokenOfPortName(port.name);
  if (token !== undefined && sought.has(token)) for (const place of places) add(port, token, place);
}

async function continuePass(finding: Finding, pipeline: SyncPipeline): Promise<void> {
  const { sought, search, found } = finding;
  const { client, settings } = pipeline;
  const stamps = new Map([...sought].map(([token, { stamp }]) => [token, stamp]));
  search.pass ??= await beginPass(stamps, search, pipeline);
  const { pass } = search;
  const visit = (port: PortSummary): void => {
    pass.missing.delete(port.id);
    note(port, finding, found, pass.found);
  };
  const isNew = pass.scan.pages === 0;
  const isFirstOfMany = () => isNew && pass.scan.pages === 1 && isLongList(pass.scan.total);
  const isOver = () => isSearchOver(pipeline) || isFirstOfMany();
  const ended = await scanPorts(client, pass.scan, visit, { isOver, callsAtOnce: settings.callsAtOnce });
  if (ended !== 'out-of-time') recordPass(await finishPass(pass, ended, search, pipeline), finding);
  else if (isFirstOfMany()) await lookAtEnds(pass.scan.total, notIn(finding, search.earlier), finding, pipeline);
}

/** Passes of a search in which one was complete. A list that changes while it is read is complete in few passes. */
const mostPasses = 4;

/**
 * Proves what this pass and the one before both cover. If only one of them is complete, others follow. A list without
 * end proves nothing more in a second pass.
 */
function recordPass(pass: FinishedPass, { sought, search, proofs }: Finding): void {
  const other = pass.isEndless ? pass : search.earlier;
  const isComplete = pass.isComplete && other?.isComplete === true;
  const isEndless = pass.isEndless || other?.isEndless === true;
  const mayComplete = pass.isComplete || other?.isComplete === true;
  const goesOn = mayComplete && !isComplete && !isEndless && pass.number < mostPasses;
  for (const token of sought.keys()) {
    if (goesOn || other === undefined || !covers(other, token, sought) || !covers(pass, token, sought)) continue;
    proofs.set(token, { isComplete, isEndless, listed: Math.min(pass.listed, other.listed) });
  }
  // The later pass has the later statuses.
  for (const [token, ports] of other?.found ?? [])
    pass.found.set(token, new Map([...ports, ...(pass.found.get(token) ?? [])]));
  search.earlier = goesOn && other?.isComplete ? { ...other, number: pass.number, found: pass.found } : pass;
  search.pass = undefined;
}

/** Requests that none of these passes covers. */
const notIn = ({ sought }: Finding, ...passes: readonly (Pass | FinishedPass | undefined)[]): readonly string[] =>
  [...sought.keys()].filter((token) => !passes.some((pass) => covers(pass, token, sought)));

/** New ports are probably first or last in the list: a few pages often show them, however long the list is. */
async function lookAtEnds(
  total: number,
  tokens: readonly string[],
  finding: Finding,
  pipeline: SyncPipeline,
): Promise<void> {
  const usable = tokens.filter((token) => finding.sought.get(token)?.passes === 0);
  const isDone = () => usable.every((token) => isFound(token, finding));
  await readEnds({ total, isDone, visit: (port) => note(port, finding, finding.found) }, pipeline);
}

/**
 * Passes alternate between two page sizes: a list that turns over while it is read can skip the same ports at the same
 * ends of pages in both passes, with a length that is right.
 */
const pageSizes = [50, 46] as const;

export async function beginPass(stamps: Stamps, { earlier }: Search, pipeline: SyncPipeline): Promise<Pass> {
  const pageSize = earlier?.pageSize === pageSizes[0] ? pageSizes[1] : pageSizes[0];
  // Read first: a port that is created meanwhile need not be in the list.
  const missing = new Set(await knownPorts(stamps, pipeline));
  return { scan: newScan(pageSize, earlier?.pageBase), stamps, found: new Map(), missing };
}

export async function finishPass(
  { scan, stamps, found, missing }: Pass,
  ended: ScanEnd,
  { earlier }: Search,
  pipeline: SyncPipeline,
): Promise<FinishedPass> {
  // During a long pass the service may purge a port that has ended.
  const inProgress = missing.size === 0 ? [] : await knownPorts(stamps, pipeline);
  const isComplete = showsAll(scan) && !inProgress.some((id) => missing.has(id));
  const { pageSize, pageBase, seen } = scan;
  const number = (earlier?.number ?? 0) + 1;
  return { number, stamps, found, listed: seen.size, isComplete, isEndless: ended === 'limit', pageSize, pageBase };
}

/** Later than any time: everything that has a due time is due. */
const endOfTime = '9999-12-31T23:59:59.999Z';

/**
 * Ports in progress, of other requests, that the service showed before: a list without one of them lags or is cut
 * short.
 */
async function knownPorts(stamps: Stamps, { ports, settings }: SyncPipeline): Promise<readonly string[]> {
  // An item that cannot be read is reported where it is due.
  const items = await ports.due(settings.account, endOfTime, settings.limit, () => {});
  const isShown = ({ name, missingReads }: PortItem) => missingReads === 0 && !stamps.has(tokenOfPortName(name) ?? '');
  return items.filter(isShown).map(({ portId }) => portId);
}

const pageSize = 50;
/** A list with fewer ports is read as a whole as fast. */
const shortList = 20 * pageSize;
/** Pages that are read from each end. With 2,000 new ports a minute, a port is that far from the end after a minute. */
const mostPages = 40;

export const isLongList = (total: number): boolean => total > shortList;

/** At most every tenth page. Rejects with the failures of `listPorts`. */
export async function readEnds(
  {
    total,
    visit,
    isDone,
  }: { readonly total: number; readonly visit: (port: PortSummary) => void; readonly isDone: () => boolean },
  pipeline: SyncPipeline,
): Promise<void> {
  const { client, settings } = pipeline;
  const last = Math.ceil(total / pageSize);
  const deepest = Math.min(mostPages, Math.floor(last / 20));
  let width = 1;
  for (let depth = 0; depth < deepest && !isDone(); depth += width, width = Math.min(2 * width, settings.callsAtOnce)) {
    const depths = Array.from({ length: Math.min(width, deepest - depth) }, (_, place) => depth + place);
    const numbers = depths.flatMap((each) => [1 + each, last - each]);
    const pages = await Promise.all(
      numbers.map((number) => readIfPresent((page) => client.listPorts(page, pageSize), number)),
    );
    for (const port of pages.flatMap(({ data }) => data)) visit(port);
  }
}

/** `detail` is absent where the list shows the port and the service declines to show its detail. */
export interface NamedPort extends ListedPort {
  readonly detail?: PortDetail | undefined;
}

export interface NamedPorts {
  readonly ports: readonly NamedPort[];
  /** The list shows no port at all, which may be a fault of the list. */
  readonly isListEmpty: boolean;
}

/**
 * With the ports that the ledger names, as far as the service still has them. `unproven`: the list could not be read to
 * its end, so there may be others. `too-long`: not in the time of this run.
 */
export async function findPortsByName(
  item: RequestItem,
  pipeline: SyncPipeline,
): Promise<NamedPorts | 'unproven' | 'too-long'> {
  const { token } = item;
  const found = await findPorts(new Map([[token, { stamp: '', passes: 2 }]]), pipeline);
  const proof = found.proofOf(token);
  if (proof === undefined) return 'too-long';
  return proof.isComplete ? readNamedPorts(item, found.portsOf(token), proof, pipeline) : 'unproven';
}

/** @param listed all ports that the list shows under the name of the request, with their statuses */
export async function readNamedPorts(
  item: RequestItem,
  listed: ReadonlyMap<string, string>,
  proof: Proof,
  { client }: SyncPipeline,
): Promise<NamedPorts> {
  const ports: NamedPort[] = [];
  const read = (id: string) => unlessDeclined(client.port(id));
  for (const [id, statusName] of listed) {
    const detail = await read(id);
    ports.push({ id, statusName: detail?.statusName ?? statusName, detail });
  }
  for (const id of allPortsOf(item).filter((known) => !listed.has(known))) {
    const detail = await read(id);
    if (detail !== undefined) ports.push({ id, statusName: detail.statusName, detail });
  }
  return { ports, isListEmpty: proof.listed === 0 };
}
