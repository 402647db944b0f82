// The states of a service comparison. Sync and report have the tests of the steps that run it.
import { describe, expect, test } from 'vitest';
import {
  type ComparisonItem,
  compareServices,
  comparisonItem,
  continueComparison,
  deferComparison,
  describeMismatch,
  finishComparison,
  type MismatchedSim,
  markNotComparable,
  newComparison,
  restartComparison,
} from '#shared/outcome/service-comparison.ts';
import { iso, noon } from '../../support/steps/ledger-items.ts';

const day = 24 * 3_600_000;
const item = newComparison({ importId: 'import-a', request: 1, account: 1001, portId: 'p1' }, noon);
const sim = (line: number): MismatchedSim => ({
  line,
  msisdn: `44770090000${line}`,
  serialNumber: '8944110000000000001',
  services: [{ name: 'Roaming', type: 'Service', requested: 'true', actual: 'false' }],
});

test('a new comparison is due at once and has no mismatches', () => {
  expect(item).toEqual({
    importId: 'import-a',
    request: 1,
    account: 1001,
    portId: 'p1',
    state: 'due',
    compared: 0,
    sims: [],
    everFound: false,
    rounds: 0,
    dueAt: iso(noon),
    changedAt: iso(noon),
    revision: 0,
  });
});

test('an item is parsed as it was written, and only if every SIM has a mismatch', () => {
  const whole = { ...item, networkNumber: 3, sims: [sim(2)] };
  const [service] = sim(2).services;
  expect(comparisonItem.parse(whole)).toEqual(whole);
  const two = { ...whole, sims: [{ ...sim(2), services: [service, { ...service, name: 'Voicemail', actual: null }] }] };
  expect(comparisonItem.parse(two)).toEqual(two);
  expect(comparisonItem.safeParse({ ...whole, sims: [{ ...sim(2), services: [] }] }).success).toBe(false);
});

describe('services', () => {
  const requested = [
    { name: 'Roaming', value: 'true' },
    { name: 'Premium Rate Calls', value: 'false' },
    { name: 'Tethering', value: 'true' },
    { name: 'Voicemail', value: 'true' },
  ];
  const settings = [
    { name: 'Premium Rate Calls', type: 'Bar', optionValue: 'true' },
    { name: 'Roaming', type: 'Service', optionValue: 'true' },
    { name: 'Voicemail', type: 'Service', optionValue: null },
  ];

  test('that differ, have no value or are missing are reported in the requested order', () => {
    expect(compareServices(requested, settings)).toEqual([
      { name: 'Premium Rate Calls', type: 'Bar', requested: 'false', actual: 'true' },
      { name: 'Tethering', type: '', requested: 'true', actual: null },
      { name: 'Voicemail', type: 'Service', requested: 'true', actual: null },
    ]);
  });

  test('are described in the words of their type', () => {
    expect(describeMismatch({ ...sim(2), services: compareServices(requested, settings) })).toBe(
      'Premium Rate Calls is allow instead of block; ' +
        'Tethering is not set instead of true; Voicemail is not set instead of on',
    );
  });
});

describe('a comparison', () => {
  test('over several runs adds the mismatches of each run, and continues at once', () => {
    const begun = continueComparison({ ...item, sims: [sim(9)], everFound: true }, 100, [sim(2)], noon + day);
    expect(begun).toEqual({
      ...item,
      sims: [sim(2)],
      everFound: true,
      compared: 100,
      changedAt: iso(noon + day),
    });
    expect(continueComparison(begun, 200, [sim(3)], noon).sims).toEqual([sim(2), sim(3)]);
  });

  test('without mismatches is the last one', () => {
    const earlier = { ...item, sims: [sim(2)], everFound: true, rounds: 1 };
    expect(finishComparison(earlier, [], noon + day)).toEqual({
      ...earlier,
      state: 'none',
      sims: [],
      rounds: 2,
      dueAt: undefined,
      changedAt: iso(noon + day),
    });
    expect(finishComparison(item, [], noon).everFound).toBe(false);
  });

  test('with mismatches is repeated daily, seven times in all', () => {
    let next: ComparisonItem = item;
    const due: (string | undefined)[] = [];
    for (let round = 1; round <= 7; round += 1) {
      next = finishComparison({ ...next, compared: 100, sims: [] }, [sim(2)], noon);
      due.push(next.dueAt);
      expect(next).toMatchObject({ state: 'found', rounds: round, compared: 0, everFound: true, sims: [sim(2)] });
    }
    expect(due).toEqual([...Array(6).fill(iso(noon + day)), undefined]);
  });
});

test('a port that could not be read is compared a day later', () => {
  const half = { ...item, compared: 100, sims: [sim(2)] };
  expect(deferComparison(half, noon)).toEqual({ ...half, dueAt: iso(noon + day) });
});

test('a request that cannot be compared any more is never due', () => {
  const found = { ...item, compared: 100, sims: [sim(2)], rounds: 1, everFound: true };
  expect(markNotComparable(found, noon + day)).toEqual({
    ...found,
    state: 'unknown',
    compared: 0,
    sims: [],
    dueAt: undefined,
    changedAt: iso(noon + day),
  });
});

test('a new comparison restarts the daily repeats and keeps the mismatches until then', () => {
  const found = { ...item, state: 'found' as const, compared: 100, sims: [sim(2)], rounds: 7, dueAt: undefined };
  expect(restartComparison(found, noon + day)).toEqual({
    ...found,
    compared: 0,
    rounds: 0,
    dueAt: iso(noon + day),
    changedAt: iso(noon + day),
  });
});

test('a comparison without some SIMs is due again a day later, seven times at most', () => {
  const later = noon + 5_000;
  expect(finishComparison(item, [], later, 'some-sims')).toMatchObject({
    state: 'due',
    compared: 0,
    rounds: 1,
    dueAt: iso(later + day),
  });
  expect(finishComparison(item, [sim(2)], later, 'some-sims')).toMatchObject({
    state: 'found',
    dueAt: iso(later + day),
  });
  const last = { ...item, rounds: 6 };
  expect(finishComparison(last, [], later, 'some-sims')).toMatchObject({ state: 'unknown', dueAt: undefined });
  expect(finishComparison(last, [], later)).toMatchObject({ state: 'none', dueAt: undefined });
});
