import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { addDays, type CalendarDate } from '#shared/domain/calendar-date.ts';
import { nextLook } from '#shared/domain/poll-schedule.ts';
import { createTimeZone } from '#shared/domain/time-zone.ts';

const minute = 60_000;
const hour = 60 * minute;
const zone = 'Europe/London';
// A Monday; the evening before it that counts is Friday's.
const connectionDate = '2026-07-06' as CalendarDate;
const at = (text: string) => Date.parse(text);

const wait = (statusName: string, now: number, lastChange: number) =>
  (nextLook({ statusName, connectionDate, now, lastChange, zone }) ?? Number.NaN) - now;

describe('the next look', () => {
  test.each(['Complete', 'Cancelled'])('never comes for a port that is %s', (statusName) => {
    const now = at('2026-07-01T09:00:00Z');
    expect(nextLook({ statusName, connectionDate, now, lastChange: now, zone })).toBeNull();
  });

  test('comes a minute after a create, when PACs are being checked', () => {
    const now = at('2026-07-01T09:00:00Z');
    expect(wait('Created', now, now)).toBe(minute);
  });

  test('grows rarer the longer nothing happens', () => {
    const created = at('2026-07-01T09:00:00Z');
    const waits = [0, 0.2, 1, 3, 12].map((hours) => wait('Created', created + hours * hour, created));
    expect(waits).toEqual([...waits].sort((one, other) => one - other));
    expect(waits.at(-1)).toBe(hour);
  });

  test('is soon after somebody amended a PAC, and rare while nobody does', () => {
    const now = at('2026-07-02T09:00:00Z');
    expect(wait('Pac Check Failed', now, now)).toBe(2 * minute);
    expect(wait('Pac Check Failed', now, now - 48 * hour)).toBe(6 * hour);
  });

  test('does not miss the evening on which a port is locked: that of the working day before', () => {
    const friday = at('2026-07-03T14:00:00Z');
    expect(friday + wait('Submitted', friday, friday - 240 * hour)).toBe(at('2026-07-03T17:00:00Z'));
    const thursday = at('2026-07-02T18:00:00Z');
    expect(thursday + wait('Submitted', thursday, thursday - 240 * hour)).toBe(at('2026-07-03T17:00:00Z'));
  });

  test('is within a day while the source network can still reject the port', () => {
    const monday = at('2026-06-29T14:00:00Z');
    expect(wait('Submitted', monday, monday - 240 * hour)).toBe(24 * hour);
  });

  test('of a port that is Locked, when nothing can stop it any more, is on the morning of its date', () => {
    const evening = at('2026-07-03T17:00:00Z');
    expect(evening + wait('Locked', evening, evening - 240 * hour)).toBe(at('2026-07-06T07:00:00Z'));
  });

  test.each(['Submitted', 'Locked', 'Ported', 'Awaiting RA'])('is hourly on the port date while it is %s', (status) => {
    expect(wait(status, at('2026-07-06T08:00:00Z'), at('2026-07-03T17:00:00Z'))).toBe(hour);
  });

  test('is rare for a port whose date is long past', () => {
    expect(wait('Locked', at('2026-07-20T08:00:00Z'), at('2026-07-01T08:00:00Z'))).toBe(12 * hour);
  });

  test('is at least a minute and at most four days away, whatever the port', () => {
    const statuses = fc.constantFrom(
      'Created',
      'Submitted',
      'Locked',
      'Ported',
      'Error',
      'Pac Check Failed',
      'No Such Status',
    );
    fc.assert(
      fc.property(
        statuses,
        fc.integer({ min: -60, max: 60 }),
        fc.nat(86_400_000),
        fc.nat(90),
        (statusName, days, ms, age) => {
          const now = at(`${addDays(connectionDate, days)}T00:00:00Z`) + ms;
          const away = wait(statusName, now, now - age * 24 * hour);
          expect(away).toBeGreaterThanOrEqual(minute);
          expect(away).toBeLessThanOrEqual(96 * hour);
        },
      ),
    );
  });

  test('asks nothing new of the platform where the zone was prepared', () => {
    const prepared = createTimeZone(zone);
    const made = vi.spyOn(Intl, 'DateTimeFormat');
    const now = at('2026-07-03T14:00:00Z');
    nextLook({ statusName: 'Submitted', connectionDate, now, lastChange: now, zone: prepared });
    expect(made).not.toHaveBeenCalled();
    made.mockRestore();
  });
});
