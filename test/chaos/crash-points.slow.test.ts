// Every effect of ingest, submit, sync and report for one small import that changes something, with a crash before and
// after it.
import { describe, expect, test, vi } from 'vitest';
import { broken, isCall, isRead, oneOfEachKind, type Points, placesOf, run, swept } from './fault-runs.ts';
import { statedFigure } from './reliability-page.ts';
import { smallScenario } from './scenario.ts';

/** Hundreds of runs each: a minute is enough only on an idle machine. */
vi.setConfig({ testTimeout: 300_000 });

const undisturbed = await run([], smallScenario);
const places = placesOf(undisturbed);
const changes = places.filter((place) => !isRead(place));
const kinds = oneOfEachKind(changes);

test('the small import completes without faults', () => {
  expect(undisturbed).toMatchObject({ violations: [], ports: 2 });
});

test('docs/contributing/reliability.md states how many effects and runs there are', () => {
  const effects = places.length;
  expect(statedFigure('effects of the first hour')).toBe(`${effects}, of which ${places.filter(isCall).length} calls`);
  const [one, two] = [2 * changes.length, changes.length];
  expect(statedFigure('runs with one crash')).toBe(`${one}: ${two} effects are no reads`);
  expect(statedFigure('runs with two crashes')).toBe(`${two}`);
});

describe('at every effect that is no read', () => {
  test.each([
    ['killed-before', 0],
    ['killed-after', 1],
  ] as const)('%s: nothing is lost, nothing is done twice', async (fate, start) => {
    expect(await broken(swept(kinds, start, 2).map(({ place }) => [[place, fate]]))).toEqual([]);
  });

  test('killed twice, the second time during the recovery from the first', async () => {
    const pairs = swept(kinds, 2, 4).map(
      ({ place }): Points => [
        [place, 'killed-after'],
        [place + 3, 'killed-before'],
      ],
    );
    expect(await broken(pairs)).toEqual([]);
  });
});
