// Reads the whole list of ports page by page. The service promises no order (spec gap 32): ports move between pages
// while they are read, totals may be wrong, and a page may be repeated forever.
import type { PortingClient } from './client.ts';
import type { PortList, PortSummary } from './contract.ts';
import { isDecline } from './errors.ts';

export type PageBase = 0 | 1;

export interface ScanOptions {
  /** At most 50 (spec, Limits). @default 50 */
  readonly pageSize?: number;
  /** The number of the first page, where an earlier scan found it out. @default found out with one call */
  readonly pageBase?: PageBase | undefined;
  /** The scan ends after this many pages in any case. @default 10 000 */
  readonly maximumPages?: number;
  /** Called before each page after the first one; true ends the scan. @default never */
  readonly isOver?: () => boolean;
}

export interface ScanResult {
  /** Ports visited, each once. */
  readonly ports: number;
  /** Calls of List Ports. */
  readonly calls: number;
  /** For the next scan; undefined where the list was too short to find it out. */
  readonly pageBase: PageBase | undefined;
  readonly ended: ScanEnd;
  /** Every page was read and the total was reached: only then is a port that was not listed absent. */
  readonly isComplete: boolean;
}

/** The first three are the end of the list, `stopped` is the visitor's choice; the others leave pages unread. */
export type ScanEnd = 'last-page' | 'empty-page' | 'repeated-page' | 'stopped' | 'limit' | 'out-of-time';

/** Return `'stop'` to end the scan. */
export type PortVisitor = (port: PortSummary) => undefined | 'stop' | Promise<undefined | 'stop'>;

/**
 * Visits every listed port once. A scan can miss a port that moves to an earlier page in the meantime: to be certain,
 * combine two scans. Rejects with the failures of `listPorts`.
 */
export async function scanPorts(
  client: Pick<PortingClient, 'listPorts'>,
  visit: PortVisitor,
  options: ScanOptions = {},
): Promise<ScanResult> {
  const { pageSize = 50, maximumPages = 10_000, isOver } = options;
  const scan: Scan = { seen: new Set(), visit, pageSize, maximumPages, isOver, calls: 0, total: 0 };
  const read = async (number: number): Promise<PortList> => {
    scan.calls += 1;
    const page = await client.listPorts(number, pageSize);
    scan.total = Math.max(scan.total, page.total);
    return page;
  };
  const { pageBase, fetched } = options.pageBase === undefined ? await findStart(read) : knownStart(options.pageBase);
  const first = pageBase ?? 1;
  const end = await readToEnd(first, async (number) => fetched.get(number) ?? read(number), scan);
  const ended = isListEnd(end) && (await readFront(first, read, scan)) === 'stopped' ? 'stopped' : end;
  const { seen, calls, total } = scan;
  return { ports: seen.size, calls, pageBase, ended, isComplete: isListEnd(ended) && seen.size >= total };
}

interface Scan {
  readonly seen: Set<string>;
  readonly visit: PortVisitor;
  readonly pageSize: number;
  readonly maximumPages: number;
  readonly isOver: (() => boolean) | undefined;
  calls: number;
  /** The largest total of any page. */
  total: number;
}

type ReadPage = (number: number) => Promise<PortList>;

async function readToEnd(first: number, read: ReadPage, scan: Scan): Promise<ScanEnd> {
  let isBehindEnd = false;
  for (let pages = 1; ; pages += 1) {
    if (scan.isOver?.()) return 'out-of-time';
    // A service may decline a page that it does not count.
    const page: PortList = await (isBehindEnd ? readIfPresent(read, first + pages - 1) : read(first + pages - 1));
    isBehindEnd = pages >= page.totalPages;
    const ended = await visitPage(page, scan);
    if (ended !== undefined) return ended;
    if (isLast(page, pages, scan)) return 'last-page';
    if (pages >= scan.maximumPages) return 'limit';
  }
}

/** New ports may be in front of the pages that were read: the first pages are read again while they show more. */
async function readFront(first: number, read: ReadPage, scan: Scan): Promise<ScanEnd | undefined> {
  const { seen, maximumPages, isOver } = scan;
  let ended: ScanEnd | undefined;
  for (let page = 0; ended === undefined && seen.size < scan.total && page < maximumPages && !isOver?.(); page += 1) {
    ended = await visitPage(await read(first + page), scan);
  }
  return ended;
}

const isListEnd = (ended: ScanEnd): boolean => !['stopped', 'limit', 'out-of-time'].includes(ended);

async function visitPage(page: PortList, { seen, visit }: Scan): Promise<ScanEnd | undefined> {
  if (page.data.length === 0) return 'empty-page';
  const before = seen.size;
  for (const port of page.data) {
    if (seen.has(port.id)) continue;
    seen.add(port.id);
    if ((await visit(port)) === 'stop') return 'stopped';
  }
  return seen.size === before ? 'repeated-page' : undefined;
}

/** After a full page there may be another one, whatever the total is: the page after it is read too. */
const isLast = (page: PortList, pages: number, { pageSize }: Scan): boolean =>
  pages >= page.totalPages && page.data.length < pageSize;

interface Start {
  readonly pageBase: PageBase | undefined;
  /** Pages that were read to find it out, by their number. */
  readonly fetched: ReadonlyMap<number, PortList>;
}

const knownStart = (pageBase: PageBase): Start => ({ pageBase, fetched: new Map() });

/** Page 1 is the first one unless page 0 has other ports. Where page 1 has the whole list, this cannot be found out. */
async function findStart(read: ReadPage): Promise<Start> {
  const one = await read(1);
  if (one.data.length >= one.total) return { pageBase: undefined, fetched: new Map([[1, one]]) };
  const zero = await readIfPresent(read, 0);
  const fetched = new Map([
    [0, zero],
    [1, one],
  ]);
  return { pageBase: zero.data.length === 0 || isSamePage(zero, one) ? 1 : 0, fetched };
}

/** A service may decline a page that does not exist, as page 0. Other failures show nothing about it. */
const readIfPresent = (read: ReadPage, number: number): Promise<PortList> =>
  read(number).catch((error: unknown) => {
    if (isDecline(error)) return { total: 0, totalPages: 0, data: [] };
    throw error;
  });

/** Half of the ports must be equal: a port that is added or removed between two calls moves only the edge. */
function isSamePage(left: PortList, right: PortList): boolean {
  const ids = new Set(left.data.map((port) => port.id));
  const shared = right.data.filter((port) => ids.has(port.id)).length;
  return shared * 2 >= Math.max(left.data.length, right.data.length);
}
