// A person resolves an unknown outcome, with a crash at each effect of the resolution.
import { describe, expect, test, vi } from 'vitest';
import type { Kind } from './decisions.ts';
import { broken, type Place, type Points, placesOf, run } from './fault-runs.ts';
import { type Scenario, smallScenario } from './scenario.ts';

/** Hundreds of runs each: a minute is enough only on an idle machine. */
vi.setConfig({ testTimeout: 300_000 });

const undisturbed = await run([], smallScenario);

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
