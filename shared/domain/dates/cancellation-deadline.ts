// The cancellation deadline of a port. The service locks a port on the evening of the working day before its date
// (spec, States and transitions: "Locked: MSISDNs port the next working day"). Working days are Monday to Friday
// (spec, Terminology), but the holidays of a network are "non-working days" as well (spec, Target Network): counting
// holidays is never too late. The spec does not name the hour, so it is a setting.
import { addDays, type CalendarDate, instantOf, isWeekend } from '#shared/row/calendar-date.ts';

/** The hour of the account's day from which the service may lock the ports of the next working day. */
export const usualLockingHour = 16;

/**
 * The last moment, in epoch milliseconds, at which a cancellation is certainly in time. `holidays` are the known
 * holidays of the target network (`YYYY-MM-DD`).
 */
export const cancellationDeadline = (
  connectionDate: CalendarDate,
  zone: string,
  lockingHour = usualLockingHour,
  holidays?: readonly string[],
): number => instantOf(workingDayBefore(connectionDate, holidays), lockingHour, zone);

/** The holidays that move the deadline of this date forward, the latest first; most dates have none. */
export function holidaysBefore(connectionDate: CalendarDate, holidays: readonly CalendarDate[]): CalendarDate[] {
  const found: CalendarDate[] = [];
  let date = addDays(connectionDate, -1);
  for (; isFree(date, holidays); date = addDays(date, -1)) if (holidays.includes(date)) found.push(date);
  return found;
}

function workingDayBefore(connectionDate: CalendarDate, holidays?: readonly string[]): CalendarDate {
  let date = addDays(connectionDate, -1);
  while (isFree(date, holidays)) date = addDays(date, -1);
  return date;
}

const isFree = (date: CalendarDate, holidays?: readonly string[]) => isWeekend(date) || holidays?.includes(date);
