// What the SIMs of a request show: the services that differ from those requested, compared once its port is complete,
// or its settings are accepted.
import * as z from 'zod/mini';
import { importPk } from '#shared/import/import.ts';
import { packLines, unpackLines } from '#shared/request/packed-lines.ts';
import { placeOfRequest, type RequestItem } from '#shared/request/request.ts';
import { count, expiresAt, type ItemKey, instant, type Tally } from '#shared/text/stored-values.ts';
import { isoTime } from '#shared/text/wording.ts';

const mismatchedService = z.object({
  name: z.string(),
  /** `Bar` or `Service`; empty where the SIM does not have the service. */
  type: z.string(),
  requested: z.string(),
  /** null: the SIM does not have the service, or the service has no value. */
  actual: z.nullable(z.string()),
});
export type MismatchedService = z.infer<typeof mismatchedService>;

const mismatchedSim = z.object({
  line: z.int().check(z.positive()),
  /** E.164 digits; empty where the file has SIMs only. */
  msisdn: z.string(),
  serialNumber: z.string(),
  services: z.array(mismatchedService).check(z.minLength(1)),
});
/** One SIM with at least one mismatch; `line` is the row's line in the CSV. */
export type MismatchedSim = z.infer<typeof mismatchedSim>;

/**
 * due: the comparison is still to be made or finished. none: every SIM has the requested services, or none were
 * requested. found: some SIMs have other services. unknown: the plan has expired, or the service did not show some
 * SIM.
 */
export const comparisonStates = ['due', 'none', 'found', 'unknown'] as const;

/** The comparison of the SIMs of one request: an item of the results table, stored with its import. */
export const comparisonItem = z.object({
  importId: z.string(),
  request: z.int().check(z.positive()),
  account: z.string(),
  /** Its port, or the ticket of accepted settings. */
  portId: z.string(),
  state: z.enum(comparisonStates),
  /** Known once services were requested. */
  networkNumber: z.optional(z.int()),
  /** Rows that the current comparison has covered, in the order of the plan. */
  compared: count,
  /** Those that differ. A SIM keeps what is known of it until it is read again. */
  sims: z.array(mismatchedSim),
  /**
   * Rows of accepted settings whose SIMs do not show them yet, packed by `packLines`. A row that is neither here nor in
   * `unread` nor in `sims` has what it requested. @default - the comparison of a port
   */
  waiting: z.optional(z.string()),
  /** The same: rows whose SIMs the service did not show, or whose plan has expired. */
  unread: z.optional(z.string()),
  /** A mismatch was found at some time, so a mismatch file was written. */
  everFound: z.boolean(),
  /** Finished comparisons. */
  rounds: count,
  /** Wall time of the next comparison; absent after the last one. */
  dueAt: z.optional(instant),
  changedAt: instant,
  /** Counts the changes, for conditional writes. */
  revision: count,
  expiresAt,
});
export type ComparisonItem = z.infer<typeof comparisonItem>;

/** A comparison that finds mismatches is repeated daily, this many times, until the services are corrected. */
const mostRounds = 7;
const dayMs = 24 * 60 * 60_000;

/** For a port that has just become complete: due at once, by wall time. */
export const newComparison = (
  place: Pick<ComparisonItem, 'importId' | 'request' | 'account' | 'portId' | 'expiresAt'>,
  now: number,
): ComparisonItem => ({
  ...place,
  state: 'due',
  compared: 0,
  sims: [],
  everFound: false,
  rounds: 0,
  dueAt: isoTime(now),
  changedAt: isoTime(now),
  revision: 0,
});

/** That of a request which is accepted; undefined: it is done with its ticket. */
export function comparisonOfSims(request: RequestItem): ComparisonItem | undefined {
  const { importId, request: number, account, ticket: portId = '', expiresAt, simRows, lines = '' } = request;
  if (simRows === undefined) return undefined;
  const place = { importId, request: number, account, portId, expiresAt };
  return { ...newComparison(place, Date.parse(request.changedAt)), waiting: lines, unread: '' };
}

/** The mismatches in the order of `requested`. `settings` are the services that the porting service shows. */
export function compareServices(
  requested: readonly { readonly name: string; readonly value: string }[],
  settings: readonly {
    readonly name: string;
    readonly type: string;
    readonly optionValue?: string | null | undefined;
  }[],
): MismatchedService[] {
  const known = new Map(settings.map((setting) => [setting.name, setting]));
  return requested.flatMap(({ name, value }) => {
    const setting = known.get(name);
    const actual = setting?.optionValue ?? null;
    return actual === value ? [] : [{ name, type: setting?.type ?? '', requested: value, actual }];
  });
}

