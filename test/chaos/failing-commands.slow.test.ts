// Every AWS command of ingest, submit, sync and report for one small import, throttled or repeated; and every failure
// of every call to the service.
import { expect, test, vi } from 'vitest';
import { broken, isCall, isRead, oneOfEachKind, placesOf, run, swept } from './fault-runs.ts';
import { callFates, faultsAt } from './faults.ts';
import { simulateOperations } from './operations/simulate-operations.ts';
import { statedFigure } from './reliability-page.ts';
import { smallScenario } from './scenario.ts';

/** Hundreds of runs each: a minute is enough only on an idle machine. */
vi.setConfig({ testTimeout: 300_000 });

const places = placesOf(await run([], smallScenario));
const reads = places.filter(isRead);
const changes = places.filter((place) => !isRead(place));
test('docs/contributing/reliability.md states how many commands and calls fail', () => {
  const calls = places.filter(isCall).length;
  const commands = changes.length - calls;
  expect(statedFigure('runs with one command')).toBe(
    `${2 * commands + reads.length}: each of ${commands} changes throttled, and repeated; each of ${reads.length} reads throttled`,
  );
  expect(statedFigure('runs with one failing call')).toBe(
    `${callFates.length * calls}: ${callFates.length} failures at ${calls} calls`,
  );
});

test.each(['throttled', 'repeated'] as const)(
  'at every effect, %s where that changes something: nothing is lost, nothing is done twice',
  async (fate) => {
    const kinds = oneOfEachKind(changes.filter((place) => !isCall(place)));
    const tried = fate === 'throttled' ? [...swept(kinds, 0, 2), ...swept(oneOfEachKind(reads))] : swept(kinds, 1, 2);
    expect(await broken(tried.map(({ place }) => [[place, fate]]))).toEqual([]);
  },
);

test.each(callFates.map((fate, index) => [fate, index] as const))(
  'at every call to the service, %s',
  async (fate, index) => {
    const calls = swept(oneOfEachKind(places.filter(isCall)), index, 4);
    expect(await broken(calls.map(({ place }) => [[place, fate]]))).toEqual([]);
  },
);

/** A day with ports, their changes and tickets: every way in which a call answers. */
const quietDay = 8;
const dayWith = async (points: Parameters<typeof faultsAt>[0]) => {
  const faults = faultsAt(points);
  const { violations, counts } = await simulateOperations(quietDay, undefined, faults);
  return { violations, ends: [...counts.keys()], about: faults.about };
};

test('fault 58: the answer of each write to the ledger is lost once, of each operation: no person is asked', async () => {
  const { ends, about } = await dayWith(new Map());
  const operations = [
    'bar',
    'bar-service-config',
    'cancel-port',
    'create-port',
    'provision',
    'send-sms',
    'unbar',
    'update-port',
  ];
  expect([...new Set(ends.map((end) => end.split(' ')[0]))].sort()).toEqual(operations);
  const writes = placesOf({ about }).filter(({ what }) => what.endsWith(' PutCommand request'));
  expect(writes.length).toBeGreaterThan(30);
  for (const { place, what } of swept(writes)) {
    const lost = await dayWith(new Map([[place, 'repeated']]));
    expect(lost.violations, `${what}, effect ${place}`).toEqual([]);
    expect(
      lost.ends.filter((end) => !/ (?:created|accepted|skipped)$/.test(end)),
      `effect ${place}`,
    ).toEqual([]);
  }
});
