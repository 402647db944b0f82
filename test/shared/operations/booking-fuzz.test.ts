// A network that says something odd of its days: some day is booked, or a finding says why none is. Never an exception, and
// never a search without end.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { CalendarDate } from '#shared/domain/calendar-date.ts';
import { decideDate } from '#shared/operations/connection-date.ts';
import { targetNetwork } from '#shared/porting/contract.ts';
import { nearlyRight } from '../../support/nearly-right.ts';

const right = {
  id: 11,
  name: 'UK Mobile A',
  maxPortDays: 30,
  minPortDays: 1,
  allowEsim: true,
  networkNumber: 101,
  sourceNetworks: [],
  upcomingHolidays: ['2026-08-31T00:00:00', '2026-12-25T00:00:00'],
};
const today = '2026-07-01' as CalendarDate;

test('whatever a network says of its days, there is an answer for a date and for auto', () => {
  fc.assert(
    fc.property(nearlyRight(right), fc.constantFrom(undefined, '2026-07-02' as CalendarDate), (answer, wished) => {
      const read = targetNetwork.safeParse(answer);
      if (!read.success) return;
      const decided = decideDate(wished, read.data, today);
      expect('date' in decided || decided.code.startsWith('DATE_')).toBe(true);
    }),
    { numRuns: 1_000 },
  );
});

test('a network that takes bookings without any limit takes one for next week', () => {
  const open = { ...right, maxPortDays: 2_147_483_647 };
  expect(decideDate('2026-07-08' as CalendarDate, open, today)).toMatchObject({ date: '2026-07-08' });
  expect(decideDate(undefined, open, today)).toMatchObject({ date: '2026-07-02' });
});

test('a holiday that is no day of the calendar keeps nobody from booking', () => {
  const odd = { ...right, upcomingHolidays: ['2026-02-30T00:00:00', '2026-07-02T00:00:00'] };
  expect(decideDate(undefined, odd, today)).toMatchObject({ date: '2026-07-03' });
});
