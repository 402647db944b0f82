// A person resolves an unknown outcome, with a crash at each effect of the resolution.
import { describe, expect, test, vi } from 'vitest';
import type { Kind } from './decisions.ts';
import { broken, type Place, type Points, placesOf, run, swept } from './fault-runs.ts';
import type { CallFate } from './faults.ts';
import { statedFigure } from './reliability-page.ts';
import { type Scenario, smallScenario } from './scenario.ts';

/** Hundreds of runs each: a minute is enough only on an idle machine. */
vi.setConfig({ testTimeout: 300_000 });

const undisturbed = await run([], smallScenario);

describe('a crash at each effect of a resolution', () => {
  const create = placesOf(undisturbed).find(({ what }) => / POST \/api\/porting\/\d+$/.test(what))?.place ?? 0;
  const decided = (kind: Kind): Scenario => ({ ...smallScenario, decisions: [{ at: 119_000, kind }] });
  const resolutions = [
    ['adopt', 'reset'],
    ['resend', 'reset'],
    ['resend', 'error-before'],
    ['abandon', 'reset'],
    ['abandon', 'error-before'],
  ] as const;

  /** A run whose only fault is the outcome of the call, and the effects of its resolution. */
  async function resolve(kind: Kind, fate: CallFate) {
    const { violations, about } = await run([[create, fate]], decided(kind));
    const ofSync = placesOf({ about }).filter(({ place, what }) => place > create && what.startsWith('sync '));
    return { violations, effects: outsideRuns(ofSync) };
  }

  test('docs/contributing/reliability.md states how many effects they have', async () => {
    const resolved = await Promise.all(resolutions.map(([kind, fate]) => resolve(kind, fate)));
    const effects = resolved.reduce((sum, one) => sum + one.effects.length, 0);
    expect(statedFigure('`simporter resolve` with one crash')).toBe(
      `${2 * effects} runs: ${effects} effects of ${resolutions.length} resolutions`,
    );
  });

  test.each(resolutions)('%s, the call was answered by %s: it can be decided again', async (kind, fate) => {
    const { violations, effects } = await resolve(kind, fate);
    expect(violations).toEqual([]);
    const doubt = [create, fate] as const;
    const deaths = (['killed-before', 'killed-after'] as const).flatMap((death, start) =>
      swept(effects, 5 * start, 10).map(({ place }): Points => [doubt, [place, death]]),
    );
    expect(await broken(deaths, decided(kind))).toEqual([]);
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
