// The states of a service comparison. Sync and report have the tests of the steps that run it.
import { describe, expect, test } from 'vitest';
import {
  type ComparisonItem,
  compareServices,
  comparisonItem,
  comparisonKey,
  comparisonOfSims,
  deferComparison,
  describeMismatch,
  finishComparison,
  type MismatchedSim,
  markNotComparable,
  newComparison,
  recordReadings,
  restartComparison,
  withReadings,
} from '#shared/outcome/service-comparison.ts';
import { iso, noon, requestItemOf } from '../../support/steps/ledger-items.ts';

const day = 24 * 3_600_000;
const item = newComparison(
  { importId: 'import-a', request: 1, account: '1001@service', portId: 'p1', expiresAt: 1_850_000_000 },
  noon,
);
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
    account: '1001@service',
    portId: 'p1',
    expiresAt: 1_850_000_000,
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

const none = { equal: [], differing: [], failed: [], declined: [] };
const late = (now = noon) => ({ now, isEarly: false });

describe('a comparison', () => {
  test('over several runs changes what is known of the SIMs that each run reads, and continues at once', () => {
    const earlier = { ...item, sims: [sim(2), sim(3), sim(9)], everFound: true };
    const place = { lines: [2, 3, 4], compared: 1 };
    const begun = recordReadings(earlier, { ...none, equal: [2] }, place, late(noon + day));
    // Row 9 is not compared any more.
    expect(begun).toEqual({ ...earlier, sims: [sim(3)], compared: 1, changedAt: iso(noon + day) });
    const differing = [{ ...sim(4), msisdn: '' }];
    const next = recordReadings(begun, { ...none, failed: [3], differing }, { ...place, compared: 3 }, late());
    expect(next).toMatchObject({ sims: [sim(3), ...differing], compared: 0, rounds: 1, state: 'found' });
  });

  test('without mismatches is the last one', () => {
    const earlier = { ...item, everFound: true, rounds: 1 };
    expect(finishComparison(earlier, noon + day)).toEqual({
      ...earlier,
      state: 'none',
      rounds: 2,
      dueAt: undefined,
      changedAt: iso(noon + day),
    });
    expect(finishComparison(item, noon).everFound).toBe(false);
  });

  test('with mismatches is repeated daily, seven times in all', () => {
    let next: ComparisonItem = item;
    const due: (string | undefined)[] = [];
    for (let round = 1; round <= 7; round += 1) {
      const place = { lines: [2], compared: 1 };
      next = recordReadings({ ...next, compared: 100, sims: [] }, { ...none, differing: [sim(2)] }, place, late());
      due.push(next.dueAt);
      expect(next).toMatchObject({ state: 'found', rounds: round, compared: 0, everFound: true, sims: [sim(2)] });
    }
    expect(due).toEqual([...Array(6).fill(iso(noon + day)), undefined]);
  });
});

describe('the comparison of accepted settings', () => {
  const request = requestItemOf({
    state: 'accepted',
    ticket: 't1',
    lines: '2-5',
    rowCount: 4,
    simRows: { 'in-progress': 4 },
    changedAt: iso(noon),
  });
  const begun = comparisonOfSims(request) ?? item;
  const place = { lines: [2, 3, 4, 5], compared: 4 };
  const readings = { equal: [2], differing: [sim(3)], failed: [4], declined: [5] };
  const times = { wall: noon + day, calendar: noon };

  test('is due when they are accepted, and all their rows wait; a request that is done with its ticket has none', () => {
    const about = { portId: 't1', state: 'due', waiting: '2-5', unread: '', sims: [], dueAt: iso(noon) };
    expect(begun).toMatchObject(about);
    expect(comparisonOfSims({ ...request, simRows: undefined })).toBeUndefined();
  });

  test('is beside its request, also where that is a part of another one', () => {
    const keys = [1, 10_000_001, 310_000_001, 2].map((number) => comparisonKey('import-a', number).sk);
    const places = ['0000001', '0000001#01', '0000001#03#01', '0000002'];
    expect(keys).toEqual(places.map((place) => `comparison#${place}`));
    expect(keys.toSorted()).toEqual(keys);
  });

  test('moves rows by what their SIMs show, and ends with the last one that waits', () => {
    const next = recordReadings(begun, readings, place, late());
    expect(next).toMatchObject({ waiting: '', unread: '4-5', sims: [sim(3)], state: 'found', dueAt: iso(noon + day) });
    expect(withReadings(request, begun, next, times)).toEqual({
      ...request,
      simRows: { complete: 1, 'action-required': 1, accepted: 2 },
      actionRequired: 1,
      endedAt: iso(noon),
      changedAt: iso(noon + day),
    });
  });

  test('leaves rows waiting that differ or cannot be read while the service may be at work', () => {
    const next = recordReadings(begun, readings, place, { now: noon, isEarly: true });
    expect(next).toMatchObject({ waiting: '3-5', unread: '', sims: [], state: 'due', dueAt: iso(noon + 60_000) });
    const counted = withReadings(request, begun, next, times);
    expect(counted).toMatchObject({ simRows: { complete: 1, 'in-progress': 3 }, endedAt: undefined });
    expect(withReadings(counted, next, { ...next, rounds: 3 }, times)).toBe(counted);
  });

  test('knows of no row whether it is done, where it cannot be compared any more and the row was not complete', () => {
    const differing = recordReadings(begun, { ...none, equal: [2], differing: [sim(4)] }, place, late());
    const next = markNotComparable(differing, noon);
    expect(next).toMatchObject({ state: 'unknown', waiting: '', unread: '3-5', sims: [] });
    expect(withReadings(request, differing, next, times)).toMatchObject({
      simRows: { complete: 1, accepted: 3 },
      actionRequired: 0,
      endedAt: iso(noon),
    });
  });
});

test('a port that could not be read is compared a day later', () => {
  const half = { ...item, compared: 100, sims: [sim(2)] };
  expect(deferComparison(half, noon)).toEqual({ ...half, dueAt: iso(noon + day) });
});

test('rows that wait for SIMs that could not be read are compared soon', () => {
  const waits = { ...item, waiting: '2-5', unread: '' };
  expect(deferComparison(waits, noon)).toEqual({ ...waits, dueAt: iso(noon + 15 * 60_000) });
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
  expect(finishComparison(item, later, 'some-sims')).toMatchObject({
    state: 'due',
    compared: 0,
    rounds: 1,
    dueAt: iso(later + day),
  });
  expect(finishComparison({ ...item, sims: [sim(2)] }, later, 'some-sims')).toMatchObject({
    state: 'found',
    dueAt: iso(later + day),
  });
  const last = { ...item, rounds: 6 };
  expect(finishComparison(last, later, 'some-sims')).toMatchObject({ state: 'unknown', dueAt: undefined });
  expect(finishComparison(last, later)).toMatchObject({ state: 'none', dueAt: undefined });
});
