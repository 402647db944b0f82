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
const reads = places.filter(isRead);
const changes = places.filter((place) => !isRead(place));
/** Reads are alike: each third one is enough. */
const someReads = reads.filter((_, index) => index % 3 === 0);

test('docs/contributing/reliability.md states how many commands and calls fail', () => {
  const calls = places.filter(isCall).length;
  const commands = changes.length - calls;
  expect(statedFigure('runs with one command')).toBe(
    `${2 * commands + someReads.length}: each of ${commands} changes throttled, and repeated; each third of ${reads.length} reads throttled`,
  );
  expect(statedFigure('runs with one failing call')).toBe(
    `${callFates.length * calls}: ${callFates.length} failures at ${calls} calls`,
  );
});

test.each(['throttled', 'repeated'] as const)(
  'at every effect, %s where that changes something: nothing is lost, nothing is done twice',
  async (fate) => {
    const tried = fate === 'throttled' ? [...changes, ...someReads] : changes;
    expect(await broken(tried.map(({ place }) => [[place, fate]]))).toEqual([]);
  },
);

test.each(callFates)('at every call to the service, %s', async (fate) => {
  expect(await broken(places.filter(isCall).map(({ place }) => [[place, fate]]))).toEqual([]);
});
