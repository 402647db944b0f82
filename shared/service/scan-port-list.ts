// Reads the whole list of ports page by page, several pages at the same time. The service promises no order (spec gap
// 32): ports move between pages while they are read, totals may be wrong, and a page may be repeated forever.
import { hash } from 'node:crypto';
import type { PortingClient } from './client.ts';
import type { PortList, PortSummary } from './contract.ts';
import { isDecline } from './errors.ts';

export type PageBase = 0 | 1;

/** How far a scan has come. A later run continues there. */
export interface Scan {
  /** At most 50 (spec, Limits). */
  readonly pageSize: number;
  /** The number of the first page; undefined until it is found out, or where the list is too short for that. */
  pageBase: PageBase | undefined;
  /** Pages that were read, from the first one on. */
  pages: number;
  /** The end of the list was read, but not yet whether there are new ports in front of it. */
  isAtEnd: boolean;
  /** The total of the first page. */
  firstTotal: number | undefined;
  /** The largest total of any page. */
  total: number;
  readonly seen: IdSet;
}

export interface ScanOptions {
  /** The scan ends after this many pages in any case. @default 200 000, as many as 10,000,000 ports have */
  readonly maximumPages?: number;
  /** Called before each page after the first one; true interrupts the scan. @default never */
  readonly isOver?: (() => boolean) | undefined;
  /** @default 1 */
  readonly callsAtOnce?: number;
}

/** The first three are the end of the list; the others leave pages unread. After `out-of-time` it can continue. */
export type ScanEnd = 'last-page' | 'empty-page' | 'repeated-page' | 'limit' | 'out-of-time';

export type PortVisitor = (port: PortSummary) => void;

/** @param pageBase the number of the first page, where an earlier scan found it out */
export const newScan = (pageSize = 50, pageBase?: PageBase): Scan => ({
  pageSize,
  pageBase,
  pages: 0,
  isAtEnd: false,
  firstTotal: undefined,
  total: 0,
  seen: createIdSet(),
});

/** Every page was read and the total was reached: only then is a port that was not listed absent. */
export const showsAll = ({ isAtEnd, seen, total }: Scan): boolean => isAtEnd && seen.size >= total;

/**
 * Visits every listed port once. A scan can miss a port that moves to an earlier page in the meantime: to be certain,
 * combine two scans. Rejects with the failures of `listPorts`; the scan can continue after it.
 */
export async function scanPorts(
  client: PortingClient,
  scan: Scan,
  visit: PortVisitor,
  options: ScanOptions = {},
): Promise<ScanEnd> {
  const { maximumPages = 200_000, isOver = () => false, callsAtOnce = 1 } = options;
  const reading: Reading = {
    scan,
    visit,
    maximumPages,
    isOver,
    callsAtOnce,
    totalPages: undefined,
    repeated: 0,
    fetched: new Map(),
    read: async (number) => {
      const page = await client.listPorts(number, scan.pageSize);
      scan.firstTotal ??= page.total;
      scan.total = Math.max(scan.total, page.total);
      return page;
    },
  };
  if (scan.isAtEnd) return readFront('last-page', reading);
  if (scan.pages > 0) await goBack(reading);
  else if (scan.pageBase === undefined) await findStart(reading);
  const ended = await readToEnd(reading);
  if (ended === 'limit' || ended === 'out-of-time') return ended;
  scan.isAtEnd = true;
  return readFront(ended, reading);
}

/** One call of `scanPorts`. */
interface Reading extends Required<ScanOptions> {
  readonly scan: Scan;
  readonly visit: PortVisitor;
  readonly isOver: () => boolean;
  readonly read: (number: number) => Promise<PortList>;
  /** Pages that were read to find out the first one, by their number. */
  readonly fetched: Map<number, PortList>;
  /** As the last page that was read reports it. */
  totalPages: number | undefined;
  /** Pages in a row without a port that is new to the scan. */
  repeated: number;
}

const numberOf = (page: number, { pageBase = 1 }: Scan): number => pageBase + page;

async function readToEnd(reading: Reading): Promise<ScanEnd> {
  const { scan, maximumPages, isOver, fetched } = reading;
  for (;;) {
    if (!fetched.has(numberOf(scan.pages, scan)) && isOver()) return 'out-of-time';
    for (const page of await readNext(reading)) {
      const ended = visitNext(page, reading);
      if (ended !== undefined) return ended;
      if (scan.pages >= maximumPages) return 'limit';
    }
  }
}