/** "Roaming is off instead of on". */
export const describeMismatch = ({ services }: MismatchedSim): string =>
  services
    .map(({ name, type, requested, actual }) => {
      const found = actual === null ? 'not set' : aliasFor(type, actual);
      return `${name} is ${found} instead of ${aliasFor(type, requested)}`;
    })
    .join('; ');

/** The SIMs that one run of sync read, by what they showed. */
export interface Readings {
  readonly equal: readonly number[];
  readonly differing: readonly MismatchedSim[];
  /** The service may show them later. */
  readonly failed: readonly number[];
  /** The service does not know them. */
  readonly declined: readonly number[];
}

/** Where the run stopped. */
interface Place {
  /** The lines of all SIMs that are compared. */
  readonly lines: readonly number[];
  /** How many of them the comparison has covered since it began. */
  readonly compared: number;
}

/** How long after a comparison a SIM is read again that was not seen with its new services yet, in wall time. */
const readAgainMs = 60_000;

/**
 * The comparison after some SIMs were read: the next run continues with the others at once.
 * @param isEarly the service may still be at work: SIMs that wait for their services keep waiting
 */
export function recordReadings(
  item: ComparisonItem,
  { equal, differing, failed, declined }: Readings,
  { lines, compared }: Place,
  { now, isEarly }: { readonly now: number; readonly isEarly: boolean },
): ComparisonItem {
  const found = isEarly ? [] : differing;
  const waiting = new Set(unpackLines(item.waiting ?? ''));
  const unread = isEarly ? [] : [...failed, ...declined].filter((line) => waiting.has(line));
  const read = new Set([...equal, ...found.map(lineOf), ...unread]);
  const open = new Set(lines.filter((line) => !read.has(line)));
  const next = {
    ...withSims(item, [...item.sims.filter(({ line }) => open.has(line)), ...found]),
    ...(item.waiting !== undefined && { waiting: packLines([...waiting].filter((line) => !read.has(line))) }),
    ...(item.unread !== undefined && { unread: packSorted([...without(item.unread, read), ...unread]) }),
    compared,
    changedAt: isoTime(now),
  };
  if (compared < lines.length) return next;
  if (next.waiting) return { ...next, compared: 0, dueAt: isoTime(now + readAgainMs) };
  return finishComparison(next, now, failed.length === 0 ? 'all-sims' : 'some-sims');
}

const lineOf = ({ line }: MismatchedSim): number => line;
const packSorted = (lines: readonly number[]): string => packLines(lines.toSorted((one, other) => one - other));
const without = (packed: string, lines: ReadonlySet<number>): number[] =>
  unpackLines(packed).filter((line) => !lines.has(line));

/** The last row was compared. When the service did not show some SIMs, another comparison follows. */
export function finishComparison(
  item: ComparisonItem,
  now: number,
  shown: 'all-sims' | 'some-sims' = 'all-sims',
): ComparisonItem {
  const rounds = item.rounds + 1;
  const again = (item.sims.length > 0 || shown === 'some-sims') && rounds < mostRounds;
  const stateWithoutMismatch = shown === 'all-sims' ? 'none' : again ? 'due' : 'unknown';
  return {
    ...item,
    state: item.sims.length === 0 ? stateWithoutMismatch : 'found',
    compared: 0,
    rounds,
    dueAt: again ? isoTime(now + dayMs) : undefined,
    changedAt: isoTime(now),
  };
}

function withSims(item: ComparisonItem, found: readonly MismatchedSim[]): ComparisonItem {
  const sims = fittingSims(found.toSorted((one, other) => one.line - other.line));
  return { ...item, sims, everFound: item.everFound || sims.length > 0 };
}

/** How many accepted rows have each outcome. */
function countSimRows({ sims, waiting = '', unread = '' }: ComparisonItem, rows: number): Tally {
  const counts = [unpackLines(waiting).length, sims.length, unpackLines(unread).length] as const;
  const [inProgress, actionRequired, accepted] = counts;
  const complete = rows - inProgress - actionRequired - accepted;
  const tally = { complete, 'in-progress': inProgress, 'action-required': actionRequired, accepted };
  return Object.fromEntries(Object.entries(tally).filter(([, count]) => count > 0));
}

