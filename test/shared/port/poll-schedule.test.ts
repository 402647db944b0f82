import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { nextPoll } from '#shared/port/poll-schedule.ts';
import { addDays, type CalendarDate } from '#shared/row/calendar-date.ts';

const minute = 60_000;
const hour = 60 * minute;
const zone = 'Europe/London';
// A Monday: its ports are locked on Friday evening.
const connectionDate = '2026-07-06' as CalendarDate;
const at = (text: string) => Date.parse(text);

const wait = (statusName: string, now: number, lastChange: number) =>
  (nextPoll({ statusName, connectionDate, now, lastChange, zone }) ?? Number.NaN) - now;

describe('the next read', () => {
  test.each(['Complete', 'Cancelled'])('is never due for a port that is %s', (statusName) => {
    const now = at('2026-07-01T09:00:00Z');
    expect(nextPoll({ statusName, connectionDate, now, lastChange: now, zone })).toBeNull();
  });

  test('is due a minute after a create, while PACs are checked', () => {
    const now = at('2026-07-01T09:00:00Z');
    expect(wait('Created', now, now)).toBe(minute);
  });

  test('is due later the longer nothing changes', () => {
    const created = at('2026-07-01T09:00:00Z');
    const waits = [0, 0.2, 1, 3, 12].map((hours) => wait('Created', created + hours * hour, created));
    expect(waits).toEqual([...waits].sort((one, other) => one - other));
    expect(waits.at(-1)).toBe(hour);
  });

  test('is due soon after a PAC was amended, and later while nothing changes', () => {
    const now = at('2026-07-02T09:00:00Z');
    expect(wait('Pac Check Failed', now, now)).toBe(2 * minute);
    expect(wait('Pac Check Failed', now, now - 48 * hour)).toBe(6 * hour);
  });

  test('is due on the evening on which the port is locked: that of the working day before', () => {
    const friday = at('2026-07-03T14:00:00Z');
    expect(friday + wait('Submitted', friday, friday - 240 * hour)).toBe(at('2026-07-03T17:00:00Z'));
    const thursday = at('2026-07-02T18:00:00Z');
    expect(thursday + wait('Submitted', thursday, thursday - 240 * hour)).toBe(at('2026-07-03T17:00:00Z'));
  });

  test('is due within a day while the source network can still reject the port', () => {
    const monday = at('2026-06-29T14:00:00Z');
    expect(wait('Submitted', monday, monday - 240 * hour)).toBe(24 * hour);
  });

  test('of a Locked port is due on the morning of its port date', () => {
    const evening = at('2026-07-03T17:00:00Z');
    expect(evening + wait('Locked', evening, evening - 240 * hour)).toBe(at('2026-07-06T07:00:00Z'));
  });

  test('is due every 15 minutes on the port date while the port is Locked', () => {
    expect(wait('Locked', at('2026-07-06T08:00:00Z'), at('2026-07-03T17:00:00Z'))).toBe(15 * minute);
  });

  test.each(['Submitted', 'Ported', 'Awaiting RA'])(
    'is due hourly on the port date while the port has been %s for days',
    (status) => {
      expect(wait(status, at('2026-07-06T08:00:00Z'), at('2026-07-03T17:00:00Z'))).toBe(hour);
    },
  );

  test('is due every 12 hours for a port whose date is long past', () => {
    expect(wait('Locked', at('2026-07-20T08:00:00Z'), at('2026-07-01T08:00:00Z'))).toBe(12 * hour);
  });

  test('is due after at least a minute and at most four days, whatever the port', () => {
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

  test('creates one formatter for each zone', () => {
    const now = at('2026-07-03T14:00:00Z');
    const port = { statusName: 'Submitted', connectionDate, now, lastChange: now, zone };
    nextPoll(port);
    const made = vi.spyOn(Intl, 'DateTimeFormat');
    nextPoll(port);
    expect(made).not.toHaveBeenCalled();
    made.mockRestore();
  });
});
