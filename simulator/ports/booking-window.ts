// On which dates a target network accepts ports (spec "Limits", booking window; spec gaps 8 and 9).
import { addDays, type CalendarDate, daysBetween, isWeekend, parseCalendarDate } from '#shared/row/calendar-date.ts';
import type { Calendar } from '../calendar.ts';
import type { PortTarget } from '../catalogue/catalogue.ts';
import type { Choices } from '../choices.ts';

export function bookableDates(target: PortTarget, today: CalendarDate): CalendarDate[] {
  return Array.from({ length: target.maxPortDays - target.minPortDays + 1 }, (_, index) =>
    addDays(today, target.minPortDays + index),
  );
}

/** The days without porting between the first and the last day that can be booked, as `YYYY-MM-DD`. */
export const upcomingHolidays = (
  target: PortTarget,
  calendar: Calendar,
  today: CalendarDate,
  listed: Choices['holidays'],
): CalendarDate[] => {
  if (listed === 'with-weekends') return bookableDates(target, today).filter((date) => !calendar.isWorkingDay(date));
  // Every answer about networks has these days for all targets: checking each day was a tenth of a simulated import.
  return calendar.holidaysBetween(addDays(today, target.minPortDays), addDays(today, target.maxPortDays));
};

/** A connection date, and why it cannot be booked today, if so. The first and the last day of the window count. */
type CheckedDate = { readonly date: CalendarDate; readonly problem: string | null } | { readonly problem: string };

export function checkDate(text: string, target: PortTarget, calendar: Calendar, today: CalendarDate): CheckedDate {
  const parsed = parseCalendarDate(text.slice(0, 10));
  return parsed.ok
    ? { date: parsed.value, problem: dateProblem(parsed.value, target, calendar, today) }
    : { problem: 'is not a day of the calendar' };
}

function dateProblem(date: CalendarDate, target: PortTarget, calendar: Calendar, today: CalendarDate): string | null {
  const days = daysBetween(today, date);
  if (days < target.minPortDays) {
    return `must be at least ${target.minPortDays} days from today, ${addDays(today, target.minPortDays)} or later`;
  }
  if (days > target.maxPortDays) {
    return `must be at most ${target.maxPortDays} days from today, ${addDays(today, target.maxPortDays)} or earlier`;
  }
  if (isWeekend(date)) return `${date} is not a working day`;
  return calendar.isHoliday(date) ? `${date} is a holiday` : null;
}