/** The request with what its SIMs show, which ends with the last row that waits; the same item if no row moved. */
export function withReadings(
  request: RequestItem,
  seen: ComparisonItem,
  next: ComparisonItem,
  times: { readonly wall: number; readonly calendar: number },
): RequestItem {
  if (next.waiting === undefined || rowsOf(seen) === rowsOf(next)) return request;
  return {
    ...request,
    simRows: countSimRows(next, unpackLines(request.lines ?? '').length),
    actionRequired: next.sims.length,
    endedAt: next.waiting === '' ? (request.endedAt ?? isoTime(times.calendar)) : undefined,
    changedAt: isoTime(times.wall),
  };
}

const rowsOf = ({ sims, waiting, unread }: ComparisonItem): string =>
  [waiting, unread, packLines(sims.map(lineOf))].join(' ');

const sizeOf = (value: unknown): number => new TextEncoder().encode(JSON.stringify(value)).length;

/** An item has at most 400 KB. */
const mostBytes = 300_000;

/**
 * Every SIM, with as many of its services as fit into one item. Once these are corrected, the next comparison shows the
 * others.
 */
function fittingSims(sims: MismatchedSim[]): MismatchedSim[] {
  let fitting = sims;
  let most = Math.max(...sims.map(({ services }) => services.length), 1);
  while (most > 1 && sizeOf(fitting) > mostBytes) {
    most = Math.ceil(most / 2);
    fitting = sims.map((sim) => ({ ...sim, services: sim.services.slice(0, most) }));
  }
  return fitting;
}

/** How long after a failure a SIM is read again whose row waits for it, in wall time. */
const afterFailureMs = 15 * readAgainMs;

/** A port or a SIM could not be read: the comparison is repeated, soon where rows wait for it. */
export const deferComparison = (item: ComparisonItem, now: number): ComparisonItem => ({
  ...item,
  dueAt: isoTime(now + (item.waiting ? afterFailureMs : dayMs)),
});

/** The requested services are not known any more, and so neither is which SIMs have them. */
export const markNotComparable = (item: ComparisonItem, now: number): ComparisonItem => ({
  ...item,
  state: 'unknown',
  compared: 0,
  sims: [],
  ...(item.waiting !== undefined && {
    waiting: '',
    unread: packSorted([item.waiting, item.unread ?? ''].flatMap(unpackLines).concat(item.sims.map(lineOf))),
  }),
  dueAt: undefined,
  changedAt: isoTime(now),
});

/** A person requested a new comparison. */
export const restartComparison = (item: ComparisonItem, now: number): ComparisonItem => ({
  ...item,
  compared: 0,
  rounds: 0,
  dueAt: isoTime(now),
  changedAt: isoTime(now),
});

// Words for the values of services and bars. `false` blocks a bar but disables a service (spec, Service Setting), so
// each type has its own words (spec gap 24).

const aliasesByType: Readonly<Record<string, ReadonlyMap<string, string>>> = {
  Service: new Map([
    ['on', 'true'],
    ['off', 'false'],
  ]),
  Bar: new Map([
    ['allow', 'true'],
    ['block', 'false'],
  ]),
};

const noAliases: ReadonlyMap<string, string> = new Map();

/** The words of a service type, each with its value. */
export const aliasesOf = (type: string): ReadonlyMap<string, string> => aliasesByType[type] ?? noAliases;

/** The word for a value; the value itself where it has no word. */
export const aliasFor = (type: string, value: string): string =>
  [...aliasesOf(type)].find(([, aliased]) => aliased === value)?.[0] ?? value;

/** Beside its request, in the same order. */
export const comparisonPrefix = 'comparison#';
export const comparisonKey = (importId: string, request: number): ItemKey => ({
  pk: importPk(importId),
  sk: `${comparisonPrefix}${placeOfRequest(request)}`,
});
/** One partition: sync limits how many comparisons it writes in a run. */
export const comparisonQueue = (account: string): string => `mismatch#${account}`;
export const mismatchesListed = 'mismatches';

/** With its keys; in the due queue while it has a due time, and listed while SIMs differ. */
export const storedComparison = (item: ComparisonItem) => ({
  ...comparisonKey(item.importId, item.request),
  ...item,
  dueQueue: item.dueAt === undefined ? undefined : comparisonQueue(item.account),
  ...(item.sims.length > 0 && { listed: mismatchesListed, listedAt: item.changedAt }),
});
