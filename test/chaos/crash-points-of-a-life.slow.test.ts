// The whole life of two ports, with a crash before and after one effect of each kind that changes something
// in each phase.
import { describe, expect, test, vi } from 'vitest';
import { broken, isRead, type Points, placesOf, run, swept } from './fault-runs.ts';
import { statedFigure } from './reliability-page.ts';
import { wholeLife } from './scenario.ts';

/** Hundreds of runs each: a minute is enough only on an idle machine. */
vi.setConfig({ testTimeout: 300_000 });

const life = await run([], wholeLife);

describe('in the whole life of two ports, at one effect of each kind in each phase', () => {
  // A phase starts when a status is recorded for the first time. crash-points.test.ts covers the first hour effect by
  // effect.
  const phases = new Map([['before', new Map<string, number>()]]);
  let phase = 'before';
  for (const { what, place } of placesOf(life).filter((each) => !isRead(each))) {
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
      'Create RA',
      'Awaiting RA',
      'Complete',
    ]);
  });

  test('docs/contributing/reliability.md states how many of them there are', () => {
    const phasesOfPorts = phases.size - 2;
    expect(statedFigure('effects from Submitted to Complete')).toBe(
      `${2 * chosen.length} runs: ${chosen.length} kinds of effects in ${phasesOfPorts} phases`,
    );
  });

  test.each([
    ['killed-before', 0],
    ['killed-after', 5],
  ] as const)('%s: it ends, and report shows it', async (fate, start) => {
    const points = swept(chosen, start, 10).map((place): Points => [[place, fate]]);
    expect(await broken(points, wholeLife)).toEqual([]);
  });
});
