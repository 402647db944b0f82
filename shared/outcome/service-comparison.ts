// Service mismatches: services of a SIM that differ from those requested, compared once its port is complete, or its
// settings are accepted.
import * as z from 'zod/mini';
import { importPk } from '#shared/import/import.ts';
import { count, type ItemKey, instant, padded } from '#shared/text/stored-values.ts';
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
  account: z.int(),
  /** Its port, or the ticket of accepted settings. */
  portId: z.string(),
  state: z.enum(comparisonStates),
  /** Known once services were requested. */
  networkNumber: z.optional(z.int()),
  /** Rows that the current comparison has covered, in the order of the plan. */
  compared: count,
  sims: z.array(mismatchedSim),
  /** A mismatch was found at some time, so a mismatch file was written. */
  everFound: z.boolean(),
  /** Finished comparisons. */
  rounds: count,
  /** Wall time of the next comparison; absent after the last one. */
  dueAt: z.optional(instant),
  changedAt: instant,
  /** Counts the changes, for conditional writes. */
  revision: count,
  /** As of its import. */
  expiresAt: z.optional(count),
});
export type ComparisonItem = z.infer<typeof comparisonItem>;

/** How long after a comparison a SIM is read again that was not seen with its new services yet, in wall time. */
const readBackMs = 60_000;

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

/** More rows were compared and others are left: the next run continues at once. */
export const continueComparison = (
  item: ComparisonItem,
  compared: number,
  sims: readonly MismatchedSim[],
  now: number,
): ComparisonItem => ({
  ...withMismatches(item, sims),
  compared,
  changedAt: isoTime(now),
});

/** Some SIMs do not have their new services yet: they are read again. */
export const waitForServices = (item: ComparisonItem, sims: readonly MismatchedSim[], now: number): ComparisonItem => ({
  ...continueComparison(item, 0, sims, now),
  dueAt: isoTime(now + readBackMs),
});

/** The last row was compared. When the service did not show some SIMs, another comparison follows. */
export function finishComparison(
  item: ComparisonItem,
  sims: readonly MismatchedSim[],
  now: number,
  shown: 'all-sims' | 'some-sims' = 'all-sims',
): ComparisonItem {
  const found = withMismatches(item, sims);
  const rounds = item.rounds + 1;
  const again = (found.sims.length > 0 || shown === 'some-sims') && rounds < mostRounds;
  const stateWithoutMismatch = shown === 'all-sims' ? 'none' : again ? 'due' : 'unknown';
  return {
    ...found,
    state: found.sims.length === 0 ? stateWithoutMismatch : 'found',
    compared: 0,
    rounds,
    dueAt: again ? isoTime(now + dayMs) : undefined,
    changedAt: isoTime(now),
  };
}

/** The first part of a comparison replaces earlier mismatches; later parts add to them. */
function withMismatches(item: ComparisonItem, found: readonly MismatchedSim[]): ComparisonItem {
  const sims = fittingSims(item.compared === 0 ? [...found] : [...item.sims, ...found]);
  return { ...item, sims, everFound: item.everFound || sims.length > 0 };
}

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

/** The port could not be read: the comparison is repeated a day later. */
export const deferComparison = (item: ComparisonItem, now: number): ComparisonItem => ({
  ...item,
  dueAt: isoTime(now + dayMs),
});

export const markNotComparable = (item: ComparisonItem, now: number): ComparisonItem => ({
  ...item,
  state: 'unknown',
  compared: 0,
  sims: [],
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

/** The comparison of a request's services, once its port is complete. */
export const comparisonPrefix = 'comparison#';
export const comparisonKey = (importId: string, request: number): ItemKey => ({
  pk: importPk(importId),
  sk: `${comparisonPrefix}${padded(request)}`,
});
/** One partition: sync limits how many comparisons it writes in a run. */
export const comparisonQueue = 'mismatch';
export const mismatchesListed = (account: number): string => `mismatch#${account}`;
