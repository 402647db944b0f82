// A network with unusual days: a day is booked, or a finding explains why none can be. Never an
// exception, and never a search without end.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bookDate } from '#shared/operations/columns/connection-date.ts';
import type { CalendarDate } from '#shared/row/calendar-date.ts';
import { targetNetwork } from '#shared/service/contract.ts';
import { nearlyRight } from '../../../support/nearly-right.ts';

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

test('whatever days a network answers with, there is a result for a date and for auto', () => {
  fc.assert(
    fc.property(
      nearlyRight(right),
      fc.constantFrom('auto' as const, '2026-07-02' as CalendarDate),
      (answer, requested) => {
        const read = targetNetwork.safeParse(answer);
        if (!read.success) return;
        const chosen = bookDate(requested, read.data, today);
        expect('date' in chosen || chosen.code.startsWith('DATE_')).toBe(true);
      },
    ),
    { numRuns: 1_000 },
  );
});

test('a network without a limit takes bookings for next week', () => {
  const open = { ...right, maxPortDays: 2_147_483_647 };
  expect(bookDate('2026-07-08' as CalendarDate, open, today)).toMatchObject({ date: '2026-07-08' });
  expect(bookDate('auto', open, today)).toMatchObject({ date: '2026-07-02' });
});

test('a holiday that does not exist prevents no booking', () => {
  const odd = { ...right, upcomingHolidays: ['2026-02-30T00:00:00', '2026-07-02T00:00:00'] };
  expect(bookDate('auto', odd, today)).toMatchObject({ date: '2026-07-03' });
});
