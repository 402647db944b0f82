// Reads the whole list of ports, page by page, from a service that promises neither order nor rest (decision 32):
// ports shift while we page, totals may be wrong, and a page may be answered again and again.
import type { PortingClient } from './client.ts';
import type { PortList, PortSummary } from './contract.ts';
import { isRefusal } from './errors.ts';

export type PageBase = 0 | 1;

export interface ScanOptions {
  /** At most 50 (spec, Limits). @default 50 */
  readonly pageSize?: number;
  /** The number of the first page where it is known, from an earlier scan. @default found out with one call */
  readonly pageBase?: PageBase | undefined;
  /** The scan ends here whatever the service says. @default 10 000 */
  readonly maximumPages?: number;
  /** Asked before each page, once it is known where they begin: the scan ends where there is no time for another. @default never */
  readonly isOver?: () => boolean;
}

export interface ScanResult {
  /** Ports visited, each once. */
  readonly ports: number;
  /** Calls of List Ports that were made. */
  readonly calls: number;
  /** Remember it for the next scan; undefined where the list was too short to tell. */
  readonly pageBase: PageBase | undefined;
  readonly ended: ScanEnd;
  /** The list came to its end and showed as many ports as it says there are: only then is what it did not show not there. */
  readonly isWhole: boolean;
}

/** The first three are the list's end; `stopped` is the visitor's wish; with the others pages were left unread. */
export type ScanEnd = 'last-page' | 'empty-page' | 'repeated-page' | 'stopped' | 'limit' | 'out-of-time';

/** Return `'stop'` to end the scan. */
export type PortVisitor = (port: PortSummary) => undefined | 'stop' | Promise<undefined | 'stop'>;

/**
 * Visits every listed port once. One scan can miss a port that moved to an earlier page in the meantime: whoever must
 * be certain unites two. Rejects with the failures of `listPorts`.
 */
export async function scanPorts(
  client: Pick<PortingClient, 'listPorts'>,
  visit: PortVisitor,
  options: ScanOptions = {},
): Promise<ScanResult> {
  const { pageSize = 50, maximumPages = 10_000, isOver } = options;
  const scan: Scan = { seen: new Set(), visit, pageSize, maximumPages, isOver, calls: 0, told: 0 };
  const read = async (number: number): Promise<PortList> => {
    scan.calls += 1;
    const page = await client.listPorts(number, pageSize);
    scan.told = Math.max(scan.told, page.total);
    return page;
  };
  const { pageBase, fetched } = options.pageBase === undefined ? await findStart(read) : knownStart(options.pageBase);
  const first = pageBase ?? 1;
  const end = await readToEnd(first, async (number) => fetched.get(number) ?? read(number), scan);
  const ended = isListsEnd(end) && (await readFront(first, read, scan)) === 'stopped' ? 'stopped' : end;
  const { seen, calls, told } = scan;
  return { ports: seen.size, calls, pageBase, ended, isWhole: isListsEnd(ended) && seen.size >= told };
}

interface Scan {
  readonly seen: Set<string>;
  readonly visit: PortVisitor;
  readonly pageSize: number;
  readonly maximumPages: number;
  readonly isOver: (() => boolean) | undefined;
  calls: number;
  /** The largest total that a page told. */
  told: number;
}

type ReadPage = (number: number) => Promise<PortList>;

async function readToEnd(first: number, read: ReadPage, scan: Scan): Promise<ScanEnd> {
  for (let pages = 1; ; pages += 1) {
    if (scan.isOver?.()) return 'out-of-time';
    const page = await read(first + pages - 1);
    const ended = await visitPage(page, scan);
    if (ended !== undefined) return ended;
    if (isLast(page, pages, scan)) return 'last-page';
    if (pages >= scan.maximumPages) return 'limit';
  }
}

/** What came meanwhile may stand in front of all that was read: pages are read once more while they show others. */
async function readFront(first: number, read: ReadPage, scan: Scan): Promise<ScanEnd | undefined> {
  const { seen, maximumPages, isOver } = scan;
  let ended: ScanEnd | undefined;
  for (let page = 0; ended === undefined && seen.size < scan.told && page < maximumPages && !isOver?.(); page += 1) {
    ended = await visitPage(await read(first + page), scan);
  }
  return ended;
}

const isListsEnd = (ended: ScanEnd): boolean => !['stopped', 'limit', 'out-of-time'].includes(ended);

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

/** A full last page is believed only where the total agrees: a wrong total must not hide ports, one more call does no harm. */
function isLast(page: PortList, pages: number, { pageSize, seen }: Scan): boolean {
  return pages >= page.totalPages && (page.data.length < pageSize || seen.size === page.total);
}

interface Start {
  readonly pageBase: PageBase | undefined;
  /** Pages read on the way, by their number. */
  readonly fetched: ReadonlyMap<number, PortList>;
}

const knownStart = (pageBase: PageBase): Start => ({ pageBase, fetched: new Map() });

/** Page 1 is the first, unless page 0 exists and holds other ports. A list that page 1 holds whole tells nothing. */
async function findStart(read: ReadPage): Promise<Start> {
  const one = await read(1);
  if (one.data.length >= one.total) return { pageBase: undefined, fetched: new Map([[1, one]]) };
  const zero = await readIfThere(read, 0);
  const fetched = new Map([
    [0, zero],
    [1, one],
  ]);
  return { pageBase: zero.data.length === 0 || isSamePage(zero, one) ? 1 : 0, fetched };
}

/** A service that counts from 1 may refuse page 0. Any other failure tells nothing about where pages begin. */
const readIfThere = (read: ReadPage, number: number): Promise<PortList> =>
  read(number).catch((error: unknown) => {
    if (isRefusal(error)) return { total: 0, totalPages: 0, data: [] };
    throw error;
  });

/** By half: a port that came or went between the two calls moves only the edge. */
function isSamePage(left: PortList, right: PortList): boolean {
  const ids = new Set(left.data.map((port) => port.id));
  const shared = right.data.filter((port) => ids.has(port.id)).length;
  return shared * 2 >= Math.max(left.data.length, right.data.length);
}
