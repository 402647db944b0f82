// Every effect of ingest, submit, sync and report for one small import: a crash before and after it, throttling, a lost
// answer; and every failure of every call to the service.
import { describe, expect, test, vi } from 'vitest';
import type { Kind } from './decisions.ts';
import { type AwsFate, type CallFate, callFates, faultsAt } from './faults.ts';
import { type Scenario, smallScenario, wholeLife } from './scenario.ts';
import { type Simulated, simulate } from './simulator.ts';

/** Hundreds of runs each: a minute is enough only on an idle machine. */
vi.setConfig({ testTimeout: 300_000 });

type Points = readonly (readonly [number, AwsFate | CallFate])[];

interface Run extends Simulated {
  /** The description of every effect, in order. */
  readonly about: readonly string[];
}

/** The service accepts a number twice, so that it does not hide a second call by declining it. */
const run = async (points: Points, scenario: Scenario): Promise<Run> => {
  const faults = faultsAt(new Map(points));
  const simulated = await simulate({ seed: 1, scenario, faults, takesTwice: true });
  return { ...simulated, about: faults.about };
};

interface Place {
  readonly place: number;
  readonly what: string;
}

const placesOf = ({ about }: Run): Place[] => about.map((what, index) => ({ what, place: index + 1 }));
const isCall = ({ what }: Place): boolean => what.includes(' /');

const undisturbed = await run([], smallScenario);
const places = placesOf(undisturbed);
const life = await run([], wholeLife);

/** Runs all of them. Returns descriptions of the violations. */
async function broken(runs: readonly Points[], scenario = smallScenario): Promise<string[]> {
  const complaints: string[] = [];
  for (const points of runs) {
    const { violations, about } = await run(points, scenario);
    const where = points.map(([place, fate]) => `${fate} at effect ${place}, ${about[place - 1]}`).join('; ');
    if (violations.length > 0) complaints.push(`${where}: ${violations.join('; ')}`);
  }
  return complaints;
}

test('the small import completes without faults', () => {
  expect(undisturbed).toMatchObject({ violations: [], ports: 2 });
  console.log(`${places.length} effects, ${places.filter(isCall).length} of them calls to the service`);
});

describe('at every effect', () => {
  test.each(['killed-before', 'killed-after', 'throttled', 'repeated'] as const)(
    '%s: nothing is lost, nothing is done twice',
    async (fate) => {
      expect(await broken(places.map(({ place }) => [[place, fate]]))).toEqual([]);
    },
  );

  test('killed twice, the second time during the recovery from the first', async () => {
    const pairs = places.flatMap(({ place }): Points[] =>
      [3].map((later) => [
        [place, 'killed-after'],
        [place + later, 'killed-before'],
      ]),
    );
    expect(await broken(pairs)).toEqual([]);
  });
});

test.each(callFates)('at every call to the service, %s', async (fate) => {
  expect(await broken(places.filter(isCall).map(({ place }) => [[place, fate]]))).toEqual([]);
});

describe('in the whole life of two ports, at one effect of each kind in each phase', () => {
  /** A phase starts when a status is recorded for the first time. The first hour is covered effect by effect above. */
  const phases = new Map([['before', new Map<string, number>()]]);
  let phase = 'before';
  for (const { what, place } of placesOf(life)) {
    const kinds = phases.get(phase) ?? new Map<string, number>();
    phases.set(phase, kinds.set(what, kinds.get(what) ?? place));
    phase = / event ([\w ]+?) request/.exec(what)?.[1] ?? phase;
  }
  const chosen = [...phases].flatMap(([name, kinds]) =>
    name === 'before' || name === 'Created' ? [] : [...kinds.values()],
  );

  test('the life covers every phase, from the write-ahead record to the end', () => {
    expect(life).toMatchObject({ violations: [], ports: 2 });
    expect([...phases.keys()]).toEqual([
      'before',
      'Created',
      'Submitted',
      'Locked',
      'Ported',
      'Awaiting RA',
      'Complete',
    ]);
    for (const [name, kinds] of phases) console.log(`${name}: ${kinds.size} kinds of effects`);
    console.log(`${life.about.length} effects, of which ${chosen.length} are killed before and after`);
  });

  test.each(['killed-before', 'killed-after'] as const)('%s: it ends, and report shows it', async (fate) => {
    expect(
      await broken(
        chosen.map((place) => [[place, fate]]),
        wholeLife,
      ),
    ).toEqual([]);
  });
});

describe('a crash at each effect of a resolution', () => {
  const create = placesOf(undisturbed).find(({ what }) => / POST \/api\/porting\/\d+$/.test(what))?.place ?? 0;
  const decided = (kind: Kind): Scenario => ({ ...smallScenario, decisions: [{ at: 119_000, kind }] });

  test.each([
    ['adopt', 'reset'],
    ['resend', 'reset'],
    ['resend', 'error-before'],
    ['abandon', 'reset'],
    ['abandon', 'error-before'],
  ] as const)('%s, the call was answered by %s: it can be decided again', async (kind, fate) => {
    const doubt = [create, fate] as const;
    const scenario = decided(kind);
    const first = await run([doubt], scenario);
    expect(first.violations).toEqual([]);
    const after = outsideRuns(placesOf(first).filter(({ place, what }) => place > create && what.startsWith('sync ')));
    const deaths = after.flatMap(({ place }): Points[] => [
      [doubt, [place, 'killed-before']],
      [doubt, [place, 'killed-after']],
    ]);
    console.log(`${kind}, ${fate}: ${after.length} effects`);
    expect(await broken(deaths, scenario)).toEqual([]);
  });
});

/** The effects of sync that belong to resolutions: these take no lease, unlike runs. */
function outsideRuns(places: readonly Place[]): Place[] {
  let isRun = false;
  return places.filter(({ what }) => {
    if (what.includes('PutCommand lease sync')) isRun = true;
    const isResolveCommand = !isRun;
    if (what.includes('DeleteCommand lease sync')) isRun = false;
    return isResolveCommand;
  });
}
