// The arithmetic of alarms, as CloudWatch documents it: periods slide, and missing data counts as the alarm states.
import { describe, expect, test } from 'vitest';
import { synthesise } from '../../support/infra/template.ts';
import { type Alarm, alarmsOf, createMetricStore, firstFirings, isFiring } from './cloudwatch.ts';

const minute = 60_000;
const metric = { namespace: 'n', name: 'age', dimensions: { service: 'sync' } };
const alarmOf = (changes: Partial<Alarm> = {}): Alarm => ({
  name: 'alarm',
  periodMs: 5 * minute,
  evaluationPeriods: 2,
  datapointsToAlarm: 2,
  isBreaching: (value) => value > 3,
  isMissingDataBreaching: false,
  metrics: [metric],
  read: (store, from, to) => store.values(metric, from, to).at(-1),
  ...changes,
});

/** A value at the end of each of these minutes. */
function storeWith(values: Readonly<Record<number, number>>) {
  const store = createMetricStore();
  for (const [at, value] of Object.entries(values)) store.put(metric, value, Number(at) * minute);
  return store;
}
const firesAt = (alarm: Alarm, values: Readonly<Record<number, number>>, at: number): boolean =>
  isFiring(alarm, storeWith(values), at * minute);

describe('two of two periods', () => {
  test('fire only when both breach', () => {
    expect(firesAt(alarmOf(), { 1: 4, 6: 4 }, 10)).toBe(true);
    expect(firesAt(alarmOf(), { 1: 4, 6: 3 }, 10)).toBe(false);
  });

  test('do not fire on values that are further apart than a period: the period between has no data', () => {
    const [values, alarm] = [{ 0: 4, 30: 4, 60: 4, 90: 4 }, alarmOf()];
    expect(firstFirings([alarm], storeWith(values), { from: 0, to: 120 * minute }).size).toBe(0);
  });

  test('do not fire on the events of one minute, however many', () => {
    expect(firstFirings([alarmOf()], storeWith({ 7: 1_000 }), { from: 0, to: 60 * minute }).size).toBe(0);
  });
});

describe('one of two periods', () => {
  const alarm = alarmOf({ datapointsToAlarm: 1 });

  test('fires on one value, for the length of both periods', () => {
    const fires = (at: number) => firesAt(alarm, { 7: 4 }, at);
    expect([7, 8, 12, 17, 18].map(fires)).toEqual([false, true, true, true, false]);
  });

  test('is evaluated every minute', () => {
    expect(firstFirings([alarm], storeWith({ 7: 4 }), { from: 0, to: 60 * minute }).get('alarm')).toBe(8 * minute);
  });
});

test('missing data fires where the alarm treats it as a breach', () => {
  const alarm = alarmOf({ evaluationPeriods: 1, datapointsToAlarm: 1, isMissingDataBreaching: true });
  expect([2, 6, 7].map((at) => firesAt(alarm, { 1: 0 }, at))).toEqual([false, false, true]);
});

test('a query with SCHEMA sums the metrics with exactly these dimensions', () => {
  const declined = alarmsOf(synthesise('prod')).find(({ name }) => name.endsWith('declined-requests'));
  const store = createMetricStore();
  const put = (dimensions: Readonly<Record<string, string>>, value: number) =>
    store.put({ namespace: 'simporter/prod', name: 'requestsDeclined', dimensions }, value, minute);
  put({ service: 'submit' }, 4);
  put({ service: 'sync' }, 5);
  put({ service: 'sync', task: 'resolve' }, 100);
  expect(declined?.read(store, 0, 2 * minute)).toBe(9);
});
