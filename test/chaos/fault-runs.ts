// Runs of the simulation with faults at chosen effects.

import { type Simulated, simulate } from './chaos.ts';
import { type AwsFate, type CallFate, faultsAt } from './faults.ts';
import { type Scenario, smallScenario } from './scenario.ts';

export type Points = readonly (readonly [number, AwsFate | CallFate])[];

interface Run extends Simulated {
  /** The description of every effect, in order. */
  readonly about: readonly string[];
}

/** The service accepts a number twice, so that it does not hide a second call by declining it. */
export const run = async (points: Points, scenario: Scenario): Promise<Run> => {
  const faults = faultsAt(new Map(points));
  const simulated = await simulate({ seed: 1, scenario, faults, takesTwice: true });
  return { ...simulated, about: faults.about };
};

export interface Place {
  readonly place: number;
  readonly what: string;
}

export const placesOf = ({ about }: Pick<Run, 'about'>): Place[] =>
  about.map((what, index) => ({ what, place: index + 1 }));

export const isCall = ({ what }: Place): boolean => what.includes(' /');

/** A command that changes nothing: a crash around it leaves what a crash after the effect before it leaves. */
export const isRead = ({ what }: Place): boolean => / (Query|Get|BatchGet|Scan|GetObject|HeadObject)Command/.test(what);

/** `npm run chaos:sweeps` runs all of a sweep, and every other run of the tests a share of it. */
export const isFullSweep = process.env.CHAOS_SWEEPS === 'full';
const sweepShare = 5;

/** Each fifth, or another share, of a sweep. With another `start`, several sweeps meet different effects. */
export const swept = <Item>(items: readonly Item[], start = 0, share = sweepShare): readonly Item[] =>
  isFullSweep ? items : items.filter((_, index) => (index + start) % share === 0);

/** One effect of each kind (its step, its command or call, its item), so that a share of a sweep leaves out no kind. */
export const oneOfEachKind = (places: readonly Place[]): readonly Place[] =>
  isFullSweep ? places : [...Map.groupBy(places, ({ what }) => what).values()].flatMap((same) => same.slice(-1));

/** How many of `all` random sequences run. */
export const sweptRuns = (all: number): number => (isFullSweep ? all : Math.ceil(all / sweepShare));

/** Runs all of them. Returns descriptions of the violations. */
export async function broken(runs: readonly Points[], scenario = smallScenario): Promise<string[]> {
  const complaints: string[] = [];
  for (const points of runs) {
    const { violations, about } = await run(points, scenario);
    const where = points.map(([place, fate]) => `${fate} at effect ${place}, ${about[place - 1]}`).join('; ');
    if (violations.length > 0) complaints.push(`${where}: ${violations.join('; ')}`);
  }
  return complaints;
}
