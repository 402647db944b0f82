// The comparison of services, step by step; the functions that make it are tested with sync and report.
import { describe, expect, test } from 'vitest';
import {
  comparedAgain,
  comparedLater,
  compareServices,
  type DriftedSim,
  type DriftItem,
  describeDrift,
  driftItem,
  ended,
  goneOn,
  newDrift,
  notComparable,
} from '#shared/domain/drift.ts';
import { iso, noon } from '../../support/results-ledger.ts';

const day = 24 * 3_600_000;
const item = newDrift({ importId: 'import-a', request: 1, account: 1001, portId: 'p1' }, noon);
const sim = (line: number): DriftedSim => ({
  line,
  msisdn: `44770090000${line}`,
  serialNumber: '8944110000000000001',
  services: [{ name: 'Roaming', type: 'Service', asked: 'true', set: 'false' }],
});

test('a new comparison is due at once, and knows nothing yet', () => {
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

test('an item is read back as it was written, and only with every SIM that it names whole', () => {
  const whole = { ...item, networkNumber: 3, sims: [sim(2)] };
  const [service] = sim(2).services;
  expect(driftItem.parse(whole)).toEqual(whole);
  const two = { ...whole, sims: [{ ...sim(2), services: [service, { ...service, name: 'Voicemail', set: null }] }] };
  expect(driftItem.parse(two)).toEqual(two);
  expect(driftItem.safeParse({ ...whole, sims: [{ ...sim(2), services: [] }] }).success).toBe(false);
});

describe('services', () => {
  const asked = [
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

  test('that differ, have no value or are not there, are told in the order that was asked', () => {
    expect(compareServices(asked, settings)).toEqual([
      { name: 'Premium Rate Calls', type: 'Bar', asked: 'false', set: 'true' },
      { name: 'Tethering', type: '', asked: 'true', set: null },
      { name: 'Voicemail', type: 'Service', asked: 'true', set: null },
    ]);
  });

  test('are described in the words of their type', () => {
    expect(describeDrift({ services: compareServices(asked, settings) })).toBe(
      'Premium Rate Calls is allow, asked was block; ' +
        'Tethering is not set, asked was true; Voicemail is not set, asked was on',
    );
  });
});

describe('a round', () => {
  test('in several runs adds what each found, and goes on at once', () => {
    const begun = goneOn({ ...item, sims: [sim(9)], everFound: true }, 100, [sim(2)], noon + day);
    expect(begun).toEqual({
      ...item,
      sims: [sim(2)],
      everFound: true,
      compared: 100,
      changedAt: iso(noon + day),
    });
    expect(goneOn(begun, 200, [sim(3)], noon).sims).toEqual([sim(2), sim(3)]);
  });

  test('that found nothing is the last one', () => {
    const earlier = { ...item, sims: [sim(2)], everFound: true, rounds: 1 };
    expect(ended(earlier, [], noon + day)).toEqual({
      ...earlier,
      state: 'none',
      sims: [],
      rounds: 2,
      dueAt: undefined,
      changedAt: iso(noon + day),
    });
    expect(ended(item, [], noon).everFound).toBe(false);
  });

  test('that found something is followed by another a day later, seven in all', () => {
    let next: DriftItem = item;
    const due: (string | undefined)[] = [];
    for (let round = 1; round <= 7; round += 1) {
      next = ended({ ...next, compared: 100, sims: [] }, [sim(2)], noon);
      due.push(next.dueAt);
      expect(next).toMatchObject({ state: 'found', rounds: round, compared: 0, everFound: true, sims: [sim(2)] });
    }
    expect(due).toEqual([...Array(6).fill(iso(noon + day)), undefined]);
  });
});

test('what could not be read is compared a day later', () => {
  const half = { ...item, compared: 100, sims: [sim(2)] };
  expect(comparedLater(half, noon)).toEqual({ ...half, dueAt: iso(noon + day) });
});

test('what cannot be compared any more is due for nobody', () => {
  const found = { ...item, compared: 100, sims: [sim(2)], rounds: 1, everFound: true };
  expect(notComparable(found, noon + day)).toEqual({
    ...found,
    state: 'unknown',
    compared: 0,
    sims: [],
    dueAt: undefined,
    changedAt: iso(noon + day),
  });
});

test('a person begins the days anew, and keeps what was found until then', () => {
  const found = { ...item, state: 'found' as const, compared: 100, sims: [sim(2)], rounds: 7, dueAt: undefined };
  expect(comparedAgain(found, noon + day)).toEqual({
    ...found,
    compared: 0,
    rounds: 0,
    dueAt: iso(noon + day),
    changedAt: iso(noon + day),
  });
});

test('a comparison that is not whole is due again a day later, until nobody believes in it any more', () => {
  const later = noon + 5_000;
  expect(ended(item, [], later, false)).toMatchObject({
    state: 'due',
    compared: 0,
    rounds: 1,
    dueAt: iso(later + day),
  });
  expect(ended(item, [sim(2)], later, false)).toMatchObject({ state: 'found', dueAt: iso(later + day) });
  const last = { ...item, rounds: 6 };
  expect(ended(last, [], later, false)).toMatchObject({ state: 'unknown', dueAt: undefined });
  expect(ended(last, [], later)).toMatchObject({ state: 'none', dueAt: undefined });
});