/** Pages within the reported length are read at the same time; behind it they are read one by one. */
async function readNext({ scan, read, fetched, totalPages, callsAtOnce, maximumPages }: Reading): Promise<PortList[]> {
  const left = Math.min((totalPages ?? 0) - scan.pages, maximumPages - scan.pages, callsAtOnce);
  const numbers = Array.from({ length: Math.max(1, left) }, (_, place) => numberOf(scan.pages + place, scan));
  const isBehindEnd = totalPages !== undefined && scan.pages >= totalPages;
  const pages = numbers.map(async (number) => {
    const known = fetched.get(number);
    fetched.delete(number);
    // A service may decline a page that it does not count.
    return known ?? (isBehindEnd ? readIfPresent(read, number) : read(number));
  });
  // All of them have ended before a failure is thrown.
  await Promise.allSettled(pages);
  return Promise.all(pages);
}

function visitNext(page: PortList, reading: Reading): ScanEnd | undefined {
  const { scan } = reading;
  scan.pages += 1;
  reading.totalPages = page.totalPages;
  if (page.data.length === 0) return 'empty-page';
  reading.repeated = visitPage(page, reading) > 0 ? 0 : reading.repeated + 1;
  // New ports in front move those that were visited to further pages.
  const added = Math.max(0, page.total - (scan.firstTotal ?? 0));
  if (reading.repeated > Math.ceil(added / scan.pageSize)) return 'repeated-page';
  // After a full page there may be another one, whatever the total is: the page after it is read too.
  return scan.pages >= page.totalPages && page.data.length < scan.pageSize ? 'last-page' : undefined;
}

/** Returns how many ports of the page are new to the scan. */
function visitPage(page: PortList, { scan: { seen }, visit }: Reading): number {
  const unseen = page.data.filter(({ id }) => seen.add(id));
  for (const port of unseen) visit(port);
  return unseen.length;
}

/** New ports may be in front of the pages that were read: the first pages are read again while they show more. */
async function readFront(ended: ScanEnd, reading: Reading): Promise<ScanEnd> {
  const { scan, read, isOver, maximumPages } = reading;
  for (let page = 0; !showsAll(scan) && page < maximumPages; page += 1) {
    if (isOver()) return 'out-of-time';
    if (visitPage(await read(numberOf(page, scan)), reading) === 0) break;
  }
  return ended;
}

/**
 * Ports that have left the list since the last run have moved those behind them to pages that were read: these pages
 * are read again, back to one that shows a port that was read.
 */
async function goBack(reading: Reading): Promise<void> {
  const { scan, read, isOver } = reading;
  for (; scan.pages > 0 && !isOver(); scan.pages -= 1) {
    const page = await readIfPresent(read, numberOf(scan.pages - 1, scan));
    if (!page.data.some(({ id }) => scan.seen.has(id))) continue;
    visitPage(page, reading);
    return;
  }
}

/** Page 1 is the first one unless page 0 has other ports. Where page 1 has the whole list, this cannot be found out. */
async function findStart({ scan, read, fetched }: Reading): Promise<void> {
  const one = await read(1);
  fetched.set(1, one);
  if (one.data.length >= one.total) return;
  const zero = await readIfPresent(read, 0);
  fetched.set(0, zero);
  scan.pageBase = zero.data.length === 0 || isSamePage(zero, one) ? 1 : 0;
}

/** A service may decline a page that does not exist, as page 0. Other failures show nothing about it. */
export const readIfPresent = (read: (number: number) => Promise<PortList>, number: number): Promise<PortList> =>
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

// A set of ids in little memory: 53 bits of the hash of each, about 40 MB for a million and 8 bytes each when stored.
// Two ids with one hash make the set smaller than the list, which then proves nothing: 1 in 18,000 at a million ids.

interface IdSet {
  readonly size: number;
  has(id: string): boolean;
  /** Whether the id is new. */
  add(id: string): boolean;
  toBytes(): Uint8Array;
}

/** @param stored the answer of `toBytes`. @default an empty set */
export function createIdSet(stored: Uint8Array = new Uint8Array()): IdSet {
  const hashes = new Set<number>(new Float64Array(new Uint8Array(stored).buffer));
  return {
    get size() {
      return hashes.size;
    },
    has: (id) => hashes.has(hashOf(id)),
    add: (id) => {
      const before = hashes.size;
      return hashes.add(hashOf(id)).size > before;
    },
    toBytes: () => new Uint8Array(Float64Array.from(hashes).buffer),
  };
}

function hashOf(id: string): number {
  const digest = hash('sha256', id, 'buffer');
  return digest.readUIntBE(0, 6) * 32 + (digest.readUInt8(6) & 31);
}
