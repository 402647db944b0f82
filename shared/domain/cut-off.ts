// Until when a port can still be cancelled: the service locks it on the evening of the working day before its date (spec,
// States and transitions: "Locked: MSISDNs port the next working day"). The hour is the service's habit, so it is a setting.
import { addDays, type CalendarDate, instantOf, isWeekend } from './calendar-date.ts';
import type { TimeZone } from './time-zone.ts';

/** The hour of the account's day from which on the service may lock the ports of the next working day. */
export const usualLockingHour = 16;

/** The last moment, in epoch milliseconds, at which cancelling a port of this date is sure to be in time. */
export const cutOff = (connectionDate: CalendarDate, zone: TimeZone | string, lockingHour = usualLockingHour): number =>
  instantOf(workingDayBefore(connectionDate), lockingHour, zone);

function workingDayBefore(date: CalendarDate): CalendarDate {
  let candidate = addDays(date, -1);
  while (isWeekend(candidate)) candidate = addDays(candidate, -1);
  return candidate;
}
