// Every AWS command of ingest, submit, sync and report for one small import, throttled or repeated; and every failure
// of every call to the service.
import { expect, test, vi } from 'vitest';
import { broken, isCall, isRead, placesOf, run } from './fault-runs.ts';
import { callFates } from './faults.ts';
import { statedFigure } from './reliability-page.ts';
import { smallScenario } from './scenario.ts';

/** Hundreds of runs each: a minute is enough only on an idle machine. */
vi.setConfig({ testTimeout: 300_000 });

const places = placesOf(await run([], smallScenario));

test('docs/contributing/reliability.md states how many commands and calls fail', () => {
  const calls = places.filter(isCall).length;
  const commands = places.length - calls;
  const reads = places.filter(isRead).length;
  expect(statedFigure('runs with one command')).toBe(
    `${2 * commands - reads}: each of ${commands} commands throttled, each that is no read repeated`,
  );
  expect(statedFigure('runs with one failing call')).toBe(
    `${callFates.length * calls}: ${callFates.length} failures at ${calls} calls`,
  );
});

test.each(['throttled', 'repeated'] as const)(
  'at every effect, %s where that changes something: nothing is lost, nothing is done twice',
  async (fate) => {
    const tried = fate === 'throttled' ? places : places.filter((place) => !isRead(place));
    expect(await broken(tried.map(({ place }) => [[place, fate]]))).toEqual([]);
  },
);

test.each(callFates)('at every call to the service, %s', async (fate) => {
  expect(await broken(places.filter(isCall).map(({ place }) => [[place, fate]]))).toEqual([]);
});
