// Drift: services that a SIM does not have as they were asked for, found out once its port is complete.
import * as z from 'zod/mini';
import { wordFor } from './service-words.ts';

const driftedService = z.object({
  name: z.string(),
  /** `Bar` or `Service`; empty where the SIM does not know the service at all. */
  type: z.string(),
  asked: z.string(),
  /** null: the SIM has no such service, or no value for it. */
  set: z.nullable(z.string()),
});
export type DriftedService = z.infer<typeof driftedService>;

const driftedSim = z.object({
  line: z.int().check(z.positive()),
  msisdn: z.string(),
  serialNumber: z.string(),
  services: z.array(driftedService).check(z.minLength(1)),
});
/** One SIM with at least one service that differs; `line` is the CSV's, `msisdn` is E.164 digits. */
export type DriftedSim = z.infer<typeof driftedSim>;

/**
 * due: to be compared, or half-way through. none: every SIM has what was asked, or nothing was asked. found: some do not.
 * unknown: nobody can tell, because the plan has expired, or the service has not shown some SIM in any comparison.
 */
export const driftStates = ['due', 'none', 'found', 'unknown'] as const;

const instant = z.iso.datetime();
const count = z.int().check(z.nonnegative());

/** The comparison of one request's SIMs: an item of the results table, with its import. */
export const driftItem = z.object({
  importId: z.string(),
  request: z.int().check(z.positive()),
  account: z.int(),
  portId: z.string(),
  state: z.enum(driftStates),
  /** Known once something was asked for. */
  networkNumber: z.optional(z.int()),
  /** Rows compared so far in the comparison that is under way, in the order of the plan. */
  compared: count,
  sims: z.array(driftedSim),
  /** Something differed at some time: then people were given a file about it. */
  everFound: z.boolean(),
  /** Comparisons brought to their end. */
  rounds: count,
  /** Wall time of the next comparison; absent when there is none to come. */
  dueAt: z.optional(instant),
  changedAt: instant,
  /** Counts the changes: each is made on the very state that its author saw. */
  revision: count,
});
export type DriftItem = z.infer<typeof driftItem>;

/** A person mends what was found; for so many days it is compared again, until nothing is found any more. */
const mostRounds = 7;
const dayMs = 24 * 60 * 60_000;

const at = (epochMs: number): string => new Date(epochMs).toISOString();

/** A port is complete: its services are due to be compared at once, by wall time. */
export const newDrift = (
  place: Pick<DriftItem, 'importId' | 'request' | 'account' | 'portId'>,
  now: number,
): DriftItem => ({
  ...place,
  state: 'due',
  compared: 0,
  sims: [],
  everFound: false,
  rounds: 0,
  dueAt: at(now),
  changedAt: at(now),
  revision: 0,
});

/** What differs, in the order of `asked`. `settings` are the services of the SIM as the service shows them. */
export function compareServices(
  asked: readonly { readonly name: string; readonly value: string }[],
  settings: readonly {
    readonly name: string;
    readonly type: string;
    readonly optionValue?: string | null | undefined;
  }[],
): DriftedService[] {
  const known = new Map(settings.map((setting) => [setting.name, setting]));
  return asked.flatMap(({ name, value }) => {
    const setting = known.get(name);
    const set = setting?.optionValue ?? null;
    return set === value ? [] : [{ name, type: setting?.type ?? '', asked: value, set }];
  });
}

/** "Roaming is off, asked was on": what a person is told of a SIM. */
export const describeDrift = ({ services }: Pick<DriftedSim, 'services'>): string =>
  services
    .map(({ name, type, asked, set }) => {
      const is = set === null ? 'is not set' : `is ${wordFor(type, set)}`;
      return `${name} ${is}, asked was ${wordFor(type, asked)}`;
    })
    .join('; ');

/** Some rows more were compared, and others are left: it goes on at once, in whichever run. */
export const goneOn = (item: DriftItem, compared: number, sims: readonly DriftedSim[], now: number): DriftItem => ({
  ...withFound(item, sims),
  compared,
  changedAt: at(now),
});

/** The last row was compared. Not whole: the service failed to show some SIM, so that another comparison must follow. */
export function ended(item: DriftItem, sims: readonly DriftedSim[], now: number, isWhole = true): DriftItem {
  const found = withFound(item, sims);
  const rounds = item.rounds + 1;
  const again = (found.sims.length > 0 || !isWhole) && rounds < mostRounds;
  const stateOfNothing = isWhole ? 'none' : again ? 'due' : 'unknown';
  return {
    ...found,
    state: found.sims.length === 0 ? stateOfNothing : 'found',
    compared: 0,
    rounds,
    dueAt: again ? at(now + dayMs) : undefined,
    changedAt: at(now),
  };
}

/** A comparison that begins forgets what the one before found; one that goes on adds to it. */
function withFound(item: DriftItem, found: readonly DriftedSim[]): DriftItem {
  const sims = item.compared === 0 ? [...found] : [...item.sims, ...found];
  return { ...item, sims, everFound: item.everFound || sims.length > 0 };
}

/** The service would not show the port: it is tried again a day later. */
export const comparedLater = (item: DriftItem, now: number): DriftItem => ({ ...item, dueAt: at(now + dayMs) });

export const notComparable = (item: DriftItem, now: number): DriftItem => ({
  ...item,
  state: 'unknown',
  compared: 0,
  sims: [],
  dueAt: undefined,
  changedAt: at(now),
});

/** A person wants it compared again now. */
export const comparedAgain = (item: DriftItem, now: number): DriftItem => ({
  ...item,
  compared: 0,
  rounds: 0,
  dueAt: at(now),
  changedAt: at(now),
});
