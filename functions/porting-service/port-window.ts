// On which dates a target network takes ports (spec "Limits", booking window; decisions 8 and 9).
import { addDays, type CalendarDate, daysBetween, isWeekend, parseCalendarDate } from '#shared/domain/calendar-date.ts';
import type { Calendar } from './calendar.ts';
import type { PortTarget } from './catalogue.ts';

/** The bank holidays between the first and the last day that can be booked, as `YYYY-MM-DD`. */
export function upcomingHolidays(target: PortTarget, calendar: Calendar, today: CalendarDate): CalendarDate[] {
  const days = Array.from({ length: target.maxPortDays - target.minPortDays + 1 }, (_, index) =>
    addDays(today, target.minPortDays + index),
  );
  return days.filter((date) => calendar.isHoliday(date));
}

/** A connection date as a request writes it, judged: the day, or why it cannot be booked today. Both ends count. */
export type JudgedDate =
  | { readonly date: CalendarDate; readonly problem: string | null }
  | { readonly problem: string };

export function judgeDate(text: string, target: PortTarget, calendar: Calendar, today: CalendarDate): JudgedDate {
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
